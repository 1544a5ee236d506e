#pragma once
// Two polytopes, at least one of them a hull: separating axis test over all faces and pairs of edges, where
// bounds skip most of them.
//
// Overlapping polytopes have their largest s(n) at a face of either or at a pair of edges whose arcs on the
// Gauss map cross (D. Gregorius, "Robust contact creation for physics simulations", GDC 2015; the arc of an
// edge joins the normals of its two faces). What cannot matter beside the best known axis is skipped by
// bounds (polytope_bounds.h); faces are evaluated in the order of their bounds, and every support vertex
// found on the way tightens the rest. If a better axis is found, the search for axes that matter beside it is
// repeated. The result is that of testing every face and every pair of edges. PairMemory::axis is the best
// axis of the last call, in A's axes: a good first guess lets the bounds skip more.

#include "stiction/geometry/polytope/polytope_axes.h"

namespace stiction {

void collide_polytopes(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB,
                       const CollideOptions& options, PairMemory* memory, ContactPoints* out);

// Finds the best axis and those that share with it; X_AB is the pose of B in A, `guess` a first direction
// (any length, or zero). False as soon as an axis is found along which the two are farther apart than
// `reach`; it is then best.n.
bool find_polytope_axes(const Polytope& A, const Polytope& B, const Pose& X_AB, double reach,
                        const Vec3& guess, AxisList* axes);

// The closest points of two boxes or hulls; of overlapping ones the deepest (signed_distance()).
ContactPoint polytope_distance(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                               const Pose& X_WB);

}  // namespace stiction
