#include "stiction/geometry/primitive/half_space_pairs.h"

#include <cmath>

#include <gtest/gtest.h>

#include "test/geometry/polytope/polytope_reference.h"

namespace stiction {
namespace {

TEST(HalfSpacePairs, DeepestPointIsTheLowestVertex) {
  const CollisionShape ground = collision_shape(HalfSpace{});
  for (const CollisionShape& body : {box_shape(0.5, 0.3, 0.1), round_hull(20, Vec3(0.5, 0.3, 0.1), 4)}) {
    Random random(5);
    for (int i = 0; i < 10000; ++i) {
      const Pose X_W{random_rotation(&random), random_vector(&random)};
      const Pose X_G{random_rotation(&random), random_vector(&random)};
      double lowest = 1e300;
      for (const Vec3& v : placed_vertices(body, X_W)) lowest = std::min(lowest, X_G.R.col(2).dot(v - X_G.p));
      const ContactPoint point = signed_distance(body, X_W, ground, X_G);
      ASSERT_NEAR(point.distance, lowest, 1e-14 * (1.0 + X_W.p.norm() + X_G.p.norm()));
      ASSERT_LE((point.normal + X_G.R.col(2)).norm(), 1e-15);
      ASSERT_LE(off_surface(body, X_W, point.p_A), 1e-13);
      ASSERT_NEAR(X_G.R.col(2).dot(point.p_B() - X_G.p), 0.0, 1e-13);
    }
  }
}

TEST(HalfSpacePairs, RegularPrismStandsOnEqualWeights) {
  const CollisionShape ground = collision_shape(HalfSpace{});
  for (int sides : {3, 5, 8}) {
    const ContactPoints points =
        contacts(prism(sides, 0.2, 0.1), translation(0, 0, 0.05 - 1e-4), ground, Pose{});
    ASSERT_EQ(int(points.size()), sides);
    for (const ContactPoint& point : points) EXPECT_NEAR(point.weight, 1.0 / sides, 1e-12);
  }
}

TEST(HalfSpacePairs, RoundingMovesTheSurfaceOut) {
  const CollisionShape ground = collision_shape(HalfSpace{});
  const CollisionShape box = collision_shape(Box{Vec3(0.1, 0.1, 0.1)}, 0.02);
  const ContactPoint point = signed_distance(box, translation(0, 0, 0.15), ground, Pose{});
  EXPECT_NEAR(point.distance, 0.03, 1e-15);
  EXPECT_NEAR(point.p_A.z(), 0.03, 1e-15);
}

}  // namespace
}  // namespace stiction
