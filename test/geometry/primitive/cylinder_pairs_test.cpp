#include "stiction/geometry/primitive/cylinder_pairs.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "stiction/geometry/convex/direction_search.h"
#include "stiction/geometry/primitive/primitive_pairs.h"
#include "test/base/fewer.h"
#include "test/geometry/pair_continuity.h"
#include "test/geometry/pair_contract.h"
#include "test/geometry/pair_samples.h"

namespace stiction {
namespace {

constexpr double kPi = std::numbers::pi;

const CollisionShape cylinder = plain_shape(ShapeKind::cylinder, Vec3(0.2, 0.3, 0));
const CollisionShape box = plain_shape(ShapeKind::box, Vec3(1.0, 0.8, 0.2));

TEST(CylinderPairs, ObeyTheContractOverRandomPoses) {
  EXPECT_GT(check_contract(collide_cylinder_cylinder, cylinder,
                           plain_shape(ShapeKind::cylinder, Vec3(0.1, 0.2, 0)), {}),
            fewer(1000));
  EXPECT_GT(
      check_contract(collide_round_polytope, cylinder, plain_shape(ShapeKind::box, Vec3(0.3, 0.2, 0.1)), {}),
      fewer(1000));
  EXPECT_GT(check_contract(collide_round_polytope, cylinder, hull_shape(Vec3(0.3, 0.2, 0.4), 32), {}),
            fewer(1000));
}

TEST(CylinderPairs, DeepestPointIsTheSignedDistance) {
  Random random(4);
  const std::vector<CollisionShape> candidates{cylinder, plain_shape(ShapeKind::box, Vec3(0.3, 0.2, 0.1)),
                                               hull_shape(Vec3(0.3, 0.2, 0.4), 32)};
  for (const CollisionShape& B : candidates) {
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

TEST(CylinderPairs, LeaveHullsWithFewFeaturesByTheShortestOfSeveralWays) {
  // Overlaps of some hundredths of the sizes, with features hardly longer.
  const CollisionShape can = collision_shape(Cylinder{1.0, 2.0});
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const CollisionShape rock = collision_shape(sample_hull(&random, 8, Vec3(0.4, 0.9, 1.0)));
    for (int k = 0; k < 20; ++k) {
      const PosePair X = beside(can, rock, sample_rotation(&random), sample_rotation(&random),
                                sample_direction(&random), -random.uniform(0.1, 0.4));
      const Pose X_AB = X.X_WA.inverse() * X.X_WB;
      const Separation found = largest_separation(can, rock, X_AB, 1e300);
      Random directions(seed);
      for (int i = 0; i < 1000; ++i)
        ASSERT_LE(separation_along(can, rock, X_AB, sample_direction(&directions)), found.distance + 1e-12)
            << seed << " " << k;
    }
  }
}

TEST(CylinderPairs, ARimOnARimHasItsNormalToRoundOff) {
  // Found from beyond the nonsmooth direction between the rim of A and its lateral surface, 5e-5 rad away.
  // Both rims are smooth there: at the largest separation the vector between the support points is along the
  // normal.
  const CollisionShape can = plain_shape(ShapeKind::cylinder, Vec3(0.071006119164905637, 0.0344837209414, 0));
  Mat3 R_A, R_B;
  R_A << -0.56778682602053632, 0.76012558733566493, -0.31595444556950963, 0.026077740318633399,
      -0.36702174438452539, -0.92984675651895154, -0.82276246369009798, -0.53619411655346516,
      0.18856775364852174;
  R_B << -0.77418670285367264, 0.27118820507255054, 0.571919493070561, 0.19398358609523858,
      0.96174326617616701, -0.19344316553042029, -0.602499226099246, -0.038818132287974955,
      -0.79717490875935315;
  const Vec3 p(-0.029837622212969647, 0.012127149196059372, -0.12687080590158287);
  for (const Pose& X : {Pose{R_A.transpose() * R_B, R_A.transpose() * p},
                        Pose{R_B.transpose() * R_A, R_B.transpose() * -p}}) {
    const Separation found = largest_separation(can, can, X, 1e300);
    const Vec3 way =
        X * core_support(can, -(X.R.transpose() * found.normal)).p - core_support(can, found.normal).p;
    EXPECT_LT((way - found.distance * found.normal).norm(), 1e-14);
  }
}

}  // namespace
}  // namespace stiction
