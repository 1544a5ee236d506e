#pragma once
// Height fields with convex shapes, half-spaces and meshes, by the methods of surface_contact.h and
// surface_pairs.h. Only the cells under the shape's bounding box are visited.

#include "stiction/geometry/collide_options.h"
#include "stiction/geometry/shape/collision_shape.h"

namespace stiction {

// A is a sphere, capsule, ellipsoid, superellipsoid, cylinder, box or hull; B the height field.
void collide_convex_height_field(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                                 const Pose& X_WB, const CollideOptions& options, PairMemory* memory,
                                 ContactPoints* out);
// A is the mesh, B the height field.
void collide_mesh_height_field(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                               const Pose& X_WB, const CollideOptions& options, PairMemory* memory,
                               ContactPoints* out);
// A is the half-space, B the height field.
void collide_half_space_height_field(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                                     const Pose& X_WB, const CollideOptions& options, PairMemory* memory,
                                     ContactPoints* out);

}  // namespace stiction
