#pragma once
// Pairs of shapes that touch by their pressure fields (geometry/field/pressure_patch.h): one point of contact for every
// point of the patch, with its force and stiffness.
//
// The margin of the query is that of the pair (collision.h): the points in it are speculative. Two shapes that could
// pass through each other within the step and do not press on each other at its start keep the points whose normal is
// close to that of their impact; if there are none, the impact has one point, as stiff as the patch that forms at the
// overlap h u, or half their thickness, if that is less.

#include "stiction/simulation/collision/collision_record.h"

namespace stiction {

// The patch of a pair with the poses of the record and the margin of the pair.
void find_patch(const CollisionModel& model, const CollisionRecord& record, const ShapePair& pair,
                bool wants_energy, PressureWorkspace* workspace, PressurePatch* patch);

// Appends the points of the pair, and sets its end and its time of impact. travel: m, how far the two may move
// relative to each other in the step h.
void collide_fields(const CollisionModel& model, const CollisionRecord& record, double travel, double h,
                    PatchWork* work, std::vector<PressurePoint>* points, ShapePair* pair);

// J, the energy of all pairs with a patch, with the poses of the record.
double pressure_energy(const CollisionModel& model, const CollisionRecord& record);

}  // namespace stiction
