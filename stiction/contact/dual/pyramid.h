#pragma once
// Contact under pyramid_lcp as one linear complementarity problem (Stewart and Trinkle; Anitescu and Potra; C
// III-A): find z >= 0 with
//
//   w = M z + q >= 0,   z' w = 0.
//
// A contact has the unknowns lambda_n, one beta >= 0 for each vertex d_k of the section of its pyramid, and
// sigma >= 0, the speed of sliding as its vertices see it:
//
//   lambda_t = sum beta_k d_k
//   0 <= lambda_n  _|_  s_n                          >= 0
//   0 <= beta_k    _|_  d_k . s_t + sigma            >= 0
//   0 <= sigma     _|_  mu lambda_n - sum beta_k     >= 0
//
// Vertices lie between the edges of rigid_laws.h, at the angles (k + 1/2) 2 pi / facets and the distance
// apothem/cos(pi/facets). Torsional and rolling friction are intervals +-mu lambda_n: two vertices +-1 and a
// sigma of its own for each.
//
// A scalar row with one bound is a pair (lambda - lower, s) or (upper - lambda, -s). Rows without bounds (s =
// 0) and with two are solved for lambda first (a Schur complement, exchanging lambda and s with the largest
// pivots), so that no unknown is measured from a bound far away; a row with two bounds then has s = y_l - y_u
// and the pairs (y_l, lambda - lower), (y_u, upper - lambda). Where that is impossible because rows depend on
// each other, a row without bounds keeps lambda = 0, and one with two has lambda = lower + z with the pairs
// (z, s + y), (y, upper - lower - z). A row with lower = upper is a constant.
//
// All of it is in the variables x of dense_dual.h, in which the numbers of M are around 1. M is copositive
// where W is positive semidefinite. The only error of a sliding contact is that of its polygon: friction
// prefers vertices.
//
// D. E. Stewart, J. C. Trinkle, An implicit time-stepping scheme for rigid body dynamics with inelastic
// collisions and Coulomb friction, IJNME 39, 1996; M. Anitescu, F. A. Potra, Nonlinear Dynamics 14, 1997.

#include "stiction/contact/complementarity/exchange_tableau.h"
#include "stiction/contact/dual/dense_dual.h"

namespace stiction {

// Vertex k of the section with radius 1.
void pyramid_vertex(const Pyramid& pyramid, int k, double* d);

class PyramidLcp {
 public:
  void begin(const DualProblem& problem, const Pyramid& pyramid);

  const MatX& M() const { return M_; }
  const VecX& q() const { return q_; }
  int size() const { return static_cast<int>(q_.size()); }
  const DenseDual& dense() const { return dense_; }

  // lambda from the unknowns; immovable blocks (rho = 0) keep theirs.
  void impulses(const DualProblem& problem, const VecX& z, VecX* lambda) const;

 private:
  // An entry of M that does not come from W.
  struct Coupling {
    int row = 0, column = 0;
    double value = 0.0;
  };
  int add_unknown(int row, int rows, double c0, double c1, double constant);
  void couple(int row, int column, double value) { couplings_.push_back({row, column, value}); }
  void solve_for_two_sided_rows(const DualProblem& problem);
  void add_contact(const DualBlock& block, const Pyramid& pyramid);
  void add_scalar(const DualBlock& block);

  DenseDual dense_;
  ExchangeTableau mixed_;        // (lambda of rows solved for, y of others) = T (y, x) + t
  std::vector<char> is_solved_;  // by row
  std::vector<PivotDirection> directions_;
  std::vector<double> constants_;
  std::vector<Coupling> couplings_;
  VecX start_;  // (y, x) at z = 0
  MatX M_;
  VecX q_;
  mutable VecX inputs_, outputs_;
};

}  // namespace stiction
