#pragma once
// How deep a shape lies in a plane under a load when one of the two, or both, has a pressure field.
//
// The force at a depth is that of the patch itself (pressure_patch.h), whatever the shape, and grows with the depth until
// the plane is in the middle of the shape; the depth is where it equals the load. It agrees with the closed forms of
// docs/models/pressure_fields.md: sqrt(F/(pi kappa R)) of a ball, F/(kappa A) of a flat side, to first order in the depth.

#include "stiction/geometry/field/pressure_field.h"

namespace stiction {

// On which side a shape lies that has `down` below it: the outward unit normal, in S, that is closest to down. A box or
// a hull, and the hull of a mesh, lie on a face; a cylinder and a capsule on an end or on the lateral surface; an ellipsoid at the
// end of an axis; a ball on any side. Zero for what has no side to lie on: half-spaces, height fields, meshes without volume.
Vec3 side_below(const CollisionShape& shape, const Vec3& down);

// Whether that side is a plane, and not a part of a round shape.
bool is_flat(const CollisionShape& shape, const Vec3& side);

// m, of the overlap with a plane that touches the side. plane_kappa: Pa/m, 0 of a rigid plane; load: N, positive. Infinite if
// no depth up to the middle of the shape carries the load; 0 without a side, or if the two make no patch.
double rest_depth(const PressureField& field, const Vec3& side, double plane_kappa, double load);

}  // namespace stiction
