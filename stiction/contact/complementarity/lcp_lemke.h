#pragma once
// Lemke's method for a linear complementarity problem: find z >= 0 with
//
//   w = M z + q >= 0,   z' w = 0.
//
// A variable z0 >= 0 with a covering vector d > 0 makes w = M z + d z0 + q >= 0. Starting at large z0, the
// method follows the path on which z_i w_i = 0 for all i: the complement of the variable that last left the
// basis enters, and the first basic variable that becomes zero leaves. It ends at a solution where z0 leaves,
// or on a ray where nothing stops the entering variable.
//
// Ties, against cycling: z0 leaves if it can; otherwise the lexicographic rule, which is that of q_i +
// eps^(i+1) in place of q_i for arbitrarily small eps. Ratios are tied if they are equal up to round-off;
// pivots that are tiny beside the largest of the tie are not used.
//
// Where M is copositive-plus (as all positive semidefinite M are), a ray proves that there is no solution.
// Otherwise there may be solutions nevertheless, and another covering vector may lead to one: four are tried
// (all ones first), which contact with large friction needs now and then. Exponential in the worst case: 2^n
// pivots on Murty's matrix.
//
// R. W. Cottle, J.-S. Pang, R. E. Stone, The Linear Complementarity Problem, 1992, sections 4.4 and 4.9.

#include <cstdint>
#include <vector>

#include "stiction/contact/complementarity/exchange_tableau.h"

namespace stiction {

enum class LcpStatus : std::uint8_t {
  solved,
  ray,         // no solution that the path leads to
  max_pivots,  // too many
  singular,    // the basis became singular by round-off
  not_finite,
};

struct LcpReport {
  LcpStatus status = LcpStatus::solved;
  int pivots = 0, rebuilds = 0;
};

// Workspaces grow to the largest problem seen.
class Lemke {
 public:
  LcpReport solve(const MatX& M, const VecX& q, int max_pivots, VecX* z);

 private:
  LcpStatus follow(const MatX& M, const VecX& q, int covering, int max_pivots);
  int leaving_row(int column) const;
  double perturbation(int row, int k) const;
  int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }

  int n_ = 0;
  double scale_ = 0.0;  // largest |q|
  LcpReport report_;
  ExchangeTableau tableau_;  // variables: w 0 .. n-1, z n .. 2n-1, z0 2n
  MatX first_T_;
  mutable std::vector<int> tied_;
};

}  // namespace stiction
