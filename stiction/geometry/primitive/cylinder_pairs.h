#pragma once
// A cylinder with a cylinder, and a capsule or a cylinder with a box or a hull.
//
// The normal is the direction of largest separation (direction_search.h). Within 45 degrees of its axis the
// support feature of a cylinder is a disc, otherwise a line of its lateral surface.
//   disc on a face or a disc         up to eight points; flat and uncut, four of 1/4
//   lateral surface on a face        1/4 at either end (contact_patch.h)
//   two lateral surfaces             1/2 divided among the nearest point and the ends of the interval side by
//                                    side, by the rule of capsule_pairs.h
// When a cylinder tilts on a face from disc to rim to lateral surface, the lowest rim point keeps its 1/4,
// and the others lose contact before their weights change, as long as the overlap is less than 0.7 of radius
// and length. With that,
//   |F(X') - F(X)| <= 10 delta for k = 1, moments likewise times the size.

#include "stiction/geometry/collide_options.h"
#include "stiction/geometry/shape/collision_shape.h"

namespace stiction {

void collide_cylinder_cylinder(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                               const Pose& X_WB, const CollideOptions& options, PairMemory* memory,
                               ContactPoints* out);
// A is a capsule or a cylinder, B a box or a hull.
void collide_round_polytope(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                            const Pose& X_WB, const CollideOptions& options, PairMemory* memory,
                            ContactPoints* out);

}  // namespace stiction
