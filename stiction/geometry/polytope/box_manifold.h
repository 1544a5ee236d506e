#pragma once
// The contact manifold of two boxes along a direction: M(n) of polytope_manifold.h, all sides of two faces at
// once.
//
// B's face is projected along n onto the plane of A's, where A's face is a rectangle; A's face, in the
// coordinates along the sides of B's, is clipped by a square. Every side of either face is clipped by the two
// slabs of the other (Y.-D. Liang, B. A. Barsky, "A new concept and method for line clipping", ACM
// Transactions on Graphics 3(1), 1984), four sides in the four lanes of a pack. With l the remaining lengths
// of the sides, measured perpendicular to n, and L their sum:
//   a corner of either face within the other has the weight (l_before + l_after)/(2 L),
//   side j of A and side i of B cross with the weight (l_j + l_i)/(2 L).
// The order of the corners is not needed. The cuts of A's sides and of B's must agree; where round-off makes
// them differ (sides on top of each other) nothing is added, and the caller uses the general method.

#include <array>

#include "stiction/geometry/collide_options.h"
#include "stiction/geometry/shape/collision_shape.h"
#include "stiction/geometry/simd/pose_packs.h"

namespace stiction {

// Two boxes in A's axes.
struct BoxPair {
  std::array<simd::Pack, 3> row;  // of R_AB
  simd::Pack t;                   // m, centre of B
  simd::Pack a, b;                // m, half extents
};

// A direction n and the separation s along it.
struct BoxAxis {
  simd::Pack n, n_in_b;  // unit, from A into B; in A's axes and in B's
  double s;              // m
};

// Adds the points along the axis to `out`: those that add_contact_points() adds if no other axis has a share.
// False, with nothing added, if an intersection is thin, if there is no point as deep as s, or if weights may
// have to be raised.
bool add_box_manifold(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const BoxPair& pair,
                      const BoxAxis& axis, const CollideOptions& options, ContactPoints* out);

}  // namespace stiction
