#include "apps/cli/profile.h"

#include <algorithm>
#include <cstdio>

#include "stiction/base/check.h"

namespace stiction::cli {

void print_profile(const StageTimers& timers, long steps, double wall) {
  const double per_step = 1e6 / static_cast<double>(std::max(1L, steps));
  const double whole = std::max(wall, timers.total_seconds());
  const auto row = [&](const char* name, double seconds) {
    std::printf("  %-14s %10.2f ms %10.2f us/step %6.1f %%\n", name, 1e3 * seconds, per_step * seconds,
                100.0 * seconds / std::max(whole, 1e-12));
  };
  std::printf("  %-14s %13s %18s %8s\n", "stage", "time", "per step", "share");
  for (int s = 0; s < timers.stage_count(); ++s) row(timers.name(s), timers.seconds(s));
  row("around them", whole - timers.total_seconds());
  row("all", whole);
}

ProfileTrace::ProfileTrace(const std::string& name) : name_(name) {
  if (name.empty()) return;
  file_.open(name, std::ios::binary);
  STICTION_USER_CHECK(file_.good(), "cannot write the file '{}'", name);
  file_ << "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[";
}

void ProfileTrace::write_event(const char* name, double begin, double duration,
                               const std::string& arguments) {
  char text[160];
  std::snprintf(text, sizeof text,
                "%s\n{\"name\":\"%s\",\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":%.3f,\"dur\":%.3f",
                is_first_ ? "" : ",", name, 1e6 * begin, 1e6 * duration);
  is_first_ = false;
  file_ << text << arguments << '}';
}

void ProfileTrace::add(const World& world, const StepReport& report, double wall) {
  if (!is_open()) return;
  const StageTimers& timers = world.workspace().timers;
  write_event("step", now_, wall,
              format(",\"args\":{{\"time\":{},\"points\":{},\"iterations\":{}}}", report.time,
                     world.record().collision.num_contacts(), report.contact.iterations));
  double begin = now_;
  before_.resize(std::size_t(timers.stage_count()));
  for (int s = 0; s < timers.stage_count(); ++s) {
    const double duration = timers.seconds(s) - before_[std::size_t(s)];
    before_[std::size_t(s)] = timers.seconds(s);
    if (duration <= 0.0) continue;
    write_event(timers.name(s), begin, duration, "");
    begin += duration;
  }
  now_ += std::max(wall, begin - now_);
}

void ProfileTrace::close() {
  if (!is_open()) return;
  file_ << "\n]}\n";
  file_.close();
  STICTION_USER_CHECK(file_.good(), "cannot write the file '{}'", name_);
}

}  // namespace stiction::cli
