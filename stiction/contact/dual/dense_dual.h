#pragma once
// A dual problem as one dense matrix, scaled so that all blocks have similar numbers: with S = diag(sqrt
// rho), rho (kg) of the row's block,
//
//   lambda = S x,   y = S s = G x + g,   G = S (W + R) S,   g = S r.
//
// The diagonal of G is around 1 whatever the masses are, and a contact has the same friction cone in x,
// because its rows share one rho. Rows of immovable blocks (rho = 0) are zero in S and G. For the pivoting
// methods, which are for small islands.

#include "stiction/contact/dual/problem.h"

namespace stiction {

struct DenseDual {
  MatX G;
  VecX g;  // sqrt(J), like y
  VecX S;  // sqrt(kg)

  // Nothing allocates once the largest problem has been seen.
  void begin(const DualProblem& problem);
  bool is_finite() const { return G.allFinite() && g.allFinite(); }
  // m/s: the round-off of s at lambda, the largest of all rows.
  double round_off(const DualProblem& problem, const ErrorMeasure& measure, const VecX& lambda) const;
  // Whether an error at lambda is no more than that. Impulses that run away have a round-off above any error:
  // that is no answer.
  bool is_at_round_off(const DualProblem& problem, const ErrorMeasure& measure, const VecX& lambda,
                       double error) const;
};

// A bound beyond this is none.
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
