#include "stiction/base/arena.h"

#include <cstdint>
#include <span>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "test/base/allocation_counter.h"

namespace stiction {
namespace {

TEST(Arena, PiecesStartOnCacheLinesAndDoNotOverlap) {
  Arena arena;
  const std::span<char> a = arena.array<char>(3, 'a');
  const std::span<double> b = arena.array<double>(100, 1.5);
  const std::span<Eigen::Matrix4d> c = arena.array<Eigen::Matrix4d>(5, Eigen::Matrix4d::Identity());
  for (const void* piece :
       {static_cast<void*>(a.data()), static_cast<void*>(b.data()), static_cast<void*>(c.data())}) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(piece) % 64, 0u);
  }
  // Whatever one piece wrote, the others have left in place.
  EXPECT_EQ(a[2], 'a');
  EXPECT_EQ(b[99], 1.5);
  EXPECT_EQ(c[4], Eigen::Matrix4d::Identity());
}

TEST(Arena, AnEmptyArrayIsFine) {
  Arena arena;
  EXPECT_TRUE(arena.array<double>(0).empty());
}

TEST(Arena, KeepsEarlierPiecesWhenItGrows) {
  Arena arena(64);
  const std::span<int> first = arena.array<int>(10, 7);
  arena.array<double>(1 << 16);
  EXPECT_EQ(first[9], 7);
  EXPECT_GT(arena.block_count(), 1u);
}

TEST(Arena, BecomesOneBlockAtReset) {
  Arena arena(64);
  for (int i = 0; i < 100; ++i) arena.array<double>(1000);
  const std::size_t used = arena.used();
  arena.reset();
  EXPECT_EQ(arena.block_count(), 1u);
  EXPECT_EQ(arena.used(), 0u);
  EXPECT_GE(arena.capacity(), used);
}

TEST(Arena, GivesTheSameMemoryAgainAfterReset) {
  Arena arena(4096);
  const double* before = arena.array<double>(10).data();
  arena.reset();
  EXPECT_EQ(arena.array<double>(10).data(), before);
}

TEST(Arena, AllocatesNothingAfterTheFirstRound) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  Arena arena;
  const auto one_step = [&arena] {
    arena.reset();
    for (int i = 1; i < 50; ++i) arena.array<double>(37 * i, 0.0);
  };
  one_step();
  arena.reset();
  const AllocationCounter counter;
  for (int step = 0; step < 10; ++step) one_step();
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace stiction
