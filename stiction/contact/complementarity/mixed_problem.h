#pragma once
// Mixed complementarity problems: find z with lower <= z <= upper and, for every i,
//
//   F_i(z) >= 0 where z_i = lower_i,   F_i(z) <= 0 where z_i = upper_i,   F_i(z) = 0 between,
//
// i.e. z = mid(lower, z - F(z), upper). Equations have lower = -infinity and upper = +infinity, linear and
// nonlinear complementarity problems lower = 0 and upper = +infinity. F and its Jacobian are virtual
// functions, so that the source of the problem (a file, a geometrically implicit step) keeps its own data.

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "stiction/math/matrix.h"

namespace stiction {

constexpr double kNoBound = std::numeric_limits<double>::infinity();

// A sparse matrix by rows, columns ascending in each. The pattern may change from call to call; solvers
// analyse it again only where it does.
struct SparseRows {
  std::vector<int> row_begin;  // by row, and one more
  std::vector<int> columns;
  std::vector<double> values;

  int num_rows() const { return static_cast<int>(row_begin.size()) - 1; }
};

class MixedProblem {
 public:
  virtual ~MixedProblem() = default;

  VecX lower, upper;  // by unknown; -kNoBound, kNoBound: none
  // Groups of contiguous unknowns, with the equations of the same indices, that are strongly coupled
  // (math/grouped_lu.h): the first unknown of every group, then size(). Empty: no groups are known.
  std::vector<int> groups;

  int size() const { return static_cast<int>(lower.size()); }

  // F at z. False: F is not defined there, the solver takes a shorter step.
  virtual bool evaluate(const VecX& z, VecX* F) = 0;
  // F and dF/dz at z, which lies between the bounds up to round-off.
  virtual bool linearise(const VecX& z, VecX* F, SparseRows* jacobian) = 0;
};

// z - mid(lower, z - F, upper) of one unknown, written so that a large z does not hide a small F.
inline double min_map(double z, double F, double lower, double upper) {
  return std::min(std::max(z - upper, F), z - lower);
}

// The largest |z_i - mid(lower_i, z_i - F_i, upper_i)|: zero at solutions only. The residual check of all
// solvers of these problems.
double natural_residual(const MixedProblem& problem, const VecX& z, const VecX& F);

}  // namespace stiction
