#include "stiction/multibody/fluid_force.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace stiction {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr std::array<double, 5> kUsual = {0.5, 0.25, 1.5, 1.0, 1.0};

Vec6 moving(const Vec3& v, const Vec3& w = Vec3::Zero()) { return stack<double>(w, v); }

TEST(FluidEllipsoid, OfASphereDragsHalfItsVolumeAlong) {
  const FluidEllipsoid sphere = make_fluid_ellipsoid(Vec3::Constant(0.2), kUsual);
  const double volume = 4.0 / 3.0 * kPi * 0.008;
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(sphere.added_volume[i], volume / 2.0, 1e-15);
  EXPECT_EQ(sphere.added_moment, Vec3(Vec3::Zero()));
}

TEST(FluidEllipsoid, OfALongNeedleDragsItsOwnVolumeAlongAcrossAndNothingAlong) {
  // Corrections are of order (r/l)^2 log(l/r).
  const double r = 1e-4, l = 1.0, volume = 4.0 / 3.0 * kPi * r * r * l;
  const FluidEllipsoid needle = make_fluid_ellipsoid(Vec3(r, r, l), kUsual);
  EXPECT_NEAR(needle.added_volume[0] / volume, 1.0, 1e-6);
  EXPECT_NEAR(needle.added_volume[2] / volume, 0.0, 1e-6);
}

TEST(FluidEllipsoid, OfAThinDiscDragsTheVolumeOfADiscAlong) {
  // Lamb: 8/3 r^3 for the disc, 16/45 r^5 about a diameter; corrections are of the order of thickness/r.
  const double r = 0.3, thickness = 1e-7;
  const FluidEllipsoid disc = make_fluid_ellipsoid(Vec3(r, r, thickness), kUsual);
  EXPECT_NEAR(disc.added_volume[2] / (8.0 / 3.0 * r * r * r), 1.0, 1e-5);
  EXPECT_NEAR(disc.added_moment[0] / (16.0 / 45.0 * std::pow(r, 5)), 1.0, 1e-5);
}

TEST(FluidEllipsoid, KappasAddUpToTwo) {
  const FluidEllipsoid e = make_fluid_ellipsoid(Vec3(0.1, 0.23, 0.61), kUsual);
  const double volume = 4.0 / 3.0 * kPi * e.radii.prod();
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) sum += 2.0 * e.added_volume[i] / (volume + e.added_volume[i]);
  EXPECT_NEAR(sum, 2.0, 1e-14);
}

TEST(FluidForce, OnASphereIsThatOfItsCrossSectionAndOfStokes) {
  const double r = 0.2, rho = 3.0, beta = 0.7;
  const FluidEllipsoid sphere = make_fluid_ellipsoid(Vec3::Constant(r), kUsual);
  const Vec3 v(1.0, -2.0, 2.0);  // 3 m/s
  const Vec6 F = fluid_force(sphere, {rho, beta, Vec3::Zero()}, moving(v));
  const Vec3 expected = -(rho * 0.5 * kPi * r * r * 3.0 + 6.0 * kPi * r * beta) * v;
  EXPECT_LT((F.tail<3>() - expected).norm(), 1e-13 * expected.norm());
  EXPECT_LT(F.head<3>().norm(), 1e-13);
}

TEST(FluidForce, OnASpinningSphereIsMagnusLiftLessTheAddedMass) {
  // C_M rho V w x v from the spin, and (m v) x w = -rho V/2 w x v from the added mass.
  const double r = 0.1, rho = 2.0, volume = 4.0 / 3.0 * kPi * r * r * r;
  const FluidEllipsoid sphere = make_fluid_ellipsoid(Vec3::Constant(r), {0.0, 0.0, 0.0, 1.0, 0.8});
  const Vec3 v(0.5, 0.0, 0.0), w(0.0, 0.0, 7.0);
  const Vec6 F = fluid_force(sphere, {rho, 0.0, Vec3::Zero()}, moving(v, w));
  EXPECT_LT((F.tail<3>() - (0.8 - 0.5) * rho * volume * w.cross(v)).norm(), 1e-15);
}

TEST(FluidForce, OnAPlateFaceOnIsItsWholeAreaAndEdgeOnTheSlenderCoefficient) {
  const double r = 0.3, t = 1e-9, rho = 1.2;
  const FluidEllipsoid plate = make_fluid_ellipsoid(Vec3(r, r, t), {0.5, 0.25, 0.0, 0.0, 0.0});
  const Fluid fluid{rho, 0.0, Vec3::Zero()};
  EXPECT_NEAR(fluid_force(plate, fluid, moving(Vec3(0, 0, 2)))[5], -rho * 0.5 * kPi * r * r * 4.0, 1e-12);
  // Edge on, the projected area pi r t is almost zero.
  EXPECT_NEAR(fluid_force(plate, fluid, moving(Vec3(2, 0, 0)))[3], -rho * 0.25 * kPi * r * r * 4.0, 1e-8);
}

TEST(FluidForce, LiftsAPlateAtAnAngleAcrossItsMotion) {
  // Kutta lift has no component along the velocity.
  const FluidEllipsoid plate = make_fluid_ellipsoid(Vec3(0.3, 0.2, 0.001), {0.0, 0.0, 0.0, 1.0, 0.0});
  const Vec3 v(1.0, 0.2, -0.3);
  const Vec3 f = fluid_force(plate, {1.2, 0.0, Vec3::Zero()}, moving(v)).tail<3>();
  EXPECT_GT(f.norm(), 1e-3);
  EXPECT_NEAR(f.dot(v), 0.0, 1e-14);
  // Moving downwards through the fluid: pushed up.
  EXPECT_GT(f.z(), 0.0);
}

TEST(FluidForce, SlowsASpin) {
  // Stokes' moment on a sphere: -8 pi r^3 beta w.
  const FluidEllipsoid sphere = make_fluid_ellipsoid(Vec3::Constant(0.2), kUsual);
  const Vec6 F = fluid_force(sphere, {0.0, 0.5, Vec3::Zero()}, moving(Vec3::Zero(), Vec3(0, 3, 0)));
  EXPECT_NEAR(F[1], -8.0 * kPi * 0.008 * 0.5 * 3.0, 1e-15);
}

TEST(FluidForce, OnABoxIsThatOfItsFaces) {
  // The box of a solid box is the box itself: m/3 (b^2 + c^2) about its axes.
  const Vec3 r(0.1, 0.2, 0.3);
  const Inertia solid = solid_box(5.0, r);
  const FluidBox box = make_fluid_box(5.0, solid.I_com.diagonal());
  EXPECT_LT((box.half_sizes - r).norm(), 1e-15);
  const Vec6 F = fluid_force(box, {1.5, 0.0, Vec3::Zero()}, moving(Vec3(2, -1, 0), Vec3(0, 0, 3)));
  EXPECT_NEAR(F[3], -2.0 * 1.5 * 0.2 * 0.3 * 4.0, 1e-14);
  EXPECT_NEAR(F[4], +2.0 * 1.5 * 0.1 * 0.3 * 1.0, 1e-14);
  EXPECT_NEAR(F[2], -0.5 * 1.5 * 0.3 * (std::pow(0.1, 4) + std::pow(0.2, 4)) * 9.0, 1e-15);
}

TEST(FluidForce, AtRestIsNone) {
  EXPECT_EQ(
      fluid_force(make_fluid_ellipsoid(Vec3(0.1, 0.2, 0.3), kUsual), {1.2, 0.1, Vec3::Zero()}, Vec6::Zero()),
      Vec6(Vec6::Zero()));
}

}  // namespace
}  // namespace stiction
