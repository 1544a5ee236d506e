#pragma once
// Solves a contact problem under a rigid law: island by island, its dual problem (dual/problem.h) goes to one
// of the dual solvers, and velocities and impulses come back as from any other solver,
//
//   v = v_free + A^-1 J' lambda.
//
// Islands are independent and run on all threads; the answer does not depend on how many there are.
//
// An island that is not solved must not blow up. Remedies, each only where the one before has not helped:
//   from zero            where the warm start has grown beyond reason;
//   drop stabilisation   penetration recovery and restitution may contradict each other (a body stuck
//                        between two others); without them rest satisfies all contacts. They are dropped at
//                        the points that are not solved or have large impulses, then at all points; the
//                        report counts them;
//   polish               a few sweeps of Gauss-Seidel, kept if they are better;
//   no energy            lambda := t lambda, t <= 1, such that lambda . s <= 0, as under every law. Then the
//                        kinetic energy is at most that of the free motion plus lambda . (c* - bias), the
//                        work of penetration recovery, restitution and moving surfaces.
// Under sap, which has R > 0 everywhere and hence always a solution, nothing is dropped.
// The report says how large the error is at the end. A solver that ran out of iterations is not run again,
// only polished.
//
// Nothing allocates while the number of points stays the same, in solvers that need no more than vectors.

#include <memory>
#include <string_view>
#include <vector>

#include "stiction/contact/dual/solver.h"

namespace stiction {

// Impulses to start from, in the form of a ContactSolution: on B, four numbers a point. Empty: zeros.
struct ImpulseGuess {
  AlignedVector<double> impulses, moments;  // N s, N m s
  std::vector<double> rows;                 // N s or N m s
  std::vector<double> penalties;            // of ADMM, by the smallest tree of an island; 0: none
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

  // The dual problem and the impulses of an island of the last solve, for residual checks. r of dual() is
  // without the stabilisation that was dropped.
  const DualProblem& dual(const ContactProblem& problem, int island) const;
  const VecX& lambda(const ContactProblem& problem, int island) const;

 private:
  struct IslandWork;
  std::vector<std::unique_ptr<IslandWork>> works_;  // by the smallest tree of the island
};

}  // namespace stiction
