#pragma once
// One solver for every contact problem: Newton's method on velocities (newton/) or a solver of impulses (dual/),
// as the catalog has them by name. It keeps its memory and its factors' patterns from one solve to the next; they
// make it faster and change no answer.

#include "stiction/contact/dual/rigid_solver.h"
#include "stiction/contact/newton/newton.h"

namespace stiction {

struct SolverOptions {
  NewtonOptions newton;
  DualOptions dual;
};

class ContactSolver {
 public:
  // solver: one that the catalog has for the law of the problem. The guess counts for solvers of impulses alone
  // (starts_from_impulses of catalog.h); the others start from the problem's own velocities.
  void solve(const ContactProblem& problem, const char* solver, const SolverOptions& options,
             const ImpulseGuess& guess, ContactSolution* solution);

  // The dual problems of the last solve, where a solver of impulses had it: what residual checks look at.
  const RigidSolver& dual_islands() const { return rigid_; }

 private:
  NewtonSolver newton_;
  RigidSolver rigid_;
};

}  // namespace stiction
