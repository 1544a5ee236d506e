#pragma once

// What the library has to say to a person. Goes to stderr unless a program brings its own sink.
//
//   log_warning("mesh '{}' has {} open edges; its convex hull is used", name, count);
//
// Nothing is formatted below the current level. Never called inside a step's loops.

#include <functional>
#include <string_view>

#include "stiction/base/format.h"

namespace stiction {

enum class LogLevel { kDebug, kInfo, kWarning, kError };
const char* to_string(LogLevel level);

// Receives each finished message, without a newline. Called by one thread at a time; must not log itself.
using LogSink = std::function<void(LogLevel level, std::string_view message)>;

// An empty sink restores stderr. Returns the sink that was there before.
LogSink set_log_sink(LogSink sink);

// Messages below this level are dropped; kInfo at the start.
void set_log_level(LogLevel level);
LogLevel log_level();

void log_message(LogLevel level, std::string_view message);

template <class... Arguments>
void log_debug(std::string_view pattern, const Arguments&... arguments) {
  if (log_level() <= LogLevel::kDebug) log_message(LogLevel::kDebug, format(pattern, arguments...));
}
template <class... Arguments>
void log_info(std::string_view pattern, const Arguments&... arguments) {
  if (log_level() <= LogLevel::kInfo) log_message(LogLevel::kInfo, format(pattern, arguments...));
}
template <class... Arguments>
void log_warning(std::string_view pattern, const Arguments&... arguments) {
  if (log_level() <= LogLevel::kWarning) log_message(LogLevel::kWarning, format(pattern, arguments...));
}
template <class... Arguments>
void log_error(std::string_view pattern, const Arguments&... arguments) {
  log_message(LogLevel::kError, format(pattern, arguments...));
}

// A warning that is said once per key in the life of the process, for what would repeat at every step.
void warn_once(std::string_view key, std::string_view message);

// Makes warn_once say everything again.
void forget_warnings();

}  // namespace stiction
