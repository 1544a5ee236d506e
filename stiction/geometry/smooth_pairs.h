#pragma once
// Pairs with one point of contact, weight 1: an ellipsoid or a superellipsoid with a capsule, a cylinder, a
// box, a hull or another of their kind.
//
// The normal is the direction of largest separation (stiction/geometry/direction_search.h), the point on the
// strictly convex partner its support point, the other one the same point moved along the normal. One point
// of weight 1 moves continuously, so the wrench of a penalty law is Lipschitz wherever the deepest place is
// unique: everywhere but on the medial axis of the set of differences.

#include "stiction/geometry/narrow_phase.h"
#include "stiction/geometry/primitive_pairs.h"

namespace stiction {

// A or B is an ellipsoid or a superellipsoid, the other any convex shape but a half-space.
void collide_smooth(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB,
                    const CollideOptions& options, PairMemory* memory, ContactPoints* out);

// The point of a superellipsoid nearest to p.
NearestPoint nearest_on_superellipsoid(const CollisionShape& shape, const Vec3& p);

}  // namespace stiction
