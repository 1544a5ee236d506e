#pragma once
// Solves a dual contact problem until an independent residual check is within the tolerance, not until the
// solver reports convergence.
//
// Solvers stop by the natural map of their law as a velocity, relative to the largest free velocity.
// Collections of problems compare by that of the impulses, relative to their size, which in a badly scaled
// problem may be orders of magnitude larger. The tolerance here is of the latter: where a solver stops above
// it, it is called again from its answer with a smaller tolerance of its own.

#include <span>
#include <string>
#include <vector>

#include "stiction/base/timer.h"
#include "stiction/contact/catalog.h"
#include "stiction/contact/dual/residual.h"
#include "stiction/contact/dual/solver.h"

namespace stiction::solvers {

// How far impulses are from a law, relative. coulomb_ncp and convex_cone: the natural map
//   |lambda - P_K(lambda - rho s~)| / |lambda|   of all rows together, s~ = s under convex_cone;
// pyramid_lcp: the largest natural map error of a contact over the largest free velocity. raisim, whose
// condition is none of these: zero.
double law_error(LawKind law, const Pyramid& pyramid, const DualProblem& problem, const VecX& lambda);

// Islands of one problem, and what a formulation made of them.
struct CheckedAnswer {
  SolveStatus status = SolveStatus::converged;  // of the solver, but where the error is above the tolerance
  double error = 0.0;                           // law_error, of all islands together
  double coulomb = 0.0;                         // the same of coulomb_ncp
  int iterations = 0;                           // the most of an island
  double seconds = 0.0;                         // of the solver alone
  std::vector<VecX> lambda;

  // Whether the law asked for holds to the tolerance.
  bool holds() const { return is_solved(status); }
};

// `tolerance` of options is one of law_error. entry must be one that make_dual_solver knows.
CheckedAnswer solve_and_check(const CatalogEntry& entry, std::span<const DualProblem> islands,
                              const DualOptions& options, Clock clock = steady_seconds);

// What is printed: the solver's word, but `converged` is kept for answers whose Coulomb error is at most the
// tolerance; one that holds to another law only is "solved_its_law".
std::string status_name(const CheckedAnswer& answer, double tolerance);

// Formulations that take a dual problem as it is, in the order of the catalog, and the best of them for
// Coulomb's law.
std::vector<const CatalogEntry*> dual_formulations();
const CatalogEntry& default_dual_formulation();

}  // namespace stiction::solvers
