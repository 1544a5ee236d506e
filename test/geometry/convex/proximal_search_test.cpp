#include "stiction/geometry/convex/proximal_search.h"

#include <cmath>

#include <gtest/gtest.h>

#include "stiction/geometry/convex/direction_search.h"
#include "test/geometry/pair_contract.h"

namespace stiction {
namespace {

DirectionSearch cores_of(const CollisionShape& A, const CollisionShape& B, const Pose& X) {
  return {A, B, X, core_extent(A) + core_extent(B) + X.p.norm()};
}

TEST(ProximalSearch, FindsTheDistanceOfSpheresThatOverlapFromAnyDirection) {
  // Closed form: |p| - r_A - r_B along p.
  const CollisionShape ball = plain_shape(ShapeKind::ellipsoid, Vec3(0.2, 0.2, 0.2));
  Random random(2);
  for (int k = 0; k < 200; ++k) {
    const auto u = random.unit_vector<3>();
    const Pose X = translation(0.3 * Vec3(u[0], u[1], u[2]));
    const Vec3 start = (X.p / 0.3 + 0.3 * Vec3(u[1], u[2], u[0])).normalized();
    const ProximalResult found = proximal_search(cores_of(ball, ball, X), start);
    EXPECT_NEAR(found.distance, -0.1, 1e-14);
    EXPECT_LT(found.off, 1e-9);
  }
}

TEST(ProximalSearch, ArrivesWhereTheCoresMeetFromAQuarterRadianAway) {
  // Apart or overlapping by up to a quarter of the smallest size: far from the medial axis, where its steps
  // become short.
  const CollisionShape can = plain_shape(ShapeKind::cylinder, Vec3(0.2, 0.3, 0));
  const CollisionShape pill = super_shape(Vec3(0.3, 0.2, 0.25), 0.3, 0.5);
  Random random(3);
  for (int k = 0; k < 200; ++k) {
    const Pose X = random_pose(&random, 0.5);
    const Separation best = largest_separation(can, pill, X, 1e300);
    if (best.distance < -0.05) continue;
    const auto u = random.unit_vector<3>();
    const Vec3 start = (best.normal + 0.25 * Vec3(u[0], u[1], u[2])).normalized();
    const ProximalResult found = proximal_search(cores_of(can, pill, X), start);
    EXPECT_GE(found.distance, separation_along(can, pill, X, start));
    EXPECT_NEAR(found.distance, best.distance, 1e-9) << k;
  }
}

}  // namespace
}  // namespace stiction
