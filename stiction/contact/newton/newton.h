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
// (at the start with A (v - v_free) in place of A v), or when a whole Newton step is below the round-off of
// v. The gradient is tested before anything is factorised, so that an island whose start is good enough costs
// one evaluation. Cost, gradient and Hessian: island_system.h. The line search needs the velocities of the
// points only (point_sweeps.h).
//
// Full steps first. An exact line search stops at the first contact that closes or sticks along the
// direction; alpha is then 1e-3 or so, and everything else makes no progress. So an island first takes full
// steps, whatever they do to the cost (with a single tree: only in place of very short ones); the next
// Hessian then sees all new contacts at once. Coulomb friction would make full steps oscillate, with slip
// that changes its sign in every step. So a point whose slip a step has reversed is treated as sticking in
// the next one: impulse and Hessian are those of no slip,
//
//   gamma_t = gt(vn, 0) vt,   G_t = -gt(vn, 0),
//
// and a row that went from one bound to the other is treated as between them. Hunt & Crossley's impulse grows
// with the square of the approach velocity, so that at a point that a step has driven deep every further step
// would only halve that velocity. Such a point is linearised elsewhere. With g the impulse that the step
// before predicted for it and w its inverse mass, this is at the velocity u at which the point alone would
// come to rest,
//
//   u - vn = w (n(u) - g),   gamma_n = n(u) + n'(u) (vn - u),   G_n = -n'(u),
//
// if the law is less than half as stiff there as at vn. Where full steps do not converge, the line search
// continues from the lowest cost that they have reached. While the gradient falls so fast that one more step
// at the same rate would end the iteration, the old factor is reused.
//
// Barriers (law/normal_force.h; I IX). No step takes a point with phi > 0 to phi <= 0: of the way to where
// the first one reaches 0 a step takes at most 95 %. A v_start that would take points through is shortened
// likewise, which leads to a feasible one, since at rest every point keeps its distance, except where a
// kinematic body or a belt moves it; such points begin on the tangent that continues the barrier.
//
// Start. Where v_start is not good enough, an island starts from the first of v_guesses whose cost and
// gradient are smaller, and takes at least one step from there.
//
// Continuation. Where Newton's method takes many iterations (laws that couple friction to the normal force,
// at stiffnesses that stop a body in a small part of a step), the problem is solved with A times 1e6, which
// makes the contacts soft by comparison; each solution is the start for a smaller factor, down to 1.
//
// Slow convergence never throws: the report says how far it came. A factorisation that fails (numbers beyond
// 1e300, a singular A) is repeated with a larger diagonal and reported.

#include <memory>
#include <vector>

#include "stiction/contact/newton/line_search.h"
#include "stiction/contact/problem.h"
#include "stiction/contact/solution.h"

namespace stiction {

struct IslandScratch;

// How H dv = -grad l is solved. automatic: by a block-sparse Cholesky factor; by conjugate gradients where
// its size or work is predicted to be larger (islands of many thousand bodies); by Gauss-Seidel sweeps
// (math/swept_system.h) for many particles in soft contact.
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

  // Cost, gradient and dense Hessian at any v, all trees with contact as one system: for tests and residual
  // checks.
  double evaluate(const ContactProblem& problem, const VecX& v, VecX* gradient, MatX* hessian);

 private:
  struct IslandWork;
  std::unique_ptr<IslandScratch> shared_;
  Island everything_;                               // all islands as one, for use_islands = false
  std::vector<std::unique_ptr<IslandWork>> works_;  // by the smallest tree of the island
};

}  // namespace stiction
