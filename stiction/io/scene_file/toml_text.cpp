#include "stiction/io/scene_file/toml_text.h"

#include <charconv>
#include <cmath>
#include <cstdio>

#include "stiction/base/check.h"

namespace stiction {

std::string toml_number(double value) {
  STICTION_USER_CHECK(std::isfinite(value), "a scene file has finite numbers, not {}", value);
  // TOML's integers have no negative zero: it is written as a real number.
  if (value == 0.0) return std::signbit(value) ? "-0.0" : "0";
  char buffer[32];
  const std::to_chars_result result = std::to_chars(buffer, buffer + sizeof buffer, value);
  std::string text(buffer, result.ptr);
  // Whole numbers that TOML's 64-bit integers may not hold are written as reals.
  constexpr double kLargestWhole = 1e15;
  if (text.find_first_of(".e") == std::string::npos && std::abs(value) >= kLargestWhole) text += ".0";
  return text;
}

std::string toml_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
      quoted += escape;
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string toml_list(const double* values, std::size_t count) {
  std::string text = "[";
  for (std::size_t i = 0; i < count; ++i) text += (i > 0 ? ", " : "") + toml_number(values[i]);
  return text + "]";
}

std::string toml_list(const Vec3& vector) { return toml_list(vector.data(), 3); }

void TomlSection::add(std::string_view key, const std::string& value) {
  lines_ += std::string(key) + " = " + value + "\n";
}

}  // namespace stiction
