#pragma once
// A dual problem as one dense matrix, in variables in which all blocks weigh the same: with S = diag(sqrt
// rho), rho of the rows' block (kg),
//
//   lambda = S x,   y = S s = G x + g,   G = S (W + R) S,   g = S r.
//
// G has numbers around 1 on its diagonal whatever the masses are, and a contact's friction cone is the same
// one in x, because its rows share one rho. Rows of blocks that nothing moves (rho = 0) are zero in S and G.
// For the methods that pivot, which are for small islands.

#include "stiction/contact/dual/problem.h"

namespace stiction {

struct DenseDual {
  MatX G;
  VecX g;  // sqrt(J), like y
  VecX S;  // sqrt(kg)

  // Nothing allocates once the largest problem has been seen.
  void begin(const DualProblem& problem);
  bool is_finite() const { return G.allFinite() && g.allFinite(); }
  // m/s: what round-off leaves of s at lambda, the largest of all rows.
  double round_off(const VecX& lambda) const;
};

// A bound this far away is none.
inline constexpr double kNoBound = 1e299;
inline bool has_lower(const DualBlock& block) { return block.lower > -kNoBound; }
inline bool has_upper(const DualBlock& block) { return block.upper < kNoBound; }

// A variable z of a pivoting method as a direction in x: x = sum z_k (coefficients on `rows` rows from
// `row`). No rows: a multiplier that moves nothing by itself.
struct PivotDirection {
  int row = 0, rows = 0;
  double coefficients[2] = {1.0, 0.0};
};

// M = E' T E, E the directions as columns; x := E z + x.
void reduce(const MatX& T, const std::vector<PivotDirection>& E, MatX* M);
void add_directions(const std::vector<PivotDirection>& E, const VecX& z, VecX* x);
// E_k' y.
double along(const PivotDirection& direction, const VecX& y);

}  // namespace stiction
