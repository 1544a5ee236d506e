#include "stiction/geometry/convex/implicit.h"

#include <cmath>

#include <gtest/gtest.h>

#include "test/geometry/pair_contract.h"

namespace stiction {
namespace {

std::vector<CollisionShape> all_shapes() {
  std::vector<CollisionShape> shapes;
  for (const double rounding : {0.0, 0.05}) {
    shapes.push_back(plain_shape(ShapeKind::ellipsoid, Vec3(0.3, 0.2, 0.1), rounding));
    shapes.push_back(super_shape(Vec3(0.3, 0.2, 0.25), 0.5, 0.7, rounding));
    shapes.push_back(plain_shape(ShapeKind::cylinder, Vec3(0.2, 0.3, 0), rounding));
    shapes.push_back(plain_shape(ShapeKind::box, Vec3(0.3, 0.2, 0.1), rounding));
    shapes.push_back(hull_shape(Vec3(0.3, 0.2, 0.4), 16, rounding));
  }
  shapes.push_back(plain_shape(ShapeKind::sphere, Vec3(0.2, 0, 0)));
  shapes.push_back(plain_shape(ShapeKind::capsule, Vec3(0.1, 0.3, 0)));
  shapes.push_back(plain_shape(ShapeKind::half_space, Vec3::Zero()));
  return shapes;
}

TEST(Implicit, GradientAndHessianAreThoseOfTheFunction) {
  Random random(1);
  const double h = 1e-5;
  for (const CollisionShape& shape : all_shapes()) {
    SCOPED_TRACE(static_cast<int>(shape.kind) + 100 * (shape.rounding > 0.0));
    for (int k = 0; k < 200; ++k) {
      // Away from the centre and the axis, where distances are rough; outside a rounded core.
      Vec3 x = 0.4 * random_vector(&random);
      if (x.head<2>().norm() < 0.05) continue;
      if (shape.rounding > 0.0 && shape.kind != ShapeKind::hull && nearest_on_core(shape, x).distance < 0.02)
        continue;
      const int i = random.uniform_int(0, num_implicit_functions(shape) - 1);
      const ImplicitValue v = implicit(shape, i, x);
      Vec3 gradient;
      Mat3 hessian;
      for (int j = 0; j < 3; ++j) {
        const ImplicitValue up = implicit(shape, i, x + h * Vec3::Unit(j)),
                            down = implicit(shape, i, x - h * Vec3::Unit(j));
        gradient[j] = (up.f - down.f) / (2.0 * h);
        hessian.col(j) = (up.gradient - down.gradient) / (2.0 * h);
      }
      ASSERT_LT((gradient - v.gradient).norm(), 1e-6) << k;
      // Second derivatives jump where a rounded face meets its edge: skip steps across.
      if ((hessian - v.hessian).norm() < 1e-3 * (1.0 + v.hessian.norm())) continue;
      const double jump =
          (implicit(shape, i, x + 2.0 * h * random_vector(&random)).hessian - v.hessian).norm();
      ASSERT_GT(jump, 1e-3) << k;
    }
  }
}

TEST(Implicit, AllFunctionsAreNegativeInsideAndOneIsPositiveOutside) {
  Random random(2);
  for (const CollisionShape& shape : all_shapes()) {
    if (shape.kind == ShapeKind::half_space) continue;
    SCOPED_TRACE(static_cast<int>(shape.kind));
    for (int k = 0; k < 500; ++k) {
      const Vec3 x = 0.3 * random_vector(&random);
      double largest = -1e300;
      for (int i = 0; i < num_implicit_functions(shape); ++i)
        largest = std::max(largest, implicit(shape, i, x).f);
      const double distance = nearest_on_core(shape, x).distance - core_radius(shape);
      // A hull's faces moved outward are larger than the rounded hull at its edges.
      if (shape.kind == ShapeKind::hull && shape.rounding > 0.0 && distance > 0.0) continue;
      EXPECT_EQ(largest < 0.0, distance < 0.0) << largest << " " << distance;
    }
  }
}

TEST(Implicit, FunctionsAreConvex) {
  Random random(3);
  for (const CollisionShape& shape : all_shapes()) {
    for (int k = 0; k < 300; ++k) {
      const Vec3 x = 0.4 * random_vector(&random), y = 0.4 * random_vector(&random);
      const int i = random.uniform_int(0, num_implicit_functions(shape) - 1);
      const double t = random.uniform();
      EXPECT_LE(implicit(shape, i, t * x + (1.0 - t) * y).f,
                t * implicit(shape, i, x).f + (1.0 - t) * implicit(shape, i, y).f + 1e-13);
    }
  }
}

}  // namespace
}  // namespace stiction
