#pragma once
// Newton's method on the conditions of contact themselves, made global by a proximal term: the solver whose
// answers others are compared with. Outer steps solve, around the impulses c of the last one,
//
//   phi(lambda, s) = 0,   s = (W + R) lambda + r + tau (lambda - c),   tau = alpha / rho,        (1)
//
// which is regular where W lacks rank (hyperstatic contact); a fixed point c = lambda solves the problem
// whatever alpha is. alpha shrinks threefold after an inner solve that went well, tenfold after one that took
// a step or two, and grows fivefold after one that did not, whereupon it is left alone for a while. Inner
// steps are Newton's on Alart and Curnier's equations (alart_curnier.h),
//
//   (1 - G + beta rho G (W + R + tau)) x = -phi,     lambda := lambda + t x,
//
// by one LU factorisation each (contact_newton_system.h), t of 1, 1/2, 1/4, 1/8 the first that brings
// |phi|^2, weighted by 1/rho, below the largest of the last kMemory steps, or else the best of them.
//
// beta, the parameter of the equations in units of a block's rho, leaves the solutions alone and decides
// which contacts a step takes for open, sticking or sliding. It goes with alpha: at beta = 1/alpha, z = c -
// s/tau with the s that belongs to lambda alone, and (1) is the law of a contact of compliance tau, as in an
// augmented Lagrangian; 0.3/alpha, at most 100, is better still. At a fixed beta of 1 most large problems are
// not solved.
//
// Of a problem of few rows (dense_rows.h) a plain run is tried first: Newton's steps from the
// impulses given with alpha = kLittle, centred at every step, and beta = 1, until |phi|^2 is above what it
// was at the start. Robots on their feet take two or three of them, a ball in a hand ten; where W lacks rank
// and contacts slide, a step or two tell that it is of no use.
//
// Coulomb's law has no guarantee, but where one start leads nowhere another one mostly does: rounds begin
// with some sweeps of Gauss-Seidel from the impulses given, with sweeps from zeros, with ADMM, along a path
// of friction, with the best so far and then in turns at random and along other paths, the same numbers every
// time. A path goes from the impulses without friction, which are unique but for internal forces, to those
// with mu_i theta^e_i as theta grows from 0 to 1; e_i is 1 on the first path and random, by contact, on the
// others, since a path that folds back ends there. Sweeps, iterations of ADMM and those along a path count
// like Newton's.
//
// `converged` means that two errors are within the tolerance: the natural map error of the law relative to
// the free velocity, as for all solvers, and the natural map |lambda - P_K(lambda - rho s~)| relative to
// |lambda|, the number by which collections of problems compare solvers (dual/residual.h). The answer is the
// best that was seen.
//
// What it gets wrong: a step costs a factorisation, so that a rough answer is cheaper elsewhere; in
// hyperstatic problems it keeps internal forces of its start (from zeros: few).
//
// V. Acary, M. Bremond, O. Huber, On solving contact problems with Coulomb friction: formulations and
// numerical comparisons, 2018, compares such methods with others.

#include "stiction/contact/dual/solver.h"
#include "stiction/contact/dual/contact_newton_system.h"

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
  double scale_ = 1.0;
  ContactNewtonSystem system_;
  BlockMaps maps_;
  VecX tau_;                                 // by row
  VecX lambda_, centre_, s_, phi_, x_, Wx_;  // s with the proximal term
  VecX trial_, trial_s_, law_s_;             // law_s: without it
  VecX best_;
  double best_quality_ = 0.0, best_error_ = 0.0;  // multiples of the tolerance; of the free velocity
  double error_ = 0.0;
  int inner_steps_ = 0;
  bool is_at_round_off_ = false;
  // Paths of friction: by another solver, on a copy of the problem.
  bool follows_paths_;
  std::unique_ptr<SemismoothNewton> along_;
  DualProblem other_friction_;
  VecX path_;
};

}  // namespace stiction
