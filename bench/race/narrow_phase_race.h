#pragma once
// Pairs of shapes: the time of one query, against MuJoCo's function for the pair alone and against Coal.
//
// Every row has 64 poses of one kind, the same for all sides, of bodies some 0.2 m large, and no margin.
// Touching: overlap from 0.1 to 2 mm. Separated: 1 to 50 mm apart. No side remembers anything from one query
// to the next. The note has the mean number of points a query of each side, and by how much the depths
// differ.

#include "bench/race/race.h"

namespace stiction::race {

std::vector<RaceRow> race_narrow_phase();

// Our side of the row with this name alone, for perf.
void profile_narrow_phase(const std::string& scene, double seconds);

}  // namespace stiction::race
