#include "stiction/base/timer.h"

#include <chrono>
#include <limits>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

#include "stiction/base/check.h"

namespace stiction {
namespace {

#if defined(__x86_64__)
// Whether the processor's counter runs at one rate, whatever its clock does.
bool has_steady_counter() {
  constexpr unsigned kPowerManagement = 0x80000007, kInvariant = 1u << 8;
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(kPowerManagement, &a, &b, &c, &d) != 0 && (d & kInvariant) != 0;
}
#endif

std::uint64_t steady_nanoseconds() {
  using std::chrono::nanoseconds, std::chrono::steady_clock;
  return static_cast<std::uint64_t>(nanoseconds(steady_clock::now().time_since_epoch()).count());
}

std::uint64_t counter() {
#if defined(__x86_64__)
  static const bool is_steady = has_steady_counter();
  if (is_steady) return __rdtsc();
#endif
  return steady_nanoseconds();
}

// Both at one moment.
struct Moment {
  std::uint64_t nanoseconds = 0, ticks = 0;
};

// Another program may run between the two looks: the pair with the least time around it.
Moment look() {
  constexpr int kLooks = 8;
  Moment best;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (int i = 0; i < kLooks; ++i) {
    const std::uint64_t before = steady_nanoseconds(), ticks = counter(), after = steady_nanoseconds();
    if (after - before >= least) continue;
    least = after - before;
    best = {before, ticks};
  }
  return best;
}

const Moment& beginning() {
  static const Moment first = look();
  return first;
}

double measured_seconds_per_tick() {
  constexpr std::uint64_t kLongEnough = 20'000'000;  // ns
  const Moment& begin = beginning();
  Moment now = look();
  while (now.nanoseconds - begin.nanoseconds < kLongEnough) now = look();
  return 1e-9 * static_cast<double>(now.nanoseconds - begin.nanoseconds) /
         static_cast<double>(now.ticks - begin.ticks);
}

}  // namespace

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::uint64_t steady_ticks() { return counter(); }

double seconds_per_tick() {
  static const double seconds = measured_seconds_per_tick();
  return seconds;
}

StageTimers::StageTimers(std::initializer_list<const char*> names, Clock clock) : clock_(clock) {
  STICTION_ASSERT(names.size() <= kMaxStages);
  beginning();
  for (const char* name : names) stages_[stage_count_++].name = name;
}

void StageTimers::add(int stage, double seconds) {
  STICTION_ASSERT(0 <= stage && stage < stage_count_);
  stages_[stage].seconds += seconds;
  ++stages_[stage].calls;
}

void StageTimers::add_ticks(int stage, std::uint64_t ticks) {
  STICTION_ASSERT(0 <= stage && stage < stage_count_);
  stages_[stage].ticks += ticks;
  ++stages_[stage].calls;
}

double StageTimers::seconds(int stage) const {
  const StageTime& at = stages_[stage];
  return at.ticks == 0 ? at.seconds : at.seconds + seconds_per_tick() * static_cast<double>(at.ticks);
}

void StageTimers::add(const StageTimers& other) {
  STICTION_ASSERT(other.stage_count_ == stage_count_);
  for (int stage = 0; stage < stage_count_; ++stage) {
    stages_[stage].seconds += other.stages_[stage].seconds;
    stages_[stage].ticks += other.stages_[stage].ticks;
    stages_[stage].calls += other.stages_[stage].calls;
  }
}

void StageTimers::clear() {
  for (StageTime& stage : stages_) {
    stage.seconds = 0;
    stage.ticks = 0;
    stage.calls = 0;
  }
}

double StageTimers::total_seconds() const {
  double total = 0;
  for (int stage = 0; stage < stage_count_; ++stage) total += seconds(stage);
  return total;
}

}  // namespace stiction
