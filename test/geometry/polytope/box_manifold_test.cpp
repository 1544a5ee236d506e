#include "stiction/geometry/polytope/box_manifold.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "stiction/geometry/polytope/box_box.h"
#include "test/geometry/polytope/polytope_reference.h"

namespace stiction {
namespace {

const ContactPoint* with_feature(const ContactPoints& points, std::uint64_t feature) {
  for (const ContactPoint& point : points)
    if (point.feature == feature) return &point;
  return nullptr;
}

// Poses of B in which the two boxes touch or nearly do: at random, face upon face, edge across edge.
Pose touching_pose(const CollisionShape& A, const CollisionShape& B, int kind, Random* random) {
  Mat3 R = random_rotation(random);
  Vec3 way = random_direction(random);
  if (kind > 0) {
    const double tilt = kind == 1 ? 1e-3 : 0.3;
    R = rotation_about<double>(Vec3::UnitZ(), random->uniform(-1.5, 1.5)) *
        rotation_about<double>(random_direction(random), tilt);
    way = Vec3(random->uniform(-0.3, 0.3), random->uniform(-0.3, 0.3), 1.0).normalized();
  }
  Pose X{R, 2.0 * way};
  const ContactPoint near = signed_distance(A, Pose{}, B, X);
  X.p -= (near.distance + random->uniform(-5e-4, 5e-3)) / std::max(0.3, near.normal.dot(way)) * way;
  return X;
}

TEST(BoxManifold, PointsAreThoseOfTwoPolytopesAlongTheBestAxis) {
  const CollisionShape A = box_shape(0.5, 0.3, 0.4), B = box_shape(0.2, 0.6, 0.35);
  CollideOptions options;
  options.margin = 1e-3;
  options.share_axes = false;
  Random random(3);
  int compared = 0;
  for (int i = 0; i < 30000; ++i) {
    const Pose X = touching_pose(A, B, i % 3, &random);
    const ContactPoints fast = contacts(A, Pose{}, B, X, options);
    AxisList axes;
    int separating = -1;
    ContactPoints general;
    if (find_box_axes(A.size, B.size, X, options.margin, &separating, &axes))
      add_contact_points(A, Pose{}, B, X, axes, options, &general);
    ASSERT_EQ(fast.size(), general.size()) << i;
    for (const ContactPoint& point : fast) {
      const ContactPoint* other = with_feature(general, point.feature);
      ASSERT_NE(other, nullptr) << i;
      // Sides that are nearly parallel cross in a place known to round-off over their angle.
      EXPECT_LE((point.p_A - other->p_A).norm(), 1e-11) << i;
      EXPECT_LE((point.normal - other->normal).norm(), 1e-15) << i;
      EXPECT_NEAR(point.distance, other->distance, 1e-14) << i;
      // Weights depend on overlaps over kLeastWindow: 1e-16 m, some units in the last place, over 1e-5 m.
      EXPECT_NEAR(point.weight, other->weight, 1e-10) << i;
      ++compared;
    }
  }
  EXPECT_GT(compared, 30000);
}

TEST(BoxManifold, OverTheEdgeOfATableHalfABoxRestsOnTwoCornersAndTwoCrossings) {
  const CollisionShape table = box_shape(0.5, 1.0, 0.1), box = box_shape(0.2, 0.3, 0.1);
  const Pose X{Mat3::Identity(), Vec3(0.5, 0.0, 0.199)};
  const ContactPoints points = contacts(table, Pose{}, box, X);
  ASSERT_EQ(points.size(), 4u);
  for (const ContactPoint& point : points) {
    // The corners of a rectangle have equal shares of its outline.
    EXPECT_NEAR(point.weight, 0.25, 1e-15);
    EXPECT_NEAR(point.distance, -0.001, 1e-15);
    EXPECT_NEAR(std::abs(point.p_A.x() - 0.4), 0.1, 1e-15);
    EXPECT_NEAR(std::abs(point.p_A.y()), 0.3, 1e-15);
  }
}

TEST(BoxManifold, BoxesWithTheSameFaceUponEachOtherAreLeftToTheGeneralWayAndRestOnFourCorners) {
  const CollisionShape cube = box_shape(0.1, 0.1, 0.1);
  const ContactPoints points = contacts(cube, Pose{}, cube, Pose{Mat3::Identity(), Vec3(0.0, 0.0, 0.199)});
  double sum = 0.0;
  for (const ContactPoint& point : points) {
    EXPECT_NEAR(point.p_A.cwiseAbs().minCoeff(), 0.1, 1e-15);
    EXPECT_NEAR(point.distance, -0.001, 1e-15);
    sum += point.weight;
  }
  EXPECT_NEAR(sum, 1.0, 1e-15);
}

}  // namespace
}  // namespace stiction
