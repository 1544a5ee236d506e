#pragma once
// Collision detection above the pairs of shapes, against MuJoCo and Coal.
//
//   broad_phase       1,000 and 10,000 cubes of 0.2 m on a jittered lattice, at rest and all moving at
//                     1 m/s in steps of 2 ms, each with its own oscillation. No two boxes overlap, so that no
//                     narrow phase is timed: MuJoCo's broad phase is inside mj_collision.
//   collision_stage   everything between poses and points of contact, on robots in motion: 16 steps in a row
//                     of a simulation by MuJoCo, there and back. Ours also returns the points that are about
//                     to touch.

#include "bench/race/race.h"

namespace stiction::race {

std::vector<RaceRow> race_broad_phase();

// No rows where the shared models are missing.
std::vector<RaceRow> race_collision_stage();

}  // namespace stiction::race
