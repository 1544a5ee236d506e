#pragma once
// The shortest way of a string from a point to another around a sphere or a cylinder.
//
// In the plane of a circle of radius r the end points have polar angles a0, a1 and distances l0, l1. A string
// that turns about the centre by the angle w from end to end leaves the first point along a tangent, which
// takes the angle t0 = acos(r / l0) of it, reaches the second along another, and lies on the circle for what
// is left:
//
//   arc = |w| - t0 - t1;      arc <= 0: the straight line has the same turn and misses the circle.
//
// Without a side point w is the smaller angle from a0 to a1. With one it is the turn of the way from the
// first point through the side point to the second, so that the string keeps to that side. A side point
// inside asks the string to pass through the inside: if the straight line misses the circle, the string is
// the shortest one that touches it. The plane of a sphere goes through its centre and both points; on a
// cylinder the string climbs along the axis in proportion to its way in the plane. These are the rules of
// MJCF's spatial tendons as of MuJoCo 4.0 (earlier versions chose the side otherwise).

#include <array>
#include <optional>

#include "stiction/math/spatial.h"

namespace stiction {

struct TendonWrapPath {
  std::array<Vec3, 2> points;  // where the string meets and leaves the surface, in the frame of the inputs
  double length = 0.0;         // m, on the surface
};

// Around a sphere (is_cylinder false) or a cylinder along z of the pose X. Nothing if the string does not
// touch it.
std::optional<TendonWrapPath> wrap_tendon(const Vec3& from, const Vec3& to, const Pose& X, double radius,
                                          bool is_cylinder, const std::optional<Vec3>& side);

}  // namespace stiction
