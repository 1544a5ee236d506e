#include "stiction/geometry/primitive/capsule_pairs.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "stiction/geometry/convex/direction_search.h"
#include "stiction/geometry/primitive/cylinder_pairs.h"
#include "stiction/geometry/primitive/primitive_pairs.h"
#include "test/base/fewer.h"
#include "test/geometry/pair_continuity.h"
#include "test/geometry/pair_contract.h"

namespace stiction {
namespace {

constexpr double kPi = std::numbers::pi;

const CollisionShape capsule = plain_shape(ShapeKind::capsule, Vec3(0.1, 0.3, 0));
const CollisionShape box = plain_shape(ShapeKind::box, Vec3(1.0, 0.8, 0.2));

TEST(CapsulePairs, ObeyTheContractOverRandomPoses) {
  EXPECT_GT(check_contract(collide_capsule_capsule, capsule,
                           plain_shape(ShapeKind::capsule, Vec3(0.05, 0.2, 0)), {}),
            fewer(1000));
  EXPECT_GT(check_contract(collide_capsule_cylinder, capsule,
                           plain_shape(ShapeKind::cylinder, Vec3(0.2, 0.3, 0)), {}),
            fewer(1000));
  EXPECT_GT(
      check_contract(collide_round_polytope, capsule, plain_shape(ShapeKind::box, Vec3(0.3, 0.2, 0.1)), {}),
      fewer(1000));
  EXPECT_GT(check_contract(collide_round_polytope, capsule, hull_shape(Vec3(0.3, 0.2, 0.4), 32), {}),
            fewer(1000));
}

TEST(CapsulePairs, NearestPointsOfSegmentsBeatASearchOverBoth) {
  Random random(2);
  for (int k = 0; k < 500; ++k) {
    const Pose XA = random_pose(&random, 0.3), XB = random_pose(&random, 0.3);
    const SegmentPoints near = nearest_of_segments(XA.p, XA.R.col(2), 0.3, XB.p, XB.R.col(2), 0.2);
    const double found = (near.b - near.a).norm();
    EXPECT_LE(std::abs(near.s), 0.3);
    EXPECT_LE(std::abs(near.t), 0.2);
    for (int i = -20; i <= 20; ++i) {
      const Vec3 a = XA.p + 0.015 * i * XA.R.col(2);
      EXPECT_LE(found, nearest_on_segment(0.2, XB.R.transpose() * (a - XB.p)).distance + 1e-15);
    }
  }
}

TEST(CapsulePairs, ParallelOnesTouchAtBothEndsOfTheirOverlap) {
  const auto points =
      points_of(collide_capsule_capsule, capsule, {}, capsule, translation(0.2 - 1e-3, 0, 0.4));
  ASSERT_EQ(points.size(), 2u);
  for (const ContactPoint& point : points) {
    EXPECT_NEAR(point.weight, 0.5, 1e-12);
    EXPECT_NEAR(point.distance, -1e-3, 1e-15);
    EXPECT_LT((point.normal - Vec3::UnitX()).norm(), 1e-15);
  }
  EXPECT_NEAR(std::abs(points[0].p_A.z() - points[1].p_A.z()), 0.2, 1e-15);
}

TEST(CapsulePairs, CrossedOnesTouchOnce) {
  const Pose across{rotation_about<double>(Vec3::UnitX(), 0.5 * kPi), Vec3(0.2 - 1e-3, 0, 0.1)};
  const auto points = points_of(collide_capsule_capsule, capsule, {}, capsule, across);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(points[0].weight, 1.0, 1e-15);
  EXPECT_NEAR(points[0].distance, -1e-3, 1e-15);
}

TEST(CapsulePairs, LyingOnABoxAndOnACylinderHasHalfAtEachEnd) {
  const Pose lying{rotation_about<double>(Vec3::UnitY(), 0.5 * kPi), Vec3(0, 0, 0.3 - 1e-3)};
  const CollisionShape pillar = plain_shape(ShapeKind::cylinder, Vec3(0.5, 0.2, 0));
  for (const auto& points : {points_of(collide_round_polytope, capsule, lying, box, {}),
                             points_of(collide_capsule_cylinder, capsule, lying, pillar, {})}) {
    ASSERT_EQ(points.size(), 2u);
    for (const ContactPoint& point : points) {
      EXPECT_EQ(point.weight, 0.5);
      EXPECT_NEAR(point.distance, -1e-3, 1e-15);
      EXPECT_NEAR(std::abs(point.p_A.x()), 0.3, 1e-14);
    }
  }
}

TEST(CapsulePairs, LyingDownOnPlaneAndBoxIsContinuous) {
  const CollisionShape ground = plain_shape(ShapeKind::half_space, Vec3::Zero());
  const auto falling = [](double tilt) {
    return Pose{rotation_about<double>(Vec3(1, 0.3, 0).normalized(), tilt),
                Vec3(0, 0, 0.3 * std::abs(std::cos(tilt)) + 0.1 - 1e-3)};
  };
  EXPECT_LT(worst_lipschitz(collide_capsule_half_space, capsule, falling, ground, {}, 0.0, kPi, 1e-4), 10.0);
  EXPECT_LT(
      worst_lipschitz(collide_round_polytope, capsule, falling, box, translation(0, 0, -0.2), 0.0, kPi, 1e-4),
      10.0);
}

TEST(CapsulePairs, SlidingOverTheEdgeOfABoxIsContinuous) {
  const Mat3 lying = rotation_about<double>(Vec3::UnitY(), 0.5 * kPi + 1e-3);
  const auto along = [&](double x) { return Pose{lying, Vec3(x, 0.1, 0.1 - 1e-3)}; };
  EXPECT_LT(
      worst_lipschitz(collide_round_polytope, capsule, along, box, translation(0, 0, -0.2), 0.6, 1.45, 1e-4),
      10.0);
  const auto upright = [&](double x) { return Pose{Mat3::Identity(), Vec3(x, 0.1, 0.4 - 1e-3)}; };
  EXPECT_LT(worst_lipschitz(collide_round_polytope, capsule, upright, box, translation(0, 0, -0.2), 0.9, 1.15,
                            1e-4),
            10.0);
}

TEST(CapsulePairs, TurningThroughTheParallelIsContinuous) {
  const auto turning = [](double angle) {
    return Pose{rotation_about<double>(Vec3::UnitX(), angle - 0.2), Vec3(-0.2 + 1e-3, 0, 0.1)};
  };
  EXPECT_LT(worst_lipschitz(collide_capsule_capsule, capsule, turning, capsule, {}, 0.0, 0.4, 1e-4), 10.0);
  const CollisionShape pillar = plain_shape(ShapeKind::cylinder, Vec3(0.1, 0.3, 0));
  EXPECT_LT(worst_lipschitz(collide_capsule_cylinder, capsule, turning, pillar, {}, 0.0, 0.4, 1e-4), 10.0);
}

}  // namespace
}  // namespace stiction
