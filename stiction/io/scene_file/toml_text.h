#pragma once
// Pieces of TOML as text: numbers with the shortest digits that read back as the same bits, names and lists.

#include <string>
#include <string_view>
#include <vector>

#include "stiction/math/matrix.h"

namespace stiction {

// Throws UserError for a number that is not finite.
std::string toml_number(double value);
std::string toml_text(std::string_view text);  // in quotes
std::string toml_list(const double* values, std::size_t count);
std::string toml_list(const Vec3& vector);

// Lines "key = value" under a header; a section without lines is not written.
class TomlSection {
 public:
  explicit TomlSection(std::string header) : header_(std::move(header)) {}
  void add(std::string_view key, const std::string& value);
  void add(std::string_view key, double value) { add(key, toml_number(value)); }
  void add_text(std::string_view key, std::string_view text) { add(key, toml_text(text)); }
  // Only where it differs from the default.
  void add_unless(std::string_view key, double value, double fallback) {
    if (value != fallback) add(key, value);
  }
  std::string text() const { return lines_.empty() ? "" : "\n" + header_ + "\n" + lines_; }

 private:
  std::string header_, lines_;
};

}  // namespace stiction
