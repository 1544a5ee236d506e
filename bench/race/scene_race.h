#pragma once
// Whole steps of MuJoCo's and Menagerie's scenes, against mj_step, on one thread.
//
// Both sides load the same file and step with the timestep that it says: MuJoCo with all its options as in
// the file, ours with our defaults. Both start from the first keyframe and get the same controls, with noise.
// The first second of the motion is not counted, the next four are, in blocks of 50 steps that the sides take
// in turns, again and again from the start until the time of the scene is up. A step's time is the least of
// the rounds. Where a model has sensors both sides compute them in every step. The note has contacts, deepest
// overlap (the mean of the ends of the blocks, and the last), iterations and residual of both, and where our
// time goes.

#include "bench/race/race.h"

namespace stiction::race {

// All scenes, or one by its name.
std::vector<RaceRow> race_scenes(const std::string& only = "");
// The same with MuJoCo's own law of contact on both sides (convex_cone+newton_mujoco): contacts as soft as
// its.
std::vector<RaceRow> race_scenes_under_their_law(const std::string& only = "");

// Our side of one scene alone, for a profiler: for at least `seconds`.
void profile_scene(const std::string& scene, double seconds);
void profile_scene_under_their_law(const std::string& scene, double seconds);

}  // namespace stiction::race
