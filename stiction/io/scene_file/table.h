#pragma once
// One table of a scene file, read by the keys of the schema: what is unknown, missing, of the wrong type or
// out of range is a UserError with file, line and column.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stiction/base/check.h"
#include "stiction/io/scene_file/toml_value.h"
#include "stiction/math/spatial.h"

namespace stiction {

class SceneTable {
 public:
  // `section` names the keys; throws for others.
  SceneTable(const TomlValue& table, const char* section, const std::string& file);

  bool has(const char* key) const { return entry(key) != nullptr; }
  const TomlPlace& place() const { return table_.place; }

  // What is there, or nothing. Numbers are finite.
  std::optional<double> number(const char* key) const;
  std::optional<double> positive(const char* key) const;
  std::optional<double> not_negative(const char* key) const;
  std::optional<int> whole(const char* key, int lowest, int highest) const;
  std::optional<bool> flag(const char* key) const;
  std::optional<std::string> text(const char* key) const;
  std::optional<Vec3> vector(const char* key) const;
  std::optional<std::vector<double>> numbers(const char* key, std::size_t count) const;
  // One text, or a list of them.
  std::vector<std::string> texts(const char* key) const;
  const TomlValue* value(const char* key) const;

  // What must be there.
  std::string needed_text(const char* key) const;
  double needed_positive(const char* key) const;

  // position and one of rpy, quaternion, rotation.
  Pose pose() const;

  [[noreturn]] void fail(const char* key, std::string_view message) const;
  [[noreturn]] void fail(std::string_view message) const;

  // Runs an action whose errors do not know where in the file they arose.
  template <class Action>
  auto located(const char* key, const Action& action) const {
    try {
      return action();
    } catch (const UserError& error) {
      rethrow(key, error);
    }
  }

 private:
  const TomlEntry* entry(const char* key) const;
  const TomlEntry* entry(const char* key, TomlValue::Kind kind) const;
  [[noreturn]] void rethrow(const char* key, const UserError& error) const;

  const TomlValue& table_;
  const char* section_;
  const std::string& file_;
};

// A finite number of a list. Throws UserError with its place.
double finite_number(const TomlValue& value, const std::string& file, std::string_view what);

}  // namespace stiction
