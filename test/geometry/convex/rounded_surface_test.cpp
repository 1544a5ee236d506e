#include "stiction/geometry/convex/rounded_surface.h"

#include <cmath>

#include <gtest/gtest.h>

#include "test/geometry/pair_contract.h"

namespace stiction {
namespace {

const CollisionShape capsule = plain_shape(ShapeKind::capsule, Vec3(0.1, 0.3, 0));

TEST(RoundedSurface, OfACapsuleIsLeftThroughItsLateralSurface) {
  // From the axis across it the radius; from inside at 45 degrees sqrt(2) radii; from outside back.
  const Vec3 slanted = Vec3(1, 0, 1).normalized();
  EXPECT_NEAR(*exit_distance(capsule, Vec3::Zero(), Vec3::UnitX(), 1.0), 0.1, 1e-14);
  EXPECT_NEAR(*exit_distance(capsule, Vec3::Zero(), slanted, 1.0), 0.1 * std::sqrt(2.0), 1e-14);
  EXPECT_NEAR(*exit_distance(capsule, Vec3(0.25, 0, 0), Vec3::UnitX(), 1.0), -0.15, 1e-14);
}

TEST(RoundedSurface, IsNotFoundByALineThatMissesOrStaysTooLong) {
  EXPECT_FALSE(exit_distance(capsule, Vec3(0.2, 0, 0), Vec3::UnitZ(), 10.0).has_value());
  EXPECT_FALSE(exit_distance(capsule, Vec3(0, 0, -0.3), Vec3::UnitZ(), 0.5).has_value());
}

}  // namespace
}  // namespace stiction
