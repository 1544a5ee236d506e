#include <cmath>

#include "stiction/geometry/convex/nearest_point.h"
#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/derivative/nearest_motion.h"
#include "stiction/geometry/derivative/pair_motion.h"

namespace stiction {
namespace {

// Points of the two axes at the same height (along their mean), one of which is an end of its segment.
struct LevelPoints {
  MovingVector a, b;
  bool from_a = false;  // whether A ends there
};

LevelPoints move_level_points(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                              const SegmentPoints& at) {
  const MovingVector axis_a = fixed_to_a(Vec3::UnitZ()), axis_b = direction_of_b(X_AB.R.col(2));
  const MovingVector centre_b = point_of_b(X_AB, X_AB.p);
  const double sign = axis_a.v.dot(axis_b.v) < 0.0 ? -1.0 : 1.0;
  const MovingVector mean = axis_a + sign * axis_b;
  LevelPoints out;
  out.from_a = A.size[1] - std::abs(at.s) <= B.size[1] - std::abs(at.t);
  if (out.from_a) {
    out.a = fixed_to_a(at.a);
    out.b = centre_b + dot(mean, out.a - centre_b) / dot(mean, axis_b) * axis_b;
  } else {
    out.b = point_of_b(X_AB, at.b);
    out.a = dot(mean, out.b) / dot(mean, axis_a) * axis_a;
  }
  return out;
}

// A point of A's core, the normal, and the distance of the cores along it.
struct CorePoints {
  MovingVector x, n;
  MovingNumber s;
};

CorePoints end_of_capsules(const LevelPoints& level) {
  const MovingVector apart = level.b - level.a;
  if (!(apart.v.norm() > 0.0)) return {level.a, {}, {}};  // the axes intersect there: no direction
  return {level.a, normalized(apart), norm(apart)};
}

// The point of A's axis, and the nearest feature of the cylinder B.
CorePoints end_on_cylinder(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                           const LevelPoints& level) {
  const Vec3& x = level.a.v;
  const NearestPoint near = nearest_on_cylinder(B.size[0], B.size[1], X_AB.R.transpose() * (x - X_AB.p));
  const Vec3 n = -(X_AB.R * near.normal);
  LocalSurface place;
  place.size = A.ball_radius;
  const NearestMotion moves =
      nearest_motion(place, local_surface(B, X_AB, -n), X_AB, n, x, near.distance, level.a.d);
  return {level.a, moves.n, moves.d};
}

// From the rim of the cylinder that ends there perpendicular to the axis of the other.
CorePoints end_of_lateral_surfaces(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                                   const LevelPoints& level) {
  const MovingVector axis_a = fixed_to_a(Vec3::UnitZ()), axis_b = direction_of_b(X_AB.R.col(2));
  const bool from_a = level.from_a;
  const MovingVector &own = from_a ? axis_a : axis_b, &other = from_a ? axis_b : axis_a;
  const MovingVector centre = from_a ? point_of_b(X_AB, X_AB.p) : MovingVector{};
  const CollisionShape &own_shape = from_a ? A : B, &other_shape = from_a ? B : A;
  const MovingVector apart = from_a ? level.b - level.a : level.a - level.b;
  MovingVector start = (from_a ? level.a : level.b) +
                       (own_shape.size[0] + core_radius(own_shape)) * normalized(across(apart, own));
  const MovingNumber foot = dot(other, start - centre);
  const double half = other_shape.size[1];
  if (std::abs(foot.v) > half) start = start + (std::copysign(half, foot.v) - foot) / dot(own, other) * own;
  const MovingVector radial = across(start - centre, other);
  const MovingNumber distance = norm(radial) - (other_shape.size[0] + core_radius(other_shape));
  const MovingVector n = (from_a ? -1.0 : 1.0) * normalized(radial);
  return {from_a ? start : start - distance * n, n, distance};
}

}  // namespace

PointMotion move_side_by_side_end(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                                  const ContactPoint& point) {
  SegmentPoints first, last;
  if (!side_by_side(Vec3::Zero(), Vec3::UnitZ(), A.size[1], X_AB.p, X_AB.R.col(2), B.size[1], &first, &last))
    return move_nearest(A, B, X_AB, point);
  const auto end_at = [&](const SegmentPoints& at) {
    const LevelPoints level = move_level_points(A, B, X_AB, at);
    if (A.kind == ShapeKind::cylinder) return end_of_lateral_surfaces(A, B, X_AB, level);
    return B.kind == ShapeKind::cylinder ? end_on_cylinder(A, B, X_AB, level) : end_of_capsules(level);
  };
  // The numbering of the ends differs from pair to pair; the line through the point along n decides.
  const CorePoints one = end_at(first), two = end_at(last);
  const auto off = [&](const CorePoints& end) {
    const double size = A.ball_radius;
    return end.n.v.cross(point.p_A - end.x.v).norm() + size * (end.n.v - point.normal).norm();
  };
  const CorePoints& end = off(one) <= off(two) ? one : two;
  return rounded_point({A, {}, false}, {B, X_AB, true}, end.x, end.n, end.s, point);
}

}  // namespace stiction
