#pragma once
// Where a line first enters a convex shape.
//
//   s* = min { s : x + s m in the shape }
// Planes and quadrics in closed form. Every other shape is { f <= 0 } of a convex f with a known gradient:
// for a superellipsoid its gauge minus 1, for core + radius the distance from the core minus the radius.
// Newton's method from outside,
//   s <- s - f/(m . grad f),
// never passes s*, because the tangent of a convex function lies below it; where m . grad f >= 0 and f > 0
// the line misses. Shapes are made thicker by kSkin of their size, so that a line along a face or through an
// edge hits it in spite of round-off.

#include "stiction/geometry/shape/collision_shape.h"

namespace stiction {

inline constexpr double kSkin = 1e-13;  // of the size

// x and the unit vector m in the frame of the shape; not for half-spaces, meshes and height fields. Returns
// whether the line hits the shape.
bool lowest_on_line(const CollisionShape& shape, const Vec3& x, const Vec3& m, double* s);

}  // namespace stiction
