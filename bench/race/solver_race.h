#pragma once
// Solvers of contact with Coulomb friction alone, on stored problems: ours against Siconos' and Pinocchio's.
//
// All sides get the same problem, u = W r + q (solver_problems.h); ours has A and J as well, as its engine
// has them. No time includes the assembly of W, or of A and J. Every solve starts from zero impulses.
// Accuracy is the natural map of bench/solvers/checked_solve.h, relative to the impulses: every solver runs
// with decreasing tolerances of its own measure until that residual check gives 1e-6 or 1e-9, and the fastest
// run that does counts, with the least processor time of several repetitions. A library's time on a set of
// problems is that of its method that solves the most of them, and of those the fastest.

#include "bench/race/race.h"

namespace stiction::race {

// All sets of problems, or one by its name.
std::vector<RaceRow> race_solvers(const std::string& only = "");

}  // namespace stiction::race
