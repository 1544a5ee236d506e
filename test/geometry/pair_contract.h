#pragma once
// The contract of the pair table (stiction/geometry/narrow_phase.h) over random poses, for the tests of
// pairs.

#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/geometry/convex/nearest_point.h"
#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/narrow_phase.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "test/base/fewer.h"
#include "test/math/random_rotations.h"

namespace stiction {

inline CollisionShape plain_shape(ShapeKind kind, const Vec3& size, double rounding = 0.0) {
  CollisionShape shape;
  shape.kind = kind;
  shape.size = size;
  shape.rounding = rounding;
  shape.ball_radius = 3.0 * size.norm() + rounding;
  shape.box_half = size;
  return shape;
}

inline CollisionShape super_shape(const Vec3& size, double e1, double e2, double rounding = 0.0) {
  CollisionShape shape = plain_shape(ShapeKind::superellipsoid, size, rounding);
  shape.e1 = e1, shape.e2 = e2;
  return shape;
}

// The hull of `count` points on an ellipsoid.
inline CollisionShape hull_shape(const Vec3& radii, int count, double rounding = 0.0) {
  Random random(static_cast<std::uint64_t>(count));
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) {
    const auto u = random.unit_vector<3>();
    points.push_back(radii.cwiseProduct(Vec3(u[0], u[1], u[2])));
  }
  CollisionShape shape = plain_shape(ShapeKind::hull, radii, rounding);
  shape.size.setZero();
  shape.hull = std::make_shared<const ConvexHull>(convex_hull(points));
  return shape;
}

inline ContactPoints points_of(CollideFunction function, const CollisionShape& A, const Pose& XA,
                               const CollisionShape& B, const Pose& XB, double margin = 0.0) {
  CollideOptions options;
  options.margin = margin;
  PairMemory memory;
  ContactPoints points;
  function(A, XA, B, XB, options, &memory, &points);
  return points;
}

// Uniform in rotation, centres within `reach` (m) of the origin in every coordinate.
inline Pose random_pose(Random* random, double reach) {
  Pose X;
  X.R = rotation_from_quaternion(random_quaternion(random));
  X.p = reach * Vec3(random->uniform(-1, 1), random->uniform(-1, 1), random->uniform(-1, 1));
  return X;
}

// Signed distance of p (in W) from the surface of the shape.
inline double distance_from(const CollisionShape& shape, const Pose& X, const Vec3& p) {
  if (shape.kind == ShapeKind::half_space) return X.R.col(2).dot(p - X.p);
  return nearest_on_core(shape, X.R.transpose() * (p - X.p)).distance - core_radius(shape);
}

inline double deepest_of(const ContactPoints& points) {
  double deepest = 1e300;
  for (const ContactPoint& point : points) deepest = std::min(deepest, point.distance);
  return deepest;
}

struct ContractCheck {
  int poses = fewer(10000);
  double reach = 0.5;   // m
  double margin = 0.1;  // m
  double size = 1.0;    // m: tolerances are relative to it
  // Witness points of convex surfaces are exact to round-off; superellipsoids with large exponents amplify
  // it.
  double on_surface = 1e-12;
  double gradient = 1e-6;
};

// Runs `collide` over random poses and checks: points within the margin, unit normals, witness points on both
// surfaces, the same under a rigid motion of both far from the origin, and the normal of the deepest point is
// the gradient of the distance. Returns how many poses gave points.
inline int check_contract(CollideFunction function, const CollisionShape& A, const CollisionShape& B,
                          const ContractCheck& check) {
  Random random(11);
  CollideOptions options;
  options.margin = check.margin;
  PairMemory memory;
  int touching = 0, failures = 0;
  const ::testing::TestResult* result = ::testing::UnitTest::GetInstance()->current_test_info()->result();
  const int before = result->total_part_count();
  const auto points_at = [&](const Pose& XA, const Pose& XB) {
    ContactPoints points;
    function(A, XA, B, XB, options, &memory, &points);
    return points;
  };
  for (int k = 0; k < check.poses && failures < 5; ++k) {
    const Pose XA = random_pose(&random, check.reach), XB = random_pose(&random, check.reach);
    const ContactPoints points = points_at(XA, XB);
    if (points.empty()) continue;
    ++touching;
    SCOPED_TRACE("pose " + std::to_string(k));
    const ContactPoint* deepest = &points[0];
    double weight = 0.0;
    for (const ContactPoint& point : points) {
      if (point.distance < deepest->distance) deepest = &point;
      weight += point.weight;
      EXPECT_LE(point.distance, options.margin);
      EXPECT_NEAR(point.normal.norm(), 1.0, 1e-14);
      EXPECT_NEAR(distance_from(A, XA, point.p_A), 0.0, check.on_surface * check.size);
      EXPECT_NEAR(distance_from(B, XB, point.p_B()), 0.0, check.on_surface * check.size);
      EXPECT_GE(point.weight, 0.0);
      EXPECT_LE(point.weight, 1.0 + 1e-12);
    }
    EXPECT_LE(weight, 2.0 + 1e-12);
    EXPECT_LE(points.size(), 8u);
    // Moved together, also far away: positions there are known to 1e4 m x 2^-53.
    const Pose far = {rotation_from_quaternion(random_quaternion(&random)), Vec3(1e4, -5e3, 3e3)};
    const ContactPoints moved = points_at(far * XA, far * XB);
    EXPECT_NEAR(deepest_of(moved), deepest->distance, 1e-10);
    // Small translations of B along three axes, central differences.
    const double h = 1e-5 * check.size;
    Vec3 gradient;
    bool is_complete = true;
    for (int i = 0; i < 3; ++i) {
      const Vec3 step = h * Vec3::Unit(i);
      const ContactPoints up = points_at(XA, {XB.R, XB.p + step}), down = points_at(XA, {XB.R, XB.p - step});
      is_complete = is_complete && !up.empty() && !down.empty();
      gradient[i] = (deepest_of(up) - deepest_of(down)) / (2.0 * h);
    }
    // Differences across a nonsmooth point (another feature, another side of the medial axis) say nothing:
    // both one-sided slopes must agree along the normal.
    const ContactPoints out = points_at(XA, {XB.R, XB.p + h * deepest->normal});
    if (is_complete && !out.empty() && std::abs(gradient.norm() - 1.0) < 1e-7) {
      EXPECT_LT((gradient - deepest->normal).norm(), check.gradient);
    }
    failures = result->total_part_count() - before;
  }
  return touching;
}

}  // namespace stiction
