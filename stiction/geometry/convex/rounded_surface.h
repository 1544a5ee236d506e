#pragma once
// The surface of a core swept by a ball, along lines.

#include <optional>

#include "stiction/geometry/shape/collision_shape.h"

namespace stiction {

// How far the point x (m, in S) must go along the unit vector d to where the line leaves the shape, m,
// negative if it has left already: the largest zero of the distance from the core minus the radius, which is
// convex along the line, by Newton's method from outside. Nothing if the line misses the shape or stays in it
// for longer than `longest` (m).
std::optional<double> exit_distance(const CollisionShape& shape, const Vec3& x, const Vec3& d,
                                    double longest);

}  // namespace stiction
