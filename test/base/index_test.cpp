#include "stiction/base/index.h"

#include <type_traits>
#include <unordered_set>

#include <gtest/gtest.h>

namespace stiction {
namespace {

// What must not compile.
static_assert(!std::is_convertible_v<int, BodyIndex>);
static_assert(!std::is_convertible_v<BodyIndex, int>);
static_assert(!std::is_constructible_v<BodyIndex, JointIndex>);
static_assert(!std::is_assignable_v<BodyIndex&, JointIndex>);
// As cheap as an int.
static_assert(sizeof(BodyIndex) == sizeof(int) && std::is_trivially_copyable_v<BodyIndex>);

TEST(Index, GivesBackItsNumberWhenAsked) {
  EXPECT_EQ(BodyIndex(3).value(), 3);
  EXPECT_EQ(static_cast<int>(BodyIndex(3)), 3);
}

TEST(Index, IsInvalidUntilSet) {
  EXPECT_FALSE(BodyIndex().is_valid());
  EXPECT_TRUE(BodyIndex(0).is_valid());
}

TEST(Index, IsOrderedByItsNumber) {
  EXPECT_EQ(DofIndex(2), DofIndex(2));
  EXPECT_NE(DofIndex(2), DofIndex(3));
  EXPECT_LT(DofIndex(2), DofIndex(3));
}

TEST(Index, IsAKeyOfHashTables) {
  const std::unordered_set<TreeIndex> trees{TreeIndex(1), TreeIndex(2), TreeIndex(1)};
  EXPECT_EQ(trees.size(), 2u);
}

}  // namespace
}  // namespace stiction
