#pragma once
// Dantzig's principal pivoting for a complementarity problem with bounds: find lower <= x <= upper with
//
//   w = M x + q,   w >= 0 where x = lower,  w <= 0 where x = upper,  w = 0 in between,
//
// M positive semidefinite, symmetric or not.
//
// A pair (x_k, w_k) is right if it lies on the staircase of its three conditions:
//
//   x = lower, w >= 0,      lower <= x <= upper, w = 0,      x = upper, w <= 0.
//
// One of the two is basic; the other is at a bound (x) or zero (w). Wrong pairs are corrected one after the
// other: the nonbasic variable of a wrong pair r is driven towards the staircase until
//
//   pair r reaches it,
//   or a right pair k reaches a corner of its own staircase. Its two variables are exchanged, with the pivot
//   M_kk of the present system, or those of k and r where M_kk = 0, and the drive continues.
//
// Right pairs stay right, and each drive leaves one wrong pair fewer. If nothing stops a drive, there is no
// solution. Ties are broken by the largest pivot, then the first pair; a drive that cycles nevertheless is
// restarted from a rebuilt tableau, a few times. Bounds may change between solutions (friction bounds that
// follow the normal impulse): the next solution starts from the present basis.
//
// G. B. Dantzig, R. W. Cottle; R. W. Cottle, J.-S. Pang, R. E. Stone, The Linear Complementarity Problem,
// 1992, section 4.3; D. Baraff, Fast contact force computation for nonpenetrating rigid bodies, SIGGRAPH
// 1994.

#include <vector>

#include "stiction/contact/complementarity/exchange_tableau.h"
#include "stiction/contact/complementarity/lcp_lemke.h"

namespace stiction {

class BoxPivoting {
 public:
  VecX lower, upper;  // may change between solutions; +-infinity, or 1e300, where there is none

  // All x at the bound that is nearest to `start`, or at it where there are no bounds. lower and upper must
  // be set; M must outlive the solutions.
  void begin(const MatX& M, const VecX& q, const VecX& start);
  // Changes a number of q, which is allowed like a change of a bound.
  void set_q(int k, double value);
  // Corrects wrong pairs in the order given, with at most max_pivots pivots.
  LcpReport solve(const std::vector<int>& order, int max_pivots);
  // The solution, within the bounds.
  void solution(VecX* x) const;

 private:
  // Position of an x that is not basic.
  enum class Place : std::int8_t { lower, upper, between };

  int w_of(int k) const { return k; }
  int x_of(int k) const { return n_ + k; }
  bool is_free(int k) const { return tableau_.is_basic(x_of(k)); }
  double x(int k) const { return value_[x_of(k)]; }
  double w(int k) const { return value_[w_of(k)]; }
  // +1: below the staircase, so x or w must grow; -1: above it; 0: on it.
  int wrong_side(int k) const;
  double distance_to_staircase(int r, double dx, double dw) const;
  double distance_to_corner(int k, double rate) const;
  LcpStatus drive(int r, int max_pivots);
  bool turn(int k, int r);
  void settle(int k);
  void place_nonbasic();
  void compute_basic();

  int n_ = 0;
  const MatX* M_ = nullptr;
  VecX q_;
  ExchangeTableau tableau_;
  VecX value_;  // by variable of the tableau: w 0 .. n-1, x n .. 2n-1
  std::vector<Place> place_;
  std::vector<char> is_right_;
  double slack_ = 0.0;  // of x and w: round-off
  LcpReport report_;
  int since_rebuild_ = 0;
  VecX nonbasic_, basic_;
};

}  // namespace stiction
