#pragma once
// Semismooth Newton on the contact conditions, globalised by a proximal term: the reference that other
// solvers are compared with. Outer steps solve, around the impulses c of the step before,
//
//   phi(lambda, s) = 0,   s = (W + R) lambda + r + tau (lambda - c),   tau = alpha / rho,        (1)
//
// which is regular even where W lacks rank (hyperstatic contact); a fixed point c = lambda solves the problem
// whatever alpha is. alpha is divided by three after an inner solve that succeeded, by ten if it took very
// few steps, and multiplied by five after one that failed, after which it stays for a while. Inner steps are
// Newton steps on the equations of Alart and Curnier (alart_curnier.h),
//
//   (1 - G + beta rho G (W + R + tau)) x = -phi,     lambda := lambda + t x,
//
// with one LU factorisation each (contact_newton_system.h). t is the first of 1, 1/2, 1/4, 1/8 that brings
// |phi|^2, weighted by 1/rho, below the largest of the last kMemory steps, or else the best of them.
//
// beta, the parameter of the equations in units of a block's rho, does not change the solutions; it decides
// which contacts a step treats as open, sticking or sliding. It depends on alpha: at beta = 1/alpha, z = c -
// s/tau with the s of lambda alone, and (1) is the law of a contact of compliance tau, as in an augmented
// Lagrangian; 0.3/alpha, at most 100, works even better. With a fixed beta of 1 most large problems are not
// solved.
//
// Problems of few rows (dense_rows.h) are first tried without outer steps: Newton steps from the given
// impulses with alpha = kLittle, c the last iterate and beta = 1, until |phi|^2 exceeds its value at the
// start. Standing robots take two or three of them, a ball in a hand ten; where W lacks rank and contacts
// slide, they fail within a step or two.
//
// Coulomb's law has no guarantee of convergence, but where one start fails another one mostly does not.
// Rounds start, in this order, from some Gauss-Seidel sweeps from the given impulses, from sweeps from zeros,
// from ADMM, from the end of a friction path, from the best impulses so far, and then alternately from random
// impulses (with fixed seeds) and other friction paths. A friction path goes from the frictionless impulses,
// which are unique but for internal forces, to those with mu_i theta^e_i as theta grows from 0 to 1; e_i is 1
// on the first path and random, by contact, on the others, since a path ends where it folds back. Sweeps,
// iterations of ADMM and those along a path count as iterations.
//
// `converged` means that two errors are within the relative tolerance: the natural map error of the law
// relative to the free velocity, as for all solvers, and the natural map |lambda - P_K(lambda - rho s~)|
// relative to |lambda|, the number by which collections of problems compare solvers (dual/residual.h). The
// answer is the best iterate.
//
// Limits: a step costs a factorisation, so that a rough answer is cheaper with another solver; in hyperstatic
// problems internal forces of the start remain (few, from zeros).
//
// V. Acary, M. Bremond, O. Huber, On solving contact problems with Coulomb friction: formulations and
// numerical comparisons, 2018.

#include "stiction/contact/dual/contact_newton_system.h"
#include "stiction/contact/dual/solver.h"

namespace stiction {

class SemismoothNewton final : public DualSolver {
 public:
  explicit SemismoothNewton(LawKind law);

  IslandReport solve(const DualProblem& problem, const DualOptions& options, VecX* lambda) override;

 private:
  enum class Inner { solved, failed, done };  // done: the whole problem is solved, or no step is left

  void begin(const DualProblem& problem, const DualOptions& options);
  double quality(const VecX& lambda, const VecX& s);
  double round_off_quality() const;
  bool look_at(const VecX& lambda, const VecX& s);
  bool look_at(const VecX& lambda);
  void velocities(const VecX& lambda, VecX* s) const;
  void set_proximal(double alpha, double beta);
  double evaluate(const VecX& lambda, const VecX& s, VecX* phi);
  void step_along(const VecX& s, double reference);
  bool run_plainly();
  Inner solve_inner();
  bool run(double alpha, double share);
  void set_zero();
  void set_random(int round);
  bool start_round(int round);
  bool borrow(DualSolver* other, int iterations);
  bool follow_friction(int round);
  IslandReport finish(SolveStatus status, VecX* lambda);
  bool has_budget() const { return report_.iterations < options_.max_iterations; }

  LawKind law_;
  std::unique_ptr<DualSolver> sweeps_, admm_;
  const DualProblem* problem_ = nullptr;
  DualOptions options_;
  IslandReport report_;
  ContactNewtonSystem system_;
  BlockMaps maps_;
  VecX tau_;                                 // by row
  VecX lambda_, centre_, s_, phi_, x_, Wx_;  // s with the proximal term
  VecX trial_, trial_s_, law_s_;             // law_s: without it
  VecX best_;
  double best_quality_ = 0.0, best_error_ = 0.0;  // in tolerances; relative to the free velocity
  double error_ = 0.0;
  int inner_steps_ = 0;
  bool is_at_round_off_ = false;
  // Friction paths: another solver, on a copy of the problem with other friction.
  bool follows_paths_;
  std::unique_ptr<SemismoothNewton> along_;
  DualProblem other_friction_;
  VecX path_;
};

}  // namespace stiction
