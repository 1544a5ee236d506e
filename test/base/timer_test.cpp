#include "stiction/base/timer.h"

#include <string>

#include <gtest/gtest.h>

#include "test/base/allocation_counter.h"

namespace stiction {
namespace {

// A clock that the test sets by hand.
double now = 0;
double hand_clock() { return now; }

enum Stage { kContacts, kSolve };

TEST(Timer, StopwatchShowsTheTimeSinceItsStart) {
  now = 10;
  Stopwatch watch(hand_clock);
  now = 12.5;
  EXPECT_EQ(watch.seconds(), 2.5);
  watch.restart();
  now = 13;
  EXPECT_EQ(watch.seconds(), 0.5);
}

TEST(Timer, SteadyClockNeverRunsBackwards) {
  double last = steady_seconds();
  for (int i = 0; i < 1000; ++i) {
    const double next = steady_seconds();
    ASSERT_GE(next, last);
    last = next;
  }
}

TEST(Timer, TicksLastAsLongAsTheSteadyClockSays) {
  const double first = steady_seconds();
  const std::uint64_t begin = steady_ticks();
  const double second = steady_seconds();
  double third = second;
  while (third - second < 0.05) third = steady_seconds();
  const std::uint64_t end = steady_ticks();
  const double fourth = steady_seconds();
  const double seconds = seconds_per_tick() * static_cast<double>(end - begin);
  EXPECT_GE(seconds, (1.0 - 1e-3) * (third - second));
  EXPECT_LE(seconds, (1.0 + 1e-3) * (fourth - first));
}

TEST(Timer, StagesThatFollowEachOtherAddUpToTheWholeTime) {
  StageTimers timers({"contacts", "solve"});
  const std::uint64_t begin = steady_ticks();
  StageClock clock(&timers);
  for (int step = 0; step < 100; ++step) {
    clock.ends(kContacts);
    const double from = steady_seconds();
    while (steady_seconds() - from < 1e-5) {
    }
    clock.ends(kSolve);
  }
  const double whole = seconds_per_tick() * static_cast<double>(steady_ticks() - begin);
  EXPECT_EQ(timers.calls(kContacts), 100);
  EXPECT_EQ(timers.calls(kSolve), 100);
  EXPECT_GE(timers.seconds(kSolve), (1.0 - 1e-3) * 1e-3);
  EXPECT_LE(timers.total_seconds(), (1.0 + 1e-9) * whole);
}

TEST(Timer, StagesAddUpOverCalls) {
  StageTimers timers({"contacts", "solve"}, hand_clock);
  for (int step = 0; step < 3; ++step) {
    {
      const auto timing = timers.measure(kContacts);
      now += 0.25;
    }
    const auto timing = timers.measure(kSolve);
    now += 2;
  }
  EXPECT_EQ(timers.seconds(kContacts), 3 * 0.25);
  EXPECT_EQ(timers.seconds(kSolve), 3 * 2.0);
  EXPECT_EQ(timers.calls(kSolve), 3);
  EXPECT_EQ(timers.total_seconds(), 6.75);
}

TEST(Timer, StagesKeepTheirNamesWhenCleared) {
  StageTimers timers({"contacts", "solve"}, hand_clock);
  timers.add(kSolve, 1.5);
  timers.clear();
  EXPECT_EQ(timers.stage_count(), 2);
  EXPECT_EQ(std::string(timers.name(kSolve)), "solve");
  EXPECT_EQ(timers.seconds(kSolve), 0);
  EXPECT_EQ(timers.calls(kSolve), 0);
}

TEST(Timer, TablesOfTheSameStagesAddUp) {
  StageTimers a({"contacts", "solve"}), b({"contacts", "solve"});
  a.add(kSolve, 1);
  b.add(kSolve, 2);
  a.add(b);
  EXPECT_EQ(a.seconds(kSolve), 3);
  EXPECT_EQ(a.calls(kSolve), 2);
}

TEST(Timer, MeasuringAllocatesNothing) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  const AllocationCounter counter;
  StageTimers timers({"contacts", "solve"});
  for (int i = 0; i < 10; ++i) const auto timing = timers.measure(kSolve);
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace stiction
