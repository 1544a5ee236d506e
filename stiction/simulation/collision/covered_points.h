#pragma once
// Leaves out contact points on those parts of a shape that lie inside another shape of the same body.
//
// A body of several shapes is their union. A narrow phase that sees one shape at a time moves two that overlap apart by
// the shortest way, and for a thin shape on a thick one (a sticker on a plate) that way may lead through the thick one:
// the sticker pushes down what the plate pushes up, and what is between them is stuck. With a point p on the surface of
// a shape S, o the outward normal there and T a thicker shape that is fixed to S, the point counts by
//
//   1 - s(depth/L),   depth: how deep p + L o is inside T,   L = half the smallest extent of S
//
// s rises smoothly from 0 at 1/4 to 1 at 3/4: only where it is solid well beyond the surface is the way out no way out.
// Pairs that touch by pressure fields are left as they are: what pushes through a thin shape fades out by itself
// (geometry/field/pressure_patch.h).
// T counts if it overlaps the other body at present: so one of the two always holds what is in both. Surfaces (meshes,
// height fields) cover nothing, because they have no inside.

#include "stiction/simulation/collision/collision_record.h"

namespace stiction {

// Multiplies the weights of all points of the record, and removes points with none left.
void leave_out_covered(const CollisionModel& model, CollisionRecord* record, CollisionWorkspace* work);

}  // namespace stiction
