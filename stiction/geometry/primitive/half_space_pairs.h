#pragma once
// A box or a hull (A) with a half-space (B): the corners of the faces that face the plane.
//
// The points are those of polytope_manifold.h with the plane as the one face of B: the corners of the face
// best aligned with the plane, with weights by their share of its outline projected on the plane; two equally
// aligned faces share. A corner of a box has the weight 1/4: k when flat, k/2 on an edge, k/4 on a corner.
// Vertices of a hull below all corners of that face are added with a weight of up to 1/4 that grows with how
// far they are below; if all weights together exceed 1 they are scaled to it. The wrench is Lipschitz with
// kWrenchLipschitz of polytope_axes.h.

#include "stiction/geometry/collide_options.h"
#include "stiction/geometry/shape/collision_shape.h"

namespace stiction {

void collide_polytope_half_space(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                                 const Pose& X_WB, const CollideOptions& options, PairMemory* memory,
                                 ContactPoints* out);

}  // namespace stiction
