#pragma once
// Contact problems for the race of solvers, taken from our simulations: scenes run under the default law, and
// the largest island of some steps is posed under coulomb_ncp.
//
// Peers know contacts only. So scalar rows (drives, limits, friction in joints) are decided beforehand, from
// a solution of the whole problem: a row whose impulse lies between its bounds loses them and is eliminated
// from W, one at a bound becomes that constant. Every side then has the same problem with the same solution.

#include <string>
#include <vector>

#include "bench/race/solver_peers.h"
#include "stiction/contact/dual/problem.h"

namespace stiction::race {

struct SolverProblem {
  StoredProblem stored;  // for the peers
  DualProblem trees;     // as our engine has it: A, J and the rows
  DualProblem matrix;    // the explicit W of `stored`, for our solvers and for the residual check

  // r of the contacts, as in `stored`, from impulses of `trees`.
  std::vector<double> contacts_of(const VecX& lambda) const;
};

struct SolverSet {
  std::string name;
  std::vector<SolverProblem> problems;

  std::string size() const;  // "4 problems of 12 to 38 contacts"
};

std::vector<std::string> solver_set_names();
SolverSet make_solver_set(const std::string& name);

}  // namespace stiction::race
