#pragma once
// Whole steps with contact, against MuJoCo and Drake, at h = 2 ms on both sides.
//
//   contact_rest   a step of a pile at rest. We let the scene fall and come to rest; every side takes over
//                  that pile (or the start, of a scene that stands from there), settles by itself, and is
//                  timed then.
//   contact_fall   the fall from the start until the pile stands, every side by itself.
//
// MuJoCo runs at its fastest setting that is no worse than we are in deepest overlap, creep and residual, and
// at its most accurate one where there is none (contact_race_sweep.h). Where its residual is smaller than ours
// a second row, NAME_ours_as_accurate, has our solver leave no more. Drake runs with the law that the row
// names, we with the same. The note has deepest overlap, creep and residual of both sides.

#include "bench/race/race.h"

namespace stiction::race {

// All scenes, or one by its name.
std::vector<RaceRow> race_contact(const std::string& only = "");

// Our side alone, for a profiler: a scene at rest (race "contact_rest"), for three times as long as it took
// to come to rest and at least `seconds`, or its fall (race "contact_fall"), again and again.
void profile_contact(const std::string& scene, const std::string& race, double seconds);

}  // namespace stiction::race
