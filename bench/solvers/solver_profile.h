#pragma once
// The measurement of `stiction bench solvers`: many problems under many formulations, and the performance
// profiles of Dolan and More (Mathematical Programming 91, 2002),
//
//   rho_s(tau) = share of the problems that s solves in at most tau times the time of the fastest of them.
//
// rho_s(1) is the share of problems on which s is the fastest, its value at large tau the share that it
// solves. A profile compares solvers of one law: different laws are different problems.

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "bench/claims/figure.h"
#include "stiction/contact/law/contact_law.h"

namespace stiction::solvers {

struct SolverRun {
  std::string problem, formulation;
  LawKind law = LawKind::coulomb_ncp;
  int contacts = 0;
  std::string status;    // of status_name, or why there is none
  bool holds = false;    // the law of the formulation, to the tolerance
  double error = 0.0;    // checked_solve.h: of the law,
  double coulomb = 0.0;  // and of coulomb_ncp; NaN without an answer
  int iterations = 0;
  double seconds = 0.0;  // processor time
};

struct SolverBench {
  std::string folder;
  double tolerance = 0.0, limit_s = 0.0;
  std::vector<SolverRun> runs;  // problem by problem
};

// One for every law with more than one solver, and its name.
struct Profile {
  std::string name;
  claims::Figure figure;
};
std::vector<Profile> profiles(const SolverBench& bench);

// The runs, and what each formulation did with all problems.
void print(const SolverBench& bench);
nlohmann::json to_json(const SolverBench& bench);
std::string to_html(const SolverBench& bench);

}  // namespace stiction::solvers
