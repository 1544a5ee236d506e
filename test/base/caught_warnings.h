#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "stiction/base/log.h"

namespace stiction {

// Catches what is logged while it lives; warnings that were said before are said again.
class CaughtWarnings {
 public:
  CaughtWarnings() {
    forget_warnings();
    before_ = set_log_sink([this](LogLevel, std::string_view line) { lines.emplace_back(line); });
  }
  ~CaughtWarnings() { set_log_sink(before_); }
  CaughtWarnings(const CaughtWarnings&) = delete;
  CaughtWarnings& operator=(const CaughtWarnings&) = delete;

  std::vector<std::string> lines;

 private:
  LogSink before_;
};

}  // namespace stiction
