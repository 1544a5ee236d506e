#pragma once
// Where a line leaves the surface of a shape made of core + radius.

#include <optional>

#include "stiction/geometry/shape/collision_shape.h"

namespace stiction {

// Distance (m) from the point x (in S) along the unit vector d to where the line leaves the shape, negative
// if x is already beyond: the largest zero of the distance from the core minus the radius, which is convex
// along the line, by Newton's method from outside. Nothing if the line misses the shape or stays in it for
// more than `longest` (m).
std::optional<double> exit_distance(const CollisionShape& shape, const Vec3& x, const Vec3& d,
                                    double longest);

}  // namespace stiction
