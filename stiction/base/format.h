#pragma once

// Messages with values in them: format("body {} has mass {}", name, mass), braces as in std::format.
//
// The formatting library stays out of this header: arguments are packed into a small variant and handed to
// one function that is compiled once. Use it for messages, not for files of numbers.

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

namespace stiction {

// One value of a message. Refers to the text it was made from, so it lives only as long as the call.
class FormatArgument {
 public:
  using Value = std::variant<bool, char, double, std::int64_t, std::uint64_t, std::string_view>;

  explicit FormatArgument(bool value) : value_(value) {}
  explicit FormatArgument(char value) : value_(value) {}
  explicit FormatArgument(std::floating_point auto value) : value_(static_cast<double>(value)) {}
  explicit FormatArgument(std::signed_integral auto value) : value_(static_cast<std::int64_t>(value)) {}
  explicit FormatArgument(std::unsigned_integral auto value) : value_(static_cast<std::uint64_t>(value)) {}
  explicit FormatArgument(const char* value) : value_(std::string_view(value)) {}
  explicit FormatArgument(std::string_view value) : value_(value) {}
  explicit FormatArgument(const std::string& value) : value_(std::string_view(value)) {}

  const Value& value() const { return value_; }

 private:
  Value value_;
};

std::string format_arguments(std::string_view pattern, std::initializer_list<FormatArgument> arguments);

template <class... Arguments>
std::string format(std::string_view pattern, const Arguments&... arguments) {
  return format_arguments(pattern, {FormatArgument(arguments)...});
}

}  // namespace stiction
