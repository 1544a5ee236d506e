#include "stiction/base/log.h"

#include <atomic>
#include <cstdio>
#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace stiction {
namespace {

std::atomic<LogLevel> current_level = LogLevel::kInfo;

struct Log {
  std::mutex mutex;
  LogSink sink;
  std::set<std::string, std::less<>> said;  // the keys of warn_once
};

// Made at the first use, so that static objects may log.
Log& the_log() {
  static Log log;
  return log;
}

}  // namespace

const char* to_string(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "debug";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarning:
      return "warning";
    case LogLevel::kError:
      return "error";
  }
  return "unknown";
}

LogSink set_log_sink(LogSink sink) {
  Log& log = the_log();
  const std::lock_guard lock(log.mutex);
  return std::exchange(log.sink, std::move(sink));
}

void set_log_level(LogLevel level) { current_level.store(level, std::memory_order_relaxed); }

LogLevel log_level() { return current_level.load(std::memory_order_relaxed); }

void log_message(LogLevel level, std::string_view message) {
  if (level < log_level()) return;
  Log& log = the_log();
  const std::lock_guard lock(log.mutex);
  if (log.sink) {
    log.sink(level, message);
  } else {
    std::fprintf(stderr, "stiction: %s: %.*s\n", to_string(level), static_cast<int>(message.size()),
                 message.data());
  }
}

void warn_once(std::string_view key, std::string_view message) {
  Log& log = the_log();
  {
    const std::lock_guard lock(log.mutex);
    if (log.said.find(key) != log.said.end()) return;
    log.said.emplace(key);
  }
  log_message(LogLevel::kWarning, message);
}

void forget_warnings() {
  Log& log = the_log();
  const std::lock_guard lock(log.mutex);
  log.said.clear();
}

}  // namespace stiction
