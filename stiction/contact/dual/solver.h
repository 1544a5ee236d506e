#pragma once
// What every solver of a dual contact problem is: impulses in, better impulses out.
//
// A solver starts from the impulses it is given (the last step's, or zeros), stops where the natural map
// error of its law (law/rigid_laws.h) is at most tolerance x velocity_scale(), tested before the first
// iteration, and never throws for slow convergence: its report says converged, stalled (an iteration changes
// nothing any more above the tolerance), max_iterations or infeasible, which are different things.

#include <memory>
#include <string_view>
#include <vector>

#include "stiction/contact/dual/problem.h"
#include "stiction/contact/solution.h"

namespace stiction {

struct DualOptions {
  double tolerance = 1e-6;     // relative to the largest free velocity of a row
  int max_iterations = 1000;   // sweeps of Gauss-Seidel, iterations of ADMM, rounds of staggered projections,
                               // Newton steps;
                               // pivots are bounded by 100 times the size of the problem instead
  double relaxation = 1.0;     // of Gauss-Seidel; ADMM over-relaxes by its own
  bool accelerates = true;     // sweeps of Gauss-Seidel, by Anderson's method; false: plain ones
  bool uses_delassus = false;  // Gauss-Seidel on the rows of W instead of the velocities of the trees
  Pyramid pyramid;
  std::vector<double>* history = nullptr;  // the relative error after every iteration, appended
};

class DualSolver {
 public:
  virtual ~DualSolver() = default;
  virtual IslandReport solve(const DualProblem& problem, const DualOptions& options, VecX* lambda) = 0;
};

// By the names of contact/catalog.h, which has the list. Null for solvers of velocities, and for a law that it does not take.
std::unique_ptr<DualSolver> make_dual_solver(LawKind law, std::string_view solver);

// Solvers as they are, each in its file.
std::unique_ptr<DualSolver> make_pgs(LawKind law);   // pgs.cpp: pyramid_lcp, convex_cone, coulomb_ncp
std::unique_ptr<DualSolver> make_bisection();        // bisection.cpp: raisim
std::unique_ptr<DualSolver> make_admm(LawKind law);  // admm.cpp: convex_cone, coulomb_ncp
std::unique_ptr<DualSolver> make_staggered(LawKind law);  // staggered.cpp: pyramid_lcp, coulomb_ncp
// semismooth_newton.cpp: convex_cone, coulomb_ncp
std::unique_ptr<DualSolver> make_semismooth_newton(LawKind law);
std::unique_ptr<DualSolver> make_lemke();    // lemke.cpp: pyramid_lcp
std::unique_ptr<DualSolver> make_dantzig();  // dantzig.cpp: pyramid_lcp

}  // namespace stiction
