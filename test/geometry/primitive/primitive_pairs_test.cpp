#include "stiction/geometry/primitive/primitive_pairs.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "test/base/fewer.h"
#include "test/geometry/pair_contract.h"

namespace stiction {
namespace {

constexpr double kReach = 1.0;  // m

const CollisionShape ball = plain_shape(ShapeKind::sphere, Vec3(0.2, 0, 0));

TEST(PrimitivePairs, ObeyTheContractOverRandomPoses) {
  const double rounding = 0.02;
  struct Row {
    CollideFunction function;
    CollisionShape B;
  };
  const std::vector<Row> rows{
      {collide_sphere_sphere, plain_shape(ShapeKind::sphere, Vec3(0.3, 0, 0))},
      {collide_sphere_capsule, plain_shape(ShapeKind::capsule, Vec3(0.1, 0.3, 0))},
      {collide_sphere_ellipsoid, plain_shape(ShapeKind::ellipsoid, Vec3(0.3, 0.2, 0.1), rounding)},
      {collide_sphere_cylinder, plain_shape(ShapeKind::cylinder, Vec3(0.2, 0.3, 0), rounding)},
      {collide_sphere_box, plain_shape(ShapeKind::box, Vec3(0.3, 0.2, 0.1), rounding)},
      {collide_sphere_hull, hull_shape(Vec3(0.3, 0.2, 0.4), 32, rounding)},
      {collide_sphere_half_space, plain_shape(ShapeKind::half_space, Vec3::Zero())}};
  for (const Row& row : rows) {
    SCOPED_TRACE(static_cast<int>(row.B.kind));
    EXPECT_GT(check_contract(row.function, ball, row.B, {}), fewer(1000));
  }
}

TEST(PrimitivePairs, SmoothShapesObeyTheContractOnAHalfSpace) {
  const CollisionShape ground = plain_shape(ShapeKind::half_space, Vec3::Zero());
  EXPECT_GT(check_contract(collide_capsule_half_space, plain_shape(ShapeKind::capsule, Vec3(0.1, 0.3, 0)),
                           ground, {}),
            fewer(1000));
  EXPECT_GT(check_contract(collide_ellipsoid_half_space,
                           plain_shape(ShapeKind::ellipsoid, Vec3(0.3, 0.2, 0.1), 0.05), ground, {}),
            fewer(1000));
  EXPECT_GT(check_contract(collide_superellipsoid_half_space, super_shape(Vec3(0.3, 0.2, 0.25), 0.5, 0.7),
                           ground, {}),
            fewer(1000));
  EXPECT_GT(check_contract(collide_cylinder_half_space, plain_shape(ShapeKind::cylinder, Vec3(0.2, 0.3, 0)),
                           ground, {}),
            fewer(1000));
}

TEST(PrimitivePairs, SpheresMeetOnTheLineOfTheirCentres) {
  const auto points =
      points_of(collide_sphere_sphere, ball, translation(1, 2, 3), ball, translation(1.3, 2.4, 3), kReach);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(points[0].distance, 0.5 - 0.4, 1e-15);
  EXPECT_LT((points[0].normal - Vec3(0.6, 0.8, 0)).norm(), 1e-15);
}

TEST(PrimitivePairs, CoincidentCentresStillHaveADirection) {
  const auto points = points_of(collide_sphere_sphere, ball, {}, ball, {}, kReach);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].distance, -0.4);
  EXPECT_EQ(points[0].normal.norm(), 1.0);
}

TEST(PrimitivePairs, NearestPointOfAnEllipsoidIsAlongItsNormal) {
  // p = x + d n(x) for points x of the surface: the nearest point of p is x as long as p is outside.
  const Vec3 radii(0.5, 0.2, 0.1);
  Random random(3);
  for (int k = 0; k < 10000; ++k) {
    const auto u = random.unit_vector<3>();
    const Vec3 x = radii.cwiseProduct(Vec3(u[0], u[1], u[2]));
    const Vec3 n = x.cwiseQuotient(radii.cwiseAbs2()).normalized();
    const double d = std::pow(10.0, random.uniform(-12, 3));
    const NearestPoint near = nearest_on_ellipsoid(radii, x + d * n);
    ASSERT_NEAR(near.distance, d, 1e-15 + 2e-15 * d);
    ASSERT_LT((near.p - x).norm(), 1e-13 * (1.0 + d));
  }
}

TEST(PrimitivePairs, CentreOfAnEllipsoidIsItsSmallestRadiusDeep) {
  EXPECT_NEAR(nearest_on_ellipsoid(Vec3(0.5, 0.2, 0.1), Vec3::Zero()).distance, -0.1, 1e-16);
  EXPECT_NEAR(nearest_on_ellipsoid(Vec3(0.2, 0.2, 0.2), Vec3::Zero()).distance, -0.2, 1e-16);
  EXPECT_NEAR(nearest_on_ellipsoid(Vec3(0.5, 0.2, 0.1), Vec3(0.1, 0, 0)).distance,
              // In the plane z = 0 the nearest point is x = r^2 p/(r^2 - c^2), z above it.
              -0.1 * std::sqrt(1.0 - 0.01 / (0.25 - 0.01)), 1e-15);
}

TEST(PrimitivePairs, CapsuleOnAPlaneHasHalfItsWeightAtEachEnd) {
  const CollisionShape capsule = plain_shape(ShapeKind::capsule, Vec3(0.1, 0.3, 0));
  const Pose lying{rotation_about<double>(Vec3::UnitY(), 0.5 * std::numbers::pi), Vec3(0, 0, 0.1 - 1e-3)};
  const auto points = points_of(collide_capsule_half_space, capsule, lying,
                                plain_shape(ShapeKind::half_space, Vec3::Zero()), {}, 0.0);
  ASSERT_EQ(points.size(), 2u);
  for (const ContactPoint& point : points) {
    EXPECT_EQ(point.weight, 0.5);
    EXPECT_NEAR(point.distance, -1e-3, 1e-16);
    EXPECT_NEAR(std::abs(point.p_A.x()), 0.3, 1e-15);
  }
}

TEST(PrimitivePairs, CylinderOnAPlaneHasFourOneOrTwoQuarters) {
  const CollisionShape cylinder = plain_shape(ShapeKind::cylinder, Vec3(0.2, 0.3, 0));
  const CollisionShape ground = plain_shape(ShapeKind::half_space, Vec3::Zero());
  const auto on_plane = [&](double tilt, std::size_t expected) {
    const double c = std::cos(tilt), s = std::sin(tilt), height = 0.3 * c + 0.2 * s;
    const Pose X{rotation_about<double>(Vec3::UnitX(), tilt), Vec3(0, 0, height - 1e-4)};
    const auto points = points_of(collide_cylinder_half_space, cylinder, X, ground, {}, 0.0);
    EXPECT_EQ(points.size(), expected);
    for (const ContactPoint& point : points) EXPECT_EQ(point.weight, 0.25);
    EXPECT_NEAR(deepest_of(points), -1e-4, 1e-15);
  };
  on_plane(0.0, 4);
  on_plane(0.7, 1);
  on_plane(0.5 * std::numbers::pi, 2);
}

TEST(PrimitivePairs, NearestPointOfAnEllipsoidStaysAsThePointComesToItsPlane) {
  // Outside the circle of radius 1 in the plane across the short axis.
  for (const double height : {0.0, 1e-300, 1e-30, 1e-20, 1e-12}) {
    const NearestPoint near = nearest_on_ellipsoid(Vec3(1e-3, 1.0, 1.0), Vec3(height, 0.8, 0.8));
    EXPECT_NEAR(near.distance, 0.8 * std::sqrt(2.0) - 1.0, 1e-15) << height;
    EXPECT_LT((near.p - Vec3(0.0, std::sqrt(0.5), std::sqrt(0.5))).norm(), 1e-12) << height;
  }
}

}  // namespace
}  // namespace stiction
