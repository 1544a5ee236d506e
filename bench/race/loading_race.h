#pragma once
// Loading model files against MuJoCo's compiler: from a path to a model that is ready to be simulated, with
// meshes read, the convex hulls of those that collide, masses, and the tree of bodies.
//
//   loading        every MJCF file of the shared models that MuJoCo loads, and the sum over them
//
// Both sides read files that are in the page cache and keep nothing between two loads: MuJoCo's cache of
// assets is switched off. Both use all hardware threads. MuJoCo also makes textures, which we leave to
// whoever draws; so it loads once as it is, and once with the textures deleted before it compiles, and the
// faster one counts.

#include "bench/race/race.h"

namespace stiction::race {

// No rows where the shared models are missing.
std::vector<RaceRow> race_loading();

// Loads one file for `seconds`, for a profiler. The name is that of a row.
void profile_loading(const std::string& scene, double seconds);

}  // namespace stiction::race
