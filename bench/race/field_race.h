#pragma once
// Pressure fields (hydroelastic contact) against Drake, the only other engine on the processor that has them: the patch of
// two shapes, and steps of piles and of a gripper. Drake runs in a Python process (drake_fields.py) that times its query and
// every AdvanceTo by h. Shapes, moduli, steps and dissipation are the same; Drake's meshes have the resolution of its
// default, or the one that a row names.

#include <string>
#include <vector>

#include "bench/race/race.h"

namespace stiction::race {

// scene: of one row's name, or empty: all.
std::vector<RaceRow> race_fields(const std::string& scene = "");

}  // namespace stiction::race
