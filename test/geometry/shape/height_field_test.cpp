#include "stiction/geometry/shape/height_field.h"

#include <limits>

#include <gtest/gtest.h>

#include "stiction/base/check.h"

namespace stiction {
namespace {

constexpr double kRoundOff = 1e-14;
const HeightFieldSize kSize{.radius_x = 2.0, .radius_y = 1.0, .elevation = 0.5, .base = 0.1};

TEST(HeightField, PutsTheFirstRowOfAPictureAtTheTop) {
  const HeightField field = height_field(2, 3, {1, 2, 3, 4, 5, 6}, kSize);
  EXPECT_EQ(field.point(0, 0), Vec3(-2.0, -1.0, 0.6 * 0.5));  // 4 is 3/5 of the way from 1 to 6
  EXPECT_EQ(field.point(1, 0), Vec3(-2.0, 1.0, 0.0));
  EXPECT_EQ(field.point(0, 2), Vec3(2.0, -1.0, 0.5));
}

TEST(HeightField, OfEqualNumbersIsFlatAtZero) {
  const HeightField field = height_field(2, 2, {7, 7, 7, 7}, kSize);
  EXPECT_EQ(field.heights, std::vector<double>(4, 0.0));
  EXPECT_NEAR(volume(field), 4.0 * 2.0 * 0.1, kRoundOff);
}

TEST(HeightField, VolumeOfARampIsHalfABoxAndItsBase) {
  const HeightField field = height_field(3, 4, {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}, kSize);
  EXPECT_NEAR(volume(field), 8.0 * (0.25 + 0.1), kRoundOff);
}

TEST(HeightField, VolumeOfOneCellFollowsTheDiagonal) {
  // With one end of the diagonal raised, both prisms have a third of the height; with another corner, one
  // has.
  EXPECT_NEAR(volume(height_field(2, 2, {0, 0, 1, 0}, kSize)), 8.0 * (0.5 / 3.0 + 0.1), kRoundOff);
  EXPECT_NEAR(volume(height_field(2, 2, {1, 0, 0, 0}, kSize)), 8.0 * (0.5 / 6.0 + 0.1), kRoundOff);
}

TEST(HeightField, BoundingBoxReachesFromTheBaseToTheTop) {
  const Eigen::AlignedBox3d box = bounding_box(height_field(2, 2, {0, 1, 2, 3}, kSize));
  EXPECT_EQ(box.min(), Vec3(-2.0, -1.0, -0.1));
  EXPECT_EQ(box.max(), Vec3(2.0, 1.0, 0.5));
}

TEST(HeightField, RefusesWhatCannotBe) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(height_field(1, 4, {1, 2, 3, 4}, kSize), UserError);
  EXPECT_THROW(height_field(2, 2, {1, 2, 3}, kSize), UserError);
  EXPECT_THROW(height_field(2, 2, {1, 2, 3, nan}, kSize), UserError);
  EXPECT_THROW(height_field(2, 2, {-1e308, 0, 0, 1e308}, kSize), UserError);
  EXPECT_THROW(height_field(2, 2, {1, 2, 3, 4}, {2.0, 1.0, 0.5, 0.0}), UserError);
  EXPECT_THROW(height_field(1 << 20, 1 << 20, {}, kSize), UserError);
}

}  // namespace
}  // namespace stiction
