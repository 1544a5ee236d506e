#include "stiction/geometry/shape/collision_shape.h"

#include <cmath>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/geometry/shape/height_field.h"
#include "test/geometry/polytope/polytope_reference.h"

namespace stiction {
namespace {

TEST(CollisionShape, BoundsOfARoundedBoxAreThoseOfTheBoxAndTheRadius) {
  const CollisionShape box = collision_shape(Box{Vec3(1, 2, 3)}, 0.5);
  EXPECT_EQ(box.box_half, Vec3(1.5, 2.5, 3.5));
  EXPECT_DOUBLE_EQ(box.ball_radius, std::sqrt(14.0) + 0.5);
  EXPECT_DOUBLE_EQ(box.thickness, 3.0);
}

TEST(CollisionShape, RoundingASphereOrACapsuleMakesItLarger) {
  EXPECT_DOUBLE_EQ(collision_shape(Sphere{1.0}, 0.25).size[0], 1.25);
  EXPECT_DOUBLE_EQ(collision_shape(Sphere{1.0}, 0.25).rounding, 0.0);
  EXPECT_DOUBLE_EQ(collision_shape(Capsule{1.0, 4.0}, 0.25).ball_radius, 3.25);
}

TEST(CollisionShape, ThicknessOfAHullIsItsLeastWidthAcrossAFace) {
  EXPECT_NEAR(prism(4, 1.0, 0.3).thickness, 0.3, 1e-12);
  EXPECT_NEAR(prism(4, 0.1, 3.0).thickness, 0.1 * std::sqrt(2.0), 1e-12);
}

TEST(CollisionShape, RejectsWhatCannotBeRoundedOrHasADefect) {
  EXPECT_THROW(collision_shape(HalfSpace{}, 0.1), UserError);
  EXPECT_THROW(collision_shape(Box{Vec3(1, 1, 1)}, -0.1), UserError);
  EXPECT_THROW(collision_shape(Box{Vec3(1, 0, 1)}), UserError);
}

}  // namespace
}  // namespace stiction
