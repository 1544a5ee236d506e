#include "stiction/geometry/simd/pose_packs.h"

#include <gtest/gtest.h>

#include "stiction/math/rotation.h"
#include "test/math/random_rotations.h"

namespace stiction {
namespace {

void expect_equal(simd::Pack pack, const Vec3& v) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(pack[k], v[k], 1e-15);
  EXPECT_EQ(pack[3], 0.0);
}

TEST(PosePacks, ColumnsPositionAndRotationsAreThoseOfThePose) {
  Random random(1);
  const Pose X{rotation_from_quaternion<double>(random_quaternion(&random)), Vec3(0.1, -0.2, 0.3)};
  const Vec3 v(0.4, 0.5, -0.6);
  expect_equal(simd::column<0>(X), X.R.col(0));
  expect_equal(simd::column<1>(X), X.R.col(1));
  expect_equal(simd::column<2>(X), X.R.col(2));
  expect_equal(simd::position(X), X.p);
  expect_equal(simd::rotated(X, simd::pack_of(v)), X.R * v);
  expect_equal(simd::rotated_back(X, simd::pack_of(v)), X.R.transpose() * v);
}

TEST(PosePacks, PointsComeBackAsTheyWereAdded) {
  ContactPoints points;
  for (int i = 0; i < 20; ++i) {
    const double x = i;
    simd::add_point(simd::Pack{x, x + 1, x + 2, 9.0}, simd::Pack{x + 3, x + 4, x + 5, 9.0}, x + 6, x + 7,
                    100 + i, &points);
  }
  ASSERT_EQ(points.size(), 20u);
  for (int i = 0; i < 20; ++i) {
    const double x = i;
    EXPECT_EQ(points[i].p_A, Vec3(x, x + 1, x + 2));
    EXPECT_EQ(points[i].normal, Vec3(x + 3, x + 4, x + 5));
    EXPECT_EQ(points[i].distance, x + 6);
    EXPECT_EQ(points[i].weight, x + 7);
    EXPECT_EQ(points[i].feature, 100u + i);
  }
}

}  // namespace
}  // namespace stiction
