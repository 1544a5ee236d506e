#include "stiction/geometry/convex/epa.h"

#include <gtest/gtest.h>

#include "stiction/geometry/convex/direction_search.h"
#include "test/geometry/pair_contract.h"

namespace stiction {
namespace {

TEST(Epa, CubesOnParallelAxesLeaveByTheNearestFace) {
  const CollisionShape cube = plain_shape(ShapeKind::box, Vec3(0.5, 0.5, 0.5));
  Random random(1);
  for (int k = 0; k < 2000; ++k) {
    const Vec3 d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    const Pose X = translation(d);
    const GjkResult gjk = gjk_distance(cube, cube, X);
    ASSERT_TRUE(gjk.overlap);
    const EpaResult epa = epa_depth(cube, cube, X, gjk, 1e-12);
    EXPECT_NEAR(epa.depth, 1.0 - d.cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST(Epa, DepthIsThatAlongItsNormalAndItsBoundsHoldTheTruth) {
  const CollisionShape hull = hull_shape(Vec3(0.3, 0.2, 0.4), 32);
  const CollisionShape ellipsoid = plain_shape(ShapeKind::ellipsoid, Vec3(0.3, 0.2, 0.1));
  Random random(2);
  int overlaps = 0;
  for (int k = 0; k < 2000; ++k) {
    const Pose X = random_pose(&random, 0.3);
    const GjkResult gjk = gjk_distance(hull, ellipsoid, X);
    if (!gjk.overlap) continue;
    ++overlaps;
    const EpaResult epa = epa_depth(hull, ellipsoid, X, gjk, 1e-3);
    EXPECT_NEAR(separation_along(hull, ellipsoid, X, epa.normal), -epa.depth, 1e-13);
    const double exact = -largest_separation(hull, ellipsoid, X, 1e300).distance;
    EXPECT_LE(exact, epa.depth + 1e-13);
    EXPECT_GE(exact, epa.lower_bound - 1e-13);
  }
  EXPECT_GT(overlaps, 200);
}

TEST(Epa, OtherNormalsComeInTheOrderOfTheirOverlaps) {
  const CollisionShape pebble = super_shape(Vec3::Ones(), 0.61, 0.54);
  Random random(3);
  int several = 0;
  for (int k = 0; k < 50; ++k) {
    const Pose X = random_pose(&random, 1e-3);
    const EpaResult epa = epa_depth(pebble, pebble, X, gjk_distance(pebble, pebble, X), 1e-3);
    several += epa.num_others > 1 ? 1 : 0;
    for (int i = 1; i < epa.num_others; ++i)
      EXPECT_GE(separation_along(pebble, pebble, X, epa.others[i - 1]),
                separation_along(pebble, pebble, X, epa.others[i]) - 1e-14);
  }
  EXPECT_GT(several, 25);
}

}  // namespace
}  // namespace stiction
