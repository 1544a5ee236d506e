#include "stiction/geometry/polytope/box_box.h"

#include <cmath>

#include <gtest/gtest.h>

#include "stiction/geometry/polytope/polytope_pairs.h"
#include "test/geometry/polytope/polytope_reference.h"

namespace stiction {
namespace {

TEST(BoxBox, FifteenAxesGiveTheSameBestAsAllFeaturesOfTheTwoPolytopes) {
  const CollisionShape A = box_shape(0.5, 0.3, 0.4), B = box_shape(0.2, 0.6, 0.35);
  Random random(1);
  for (int i = 0; i < 10000; ++i) {
    const Pose X_AB{random_rotation(&random), random.uniform(0.0, 0.8) * random_direction(&random)};
    AxisList of_boxes, of_polytopes;
    int separating = -1;
    find_box_axes(A.size, B.size, X_AB, 1e300, &separating, &of_boxes);
    find_polytope_axes(*A.polytope, *B.polytope, X_AB, 1e300, Vec3::Zero(), &of_polytopes);
    if (of_boxes.best.s > 0.0) continue;
    ASSERT_NEAR(of_boxes.best.s, of_polytopes.best.s, 1e-12) << i;
  }
}

TEST(BoxBox, CubeTurnedBy45DegreesTouchesInAnOctagon) {
  const CollisionShape cube = box_shape(0.5, 0.5, 0.5);
  const Pose X{rotation_about<double>(Vec3::UnitZ(), std::atan(1.0)), Vec3(0, 0, 0.999)};
  const ContactPoints points = contacts(cube, Pose{}, cube, X);
  ASSERT_EQ(points.size(), 8u);
  for (const ContactPoint& point : points) {
    EXPECT_NEAR(point.weight, 0.125, 1e-12);
    EXPECT_NEAR(point.distance, -0.001, 1e-15);
    // Corners of a regular octagon with inner radius 1/2.
    EXPECT_NEAR(point.p_A.head<2>().norm(), 0.5 / std::cos(std::atan(1.0) / 2.0), 1e-12);
  }
}

TEST(BoxBox, CrossedEdgesTouchInOnePoint) {
  const CollisionShape cube = box_shape(0.5, 0.5, 0.5);
  const Mat3 on_edge = rotation_about<double>(Vec3::UnitX(), std::atan(1.0));
  const Mat3 across = rotation_about<double>(Vec3::UnitZ(), 1.2) * on_edge;
  const double depth = 1e-3;
  const ContactPoints points =
      contacts(cube, Pose{on_edge, Vec3::Zero()}, cube, Pose{across, Vec3(0, 0, std::sqrt(2.0) - depth)});
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(points[0].distance, -depth, 1e-15);
  EXPECT_NEAR(points[0].normal.z(), 1.0, 1e-15);
  EXPECT_LE((points[0].p_A - Vec3(0, 0, std::sqrt(0.5))).norm(), 1e-12);
}

}  // namespace
}  // namespace stiction
