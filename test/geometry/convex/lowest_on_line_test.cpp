#include "stiction/geometry/convex/lowest_on_line.h"

#include <gtest/gtest.h>

#include "test/geometry/pair_samples.h"

namespace stiction {
namespace {

constexpr double kRoundOff = 1e-12;  // m, of shapes of 1 m: ten times kSkin

std::vector<CollisionShape> samples(double rounding) {
  Random random(1);
  std::vector<CollisionShape> shapes;
  for (int kind = 0; kind < int(ShapeKind::half_space); ++kind)
    shapes.push_back(sample_shape(ShapeKind(kind), Vec3(0.4, 0.3, 0.5), rounding, &random));
  return shapes;
}

TEST(LowestOnLine, MeetsASphereWhereTheQuadraticEquationSays) {
  const CollisionShape ball = collision_shape(Sphere{0.5});
  double s = 0.0;
  ASSERT_TRUE(lowest_on_line(ball, Vec3(0.3, 0.0, 0.1), Vec3::UnitZ(), &s));
  EXPECT_NEAR(s, -0.4 - 0.1, kRoundOff);  // 0.3^2 + 0.4^2 = 0.5^2
}

TEST(LowestOnLine, IsOnTheSurfaceOfEveryShapeWithTheShapeAboveIt) {
  Random random(2);
  for (const double rounding : {0.0, 0.05}) {
    for (const CollisionShape& shape : samples(rounding)) {
      SCOPED_TRACE(name_of(shape.kind));
      for (int k = 0; k < 300; ++k) {
        // Through a point inside, seen from anywhere on the line.
        const Vec3 inside = 0.1 * sample_direction(&random), m = sample_direction(&random);
        const Vec3 x = inside + random.uniform(-5.0, 5.0) * m;
        double s = 0.0;
        ASSERT_TRUE(lowest_on_line(shape, x, m, &s));
        EXPECT_LT(pair_check::off_surface(shape, x + s * m), kRoundOff);
        EXPECT_LT(s, m.dot(inside - x));
      }
    }
  }
}

TEST(LowestOnLine, MissesAShapeThatAPlaneKeepsOffTheLine) {
  Random random(3);
  for (const double rounding : {0.0, 0.05}) {
    for (const CollisionShape& shape : samples(rounding)) {
      SCOPED_TRACE(name_of(shape.kind));
      for (int k = 0; k < 300; ++k) {
        const Vec3 n = sample_direction(&random), m = n.cross(sample_direction(&random)).normalized();
        double s = 0.0;
        EXPECT_FALSE(lowest_on_line(shape, (pair_check::reach(shape, n) + 1e-6) * n, m, &s));
      }
    }
  }
}

TEST(LowestOnLine, AlongAFaceAnEdgeOrALateralSurfaceMeetsIt) {
  const CollisionShape box = collision_shape(Box{Vec3(0.1, 0.2, 0.3)});
  const CollisionShape cylinder = collision_shape(Cylinder{0.1, 0.6});
  double s = 0.0;
  for (const Vec3& x : {Vec3(0.1, 0.05, 7.0), Vec3(0.1, 0.2, 7.0)}) {
    ASSERT_TRUE(lowest_on_line(box, x, Vec3::UnitZ(), &s));
    EXPECT_NEAR(s, -7.3, kRoundOff * 7.3);
  }
  ASSERT_TRUE(lowest_on_line(cylinder, Vec3(0.1, 0.0, 7.0), Vec3::UnitZ(), &s));
  EXPECT_NEAR(s, -7.3, kRoundOff * 7.3);
}

}  // namespace
}  // namespace stiction
