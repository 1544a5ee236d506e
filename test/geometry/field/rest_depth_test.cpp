// Rest depths against those that closed forms give by hand: docs/models/pressure_fields.md. The modulus is E, so that
// kappa = E/H; loads are chosen, and depths follow.

#include "stiction/geometry/field/rest_depth.h"

#include <gtest/gtest.h>

#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/tet_volume.h"
#include "test/geometry/field/patches.h"
#include "test/geometry/test_meshes.h"

namespace stiction {
namespace {

constexpr double kE = 1e6;       // Pa
constexpr double kExact = 2e-6;  // of the depth: the accuracy of the search
constexpr double kFacetError =
    0.02;  // of the depth: 3 % of the force, which grows as its 3/2 th power or faster
const Vec3 kDown = -Vec3::UnitZ();

double depth_of(const Shape& shape, const Vec3& down, double load, double plane_kappa = 0.0) {
  const PressureField field = compliant_field(collision_shape(shape), kE);
  return rest_depth(field, side_below(field.shape, down), plane_kappa, load);
}

TEST(RestDepth, OfABallIsThatOfItsClosedForm) {
  // F = pi E d^2 (1 - 2 d/3R): R 0.1 m, d 4 mm: pi 1e6 16e-6 (1 - 0.026667) = 48.925 N.
  const double R = 0.1, d = 0.004, F = std::numbers::pi * kE * d * d * (1.0 - 2.0 * d / (3.0 * R));
  EXPECT_NEAR(F, 48.925, 1e-3);
  for (const Vec3& down : {kDown, Vec3(0.3, -0.5, 0.8)})
    EXPECT_NEAR(depth_of(Sphere{R}, down, F), d, kExact * d);
}

TEST(RestDepth, OfABoxFollowsTheSideThatItLiesOn) {
  // A face b x c: F = kappa (b c d - (b + c) d^2 + 4 d^3/3) with kappa = E/H, H 2 cm the least half edge.
  const Vec3 edges(0.2, 0.1, 0.04);
  const double kappa = kE / 0.02;
  const auto load = [&](double b, double c, double d) {
    return kappa * (b * c * d - (b + c) * d * d + 4.0 * d * d * d / 3.0);
  };
  for (const double d : {1e-5, 1e-3}) {
    const Box box{0.5 * edges};
    EXPECT_NEAR(depth_of(box, Vec3(0.1, 0.2, -1.0), load(0.2, 0.1, d)), d, kExact * d);
    EXPECT_NEAR(depth_of(box, Vec3(1.0, 0.2, -0.3), load(0.1, 0.04, d)), d, kExact * d);
    EXPECT_NEAR(depth_of(box, Vec3(0.2, -1.0, 0.3), load(0.2, 0.04, d)), d, kExact * d);
  }
}

TEST(RestDepth, OfAHullIsThatOfTheBoxThatItIs) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.emplace_back(i & 1 ? 0.1 : -0.1, i & 2 ? 0.05 : -0.05, i & 4 ? 0.02 : -0.02);
  const auto hull = std::make_shared<const ConvexHull>(convex_hull(corners));
  for (const Vec3& down : {kDown, Vec3(Vec3::UnitX())})
    EXPECT_NEAR(depth_of(hull, down, 30.0), depth_of(Box{Vec3(0.1, 0.05, 0.02)}, down, 30.0), 1e-6 * 0.02);
}

TEST(RestDepth, OfACylinderFollowsItsEndsAndItsLateralSurface) {
  // End, H = R: F = pi kappa d (R^2 - R d + d^2/3). Lateral surface, per length: kappa (R s - u^2 asinh(s/u)), u = R - d,
  // s^2 = R^2 - u^2, which at the two discs of a long cylinder is right to the order of d/L.
  const double R = 0.05, L = 1.0, d = 0.001, kappa = kE / R, u = R - d, s = std::sqrt(R * R - u * u);
  EXPECT_NEAR(depth_of(Cylinder{R, L}, kDown, std::numbers::pi * kappa * d * (R * R - R * d + d * d / 3.0)),
              d, kFacetError * d);
  const double lateral = L * kappa * (R * s - u * u * std::asinh(s / u));
  EXPECT_NEAR(depth_of(Cylinder{R, L}, Vec3(0.6, 0.8, 0.1), lateral), d, kFacetError * d);
}

TEST(RestDepth, OfACapsuleIsThatOfABallOnItsEnd) {
  const double R = 0.05, L = 0.3, d = 0.001, kappa = kE / R, u = R - d, s = std::sqrt(R * R - u * u);
  const double ball = std::numbers::pi * kE * d * d * (1.0 - 2.0 * d / (3.0 * R));
  EXPECT_NEAR(depth_of(Capsule{R, L}, kDown, ball), d, kFacetError * d);
  // On its side: the two half balls at the ends are a whole one.
  const double lateral = L * kappa * (R * s - u * u * std::asinh(s / u));
  EXPECT_NEAR(depth_of(Capsule{R, L}, Vec3::UnitX(), lateral + ball), d, kFacetError * d);
}

TEST(RestDepth, OfAnEllipsoidIsThatOfABallMadeLonger) {
  // An affine image of the ball of radius 1: F = pi a b E (d/c)^2 (1 - 2 d/3c) at the end of the axis c.
  const double a = 0.1, b = 0.07, c = 0.05, d = 0.001;
  const double F = std::numbers::pi * a * b * kE * (d / c) * (d / c) * (1.0 - 2.0 * d / (3.0 * c));
  EXPECT_NEAR(depth_of(Ellipsoid{Vec3(a, b, c)}, Vec3(0.2, 0.3, -1.0), F), d, kFacetError * d);
}

TEST(RestDepth, OfAVolumeOfTetrahedraIsThatOfItsFaces) {
  TetVolume cube;  // 10 cm, around its centre
  for (int i = 0; i < 8; ++i)
    cube.vertices.emplace_back(i & 1 ? 0.05 : -0.05, i & 2 ? 0.05 : -0.05, i & 4 ? 0.05 : -0.05);
  cube.vertices.emplace_back(Vec3::Zero());
  for (const auto& side : {std::array{0, 2, 1},
                           {1, 2, 3},
                           {4, 5, 6},
                           {5, 7, 6},
                           {0, 1, 4},
                           {1, 5, 4},
                           {2, 6, 3},
                           {3, 6, 7},
                           {0, 4, 2},
                           {2, 4, 6},
                           {1, 3, 5},
                           {3, 7, 5}})
    cube.tets.push_back({side[0], side[1], side[2], 8});
  const auto mesh = std::make_shared<const TriangleMesh>(mesh_of_tets(std::move(cube)));
  // The depth of the cube, exactly: F = kappa (a^2 d - 2 a d^2 + 4 d^3/3).
  const double a = 0.1, d = 0.001, F = kE / 0.05 * (a * a * d - 2.0 * a * d * d + 4.0 * d * d * d / 3.0);
  EXPECT_NEAR(depth_of(mesh, kDown, F), d, kExact * d);
}

TEST(RestDepth, OfARigidBodyInASoftPlaneIsThatOfArchimedes) {
  // V = pi d^2 (R - d/3), F = kappa V.
  const double R = 0.1, d = 0.004, kappa = 1e7, F = kappa * std::numbers::pi * d * d * (R - d / 3.0);
  const PressureField ball = rigid_field(collision_shape(Sphere{R}));
  EXPECT_NEAR(rest_depth(ball, kDown, kappa, F), d, kExact * d);
}

TEST(RestDepth, OfTwoLayersIsThatOfBothInSeries) {
  // Far from the rims of a flat box: F = kappa b c d with kappa = kA kB/(kA + kB); here kA = E/H = 5e7, kB = 1e7 Pa/m.
  const double load = 0.1, d = load / (5e7 * 1e7 / 6e7 * 0.2 * 0.1);
  EXPECT_NEAR(depth_of(Box{Vec3(0.1, 0.05, 0.02)}, kDown, load, 1e7), d, 1e-4 * d);
}

TEST(RestDepth, IsWithoutBoundWhereTheFieldCarriesLess) {
  // The most that a ball carries is half of it in the plane: pi E R^2/3.
  const double most = std::numbers::pi * kE * 0.01 / 3.0;
  EXPECT_LT(depth_of(Sphere{0.1}, kDown, 0.99 * most), 0.1);
  EXPECT_TRUE(std::isinf(depth_of(Sphere{0.1}, kDown, 1.01 * most)));
}

TEST(RestDepth, SidesAreFlatButThoseOfRoundShapes) {
  const CollisionShape can = collision_shape(Cylinder{0.1, 0.3});
  EXPECT_TRUE(is_flat(can, side_below(can, kDown)));
  EXPECT_FALSE(is_flat(can, side_below(can, Vec3::UnitX())));
  EXPECT_FALSE(is_flat(collision_shape(Sphere{0.1}), kDown));
  EXPECT_TRUE(is_flat(collision_shape(Box{Vec3(0.1, 0.1, 0.1)}), kDown));
}

TEST(RestDepth, OfWhatHasNoSideIsZero) {
  EXPECT_TRUE(side_below(collision_shape(HalfSpace{}), kDown).isZero());
  const PressureField rigid = rigid_field(collision_shape(Sphere{0.1}));
  EXPECT_EQ(rest_depth(rigid, kDown, 0.0, 1.0), 0.0);
}

}  // namespace
}  // namespace stiction
