#include "stiction/geometry/cylinder_pairs.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "stiction/geometry/direction_search.h"
#include "test/geometry/pair_continuity.h"
#include "test/geometry/pair_contract.h"

namespace stiction {
namespace {

constexpr double kPi = std::numbers::pi;

const CollisionShape cylinder = plain_shape(ShapeKind::cylinder, Vec3(0.2, 0.3, 0));
const CollisionShape box = plain_shape(ShapeKind::box, Vec3(1.0, 0.8, 0.2));

TEST(CylinderPairs, ObeyTheContractOverRandomPoses) {
  EXPECT_GT(check_contract(collide_cylinder_cylinder, cylinder,
                           plain_shape(ShapeKind::cylinder, Vec3(0.1, 0.2, 0)), {}),
            1000);
  EXPECT_GT(
      check_contract(collide_round_polytope, cylinder, plain_shape(ShapeKind::box, Vec3(0.3, 0.2, 0.1)), {}),
      1000);
  EXPECT_GT(check_contract(collide_round_polytope, cylinder, hull_shape(Vec3(0.3, 0.2, 0.4), 32), {}), 1000);
}

TEST(CylinderPairs, DeepestPointIsTheSignedDistance) {
  Random random(4);
  const std::vector<CollisionShape> partners{cylinder, plain_shape(ShapeKind::box, Vec3(0.3, 0.2, 0.1)),
                                             hull_shape(Vec3(0.3, 0.2, 0.4), 32)};
  for (const CollisionShape& B : partners) {
    for (int k = 0; k < 3000; ++k) {
      const Pose X = random_pose(&random, 0.5);
      const auto function =
          B.kind == ShapeKind::cylinder ? collide_cylinder_cylinder : collide_round_polytope;
      const auto points = points_of(function, cylinder, {}, B, X, 1.0);
      ASSERT_NEAR(deepest_of(points), largest_separation(cylinder, B, X, 1e300).distance, 1e-12) << k;
    }
  }
}

TEST(CylinderPairs, StandingOnABoxHasFourQuarters) {
  const auto points = points_of(collide_round_polytope, cylinder, translation(0.1, 0.2, 0.5 - 1e-3), box, {});
  ASSERT_EQ(points.size(), 4u);
  for (const ContactPoint& point : points) {
    EXPECT_NEAR(point.weight, 0.25, 1e-15);
    EXPECT_NEAR(point.distance, -1e-3, 1e-15);
    EXPECT_LT((point.normal + Vec3::UnitZ()).norm(), 1e-15);
    EXPECT_NEAR((point.p_A - Vec3(0.1, 0.2, 0.2 - 1e-3)).norm(), 0.2, 1e-15);
  }
}

TEST(CylinderPairs, LyingOnABoxHasAQuarterAtEachEnd) {
  const Pose lying{rotation_about<double>(Vec3::UnitY(), 0.5 * kPi), Vec3(0, 0, 0.4 - 1e-3)};
  const auto points = points_of(collide_round_polytope, cylinder, lying, box, {});
  ASSERT_EQ(points.size(), 2u);
  for (const ContactPoint& point : points) {
    EXPECT_EQ(point.weight, 0.25);
    EXPECT_NEAR(point.distance, -1e-3, 1e-15);
    EXPECT_NEAR(std::abs(point.p_A.x()), 0.3, 1e-14);
  }
}

TEST(CylinderPairs, ASmallBoxOnALargeDiscHasItsOwnFourCorners) {
  const CollisionShape small = plain_shape(ShapeKind::box, Vec3(0.02, 0.01, 0.05));
  // Between the rim and the square inscribed in it.
  const auto points =
      points_of(collide_round_polytope, cylinder, {}, small, translation(0.16, 0.0, 0.35 - 1e-3));
  ASSERT_EQ(points.size(), 4u);
  double weight = 0.0;
  for (const ContactPoint& point : points) {
    EXPECT_NEAR(point.distance, -1e-3, 1e-15);
    EXPECT_NEAR(std::abs(point.p_A.y()), 0.01, 1e-15);
    weight += point.weight;
  }
  EXPECT_NEAR(weight, 1.0, 1e-15);
}

TEST(CylinderPairs, TwoOnTopOfEachOtherAndSideBySide) {
  const auto stacked =
      points_of(collide_cylinder_cylinder, cylinder, {}, cylinder, translation(0, 0, 0.6 - 1e-3));
  ASSERT_EQ(stacked.size(), 4u);
  for (const ContactPoint& point : stacked) EXPECT_NEAR(point.distance, -1e-3, 1e-15);
  const auto shifted =
      points_of(collide_cylinder_cylinder, cylinder, {}, cylinder, translation(0.1, 0, 0.6 - 1e-3));
  double weight = 0.0;
  for (const ContactPoint& point : shifted) weight += point.weight;
  EXPECT_NEAR(weight, 1.0, 1e-14);
  const auto beside =
      points_of(collide_cylinder_cylinder, cylinder, {}, cylinder, translation(0.4 - 1e-3, 0, 0.1));
  ASSERT_EQ(beside.size(), 2u);
  for (const ContactPoint& point : beside) {
    EXPECT_NEAR(point.weight, 0.25, 1e-12);
    EXPECT_NEAR(point.distance, -1e-3, 1e-15);
  }
}

TEST(CylinderPairs, RollingOnAPlaneAndOnABoxIsContinuous) {
  const CollisionShape ground = plain_shape(ShapeKind::half_space, Vec3::Zero());
  const auto rolling = [](double angle) {
    return Pose{
        rotation_about<double>(Vec3::UnitX(), 0.5 * kPi) * rotation_about<double>(Vec3::UnitZ(), angle),
        Vec3(0.2 * angle, 0, 0.2 - 1e-4)};
  };
  EXPECT_LT(worst_lipschitz(collide_cylinder_half_space, cylinder, rolling, ground, {}, 0.0, 1.0, 1e-4),
            10.0);
  EXPECT_LT(worst_lipschitz(collide_round_polytope, cylinder, rolling, box, translation(0, 0, -0.2), 0.0, 1.0,
                            1e-4),
            10.0);
}

TEST(CylinderPairs, TiltingFromFlatToRimToLyingIsContinuous) {
  const CollisionShape ground = plain_shape(ShapeKind::half_space, Vec3::Zero());
  const auto tilting = [](double tilt) {
    const double height = 0.3 * std::cos(tilt) + 0.2 * std::sin(tilt);
    return Pose{rotation_about<double>(Vec3(1, 0.3, 0).normalized(), tilt), Vec3(0, 0, height - 1e-3)};
  };
  EXPECT_LT(worst_lipschitz(collide_cylinder_half_space, cylinder, tilting, ground, {}, 0.0, 0.5 * kPi, 1e-4),
            10.0);
  EXPECT_LT(worst_lipschitz(collide_round_polytope, cylinder, tilting, box, translation(0, 0, -0.2), 0.0,
                            0.5 * kPi, 1e-4),
            10.0);
}

TEST(CylinderPairs, SlidingOverTheEdgeOfABoxIsContinuous) {
  // Slightly tilted, so that the heading of the lowest rim point is fixed.
  const Mat3 tilted = rotation_about<double>(Vec3(1, 0.3, 0).normalized(), 2e-3);
  const auto standing = [&](double x) { return Pose{tilted, Vec3(x, 0.1, 0.3 - 1e-3)}; };
  EXPECT_LT(worst_lipschitz(collide_round_polytope, cylinder, standing, box, translation(0, 0, -0.2), 0.7,
                            1.15, 1e-4),
            10.0);
  const Mat3 lying = rotation_about<double>(Vec3::UnitY(), 0.5 * kPi + 1e-3);
  const auto overhanging = [&](double x) { return Pose{lying, Vec3(x, 0.1, 0.2 - 1e-3)}; };
  EXPECT_LT(worst_lipschitz(collide_round_polytope, cylinder, overhanging, box, translation(0, 0, -0.2), 0.6,
                            1.25, 1e-4),
            10.0);
}

}  // namespace
}  // namespace stiction
