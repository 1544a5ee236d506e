#pragma once
// Newton's method on the convex cost of a contact problem, island by island (S Algorithm 2, I section X).
//
//   H(v) dv = -grad l(v),   v <- v + alpha dv,   alpha = argmin l(v + alpha dv)
//   grad l = A (v - v_free) - J' gamma(v),   H = A + J' G(v) J
//
// It stops when the scaled gradient is small (S eqs. 25, 26),
//
//   |D grad l| <= eps_a + eps_r max(|D A v|, |D J' gamma|),   D = diag(A)^(-1/2),
//
// (at the start A (v - v_free) in place of A v), tested before anything is factorised, so that an island
// whose start is good enough costs one evaluation, or when a whole Newton step is below the round-off of v.
// Cost, gradient and Hessian: island_system.h. The line search works on the velocities of the points alone
// (point_sweeps.h).
//
// An exact line search stops at the first thing that stiffens on the way, be it a body that meets another or
// one that comes to rest: alpha is then 1e-3 or so, and everything else waits. So an island first takes full
// steps, whatever they do to the cost (one of a single tree: in place of very short ones). What they meet is
// seen by the next Hessian, all of it at once. Coulomb's friction alone would throw them to and fro: a point
// that would come to rest is thrown back, and forth again by the next step. So a point whose slip a step has
// turned round is taken to stick in the next: impulse and Hessian are those of no slip,
//
//   gamma_t = gt(vn, 0) vt,   G_t = -gt(vn, 0),
//
// and a row that went from one bound to the other is taken to lie between. Hunt & Crossley's impulse grows
// with the square of the velocity of approach, so that a point that a step has driven deep would halve that
// velocity in every further one. Where the step before expected an impulse g of a point of inverse mass w,
// the point is linearised at the velocity u at which it would come to rest by itself,
//
//   u - vn = w (n(u) - g),   gamma_n = n(u) + n'(u) (vn - u),   G_n = -n'(u),
//
// if the law is less than half as stiff there as at vn. Where full steps find no end, the
// line search goes on from the least cost that they have seen. While the gradient falls so fast that one more
// step of the same rate ends the iteration, the old factor is used again.
//
// Where v_start is not good enough, an island begins at the first of v_guesses whose cost and gradient are
// less, and takes at least one step from there.
//
// Where Newton's method takes many iterations (laws that couple friction to the normal force, at stiffnesses
// that stop a body in a small part of a step), a continuation begins: with A times 1e6 contacts are soft
// beside the bodies and the minimum is found at once; it starts the same with lighter bodies, down to A.
//
// Nothing here throws for slow convergence: the report says how far it came. A factorisation that fails
// (numbers beyond 1e300, a singular A) is repeated with a larger diagonal and reported.

#include <memory>
#include <vector>

#include "stiction/contact/problem.h"
#include "stiction/contact/solution.h"
#include "stiction/contact/newton/line_search.h"

namespace stiction {

struct IslandScratch;

// How H dv = -grad l is solved. automatic: by the block-sparse Cholesky factor, unless its size or its work
// is forecast to be beyond what conjugate gradients need (islands of many thousand bodies), or many particles
// touch softly, whose directions come from Gauss-Seidel sweeps (math/swept_system.h).
enum class LinearSolver : std::uint8_t { automatic, direct, conjugate_gradient };

struct NewtonOptions {
  double relative_tolerance = 1e-6;   // eps_r
  double absolute_tolerance = 1e-16;  // eps_a, sqrt(J)
  int max_iterations = 1000;          // some 30 in hard steps, hundreds at h = 50 ms or k = 1e12 N/m
  int full_steps = 20;                // at most, before steps are shortened by the line search
  LineSearch line_search = LineSearch::exact;
  LinearSolver linear_solver = LinearSolver::automatic;
  bool reuse_factor = true;
  bool use_islands = true;  // false: all trees in one system, as a reference
};

class NewtonSolver {
 public:
  NewtonSolver();
  ~NewtonSolver();
  NewtonSolver(NewtonSolver&&) noexcept;
  NewtonSolver& operator=(NewtonSolver&&) noexcept;

  void solve(const ContactProblem& problem, const NewtonOptions& options, ContactSolution* solution);

  // Cost, gradient and Hessian at any v, all trees with contact as one system: what tests and the judge of
  // other solvers look at. The Hessian is dense.
  double evaluate(const ContactProblem& problem, const VecX& v, VecX* gradient, MatX* hessian);

 private:
  struct IslandWork;
  std::unique_ptr<IslandScratch> shared_;
  Island everything_;                               // all islands as one, for use_islands = false
  std::vector<std::unique_ptr<IslandWork>> works_;  // by the smallest tree of the island
};

}  // namespace stiction
