#include "stiction/geometry/shape/mass_properties.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/geometry/shape/shape.h"
#include "test/geometry/test_meshes.h"

namespace stiction {
namespace {

constexpr double kRoundOff = 1e-13;  // relative; sums of a dozen triangles
constexpr MeshInertia kAllModes[] = {MeshInertia::exact, MeshInertia::legacy, MeshInertia::convex,
                                     MeshInertia::shell};

void expect_same_matter(const Inertia& a, const Inertia& b, double tolerance) {
  EXPECT_NEAR(a.mass, b.mass, tolerance * b.mass);
  EXPECT_LT((a.com - b.com).norm(), tolerance * (b.com.norm() + std::sqrt(b.I_com.trace() / b.mass)));
  EXPECT_LT((a.I_com - b.I_com).norm(), tolerance * b.I_com.norm());
}

// A box with its centre away from the origin.
const Vec3 kHalf(0.1, 0.2, 0.35), kCentre(1.0, -2.0, 0.5);
TriangleMesh test_box() { return box_mesh(kCentre - kHalf, kCentre + kHalf); }
Inertia solid_test_box(double density) {
  return solid_box(density * 8.0 * kHalf.prod(), kHalf).in_frame(translation(kCentre));
}

// Six plates of unit mass per area, without thickness.
Inertia hollow_test_box() {
  Inertia sum;
  for (int axis = 0; axis < 3; ++axis) {
    for (double side : {-1.0, 1.0}) {
      Vec3 half = kHalf, centre = kCentre;
      half[axis] = 0.0;
      centre[axis] += side * kHalf[axis];
      const double area = 4.0 * kHalf.prod() / kHalf[axis];
      sum = sum + solid_box(area, half).in_frame(translation(centre));
    }
  }
  return sum;
}

TEST(MeshMass, OfABoxIsItsClosedFormInEverySolidMode) {
  for (MeshInertia mode : {MeshInertia::exact, MeshInertia::legacy, MeshInertia::convex}) {
    SCOPED_TRACE(name_of(mode));
    expect_same_matter(mesh_inertia(test_box(), mode, 700.0), solid_test_box(700.0), kRoundOff);
  }
}

TEST(MeshMass, OfABoxShellIsThatOfSixPlates) {
  expect_same_matter(mesh_inertia(test_box(), MeshInertia::shell, 1.0), hollow_test_box(), kRoundOff);
}

TEST(MeshMass, OfATetrahedronIsItsClosedForm) {
  // integral of x^2 over the corner tetrahedron: V a^2/10, of x y: V a b/20.
  const double a = 0.3, b = 0.5, c = 0.7, V = a * b * c / 6.0;
  const Vec3 s(a, b, c), com = s / 4.0;
  Mat3 second = s * s.transpose() * (V / 20.0);
  second.diagonal() *= 2.0;
  second -= V * com * com.transpose();
  const Inertia expected{V, com, second.trace() * Mat3::Identity() - second};
  expect_same_matter(unit_density_inertia(corner_tetrahedron(a, b, c), MeshInertia::exact), expected,
                     kRoundOff);
}

TEST(MeshMass, OfATessellatedEllipsoidConvergesWithTheSquareOfTheSides) {
  const Vec3 radii(0.2, 0.3, 0.5);
  const Inertia exact = solid_inertia(Ellipsoid{radii}, 1.0);
  double last = 0.0;
  for (int times : {3, 4, 5, 6}) {
    const TriangleMesh mesh = transformed(sphere_mesh(times), radii.asDiagonal(), Vec3::Zero());
    const double error = (unit_density_inertia(mesh, MeshInertia::exact).I_com - exact.I_com).norm();
    if (times > 3) {
      EXPECT_NEAR(std::log2(last / error), 2.0, 0.05) << times;
    }
    last = error;
  }
}

TEST(MeshMass, OfATessellatedSphereShellConvergesToTwoThirds) {
  const Inertia shell = unit_density_inertia(sphere_mesh(5), MeshInertia::shell);
  const double area = 4.0 * std::numbers::pi;
  EXPECT_NEAR(shell.mass, area, 1e-3 * area);  // (side / 2)^2 with sides of 2^-5 * pi/2
  EXPECT_NEAR(shell.I_com(0, 0), 2.0 / 3.0 * area, 2e-3 * area);
}

TEST(MeshMass, ExactSubtractsAHole) {
  const TriangleMesh hole = box_mesh(Vec3::Constant(-0.2), Vec3::Constant(0.2));
  const TriangleMesh block = box_mesh(Vec3::Constant(-0.5), Vec3::Constant(0.5));
  const Inertia rest = unit_density_inertia(both(block, inside_out(hole)), MeshInertia::exact);
  const Inertia full = solid_box(1.0, Vec3::Constant(0.5)), gone = solid_box(0.064, Vec3::Constant(0.2));
  expect_same_matter(rest, {full.mass - gone.mass, Vec3::Zero(), full.I_com - gone.I_com}, kRoundOff);
}

TEST(MeshMass, LegacyAddsAHole) {
  const TriangleMesh hole = box_mesh(Vec3::Constant(-0.2), Vec3::Constant(0.2));
  const TriangleMesh block = box_mesh(Vec3::Constant(-0.5), Vec3::Constant(0.5));
  EXPECT_NEAR(unit_density_inertia(both(block, inside_out(hole)), MeshInertia::legacy).mass, 1.064,
              kRoundOff);
}

TEST(MeshMass, ConvexFillsTheSpaceBetweenTwoBoxes) {
  const TriangleMesh left = box_mesh(Vec3::Zero(), Vec3(1, 1, 1)),
                     right = box_mesh(Vec3(3, 0, 0), Vec3(4, 1, 1));
  expect_same_matter(unit_density_inertia(both(left, right), MeshInertia::convex),
                     solid_box(4.0, Vec3(2.0, 0.5, 0.5)).in_frame(translation(2.0, 0.5, 0.5)), kRoundOff);
}

TEST(MeshMass, MovesWithTheMesh) {
  const Pose X{rotation_from_quaternion<double>(Vec4(0.5, -0.1, 0.7, 0.3)), Vec3(3, 1, -2)};
  const TriangleMesh mesh = corner_tetrahedron(0.3, 0.5, 0.7);
  for (MeshInertia mode : kAllModes) {
    SCOPED_TRACE(name_of(mode));
    expect_same_matter(unit_density_inertia(transformed(mesh, X.R, X.p), mode),
                       unit_density_inertia(mesh, mode).in_frame(X), kRoundOff);
  }
}

TEST(MeshMass, WithAGivenMassKeepsItsShape) {
  const Inertia unit = unit_density_inertia(test_box(), MeshInertia::exact);
  expect_same_matter(with_mass(unit, 3.0), solid_test_box(3.0 / (8.0 * kHalf.prod())), kRoundOff);
}

TEST(MeshMass, OfASurfaceInsideOutIsRefused) {
  EXPECT_THROW(unit_density_inertia(inside_out(test_box()), MeshInertia::exact), UserError);
}

TEST(MeshMass, OfASingleTriangleExistsOnlyAsAShell) {
  const TriangleMesh triangle{{Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()}, {{0, 1, 2}}};
  EXPECT_THROW(unit_density_inertia(triangle, MeshInertia::exact), UserError);
  EXPECT_NEAR(unit_density_inertia(triangle, MeshInertia::shell).mass, 0.5, kRoundOff);
}

TEST(MeshMass, OfAnEmptyMeshIsRefused) {
  for (MeshInertia mode : kAllModes) EXPECT_THROW(unit_density_inertia(TriangleMesh{}, mode), UserError);
}

}  // namespace
}  // namespace stiction
