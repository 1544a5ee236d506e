#include "stiction/base/timer.h"

#include <chrono>

#include "stiction/base/check.h"

namespace stiction {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

StageTimers::StageTimers(std::initializer_list<const char*> names, Clock clock) : clock_(clock) {
  STICTION_ASSERT(names.size() <= kMaxStages);
  for (const char* name : names) stages_[stage_count_++].name = name;
}

void StageTimers::add(int stage, double seconds) {
  STICTION_ASSERT(0 <= stage && stage < stage_count_);
  stages_[stage].seconds += seconds;
  ++stages_[stage].calls;
}

void StageTimers::add(const StageTimers& other) {
  STICTION_ASSERT(other.stage_count_ == stage_count_);
  for (int stage = 0; stage < stage_count_; ++stage) {
    stages_[stage].seconds += other.stages_[stage].seconds;
    stages_[stage].calls += other.stages_[stage].calls;
  }
}

void StageTimers::clear() {
  for (StageTime& stage : stages_) {
    stage.seconds = 0;
    stage.calls = 0;
  }
}

double StageTimers::total_seconds() const {
  double total = 0;
  for (const StageTime& stage : stages_) total += stage.seconds;
  return total;
}

}  // namespace stiction
