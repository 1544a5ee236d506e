#pragma once
// The narrow phase: the contact points of two shapes, by one table with a row and a column for every kind.
//
// The table holds one function for each unordered pair of kinds; the other half of it swaps. All functions
// obey one contract, which the tests run over the whole table:
//   - points up to options.margin apart are returned, none beyond it;
//   - p_A lies on A, p_B on B, p_B - p_A = distance n; n is the gradient of the distance;
//   - the deepest point's distance is the signed distance of the pair: for overlapping shapes minus the
//     shortest translation that separates them. Where polytopes overlap nearly equally along several
//     directions (polytope_axes.h) this holds for the points along the best direction; those along the others
//     are deeper, and their weights vanish before the difference reaches a third.
//     CollideOptions::share_axes = false leaves them out; signed_distance() is always exact;
//   - swapping A and B, or moving both together, changes nothing but the frame;
//   - the result depends on nothing but the arguments: `memory` may only make it faster.

#include "stiction/geometry/collide_options.h"
#include "stiction/geometry/shape/collision_shape.h"

namespace stiction {

// Appends the contact points of A and B to `out`.
void collide(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB,
             const CollideOptions& options, PairMemory* memory, ContactPoints* out);

// One entry of the table. For `swapped` pairs the function is called with A and B exchanged.
struct PairEntry {
  CollideFunction function = nullptr;  // null: the two never collide (half-space and half-space, ...)
  bool swapped = false;
  const char* method = "";  // for the documentation: "closed form", "SAT + clipping", ...
};
const PairEntry& pair_entry(ShapeKind a, ShapeKind b);

// The closest points of two shapes at any distance; of overlapping ones the deepest point, whose distance is
// minus the shortest translation that separates them. Witness points, normal and distance as in a contact;
// weight 1. Throws UserError for pairs the table leaves empty.
ContactPoint signed_distance(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                             const Pose& X_WB);

}  // namespace stiction
