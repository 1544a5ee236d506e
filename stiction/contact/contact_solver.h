#pragma once
// One interface for every solver: Newton's method on velocities (newton/) or a solver of impulses (dual/), by
// its name in the catalog. Memory and the sparsity patterns of factors are kept from one solve to the next;
// this saves time and does not change results.

#include "stiction/contact/dual/rigid_solver.h"
#include "stiction/contact/newton/newton.h"

namespace stiction {

struct SolverOptions {
  NewtonOptions newton;
  DualOptions dual;
};

class ContactSolver {
 public:
  // solver: one that supports the law of the problem (catalog.h). The guess is used by solvers of impulses
  // only (starts_from_impulses of catalog.h); the others start from the velocities in the problem.
  void solve(const ContactProblem& problem, const char* solver, const SolverOptions& options,
             const ImpulseGuess& guess, ContactSolution* solution);

  // The dual problems of the last solve, if a solver of impulses solved it; used by the residual checks.
  const RigidSolver& dual_islands() const { return rigid_; }

 private:
  NewtonSolver newton_;
  RigidSolver rigid_;
};

}  // namespace stiction
