#pragma once
// Two polytopes, of which at least one is a hull: all axes that can be the best one are looked at, those that
// cannot are passed over by bounds.
//
// Overlapping polytopes have their largest s(n) on a face of either or across a pair of edges whose arcs on
// the Gauss map cross (D. Gregorius, "Robust contact creation for physics simulations", GDC 2015; the arc of
// an edge joins the normals of its two faces). What cannot matter beside the best axis that is known is
// passed over by bounds (polytope_bounds.h); faces are evaluated in the order of theirs, and every farthest
// vertex found on the way sharpens the rest. Where a better axis is found, what matters beside it is looked
// for again. The answer is that of looking at every face and every pair of edges. PairMemory::axis is the
// best axis of the last time, in A's axes: a good first guess lets more be passed over.

#include "stiction/geometry/polytope/polytope_axes.h"

namespace stiction {

void collide_polytopes(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB,
                       const CollideOptions& options, PairMemory* memory, ContactPoints* out);

// All axes worth knowing, X_AB the pose of B in A, `guess` a direction to begin with (any length, or zero).
// False as soon as an axis is known along which the two are farther apart than `reach`; it is then best.n.
bool find_polytope_axes(const Polytope& A, const Polytope& B, const Pose& X_AB, double reach,
                        const Vec3& guess, AxisList* axes);

// The closest points of two boxes or hulls, or of the least translation that separates them.
ContactPoint polytope_distance(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                               const Pose& X_WB);

}  // namespace stiction
