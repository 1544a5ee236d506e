#pragma once
// The sparse Cholesky factorisation against Eigen's SimplicialLLT, on the graphs of contacts of piles of
// bodies (bench/data/contact_graphs, written by tools/make_contact_graphs.py).

#include <string>
#include <vector>

#include "bench/race/race.h"

namespace stiction::race {

// One row per scene: the numeric factorisation; solve and analysis are in the note. Eigen runs at its best:
// AMD on the scalars, analyzePattern done once, factorize timed. Our time includes putting the numbers back,
// since we factorise in place.
std::vector<RaceRow> race_cholesky(const std::string& data_dir);

}  // namespace stiction::race
