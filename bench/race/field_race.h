#pragma once
// Pressure fields (hydroelastic contact) against Drake, the only other engine on the processor that has them: the patch of
// two shapes, and steps of a pile, of a gripper and of a ring of tetrahedra in a bowl. Drake runs in a Python process
// (drake_fields.py) that times its query and every AdvanceTo by h. Shapes, moduli, steps and dissipation are the same;
// tetrahedra come from the same files, and Drake's meshes of other shapes have the resolution of its default, of its own
// example of the gripper, or the one that a row names. Every row has the error of the force on both sides
// (field_reference.h): of a query, and of all pairs of shapes where a run has ended.

#include <string>
#include <vector>

#include "bench/race/race.h"

namespace stiction::race {

// scene: of one row's name, or empty: all.
std::vector<RaceRow> race_fields(const std::string& scene = "");

}  // namespace stiction::race
