#pragma once
// Lemke's method for linear problems with bounds and equations: find lower <= z <= upper with
//
//   F = M z + q,   F_i >= 0 at the lower bound, <= 0 at the upper one, = 0 in between (mixed_problem.h).
//
// Bounds become those of an ordinary complementarity problem in x >= 0:
//
//   lower bound only   z = l + x,   w = F
//   upper bound only   z = u - x,   w = -F
//   both               z = l + x,   w = F + y,   0 <= y  perp  u - l - x >= 0
//
// Equations are solved for the free unknowns, always with the largest pivot of all remaining equations and
// unknowns. Where their block is singular (circuits, mechanisms) and an equation e and an unknown f remain
// without a pivot, a complementary pair c with M_ec M_cf != 0 is used: e and the row of c are solved for f
// and x_c together, and w_c becomes the independent variable of the pair. What remains is an ordinary problem
// in the pairs (a principal transform, positive semidefinite if M is), for lcp_lemke.h.
//
// Where Lemke's path from z = bound ends on a ray, other bases are tried: some pairs are solved for their x
// beforehand, as if they were equations, first all of them, then halves. Bimatrix games, M >= 0 with a zero
// diagonal, need that: with any covering vector the first step is a ray.
//
// Rows and columns are scaled alike, M -> C M C, to numbers around 1. The round-off that the pivots leave in
// z is removed by a Newton step (linear_complementarity.h).

#include <vector>

#include "stiction/contact/complementarity/exchange_tableau.h"
#include "stiction/contact/complementarity/lcp_lemke.h"
#include "stiction/contact/complementarity/mixed_problem.h"

namespace stiction {

class MixedLemke {
 public:
  // singular: the equations depend on each other, and no pair helps.
  LcpReport solve(const MatX& M, const VecX& q, const VecX& lower, const VecX& upper, int max_pivots,
                  VecX* z);

 private:
  enum class Kind : std::uint8_t { free, pair, bound };

  // An unknown x of the problem with x >= 0: z_i = base_i + sign C_i x, or the multiplier y of an upper
  // bound.
  struct Unknown {
    int i;
    double sign;
    Kind kind;
  };

  void compute_scale(const MatX& M);
  void list_unknowns(const VecX& lower, const VecX& upper);
  LcpStatus solve_from_basis(int basis, int max_pivots, LcpReport* report);
  bool is_turned_first(int basis, int pair) const;
  void fill_first(const MatX& M, const VecX& q, const VecX& lower, const VecX& upper);
  bool solve_equations();
  bool pivot_on_largest();
  bool pivot_with_a_pair();
  int w_of(int k) const { return k; }
  int x_of(int k) const { return static_cast<int>(unknowns_.size()) + k; }

  // The row of the one of a pair that depends on the others, and the column of the one that does not.
  int dependent(int k) const { return tableau_.row_of(tableau_.is_basic(x_of(k)) ? x_of(k) : w_of(k)); }
  int independent(int k) const { return tableau_.column_of(tableau_.is_basic(x_of(k)) ? w_of(k) : x_of(k)); }

  std::vector<Unknown> unknowns_;
  std::vector<int> pairs_;                       // unknowns that are not free
  std::vector<int> left_equations_, left_free_;  // that have no pivot yet
  VecX base_, scale_, base_F_;
  ExchangeTableau tableau_;  // variables: w of each unknown, then x
  double least_pivot_ = 0.0;
  MatX first_T_;
  VecX first_t_;
  MatX pair_M_;
  VecX pair_q_, independent_, x_;
  Lemke lemke_;
};

}  // namespace stiction
