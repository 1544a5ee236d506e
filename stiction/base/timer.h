#pragma once

// Timing: a stopwatch, and a fixed table of named stages that add up over many steps.
//
//   enum Stage { kKinematics, kContacts, kSolve };
//   StageTimers timers({"kinematics", "contacts", "solve"});
//   { auto timing = timers.measure(kSolve);  solve(); }
//
// All times are in seconds. The clock is a parameter so that a test can set its own. StageClock counts ticks
// of the processor's own counter, because a look at the system's clock takes as long as a small stage.

#include <array>
#include <cstdint>
#include <initializer_list>

namespace stiction {

// Seconds since some fixed moment; never runs backwards.
using Clock = double (*)();
double steady_seconds();

// A counter that never runs backwards, in ticks; a look takes a few nanoseconds.
std::uint64_t steady_ticks();
// Measured once in a process: over 20 ms, counted from the first look at the counter.
double seconds_per_tick();

class Stopwatch {
 public:
  explicit Stopwatch(Clock clock = steady_seconds) : clock_(clock), start_(clock()) {}

  double seconds() const { return clock_() - start_; }
  void restart() { start_ = clock_(); }

 private:
  Clock clock_;
  double start_;
};

// Never allocates. Not for use by several threads at once: time the stage outside its parallel loop.
class StageTimers {
 public:
  static constexpr int kMaxStages = 32;

  // One stage per name, numbered from 0 in the order given. The names are not copied: pass literals.
  explicit StageTimers(std::initializer_list<const char*> names, Clock clock = steady_seconds);

  // Adds the time from its making to its end to one stage.
  class Scope {
   public:
    Scope(StageTimers* timers, int stage) : timers_(timers), stage_(stage), watch_(timers->clock_) {}
    ~Scope() { timers_->add(stage_, watch_.seconds()); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    StageTimers* timers_;
    int stage_;
    Stopwatch watch_;
  };
  [[nodiscard]] Scope measure(int stage) { return Scope(this, stage); }

  void add(int stage, double seconds);
  void add_ticks(int stage, std::uint64_t ticks);
  void add(const StageTimers& other);  // the same stages, stage by stage
  void clear();                        // back to zero; the names stay

  int stage_count() const { return stage_count_; }
  const char* name(int stage) const { return stages_[stage].name; }
  double seconds(int stage) const;
  std::int64_t calls(int stage) const { return stages_[stage].calls; }
  double total_seconds() const;

 private:
  struct StageTime {
    const char* name = "";
    double seconds = 0;
    std::uint64_t ticks = 0;
    std::int64_t calls = 0;
  };
  std::array<StageTime, kMaxStages> stages_;
  int stage_count_ = 0;
  Clock clock_;
};

// For stages that follow each other: gives the time since the last one ended to the one that ends.
class StageClock {
 public:
  // Null: measures nothing.
  explicit StageClock(StageTimers* timers) : timers_(timers), last_(timers ? steady_ticks() : 0) {}
  void ends(int stage) {
    if (timers_ == nullptr) return;
    const std::uint64_t now = steady_ticks();
    timers_->add_ticks(stage, now > last_ ? now - last_ : 0);
    last_ = now;
  }

 private:
  StageTimers* timers_;
  std::uint64_t last_;
};

}  // namespace stiction
