#pragma once
// The interface of the solvers of a dual contact problem.
//
// A solver starts from the impulses it is given (those of the last step, or zeros) and replaces them by
// better ones. It stops where the natural map error of its law (law/rigid_laws.h), relative to the scale of
// the kind of row (DualProblem::velocity_scale), is at most the tolerance, which it tests before the first
// iteration; or, if an absolute tolerance is given, where C's criterion is at most that. It never throws for
// slow convergence: its report says converged, round_off, stalled, max_iterations, infeasible or not_finite
// (contact/solution.h).

#include <memory>
#include <string_view>
#include <vector>

#include "stiction/contact/dual/problem.h"
#include "stiction/contact/solution.h"

namespace stiction {

struct DualOptions {
  // Of velocities, relative to those of the kind of row (DualProblem::velocity_scale).
  double tolerance = 1e-6;
  // C's criterion max(eps_p, eps_d, eps_c), in N, m/s^2 and their product, in place of the tolerance; 0: not
  // used. raisim, which does not meet C's condition, measures the change of an impulse by it.
  double absolute_tolerance = 0.0;
  // Sweeps of Gauss-Seidel, iterations of ADMM, rounds of staggered projections, Newton steps. Pivots are
  // bounded by 100 times the size of the problem instead.
  int max_iterations = 1000;
  double relaxation = 1.0;     // of Gauss-Seidel; ADMM has its own over-relaxation
  bool accelerates = true;     // Anderson acceleration of the Gauss-Seidel sweeps
  bool uses_delassus = false;  // Gauss-Seidel on the rows of W instead of the velocities of the trees
  // Of contacts that stick: impulses that move nothing are taken away, as far as the cones allow
  // (minimum_norm.h). Of a contact problem; the solvers themselves do not read it.
  bool minimum_norm = false;
  Pyramid pyramid;
  std::vector<double>* history = nullptr;  // gets the error after every iteration appended

  bool is_absolute() const { return absolute_tolerance > 0.0; }
  double goal() const { return is_absolute() ? absolute_tolerance : tolerance; }
  ErrorMeasure measure(LawKind law) const { return {law, pyramid, is_absolute()}; }
};

class DualSolver {
 public:
  virtual ~DualSolver() = default;
  virtual IslandReport solve(const DualProblem& problem, const DualOptions& options, VecX* lambda) = 0;
};

// By the names of contact/catalog.h, which has the list; nullptr for a pair that is none, and for newton,
// which is primal.
std::unique_ptr<DualSolver> make_dual_solver(LawKind law, std::string_view solver);

// Each in the file of its name. The laws that each takes are in solver_list() (catalog.cpp); no other may be
// given.
std::unique_ptr<DualSolver> make_pgs(LawKind law);
std::unique_ptr<DualSolver> make_pgs_plain(LawKind law);
std::unique_ptr<DualSolver> make_bisection();
std::unique_ptr<DualSolver> make_admm(LawKind law);
std::unique_ptr<DualSolver> make_admm_spectral(LawKind law);
std::unique_ptr<DualSolver> make_interior_point();
std::unique_ptr<DualSolver> make_staggered(LawKind law);
std::unique_ptr<DualSolver> make_semismooth_newton(LawKind law);
std::unique_ptr<DualSolver> make_lemke();
std::unique_ptr<DualSolver> make_dantzig();

}  // namespace stiction
