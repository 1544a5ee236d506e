#include "stiction/base/parallel.h"

#include <atomic>
#include <cmath>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "test/base/allocation_counter.h"

namespace stiction {
namespace {

class ParallelTest : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_thread_count(GetParam()); }
  void TearDown() override { set_thread_count(1); }
};
INSTANTIATE_TEST_SUITE_P(Threads, ParallelTest, testing::Values(1, 2, 3, 8));

TEST_P(ParallelTest, EveryIndexRunsOnce) {
  for (int n : {0, 1, 2, 7, 64, 1000, 12345}) {
    for (int grain : {1, 3, 64, 100000}) {
      std::vector<std::atomic<int>> runs(n);
      parallel_for(n, grain, [&runs](int i) { ++runs[i]; });
      for (int i = 0; i < n; ++i)
        ASSERT_EQ(runs[i], 1) << "index " << i << " of " << n << ", grain " << grain;
    }
  }
}

TEST_P(ParallelTest, AChunkRunsInOrderOnOneThread) {
  constexpr int kGrain = 10;
  std::vector<std::thread::id> thread(1000);
  std::vector<int> position(1000);
  thread_local int clock = 0;
  parallel_for(1000, kGrain, [&](int i) {
    thread[i] = std::this_thread::get_id();
    position[i] = ++clock;
  });
  for (int i = 1; i < 1000; ++i) {
    if (i % kGrain == 0) continue;
    ASSERT_EQ(thread[i], thread[i - 1]);
    ASSERT_EQ(position[i], position[i - 1] + 1);
  }
}

TEST_P(ParallelTest, TheExceptionOfTheLowestIndexReachesTheCaller) {
  const auto fail_at_odd_hundreds = [](int i) {
    if (i % 200 == 100) throw std::runtime_error(std::to_string(i));
  };
  for (int repeat = 0; repeat < 50; ++repeat) {
    try {
      parallel_for(10000, 7, fail_at_odd_hundreds);
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      ASSERT_STREQ(error.what(), "100");
    }
  }
}

TEST_P(ParallelTest, WorksAgainAfterAnException) {
  EXPECT_THROW(parallel_for(100, 1, [](int) { throw std::runtime_error("no"); }), std::runtime_error);
  std::atomic<int> runs = 0;
  parallel_for(100, 1, [&runs](int) { ++runs; });
  EXPECT_EQ(runs, 100);
}

TEST_P(ParallelTest, ALoopInsideALoopRunsOnItsOwnThread) {
  std::vector<int> other_threads(8);
  parallel_for(8, 1, [&other_threads](int i) {
    const std::thread::id outer = std::this_thread::get_id();
    parallel_for(100, 1, [&](int) { other_threads[i] += std::this_thread::get_id() != outer; });
  });
  EXPECT_EQ(other_threads, std::vector<int>(8, 0));
}

TEST_P(ParallelTest, LoopsOfSeveralThreadsAtOnceAreAllRight) {
  std::vector<std::thread> callers;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t) {
    callers.emplace_back([&wrong] {
      for (int repeat = 0; repeat < 200; ++repeat) {
        std::atomic<int> sum = 0;
        parallel_for(100, 5, [&sum](int i) { sum += i; });
        wrong += sum != 4950;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST_P(ParallelTest, ManyShortLoopsInARowAreAllRight) {
  // Workers that wake when their loop is over must not touch the next one.
  for (int repeat = 0; repeat < 20000; ++repeat) {
    int values[4] = {};
    parallel_for(4, 1, [&values, repeat](int i) { values[i] = repeat + i; });
    for (int i = 0; i < 4; ++i) ASSERT_EQ(values[i], repeat + i);
  }
}

TEST_P(ParallelTest, ALoopAllocatesNothing) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  std::vector<double> values(1000);
  // Threads that have just been started allocate their thread-local memory when they first run.
  const auto loop = [&values] { parallel_for(1000, 10, [&values](int i) { values[i] = std::sqrt(i); }); };
  for (int warm_up = 0; warm_up < 100; ++warm_up) loop();
  const AllocationCounter counter;
  for (int repeat = 0; repeat < 100; ++repeat) loop();
  EXPECT_EQ(counter.count(), 0);
}

TEST_P(ParallelTest, TellsItsThreadCount) { EXPECT_EQ(thread_count(), GetParam()); }

TEST(Parallel, ZeroThreadsMeansOnePerHardwareThread) {
  set_thread_count(0);
  EXPECT_EQ(thread_count(), std::max(1u, std::thread::hardware_concurrency()));
  set_thread_count(1);
}

TEST(Parallel, ANegativeThreadCountIsRefused) { EXPECT_THROW(set_thread_count(-1), UserError); }

}  // namespace
}  // namespace stiction
