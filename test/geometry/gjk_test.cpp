#include "stiction/geometry/gjk.h"

#include <cmath>

#include <gtest/gtest.h>

#include "test/geometry/pair_contract.h"

namespace stiction {
namespace {

const CollisionShape cube = plain_shape(ShapeKind::box, Vec3(0.5, 0.5, 0.5));

TEST(Gjk, CubesApartByAFaceAnEdgeAndACorner) {
  EXPECT_NEAR(gjk_distance(cube, cube, translation(1.2, 0.3, -0.1)).distance, 0.2, 1e-15);
  EXPECT_NEAR(gjk_distance(cube, cube, translation(1.3, 1.4, 0.2)).distance, 0.5, 1e-15);
  EXPECT_NEAR(gjk_distance(cube, cube, translation(1.2, 1.3, 1.6)).distance, std::sqrt(0.04 + 0.09 + 0.36),
              1e-15);
}

TEST(Gjk, NearestPointsLieOnBothAndTheNormalRunsBetweenThem) {
  Random random(1);
  const CollisionShape hull = hull_shape(Vec3(0.3, 0.2, 0.4), 64);
  for (int k = 0; k < 10000; ++k) {
    const Pose X = random_pose(&random, 1.0);
    const GjkResult gjk = gjk_distance(cube, hull, X);
    if (gjk.overlap) continue;
    ASSERT_LT((gjk.p_b - gjk.p_a - gjk.distance * gjk.normal).norm(), 1e-14);
    ASSERT_NEAR(nearest_on_box(cube.size, gjk.p_a).distance, 0.0, 1e-14);
    ASSERT_NEAR(nearest_on_hull(hull, X.R.transpose() * (gjk.p_b - X.p)).distance, 0.0, 1e-14);
    // Both bodies lie on their own side of the slab between the points: that proves the distance.
    ASSERT_NEAR(core_reach(cube, gjk.normal), gjk.normal.dot(gjk.p_a), 1e-12);
    ASSERT_NEAR(core_reach(hull, -(X.R.transpose() * gjk.normal)), -gjk.normal.dot(gjk.p_b - X.p), 1e-12);
  }
}

TEST(Gjk, PointFromAnEllipsoidAgreesWithTheRootOfItsEquation) {
  Random random(2);
  const CollisionShape ellipsoid = plain_shape(ShapeKind::ellipsoid, Vec3(0.3, 0.2, 0.1)), point;
  for (int k = 0; k < 1000; ++k) {
    const Vec3 p = random_vector(&random);
    const NearestPoint exact = nearest_on_ellipsoid(ellipsoid.size, p);
    if (exact.distance < 1e-3) continue;
    const GjkResult gjk = gjk_distance(ellipsoid, point, translation(p));
    EXPECT_NEAR(gjk.distance, exact.distance, 1e-10 * (1.0 + exact.distance));
    EXPECT_LE(gjk.lower_bound, exact.distance + 1e-14);
  }
}

TEST(Gjk, OverlapIsTheSameAsACommonPoint) {
  // Two boxes overlap exactly when a point of the grid between their centres does, for boxes on parallel
  // axes.
  Random random(3);
  for (int k = 0; k < 10000; ++k) {
    const Vec3 d(random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5));
    EXPECT_EQ(gjk_distance(cube, cube, translation(d)).overlap, d.cwiseAbs().maxCoeff() < 1.0);
  }
}

TEST(Gjk, StopsEarlyWhereFarIsEnough) {
  GjkOptions options;
  options.far_enough = 0.1;
  const GjkResult gjk = gjk_distance(cube, cube, translation(5, 1, 2), options);
  EXPECT_GT(gjk.lower_bound, 0.1);
}

TEST(Gjk, NeedlesPlatesAndTinyGapsAreNoTrouble) {
  Random random(4);
  for (int k = 0; k < 20000; ++k) {
    const double scale = std::pow(10.0, random.uniform(-3, 3));
    const Vec3 sizes =
        scale * Vec3(1.0, std::pow(10.0, random.uniform(-4, 0)), std::pow(10.0, random.uniform(-4, 0)));
    const CollisionShape box = plain_shape(ShapeKind::box, sizes);
    Pose X = random_pose(&random, 2.0 * scale);
    if (k % 2 == 0) X.p = (sizes.x() + 1.0 * scale) * Vec3::UnitX() + 1e-9 * X.p;  // nearly touching
    const GjkResult gjk = gjk_distance(box, plain_shape(ShapeKind::box, Vec3::Constant(scale)), X);
    ASSERT_TRUE(gjk.normal.allFinite() && std::isfinite(gjk.distance));
    ASSERT_LE(gjk.lower_bound, gjk.distance * (1.0 + 1e-9) + 1e-15 * scale);
  }
}

}  // namespace
}  // namespace stiction
