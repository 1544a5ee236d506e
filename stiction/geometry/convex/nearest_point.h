#pragma once
// The point of a core nearest to a point, and the nearest points of two segments.

#include <algorithm>
#include <cmath>

#include "stiction/geometry/shape/collision_shape.h"
#include "stiction/geometry/simd/pose_packs.h"

namespace stiction {

// The point of a core nearest to p (both in S), the outward normal there, and the signed distance of p.
// Exact for point, segment, box, cylinder and hull; a root of one equation for ellipsoids; a search over
// directions for superellipsoids. Where several points are nearest (p on the medial axis) one is chosen by a
// fixed rule.
struct NearestPoint {
  double distance = 0.0;        // m, negative inside
  Vec3 normal = Vec3::UnitZ();  // unit, outward
  Vec3 p = Vec3::Zero();        // m, on the surface of the core
};
NearestPoint nearest_on_segment(double half_length, const Vec3& p);
NearestPoint nearest_on_box(const Vec3& half_extents, const Vec3& p);
NearestPoint nearest_on_cylinder(double radius, double half_length, const Vec3& p);
NearestPoint nearest_on_ellipsoid(const Vec3& radii, const Vec3& p);
NearestPoint nearest_on_hull(const CollisionShape& hull, const Vec3& p);
NearestPoint nearest_on_superellipsoid(const CollisionShape& shape, const Vec3& p);
// Any of these, by the kind of the shape.
NearestPoint nearest_on_core(const CollisionShape& shape, const Vec3& p);

// The nearest points of two segments c + s e, |s| <= l, with unit vectors e.
struct SegmentPoints {
  double s = 0.0, t = 0.0;  // m along the axes
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();
};
SegmentPoints nearest_of_segments(const Vec3& centre_a, const Vec3& axis_a, double half_a,
                                  const Vec3& centre_b, const Vec3& axis_b, double half_b);

// The two ends of the interval where both segments run side by side, measured along the mean of the axes:
// pairs of points with the same coordinate along it. False if there is none.
bool side_by_side(const Vec3& centre_a, const Vec3& axis_a, double half_a, const Vec3& centre_b,
                  const Vec3& axis_b, double half_b, SegmentPoints* first, SegmentPoints* last);

inline NearestPoint nearest_on_segment(double half_length, const Vec3& p) {
  NearestPoint near;
  near.p = Vec3(0.0, 0.0, std::clamp(p.z(), -half_length, half_length));
  const Vec3 d = p - near.p;
  near.distance = d.norm();
  near.normal = near.distance > 0.0 ? Vec3(d / near.distance) : Vec3::UnitX();
  return near;
}

// Normal and distance for a box, in packs.
struct NearOnBox {
  double distance;
  simd::Pack normal;
};
inline NearOnBox near_on_box(simd::Pack half_extents, simd::Pack p) {
  const simd::Pack beyond = p - simd::smaller(simd::larger(p, -half_extents), half_extents);
  const double beyond2 = simd::dot(beyond, beyond);
  if (beyond2 > 0.0) {
    const double distance = std::sqrt(beyond2);
    return {distance, beyond / distance};
  }
  // Inside, or outside by so little that its square underflows: along the axis of the nearest face.
  const simd::Pack outside = simd::absolute(p) - half_extents;
  int axis = outside[1] > outside[0] ? 1 : 0;
  if (outside[2] > outside[axis]) axis = 2;
  simd::Pack normal = simd::zero();
  normal[axis] = p[axis] < 0.0 ? -1.0 : 1.0;
  return {outside[axis], normal};
}

inline NearestPoint nearest_on_cylinder(double radius, double half_length, const Vec3& p) {
  const double across = std::sqrt(p.x() * p.x() + p.y() * p.y());
  const Vec3 radial = across > 0.0 ? Vec3(p.x() / across, p.y() / across, 0.0) : Vec3::UnitX();
  const Vec3 axial(0.0, 0.0, p.z() < 0.0 ? -1.0 : 1.0);
  const double dr = across - radius, dz = std::abs(p.z()) - half_length;
  NearestPoint near;
  if (dr > 0.0 && dz > 0.0) {  // the rim
    near.distance = std::sqrt(dr * dr + dz * dz);
    near.normal = (dr * radial + dz * axial) / near.distance;
    near.p = radius * radial + half_length * axial;
  } else if (dr > dz) {
    near.distance = dr;
    near.normal = radial;
    near.p = radius * radial + Vec3(0.0, 0.0, p.z());
  } else {
    near.distance = dz;
    near.normal = axial;
    near.p = Vec3(p.x(), p.y(), 0.0) + half_length * axial;
  }
  return near;
}

}  // namespace stiction
