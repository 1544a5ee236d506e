#pragma once
// Leaves out contact points on those parts of a shape that lie inside another shape of the same body.
//
// A body of several shapes is their union. A narrow phase that sees one shape at a time moves two that overlap apart by
// the shortest way, and for a thin shape on a thick one (a sticker on a plate) that way may lead through the thick one:
// the sticker pushes down what the plate pushes up, and what is between them is stuck. With a point p on the surface of
// a shape S, o the outward normal there and T another shape that is fixed to S, the point counts by
//
//   1 - s(depth/L),   depth: how deep p + L o is inside T,   L = half the smaller of the smallest extents of S and T
//
// s rises smoothly from 0 at 1/4 to 1 at 3/4: only where it is solid well beyond the surface is the way out no way out.
// T counts if it may touch the other body too. Surfaces (meshes, height fields) cover nothing, because they have no
// inside.

#include <vector>

#include "stiction/simulation/collision/collision_record.h"

namespace stiction {

// Multiplies the weights of the points from `begin` on, which are those of the pair, and removes those with none left.
void leave_out_covered(const CollisionModel& model, const CollisionRecord& record, const ShapePair& pair,
                       int begin, ContactPoints* points);

}  // namespace stiction
