#pragma once
// Solves a contact problem under a rigid law: island by island, its dual problem (dual/problem.h) goes to one
// of the dual solvers, and velocities and impulses come back as from any other solver,
//
//   v = v_free + A^-1 J' lambda.
//
// Islands are independent and run on all threads; the answer does not depend on how many there are.
//
// An island that is not solved must do no harm. In this order, each where the one before has not helped:
//   from zero      if the impulses that were remembered have grown beyond reason;
//   withdrawal     overlaps that are to be pushed out, and rebounds, may contradict each other (a body stuck
//                  between two others); without them rest is a motion that obeys all contacts. They are taken
//                  from the points that are not solved or press hard, then from all; the report counts them;
//   polish         a few sweeps of Gauss-Seidel, kept if they are better;
//   no energy      lambda := t lambda, t <= 1, such that lambda . s <= 0, as under every law. Then the
//                  kinetic energy is at most that of the free motion and lambda . (c* - bias), which is
//                  what is pushed out, bounces, or is carried by moving surfaces.
// The report says what is left. A solver that ran out of iterations is not asked again, only polished.
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

  // Of the last solve, by island: what a judge looks at. r of dual() is without what was dropped_stabilisation.
  const DualProblem& dual(const ContactProblem& problem, int island) const;
  const VecX& lambda(const ContactProblem& problem, int island) const;

 private:
  struct IslandWork;
  std::vector<std::unique_ptr<IslandWork>> works_;  // by the smallest tree of the island
};

}  // namespace stiction
