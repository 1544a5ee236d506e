#include <array>

#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/derivative/nearest_motion.h"
#include "stiction/geometry/derivative/pair_motion.h"
#include "stiction/geometry/primitive/contact_patch.h"
#include "stiction/geometry/shape/polytope.h"

namespace stiction {
namespace {

constexpr double kNoHeading = 1e-9;  // rad: discs this parallel have no lowest point
constexpr int kSupportPoints = 30;   // index of both features where they only touch at their borders

// A point of a circle about an axis of the body that keeps its angle to a reference direction: the component
// of `towards` perpendicular to the axis.
MovingVector follow_heading(const MovedShape& body, const Vec3& axis, const Vec3& centre, const Vec3& p,
                            const MovingVector& towards) {
  const MovingVector e = body.direction(axis), across_axis = across(towards, e);
  if (across_axis.v.norm() < kNoHeading) return body.place(p);
  const MovingVector h = normalized(across_axis), g = cross(e, h);
  const Vec3 from_centre = p - centre;
  MovingVector out =
      body.place(centre) + from_centre.dot(axis) * e + from_centre.dot(h.v) * h + from_centre.dot(g.v) * g;
  out.v = p;
  return out;
}

// The support segment of a capsule is fixed to it; that of a cylinder moves around it with the normal.
MovingVector place_on_segment(const MovedShape& body, const MovingVector& outward, const Vec3& p) {
  if (body.shape.kind == ShapeKind::capsule) return body.place(p);
  return follow_heading(body, body.X_AS.R.col(2), body.X_AS.p, p, outward);
}

// The border of a flat feature near a point of its plane: the rim of a disc, the nearest side of a polygon.
Attachment on_border(const MovedShape& body, const SupportFeature& part, const Vec3& p) {
  if (part.kind == SupportFeature::Kind::disc)
    return on_line(body.place(p), part.normal.cross(p - part.centre));
  double least = 1e300;
  Vec3 along = Vec3::UnitX();
  for (int i = 0; i < part.count; ++i) {
    const Vec3& from = part.corners[i];
    const Vec3 e = (part.corners[i + 1 < part.count ? i + 1 : 0] - from).normalized();
    const double off = e.cross(p - from).norm();
    if (off < least) least = off, along = e;
  }
  return on_line(body.place(p), along);
}

// The attachment of the point p of one feature. `outward` is the contact normal out of this body,
// `other_normal` that of the flat feature of the other body.
Attachment attachment_of(const MovedShape& body, const SupportFeature& part, const Feature& feature,
                         bool is_cut, const MovingVector& outward, const MovingVector& other_normal,
                         const Vec3& p) {
  if (part.kind == SupportFeature::Kind::segment) {
    const MovingVector place = place_on_segment(body, outward, p);
    return is_cut ? on_line(place, part.half) : on_vertex(place);
  }
  if (is_cut) return on_border(body, part, p);
  if (feature.kind == FeatureKind::face) return on_plane(body.place(p), part.normal);
  if (feature.kind == FeatureKind::vertex) return on_vertex(body.place(p));
  return on_vertex(follow_heading(body, part.normal, part.centre, p, -1.0 * other_normal));
}

// From the surface back to the core: the point of the feature on the line through p along n.
Vec3 back_to_core(const MovedShape& body, const SupportFeature& part, const Feature& feature, const Vec3& n,
                  const Vec3& p) {
  if (core_radius(body.shape) == 0.0) return p;
  if (part.kind != SupportFeature::Kind::segment)
    return p - part.normal.dot(p - part.centre) / part.normal.dot(n) * n;
  if (feature.kind == FeatureKind::vertex) return part.centre + (feature.index == 1 ? 1.0 : -1.0) * part.half;
  const Vec3 axis = part.half.normalized(), n_across = n - axis * axis.dot(n);
  return p - n_across.dot(p - part.centre) / n_across.squaredNorm() * n;
}

// The rim point of a cylinder on a half-space (primitive_pairs.cpp): the lowest one, 90 degrees to either
// side, the opposite one.
Vec3 rim_point(const CollisionShape& cylinder, const Vec3& n, int index) {
  const double across_axis = n.head<2>().norm();
  const Vec3 low = across_axis > 0.0 ? Vec3(n.x() / across_axis, n.y() / across_axis, 0.0) : Vec3::UnitX();
  const Vec3 side(-low.y(), low.x(), 0.0);
  const std::array<Vec3, 4> rim{low, side, -side, -low};
  return cylinder.size[0] * rim[index % 4] + Vec3(0.0, 0.0, (index < 4 ? -1.0 : 1.0) * cylinder.size[1]);
}

}  // namespace

PointMotion move_patch_point(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                             const ContactPoint& point) {
  const Feature of_a = feature_of_a(point), of_b = feature_of_b(point);
  const bool both_edges = of_a.kind == FeatureKind::edge && of_b.kind == FeatureKind::edge;
  if (both_edges && of_a.index == kSupportPoints && of_b.index == kSupportPoints)
    return move_nearest(A, B, X_AB, point);

  const MovedShape body_a{A, {}, false}, body_b{B, X_AB, true};
  SupportFeature a, b;
  support_feature(A, {}, point.normal, &a);
  support_feature(B, X_AB, -point.normal, &b);
  const MovingVector n = normal_motion(A, B, X_AB, point.normal);

  // Both witness points on the cores.
  const Vec3 x = back_to_core(body_a, a, of_a, point.normal, point.p_A);
  const Vec3 y = back_to_core(body_b, b, of_b, -point.normal, point.p_B());
  const Attachment on_a = attachment_of(body_a, a, of_a, both_edges, n, body_b.direction(b.normal), x);
  const Attachment on_b = attachment_of(body_b, b, of_b, both_edges, -1.0 * n, body_a.direction(a.normal), y);
  MovingVector x_moves;
  MovingNumber s_moves;
  move_place(on_a, on_b, n, point.normal.dot(y - x), &x_moves, &s_moves);
  return rounded_point(body_a, body_b, x_moves, n, s_moves, point);
}

PointMotion move_half_space_point(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                                  const ContactPoint& point) {
  const Feature of_a = feature_of_a(point);
  if (of_a.kind == FeatureKind::smooth) return move_nearest(A, B, X_AB, point);

  // An end of a capsule, a corner of a polytope, or a rim point of a cylinder that moves around it with n.
  const MovedShape body{A, {}, false}, plane{B, X_AB, true};
  const MovingVector n = direction_of_b(point.normal);
  MovingVector x;
  if (A.kind == ShapeKind::capsule) {
    x = fixed_to_a(Vec3(0.0, 0.0, of_a.index == 1 ? A.size[1] : -A.size[1]));
  } else if (A.kind == ShapeKind::cylinder) {
    const Vec3 at = rim_point(A, point.normal, of_a.index);
    x = follow_heading(body, Vec3::UnitZ(), Vec3(0.0, 0.0, at.z()), at, n);
  } else {
    x = fixed_to_a(A.polytope->vertices[of_a.index]);
  }
  const Vec3 y = point.p_B();
  MovingVector x_moves;
  MovingNumber s_moves;
  move_place(on_vertex(x), on_plane(plane.place(y), point.normal), n, point.normal.dot(y - x.v), &x_moves,
             &s_moves);
  return rounded_point(body, plane, x_moves, n, s_moves, point);
}

}  // namespace stiction
