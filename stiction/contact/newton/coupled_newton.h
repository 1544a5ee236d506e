#pragma once
// Newton's method for a law without a cost (law/icf_coupled.h), on one island: the root of the balance of
// momentum
//
//   r(v) = A (v - v_free) - J' gamma(v) = 0,     (M + E) dv = -r,
//
//   M = A + J' G J without the term f of G, symmetric positive definite,
//   E = sum over points J_i' (vt f n') J_i, the change of friction with the normal velocity.
//
// M is assembled and factorised like the Hessian of a convex law (island_system.h,
// math/supernodal_cholesky.h), with its block pattern, branches and rows. E is never assembled: GMRES
// (math/gmres.h) on (1 + M^-1 E) dv = -M^-1 r, in the norm |D^-1 dv|, needs one product with E and one solve
// with M a step. E has the rank of the sliding points, and where friction hardly changes the normal impulses,
// M^-1 E is small: standing robots take two to six products, piles some ten. (An LU of M + E on the same
// pattern would cost twice the factor, and has no pivots where a rod jams, which is where M + E changes its
// sign; here M is positive definite all the same.)
//
// Full steps first, as in newton.h, with the same predictions: slip that a step reverses sticks in the next
// one, points driven deep are linearised where they come to rest, with friction by the impulse there. Then
// steps of length 1, 1/2, ... by the merit |D r|, which must fall below the largest of the last kMemory.
// Neither is safe: r is nonsmooth where points open and stick, and a solution need not be unique. Where one
// start fails another mostly does not; rounds begin, in this order, from
//
//   1 the start velocities, or the best of the problem's guesses: a few full steps. Not where several bodies are
//     struck at once, or far from the solution
//   2 following bounds: steps of the lagged law, whose friction is bounded by n0, and whose n0 goes most of the way
//     to the normal impulses that each step predicts; once near, a few full steps.
//     Free bodies whose contacts at the start velocities would throw them off (overlaps, blows) begin at the
//     answer of Gauss-Seidel sweeps over the points instead (point_relaxation.h), with its impulses for n0 and
//     what sticks there sticking in the first step. From n0 of the start, hundreds of times too large, the bounds
//     alone would take five steps. A point whose n0 a step predicts to change by less than a third is settled
//     and has the friction of n(vn), with E, in the next one. Where 40 sweeps do not suffice, once more with 400
//   3 the lagged answer, that of icf_lagged with n0 of the start velocities, a convex problem. Predicted
//     bounds: a direction of Newton's method predicts the normal impulses n + n' dvn; unless its full step
//     lowers |D r| well, the next iterate is the answer of the lagged problem with these for n0, which sees
//     to sticking and opening
//   4 heavier bodies: A times a factor that falls to 1 (newton.h's continuation)
//   5 a friction path: friction times theta, from the frictionless answer to theta = 1
//   6 the sticking answer: a lagged problem with so much friction that every touching point sticks
//   7 the lagged answer, by full and searched steps
//   8 proximal steps: r(v) + tau A (v - c) = 0 around the answer c before, tau falling, or rising where they
//     fail
//   9 repeated lagged problems, damped: n0 := (n0 + n(vn))/2 of the round before. Its rate is mu W_nt/W_nn,
//     which passes 1 where a rod jams, so that it comes last.
//
// Where nothing converges, or max_iterations is used up, the lagged answer of 3 is the result:
// IslandReport::lagged_fallbacks. Islands too large for a factor have rounds 3 and 9 only.

#include "stiction/contact/newton/gauge.h"
#include "stiction/contact/newton/island_system.h"
#include "stiction/contact/newton/newton.h"
#include "stiction/contact/newton/point_relaxation.h"
#include "stiction/math/gmres.h"

namespace stiction {

// What the iteration takes from that of convex laws (newton.cpp).
class ConvexSteps {
 public:
  virtual ~ConvexSteps() = default;
  // Factorises M at the system's last evaluate().
  virtual bool factorise(IslandReport* report) = 0;
  // system.dv := -M^-1 gradient, the cheapest way; `tolerance` of iterative ones.
  virtual bool find_direction(double tolerance, IslandReport* report) = 0;
  // x := M^-1 x with the last factor.
  virtual void solve(IslandSystem::Vector* x) = 0;
  // Minimises the cost of the system as it is (lagged), from system.v, at which it is evaluated.
  virtual void descend(double tolerance, int most, IslandReport* report) = 0;
  // Whether factors are too large.
  virtual bool avoids_factors() = 0;
};

class CoupledNewton {
 public:
  // From system->v = v_start on.
  IslandReport solve(IslandSystem* system, const NewtonOptions& options, ConvexSteps* convex);

 private:
  using Vector = IslandSystem::Vector;
  // Iterations of a round.
  static constexpr int kQuick = 12, kPatience = 40;

  void begin(IslandSystem* system, const NewtonOptions& options, ConvexSteps* convex);
  // From system.v; true where it ends within the tolerance. Otherwise system.v is the best iterate.
  bool march(double tolerance, int most, bool is_guess);
  bool take_full_steps(double tolerance, int most, bool is_guess);
  bool take_searched_steps(double tolerance, int most);
  bool find_direction(bool is_reused, double forcing);
  bool take_start();
  void solve_lagged(double tolerance);
  void follow_bounds();
  void move_bounds(double share, double alpha);
  bool is_hard() const;
  bool settle_bounds(double alpha);
  bool follow_relaxed(int sweeps);
  bool try_predicted_bounds();
  bool try_heavier_bodies();
  bool try_friction_path();
  bool try_proximal_steps();
  bool try_repeated_lagged();
  bool try_rounds();
  void set_sticking_factors();
  void restore(const Vector& v);

  IslandSystem* system_ = nullptr;
  const NewtonOptions* options_ = nullptr;
  ConvexSteps* convex_ = nullptr;
  IslandReport report_;
  Gmres gmres_;
  PointRelaxation relaxation_;
  AlignedVector<double> numbers_, n0_;
  Vector start_{nullptr, 0}, lagged_{nullptr, 0}, best_{nullptr, 0}, base_{nullptr, 0}, centre_{nullptr, 0},
      rhs_{nullptr, 0}, scaled_{nullptr, 0}, product_{nullptr, 0}, solution_{nullptr, 0};
};

}  // namespace stiction
