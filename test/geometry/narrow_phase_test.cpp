#include "stiction/geometry/narrow_phase.h"

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "test/geometry/polytope/polytope_reference.h"

namespace stiction {
namespace {

TEST(NarrowPhase, EveryPairIsInTheTableButTwoHalfSpacesAndTwoHeightFields) {
  for (int a = 0; a < kNumShapeKinds; ++a) {
    for (int b = 0; b < kNumShapeKinds; ++b) {
      const ShapeKind A = static_cast<ShapeKind>(a), B = static_cast<ShapeKind>(b);
      const bool is_empty = a == b && (A == ShapeKind::half_space || A == ShapeKind::height_field);
      EXPECT_EQ(pair_entry(A, B).function == nullptr, is_empty) << name_of(A) << ", " << name_of(B);
      EXPECT_EQ(pair_entry(A, B).function, pair_entry(B, A).function);
      if (a != b) {
        EXPECT_NE(pair_entry(A, B).swapped, pair_entry(B, A).swapped);
      }
    }
  }
}

TEST(NarrowPhase, SwappedPairGivesTheSamePointsSeenFromTheOtherSide) {
  const CollisionShape ground = collision_shape(HalfSpace{}), box = box_shape(0.1, 0.1, 0.1);
  const Pose X = translation(0, 0, 0.0999);
  const ContactPoints ab = contacts(box, X, ground, Pose{}), ba = contacts(ground, Pose{}, box, X);
  ASSERT_EQ(ab.size(), 4u);
  ASSERT_EQ(ba.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(ba[i].normal, Vec3::UnitZ());
    EXPECT_LE((ba[i].p_A - ab[i].p_B()).norm(), 1e-15);
    EXPECT_LE((ba[i].p_B() - ab[i].p_A).norm(), 1e-15);
    EXPECT_EQ(ba[i].feature, swapped_feature(ab[i].feature));
  }
}

TEST(NarrowPhase, HalfSpacesHaveNoDistance) {
  const CollisionShape ground = collision_shape(HalfSpace{});
  EXPECT_THROW(signed_distance(ground, Pose{}, ground, Pose{}), UserError);
}

}  // namespace
}  // namespace stiction
