#pragma once
// The signed distance of a convex shape and a surface of triangles, at any distance.
//
// Where they touch it is that of the deepest contact point (surface_contact.h). Contact points alone do not
// give the distance of a shape with flat faces that is apart from the surface: a face that lies beside a
// facet, seen along its normal, has no contact with it at any margin. There the distance to some vertex is an
// upper bound u; the nearest triangle overlaps the bounding box of the shape, enlarged by u, and is found by
// the distances of all such triangles (gjk.h).

#include "stiction/geometry/contact_point.h"
#include "stiction/geometry/shape/collision_shape.h"

namespace stiction {

// A is any convex shape except a half-space, B a mesh or a height field. Weight 1.
ContactPoint surface_distance(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                              const Pose& X_WB);

}  // namespace stiction
