#pragma once
// The signed distance of a convex shape and a surface of triangles, at any distance.
//
// Where they touch it is that of the deepest contact point (surface_contact.h). Where they do not, the
// contacts at any distance give an upper bound u; the nearest triangle overlaps the bounding box of the
// shape, enlarged by u, and is found by the distances of all such triangles (gjk.h).

#include "stiction/geometry/narrow_phase.h"

namespace stiction {

// A is any convex shape but a half-space, B a mesh or a height field.
ContactPoint surface_distance(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                              const Pose& X_WB);

}  // namespace stiction
