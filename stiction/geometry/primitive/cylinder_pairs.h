#pragma once
// A cylinder with a cylinder, and a capsule or a cylinder with a box and a hull.
//
// The normal is the direction of largest separation (stiction/geometry/convex/direction_search.h). Within 45 degrees
// of its axis a cylinder shows a disc, otherwise a line of its mantle. A disc on a face or on a disc has up
// to eight points, flat and uncut four of 1/4; a line of the mantle on a face has 1/4 at either end
// (stiction/geometry/primitive/contact_patch.h); two mantles share 1/2 between the nearest point and the ends of the
// stretch side by side by the rule of stiction/geometry/primitive/capsule_pairs.h. From disc to rim to mantle on one
// face the lowest rim point keeps its 1/4, and the others lose their contact before they change, as long as
// the overlap is less than 0.7 of radius and length. With that,
//   |F(X') - F(X)| <= 10 delta for k = 1, moments likewise times the size.

#include "stiction/geometry/narrow_phase.h"

namespace stiction {

void collide_cylinder_cylinder(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                               const Pose& X_WB, const CollideOptions& options, PairMemory* memory,
                               ContactPoints* out);
// A is a capsule or a cylinder, B a box or a hull.
void collide_round_polytope(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                            const Pose& X_WB, const CollideOptions& options, PairMemory* memory,
                            ContactPoints* out);

}  // namespace stiction
