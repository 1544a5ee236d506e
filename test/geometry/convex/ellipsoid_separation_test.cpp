#include "stiction/geometry/convex/ellipsoid_separation.h"

#include <gtest/gtest.h>

#include "test/geometry/polytope/polytope_reference.h"

namespace stiction {
namespace {

const CollisionShape kEllipsoid = collision_shape(Ellipsoid{Vec3(0.1, 0.07, 0.12)});
const CollisionShape kOther = collision_shape(Ellipsoid{Vec3(0.05, 0.2, 0.1)});
const CollisionShape kBox = collision_shape(Box{Vec3(0.1, 0.12, 0.08)});

// How far apart an ellipsoid and an ellipsoid or a box are along n, by their support functions.
double apart_along(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB, const Vec3& n) {
  const Vec3 n_B = X_AB.R.transpose() * n;
  const double reach_B =
      B.kind == ShapeKind::box ? B.size.dot(n_B.cwiseAbs()) : B.size.cwiseProduct(n_B).norm();
  return n.dot(X_AB.p) - A.size.cwiseProduct(n).norm() - reach_B;
}

Pose near_pose(Random* random) {
  return {random_rotation(random), Vec3(random->uniform(0.05, 0.5) * random_direction(random))};
}

TEST(EllipsoidSeparation, DirectionThatIsFoundSeparates) {
  constexpr double kEnough = 0.01;  // m
  for (const CollisionShape& B : {kOther, kBox}) {
    Random random(1);
    int found = 0;
    for (int i = 0; i < 2000; ++i) {
      const Pose X_AB = near_pose(&random);
      Vec3 n;
      if (!separate_ellipsoid(kEllipsoid, B, X_AB, kEnough, &n)) continue;
      ++found;
      EXPECT_NEAR(n.norm(), 1.0, 1e-15);
      EXPECT_GT(apart_along(kEllipsoid, B, X_AB, n), kEnough - 1e-15) << i;
    }
    EXPECT_GT(found, 500);
  }
}

TEST(EllipsoidSeparation, EveryBoxThatIsApartIsFoundToBe) {
  // The nearest point of the scaled box is found to some digits: gaps of a hundredth of the size are enough.
  Random random(2);
  int apart = 0;
  for (int i = 0; i < 2000; ++i) {
    const Pose X_AB = near_pose(&random);
    if (signed_distance(kEllipsoid, Pose{}, kBox, X_AB).distance < 1e-3) continue;
    ++apart;
    Vec3 n;
    EXPECT_TRUE(separate_ellipsoid(kEllipsoid, kBox, X_AB, 0.0, &n)) << i;
  }
  EXPECT_GT(apart, 500);
}

TEST(EllipsoidSeparation, BallsAreSeparatedAlongTheLineOfTheirCentres) {
  const CollisionShape ball = collision_shape(Ellipsoid{Vec3(0.1, 0.1, 0.1)});
  Vec3 n;
  EXPECT_TRUE(separate_ellipsoid(ball, ball, translation(Vec3(0.0, 0.3, 0.0)), 0.0999, &n));
  EXPECT_TRUE(n.isApprox(Vec3::UnitY(), 1e-15));
  EXPECT_FALSE(separate_ellipsoid(ball, ball, translation(Vec3(0.0, 0.3, 0.0)), 0.1001, &n));
}

TEST(EllipsoidSeparation, NothingSeparatesConcentricBodies) {
  Vec3 n;
  for (const CollisionShape& B : {kOther, kBox})
    EXPECT_FALSE(separate_ellipsoid(kEllipsoid, B, Pose{}, 0.0, &n));
}

}  // namespace
}  // namespace stiction
