#pragma once
// Two boxes: the fifteen axes that can separate them (S. Gottschalk, M. C. Lin, D. Manocha, "OBBTree",
// SIGGRAPH 1996), then the contact points along the best of them (box_manifold.h; polytope_axes.h where
// several share): up to eight corners of the intersection of two faces, or one point where edges cross.
//
// In A's axes, with R = R_AB, t the centre of B, a and b the half extents:
//   face i of A     s = |t_i| - a_i - sum_j |R_ij| b_j
//   face j of B     s = |t . R_j| - b_j - sum_i |R_ij| a_i
//   edges i, j      s = (|t . L| - sum_k a_k |L_k| - sum_k b_k |L . R_k|)/|L|,   L = e_i x R_j
// Edges parallel to within kParallelEdges have no axis of their own: it is that of the adjacent faces.
// PairMemory::a is the axis that separated the two, 0 .. 14 in this order.

#include "stiction/geometry/polytope/polytope_axes.h"

namespace stiction {

inline constexpr double kParallelEdges = 1e-6;  // rad

void collide_box_box(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB,
                     const CollideOptions& options, PairMemory* memory, ContactPoints* out);

// Finds the best axis and those that share with it; X_AB is the pose of box B in A. False, with `separating`
// set, as soon as an axis is found along which the cores are farther apart than `reach`.
bool find_box_axes(const Vec3& a, const Vec3& b, const Pose& X_AB, double reach, int* separating,
                   AxisList* axes);

}  // namespace stiction
