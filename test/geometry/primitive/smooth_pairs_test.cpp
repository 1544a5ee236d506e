#include "stiction/geometry/primitive/smooth_pairs.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "stiction/geometry/convex/direction_search.h"
#include "stiction/geometry/primitive/primitive_pairs.h"
#include "test/base/fewer.h"
#include "test/geometry/pair_contract.h"
#include "test/geometry/pair_samples.h"

namespace stiction {
namespace {

const CollisionShape ellipsoid = plain_shape(ShapeKind::ellipsoid, Vec3(0.3, 0.2, 0.1));
const CollisionShape pillow = super_shape(Vec3(0.3, 0.2, 0.25), 0.5, 0.7);
const CollisionShape nearly_box = super_shape(Vec3(0.3, 0.2, 0.25), 0.1, 0.1);

std::vector<CollisionShape> candidates() {
  return {plain_shape(ShapeKind::capsule, Vec3(0.1, 0.3, 0)), ellipsoid,
          plain_shape(ShapeKind::cylinder, Vec3(0.2, 0.3, 0)),
          plain_shape(ShapeKind::box, Vec3(0.3, 0.2, 0.1)), hull_shape(Vec3(0.3, 0.2, 0.4), 32)};
}

TEST(SmoothPairs, OfEllipsoidsObeyTheContract) {
  for (const CollisionShape& candidate : candidates()) {
    SCOPED_TRACE(static_cast<int>(candidate.kind));
    EXPECT_GT(check_contract(collide_smooth, ellipsoid, candidate, {}), fewer(1000));
  }
}

TEST(SmoothPairs, OfSuperellipsoidsObeyTheContract) {
  ContractCheck check;
  check.poses = fewer(1000);
  for (const CollisionShape& candidate : candidates()) {
    SCOPED_TRACE(static_cast<int>(candidate.kind));
    EXPECT_GT(check_contract(collide_smooth, pillow, candidate, check), fewer(100));
  }
  EXPECT_GT(check_contract(collide_smooth, pillow, nearly_box, check), fewer(100));
  EXPECT_GT(check_contract(collide_smooth, nearly_box, nearly_box, check), fewer(100));
  EXPECT_GT(check_contract(collide_sphere_superellipsoid, plain_shape(ShapeKind::sphere, Vec3(0.2, 0, 0)),
                           pillow, check),
            fewer(100));
}

TEST(SmoothPairs, EllipsoidsOnACommonAxisAreTheDifferenceOfTheirReaches) {
  ContactPoints points;
  CollideOptions options;
  options.margin = 1.0;
  PairMemory memory;
  collide_smooth(ellipsoid, {}, ellipsoid, translation(0, 0, 0.25), options, &memory, &points);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(points[0].distance, 0.05, 1e-16);
  EXPECT_LT((points[0].p_A - Vec3(0, 0, 0.1)).norm(), 1e-15);
}

TEST(SmoothPairs, ASphereInAllButNameAgreesWithTheSphere) {
  const CollisionShape round = plain_shape(ShapeKind::ellipsoid, Vec3(0.2, 0.2, 0.2));
  const CollisionShape super_round = super_shape(Vec3(0.2, 0.2, 0.2), 1.0, 1.0);
  Random random(5);
  for (int k = 0; k < fewer(1000); ++k) {
    const Pose X = random_pose(&random, 0.4);
    // Closer than 0.35 of a radius to the common centre the deepest place is nearly a whole sphere.
    if (X.p.norm() < 0.07) continue;
    const double exact = X.p.norm() - 0.4;
    EXPECT_NEAR(largest_separation(round, round, X, 1e300).distance, exact, 1e-15);
    EXPECT_NEAR(largest_separation(round, super_round, X, 1e300).distance, exact, 1e-15);
  }
}

// The check of the pair table (pair_check.h) in one pose: on both surfaces, no better direction, the same
// from both sides.
std::string defect_of(const CollisionShape& A, const Mat3& R_A, const CollisionShape& B, const Pose& X_WB) {
  Random random(1);
  ContactPoints points;
  return pair_check::defect(A, {R_A, Vec3::Zero()}, B, X_WB, 0.0, {}, &random, &points);
}

TEST(SmoothPairs, NeedlesAndPlatesHaveTheirPointsOnBothSurfaces) {
  // Radii 1 : 1e4, curvatures 1 : 1e12, a gap or an overlap of half the thickness of the thinner one.
  const CollisionShape plate = collision_shape(Ellipsoid{Vec3(4e-4, 1.0, 0.7)});
  const CollisionShape needle = collision_shape(Ellipsoid{Vec3(5e-5, 1e-4, 1.0)});
  Random random(3);
  for (int k = 0; k < fewer(2000); ++k) {
    const PosePair X = beside(plate, needle, sample_rotation(&random), sample_rotation(&random),
                              sample_direction(&random), random.uniform(-5e-5, 5e-5));
    ASSERT_EQ(defect_of(plate, X.X_WA.R, needle, X.X_WB), "") << k;
  }
}

TEST(SmoothPairs, SuperellipsoidsOnFlatShapesHaveTheirPointsOnBothSurfaces) {
  // Side on side, tilted by 1e-16 to 1e-2 rad: a nearly flat side has its support point anywhere.
  const CollisionShape pill = collision_shape(Superellipsoid{Vec3(0.3, 0.2, 0.25), 0.3, 0.5});
  const CollisionShape cube = collision_shape(Box{Vec3(0.2, 0.3, 0.1)});
  const CollisionShape can = collision_shape(Cylinder{0.2, 0.5});
  Random random(4);
  for (const CollisionShape* B : {&cube, &can}) {
    for (int k = 0; k < fewer(2000); ++k) {
      const PosePair X = troubled_poses(pill, *B, Trouble::nearly_parallel, &random);
      ASSERT_EQ(defect_of(pill, X.X_WA.R, *B, X.X_WB), "") << name_of(B->kind) << " " << k;
    }
  }
}

TEST(SmoothPairs, NeedlesTipToTipLeaveTheSaddleOfTheirSeparation) {
  // Along the common axis the overlap is stationary but not least: the tips slip past each other sideways.
  const CollisionShape needle = collision_shape(Ellipsoid{Vec3(1e-3, 1e-3, 1.0)});
  const ContactPoint found = signed_distance(needle, {}, needle, translation(0, 0, 2.0 - 1e-5));
  EXPECT_GT(found.distance, -1e-5);
  // Blunt ones have a small maximum there, and a larger one sideways.
  const CollisionShape blunt = collision_shape(Superellipsoid{Vec3(9e-4, 9e-4, 5.6), 0.62, 0.91});
  EXPECT_GT(signed_distance(blunt, {}, blunt, translation(0, 0, 11.2 - 8e-5)).distance, -7e-5);
}

TEST(SmoothPairs, NoDirectionSeparatesBetterThanTheOneFound) {
  // The signed distance is the largest separation over all directions: 500 random ones and 200 near the best.
  Random random(9);
  std::vector<CollisionShape> shapes = candidates();
  shapes.push_back(pillow);
  shapes.push_back(nearly_box);
  for (const CollisionShape& A : shapes) {
    for (const CollisionShape& B : shapes) {
      for (int k = 0; k < fewer(20); ++k) {
        const Pose X = random_pose(&random, 0.5);
        const Separation found = largest_separation(A, B, X, 1e300);
        for (int i = 0; i < 700; ++i) {
          const auto u = random.unit_vector<3>();
          const Vec3 d(u[0], u[1], u[2]);
          const Vec3 n = i < 500 ? d : Vec3((found.normal + std::pow(10.0, -1 - i % 6) * d).normalized());
          ASSERT_LE(separation_along(A, B, X, n), found.distance + 1e-12)
              << static_cast<int>(A.kind) << " " << static_cast<int>(B.kind) << " pose " << k;
        }
      }
    }
  }
}

TEST(SmoothPairs, PebblesInEachOtherLeaveByTheShortestOfManyWays) {
  // Nearly the same about their centres, with a dozen directions whose depths differ by a thousandth: the
  // swapped pair finds the same one.
  const CollisionShape pebble = collision_shape(Superellipsoid{Vec3::Ones(), 0.613, 0.5374});
  Random random(11);
  for (int k = 0; k < fewer(400); ++k) {
    const Pose X{sample_rotation(&random), 5e-3 * sample_direction(&random)};
    ASSERT_NEAR(largest_separation(pebble, pebble, X, 1e300).distance,
                largest_separation(pebble, pebble, X.inverse(), 1e300).distance, 1e-12)
        << k;
  }
}

TEST(SmoothPairs, NormalsOfOverlappingSuperellipsoidsAreTheSameFromBothSides) {
  // The separation itself tells a normal to the square root of round-off only, sqrt(2^-52) = 1.5e-8 rad; flat
  // sides, where any point is the support point, are known no better.
  const CollisionShape loaf = collision_shape(Superellipsoid{Vec3(0.44, 0.90, 0.39), 0.35, 0.64}),
                       brick = collision_shape(Superellipsoid{Vec3(0.59, 0.53, 0.47), 0.25, 0.48});
  Random random(13);
  for (int k = 0; k < fewer(4000); ++k) {
    const PosePair X = beside(loaf, brick, sample_rotation(&random), sample_rotation(&random),
                              sample_direction(&random), -random.uniform(0.1, 0.4));
    const Pose X_AB = X.X_WA.inverse() * X.X_WB;
    const Separation found = largest_separation(loaf, brick, X_AB, 1e300),
                     other = largest_separation(brick, loaf, X_AB.inverse(), 1e300);
    if (found.distance >= 0.0) continue;
    ASSERT_LT((found.normal + X_AB.R * other.normal).norm(), 1.5e-8) << k;
  }
}

TEST(SmoothPairs, TheWayOutOfSymmetricBodiesLeadsToTheSideOfTheOtherCentre) {
  // About their centres both are symmetric, so that against n they overlap by 2 n . p more than along it.
  const CollisionShape pebble = collision_shape(Superellipsoid{Vec3::Ones(), 0.665, 0.761});
  Random random(10);
  for (int k = 0; k < fewer(300); ++k) {
    const Pose X{sample_rotation(&random), 1e-6 * sample_direction(&random)};
    const Separation found = largest_separation(pebble, pebble, X, 1e300);
    ASSERT_GE(found.normal.dot(X.p), 0.0) << k;
  }
}

}  // namespace
}  // namespace stiction
