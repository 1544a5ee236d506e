#pragma once
// The points where two boxes meet along a direction: M(n) of polytope_manifold.h, all sides of two faces at
// once.
//
// B's face is projected along n onto the plane of A's, where A's face is a rectangle; A's face, seen in the
// coordinates along the sides of B's, is cut by a square. Every side of either face is cut by the two slabs
// of the other (Y.-D. Liang, B. A. Barsky, "A new concept and method for line clipping", ACM Transactions on
// Graphics 3(1), 1984), four sides in the four lanes of a pack. With l the lengths of what is left of the
// sides, measured across n, and L their sum:
//   a corner of either face within the other has the weight (l_before + l_after)/(2 L),
//   side j of A and side i of B cross with the weight (l_j + l_i)/(2 L).
// Which corner follows which need not be known. What cuts A's sides and what cuts B's must agree; where
// round-off lets it differ (sides upon each other) nothing is added, and the general way is to be gone.

#include <array>

#include "stiction/geometry/contact_point.h"
#include "stiction/geometry/shape/collision_shape.h"
#include "stiction/geometry/simd/pose_packs.h"

namespace stiction {

// Two boxes in A's axes.
struct BoxPair {
  std::array<simd::Pack, 3> row;  // of R_AB
  simd::Pack t;                   // m, centre of B
  simd::Pack a, b;                // m, half extents
};

// A direction along which the two are s apart.
struct BoxAxis {
  simd::Pack n, n_in_b;  // unit, from A into B; in A's axes and in B's
  double s;              // m
};

// Adds the points along the axis to `out`: those that add_contact_points() adds where no other axis has a
// share. False, with nothing added, if an intersection is thin or there is no point as deep as s.
bool add_box_manifold(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const BoxPair& pair,
                      const BoxAxis& axis, const CollideOptions& options, ContactPoints* out);

}  // namespace stiction
