#include "stiction/base/format.h"

#include <fmt/args.h>
#include <fmt/format.h>

namespace stiction {

std::string format_arguments(std::string_view pattern, std::initializer_list<FormatArgument> arguments) {
  fmt::dynamic_format_arg_store<fmt::format_context> store;
  for (const FormatArgument& argument : arguments) {
    std::visit([&store](const auto& value) { store.push_back(value); }, argument.value());
  }
  try {
    return fmt::vformat(pattern, store);
  } catch (const fmt::format_error& error) {
    // A wrong pattern must not hide the message.
    return std::string(pattern) + " (message pattern: " + error.what() + ")";
  }
}

}  // namespace stiction
