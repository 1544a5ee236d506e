#include "stiction/geometry/convex/gjk.h"

#include <algorithm>
#include <cmath>
#include <memory>

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

TEST(Gjk, AnEdgePerpendicularToTheWayDoesNotHideANearerPoint) {
  // Nearest to the corner of a cube of 2 km is a point of the short edge of B beside it, 10 um away. The way
  // from the corner to the end of that edge is perpendicular to an edge of the cube, whose far end is as good
  // a support point as the corner.
  const CollisionShape block = plain_shape(ShapeKind::box, Vec3::Constant(1e3));
  const Vec3 corner = Vec3::Constant(1e3);
  Random random(5);
  for (int k = 0; k < 1000; ++k) {
    const Vec3 from = corner + 1e-6 * Vec3(0.0, random.uniform(5, 15), random.uniform(5, 15));
    const Vec3 edge(0.01, -1e-6 * random.uniform(0, 5), -1e-6 * random.uniform(0, 5));
    CollisionShape hull = plain_shape(ShapeKind::hull, Vec3::Constant(1e3));
    hull.hull = std::make_shared<const ConvexHull>(
        convex_hull({from, from + edge, from + Vec3(500, 100, 900), from + Vec3(400, 800, 200)}));
    const double t = std::clamp((corner - from).dot(edge) / edge.squaredNorm(), 0.0, 1.0);
    const double distance = (from + t * edge - corner).norm();
    // Coordinates are known to 1e-13 m.
    ASSERT_NEAR(gjk_distance(block, hull, {}).distance, distance, 1e-12) << k;
    ASSERT_NEAR(gjk_distance(block, hull, {}).lower_bound, distance, 1e-12) << k;
    ASSERT_NEAR(gjk_distance(hull, block, {}).lower_bound, distance, 1e-12) << k;
  }
}

TEST(Gjk, ANeedleAtTheEdgeOfAPlateTouchesIt) {
  // Edge on edge to round-off, on parallel axes: the corner of the needle that is found first is a micron
  // away, and the way to it perpendicular to edges of the plate of 70 m and 160 m.
  const CollisionShape needle = plain_shape(
      ShapeKind::box, Vec3(6.6370700992345936e-07, 8.9158795193142272e-07, 0.0058356762214070938));
  const CollisionShape plate =
      plain_shape(ShapeKind::box, Vec3(35.563731341107932, 80.563244683096514, 0.0037206492041350148));
  Mat3 R_A, R_B;
  R_A << 0, 0, -1, -1, 0, 0, 0, 1, 0;
  R_B << 0, 0, 1, 0, -1, 0, 1, 0, 0;
  const Vec3 p(0.0095563254255421094, 80.563245346803527, 35.563732232695884);
  const double distance =
      (p - R_A.cwiseAbs() * needle.size - R_B.cwiseAbs() * plate.size).cwiseMax(0.0).norm();
  const Pose X_AB{R_A.transpose() * R_B, R_A.transpose() * p};
  for (int axis = 0; axis < 3; ++axis) {
    for (const double sign : {1.0, -1.0}) {
      GjkOptions options;
      options.axis = sign * Vec3::Unit(axis);
      EXPECT_NEAR(gjk_distance(needle, plate, X_AB, options).distance, distance, 1e-13);
      EXPECT_NEAR(gjk_distance(plate, needle, X_AB.inverse(), options).distance, distance, 1e-13);
    }
  }
}

}  // namespace
}  // namespace stiction
