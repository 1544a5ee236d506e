#include "stiction/math/physical_inertia.h"

#include <limits>

#include <gtest/gtest.h>

namespace stiction {
namespace {

Inertia with_moments(double mass, const Vec3& moments) { return {mass, Vec3::Zero(), moments.asDiagonal()}; }

TEST(PhysicalInertia, MomentsOfMatterDoNotViolateTheTriangleInequality) {
  EXPECT_FALSE(violates_triangle_inequality(solid_box(2.0, Vec3(0.1, 0.2, 0.3))));
  EXPECT_FALSE(violates_triangle_inequality(point_mass(1.0)));
  EXPECT_FALSE(violates_triangle_inequality(with_moments(1.0, Vec3(1.0, 2.0, 3.0))));  // a plate: equality
}

TEST(PhysicalInertia, AMomentLargerThanTheSumOfTheOthersViolatesIt) {
  EXPECT_TRUE(violates_triangle_inequality(with_moments(1.0, Vec3(1.0, 1.0, 2.1))));
}

TEST(PhysicalInertia, OtherDefectsAreNotTakenForThisOne) {
  EXPECT_FALSE(violates_triangle_inequality(with_moments(-1.0, Vec3(1.0, 1.0, 2.1))));
  EXPECT_FALSE(violates_triangle_inequality(with_moments(1.0, Vec3(-1.0, 1.0, 2.1))));
  EXPECT_FALSE(violates_triangle_inequality(
      with_moments(1.0, Vec3(1.0, 1.0, std::numeric_limits<double>::infinity()))));
  Inertia lopsided = with_moments(1.0, Vec3(1.0, 1.0, 2.1));
  lopsided.I_com(0, 1) = 0.5;
  EXPECT_FALSE(violates_triangle_inequality(lopsided));
}

TEST(PhysicalInertia, BalancedMomentsAreTheirMean) {
  const Inertia balanced = balanced_inertia(with_moments(1.0, Vec3(1.0, 1.0, 4.0)));
  EXPECT_TRUE(balanced.I_com.isApprox(Mat3(2.0 * Mat3::Identity())));
  EXPECT_EQ(inertia_defect(balanced), "");
}

}  // namespace
}  // namespace stiction
