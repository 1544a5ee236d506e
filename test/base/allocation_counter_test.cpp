#include "test/base/allocation_counter.h"

#include <memory>
#include <new>
#include <thread>

#include <Eigen/Core>
#include <gtest/gtest.h>

namespace stiction {
namespace {

class AllocationCounterTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  }
};

// Where the compiler cannot see what becomes of the memory it may not leave the allocation out.
void* volatile kept;

TEST_F(AllocationCounterTest, CountsNothingWhereNothingIsAllocated) {
  const AllocationCounter counter;
  Eigen::Matrix3d on_the_stack = Eigen::Matrix3d::Identity();
  kept = on_the_stack.data();
  EXPECT_EQ(counter.count(), 0);
}

TEST_F(AllocationCounterTest, CountsOperatorNew) {
  const AllocationCounter counter;
  const auto number = std::make_unique<int>(1);
  kept = number.get();
  EXPECT_EQ(counter.count(), 1);
}

TEST_F(AllocationCounterTest, CountsAlignedNew) {
  const AllocationCounter counter;
  void* memory = ::operator new(100, std::align_val_t(64));
  kept = memory;
  EXPECT_EQ(counter.count(), 1);
  ::operator delete(memory, std::align_val_t(64));
}

TEST_F(AllocationCounterTest, CountsEigenMatricesOfRunTimeSize) {
  const AllocationCounter counter;
  Eigen::VectorXd vector(100);
  kept = vector.data();
  EXPECT_EQ(counter.count(), 1);
}

TEST_F(AllocationCounterTest, CountsWhatOtherThreadsAllocate) {
  const AllocationCounter counter;
  std::thread thread([] { kept = std::make_unique<int>(1).get(); });
  thread.join();
  EXPECT_GE(counter.count(), 1);
}

}  // namespace
}  // namespace stiction
