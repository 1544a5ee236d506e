#pragma once
// Pairs with one contact point of weight 1: an ellipsoid or a superellipsoid with a capsule, a cylinder, a
// box, a hull or another ellipsoid or superellipsoid.
//
// The normal is the direction of largest separation (direction_search.h), the points are the witness points
// along it. One point of weight 1 moves continuously, so the wrench of a penalty law is Lipschitz wherever
// the deepest point is unique: everywhere except on the medial axis of the Minkowski difference.

#include "stiction/geometry/collide_options.h"
#include "stiction/geometry/shape/collision_shape.h"

namespace stiction {

// A or B is an ellipsoid or a superellipsoid, the other any convex shape except a half-space.
void collide_smooth(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB,
                    const CollideOptions& options, PairMemory* memory, ContactPoints* out);

// The nearest points of any two convex shapes except half-spaces; of overlapping ones the deepest.
ContactPoint separation_point(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                              const Pose& X_WB);

}  // namespace stiction
