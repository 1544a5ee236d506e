#pragma once
// A primal-dual interior point method for the convex dual of a contact problem (S eq. 19, C eq. 19): minimise
//
//   1/2 lambda' (W + R) lambda + r' lambda   over lambda in a product of friction cones, half-lines and boxes.
//
// Its conditions, with z in the dual cones and s(lambda) = (W + R) lambda + r,
//
//   s(lambda) - z = 0,    lambda in K,  z in K*,    lambda o z = 0                          (C eqs. 16 to 20)
//
// are followed along lambda o z = tau e, tau -> 0, o the product of the second-order cone. One iteration is a
// Newton step in Nesterov and Todd's scaling, lambda = G l, z = G^-1' l with the same l, solved twice with
// one factor: first for tau = 0, to see how far that goes (Mehrotra's predictor), then for tau = sigma mu
// with the second-order term of the first,
//
//   (G' (W + R) G + 1) d = (1 - sigma) G' (z - s(lambda)) - l + g
//   dz~ = g - l - d,    g = l \ (tau e - d o dz~)
//   dlambda = G d,    dz = G^-1' dz~,
//
// mu the mean of lambda . z over the cones, sigma = max(0.05, (1 - alpha)^3), alpha the longest predictor
// step. With f the friction coefficient, both cones are |t| <= n in the coordinates x = (lambda_t, f
// lambda_n) and z = (s_t, s_n/f). With J = diag(-1, 1), x^ = x/sqrt(x'Jx) and z^ likewise, G is there
//
//   G = eta (2 v v' - J),  eta^4 = x'Jx / z'Jz,  v = (w + e)/sqrt(2 (w_n + 1)),  w = (x^ + J z^)/(2 c),
//   c^2 = (1 + x^'z^)/2
//
// (L. Vandenberghe, The CVXOPT linear and quadratic cone program solvers, 2010, sections 4 to 7, has the
// method for a general program.) A side of a box at the distance a with its z_a is a cone of one row, G =
// (sum z_a/a)^-1/2; a row without bounds has no 1 in the system.
//
// The linear system is solved by conjugate gradients, preconditioned by the factor of factor.h with a matrix
// for every block, H = A + J' E^-1 J, E^-1 = G B G', B = (1 + G' (R + D) G)^-1:
//
//   (G' (W + R + D) G + 1)^-1 = B - B G' J H^-1 J' G B.
//
// D is 1e-6 of the mean diagonal of a block of W + R; without it H would lose all digits where a contact
// sticks (G -> infinity). Three products with W on average remove it again. All of that in the scaled
// variables: in lambda the matrix has entries of 1/tau and of tau side by side.
//
// What we add:
// - a step that only centres (sigma = 1) where the error falls with the root of mu: off the central path
//   friction and slip are not parallel by about that root;
// - the stopping rule is that of all solvers of impulses, the natural map error;
// - rows that nothing moves keep their impulse, friction of mu = 0 has none, a box of no width has one point.
//
// An iteration costs one factorisation; there are 10 to 20, whatever the number of contacts. The start is
// ignored unless it is within the tolerance: an interior point method cannot begin on the boundary, where the
// last answer lies. Errors below 1e-11 are out of reach where a contact slides: the distance from the
// boundary of its cone has no more digits.

#include "stiction/contact/dual/factor.h"
#include "stiction/contact/dual/solver.h"

namespace stiction {

class InteriorPoint final : public DualSolver {
 public:
  IslandReport solve(const DualProblem& problem, const DualOptions& options, VecX* lambda) override;

 private:
  // What a block is to the method.
  enum class Kind : std::uint8_t {
    left_out,     // keeps its impulse
    cone,         // contact with friction
    normal_only,  // contact without: its last row is a half-line
    row,          // scalar row
  };
  // A row of its own, with its bounds.
  struct Interval {
    int row;
    double lower, upper;
    bool has_lower() const;
    bool has_upper() const;
  };

  bool stiffen_groups();
  void begin(VecX* lambda);
  Interval interval_of(int block) const;
  void set_start();
  bool scale();
  void scale_cone(int block);
  void scale_interval(int block);
  void set_weights(int block);
  void multiply_blocks(const std::vector<double>& F, bool transposed, const VecX& x, VecX* y) const;
  void multiply_system(const VecX& x, VecX* y);
  void precondition(const VecX& x, VecX* y);
  void find_direction(double share);
  double complementarity() const;
  double longest_step() const;
  void set_second_order(double tau);
  void advance(double alpha);

  const DualProblem* problem_ = nullptr;
  DualProblem stiffened_;
  DualFactor factor_;
  std::vector<Kind> kinds_;               // by block
  std::vector<int> at_;                   // of a block's matrices
  int cones_ = 0;                         // sides of intervals counted
  std::vector<double> G_, G_inverse_;     // dlambda = G d, dz = G^-1' dz~, by block; 0 where left out
  std::vector<double> B_, E_, inverses_;  // of the factor, by block
  VecX lambda_, s_, z_;
  VecX z_low_, z_high_;  // of the sides of intervals; z = z_low - z_high
  VecX l_, g_, d_, dz_;  // scaled
  VecX g_low_, g_high_, dz_low_, dz_high_, dlambda_;
  VecX rhs_, rest_, last_rest_, near_, conjugate_, product_, moved_, pushed_, best_;
};

}  // namespace stiction
