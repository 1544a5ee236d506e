#pragma once
// A TOML file (https://toml.io/en/v1.0.0) as a tree of values that know their line and column.
//
//   TomlValue root = parse_toml("step = 1e-3", "scene.toml");
//   const TomlEntry* step = find(root, "step");   // step->value.number == 1e-3
//
// Dates and times have no use in scenes and are refused.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stiction {

struct TomlPlace {
  int line = 1, column = 1;  // from 1
};

struct TomlEntry;

struct TomlValue {
  enum class Kind { boolean, integer, real, text, list, table };
  Kind kind = Kind::table;
  TomlPlace place;
  bool boolean = false;
  std::int64_t integer = 0;
  double number = 0.0;  // of reals and of integers
  std::string text;
  std::vector<TomlValue> items;    // of a list
  std::vector<TomlEntry> entries;  // of a table, in the order of the file

  bool is_number() const { return kind == Kind::integer || kind == Kind::real; }
};

struct TomlEntry {
  std::string key;
  TomlPlace place;  // of the key
  TomlValue value;
};

// "a number", "a text", ...
const char* name_of(TomlValue::Kind kind);

// Null: the table has no such key.
const TomlEntry* find(const TomlValue& table, std::string_view key);

// The root is a table. Throws UserError, "scene.toml:3:7: ...", for what is not TOML.
TomlValue parse_toml(std::string_view text, const std::string& file);

// "scene.toml:3:7: message", as a UserError.
[[noreturn]] void fail_at(const std::string& file, const TomlPlace& place, std::string_view message);

}  // namespace stiction
