#pragma once

// Messages of the library to a person. They go to stderr unless the program sets a sink of its own.
//
//   warn_once("grain", "the key 'grain' is now 'friction_direction'");
//
// Never called inside a step's loops.

#include <functional>
#include <string_view>

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

// A warning that is said once per key in the life of the process, for what would repeat at every step.
void warn_once(std::string_view key, std::string_view message);

// Makes warn_once say everything again.
void forget_warnings();

}  // namespace stiction
