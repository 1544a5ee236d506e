#include "stiction/geometry/convex/support.h"

#include <cmath>

#include <gtest/gtest.h>

#include "test/geometry/pair_contract.h"

namespace stiction {
namespace {

std::vector<CollisionShape> all_shapes() {
  return {plain_shape(ShapeKind::sphere, Vec3(0.2, 0, 0)),
          plain_shape(ShapeKind::capsule, Vec3(0.1, 0.3, 0)),
          plain_shape(ShapeKind::ellipsoid, Vec3(0.3, 0.2, 0.1)),
          super_shape(Vec3(0.3, 0.2, 0.25), 0.5, 0.7),
          plain_shape(ShapeKind::cylinder, Vec3(0.2, 0.3, 0)),
          plain_shape(ShapeKind::box, Vec3(0.3, 0.2, 0.1)),
          hull_shape(Vec3(0.3, 0.2, 0.4), 64)};
}

TEST(Support, PointIsTheGradientAndHessianTheSlopeOfThePoint) {
  Random random(1);
  const double h = 1e-6;
  for (const CollisionShape& shape : all_shapes()) {
    SCOPED_TRACE(static_cast<int>(shape.kind));
    for (int k = 0; k < 200; ++k) {
      const auto u = random.unit_vector<3>();
      const Vec3 n(u[0], u[1], u[2]);
      const SupportJet jet = support_jet(shape, n);
      EXPECT_NEAR(jet.h, core_reach(shape, n), 1e-15);
      EXPECT_NEAR(jet.h, n.dot(core_support(shape, n).p), 1e-15);
      if (n.cwiseAbs().minCoeff() < 0.05) continue;  // differences say nothing where h is not smooth
      for (int j = 0; j < 3; ++j) {
        const Vec3 e = h * Vec3::Unit(j);
        const Vec3 slope = (core_support(shape, n + e).p - core_support(shape, n - e).p) / (2.0 * h);
        if (shape.kind == ShapeKind::hull && slope.norm() > 1.0) continue;  // another vertex
        EXPECT_LT((slope - jet.H.col(j)).norm(), 1e-7);
      }
    }
  }
}

TEST(Support, NoPointOfTheShapeReachesFarther) {
  Random random(2);
  for (const CollisionShape& shape : all_shapes()) {
    for (int k = 0; k < 1000; ++k) {
      const auto u = random.unit_vector<3>(), v = random.unit_vector<3>();
      const Vec3 n(u[0], u[1], u[2]), other = core_support(shape, Vec3(v[0], v[1], v[2])).p;
      EXPECT_LE(n.dot(other), core_reach(shape, n) + 1e-15);
    }
  }
}

}  // namespace
}  // namespace stiction
