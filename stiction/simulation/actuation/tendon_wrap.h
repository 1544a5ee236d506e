#pragma once
// The shortest path of a string from one point to another around a sphere or a cylinder.
//
// In the plane of a circle of radius r the end points have polar angles a0, a1 and distances l0, l1 from the
// centre. Seen from the centre, the string sweeps the angle w from end to end. It leaves the first point
// along a tangent, which covers the angle t0 = acos(r / l0), reaches the second point along another tangent,
// which covers t1, and lies on the circle in between:
//
//   arc = |w| - t0 - t1      arc <= 0: the straight line sweeps the same angle and misses the circle
//
// Without a side point w is the smaller angle from a0 to a1. With one, w is the angle swept on the way from
// the first point through the side point to the second, so that the string stays on that side. A side point
// inside the circle means that the string passes through the inside: if the straight line misses the circle,
// the string is the shortest one that touches it.
//
// The plane of a sphere contains its centre and both points. On a cylinder the string advances along the axis
// in proportion to its path length in the plane. These are the rules of MJCF's spatial tendons as of MuJoCo
// 4.0 (earlier versions chose the side differently).

#include <array>
#include <optional>

#include "stiction/math/spatial.h"

namespace stiction {

struct TendonWrapPath {
  std::array<Vec3, 2> points;  // first and last point on the surface, in the frame of the inputs
  double length = 0.0;         // m, on the surface
};

// Around a sphere (is_cylinder false) or a cylinder along the z axis of the pose X. No value if the string
// does not touch it.
std::optional<TendonWrapPath> wrap_tendon(const Vec3& from, const Vec3& to, const Pose& X, double radius,
                                          bool is_cylinder, const std::optional<Vec3>& side);

}  // namespace stiction
