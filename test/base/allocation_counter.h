#pragma once

// Counts the heap allocations of the whole process, for tests that say "nothing allocates".
//
//   const AllocationCounter counter;
//   world.step();
//   EXPECT_EQ(counter.count(), 0);
//
// It counts malloc itself, because Eigen's matrices do not go through operator new. The sanitizers bring
// their own malloc; under them nothing is counted and a test begins with
//
//   if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;

#include <cstdint>

namespace stiction {

class AllocationCounter {
 public:
  static constexpr const char* kUnavailable = "allocations are not counted under a sanitizer";
  static bool is_available();

  AllocationCounter();

  // malloc, calloc, realloc, aligned_alloc, operator new... by any thread since the counter was made.
  std::int64_t count() const;

 private:
  std::int64_t start_;
};

}  // namespace stiction
