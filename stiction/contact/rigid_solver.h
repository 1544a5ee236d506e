#pragma once
// Solves a contact problem under a rigid law: island by island, its dual problem (dual_problem.h) goes to one
// of the dual solvers, and velocities and impulses come back as from any other solver,
//
//   v = v_free + A^-1 J' lambda.
//
// Islands are independent and run on all threads; the answer does not depend on how many there are. Where a
// solver stops early, its best impulses are taken and the report says so. Nothing allocates once the largest
// problem has been seen, in solvers that need no more than vectors.

#include <memory>
#include <string_view>
#include <vector>

#include "stiction/contact/dual_solver.h"

namespace stiction {

// Impulses to start from, in the form of a ContactSolution: on B, four numbers a point. Empty: zeros.
struct ImpulseGuess {
  AlignedVector<double> impulses, moments;  // N s, N m s
  std::vector<double> rows;                 // N s or N m s
};

class RigidSolver {
 public:
  RigidSolver();
  ~RigidSolver();
  RigidSolver(RigidSolver&&) noexcept;
  RigidSolver& operator=(RigidSolver&&) noexcept;

  // solver: one that make_dual_solver knows for the law of the problem.
  void solve(const ContactProblem& problem, std::string_view solver, const DualOptions& options,
             const ImpulseGuess& guess, ContactSolution* solution);

  // Of the last solve, by island: what a judge looks at.
  const DualProblem& dual(const ContactProblem& problem, int island) const;
  const VecX& lambda(const ContactProblem& problem, int island) const;

 private:
  struct IslandWork;
  std::vector<std::unique_ptr<IslandWork>> works_;  // by the smallest tree of the island
};

}  // namespace stiction
