#pragma once
// Triangle meshes with convex shapes, half-spaces and each other, by the methods of surface_contact.h and
// surface_pairs.h.

#include "stiction/geometry/collide_options.h"
#include "stiction/geometry/shape/collision_shape.h"

namespace stiction {

// A is a sphere, capsule, ellipsoid, superellipsoid, cylinder, box or hull; B the mesh.
void collide_convex_mesh(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB,
                         const CollideOptions& options, PairMemory* memory, ContactPoints* out);
// A is the half-space, B the mesh.
void collide_half_space_mesh(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                             const Pose& X_WB, const CollideOptions& options, PairMemory* memory,
                             ContactPoints* out);
void collide_mesh_mesh(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB,
                       const CollideOptions& options, PairMemory* memory, ContactPoints* out);

}  // namespace stiction
