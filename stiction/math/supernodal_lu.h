#pragma once
// LU of a sparse unsymmetric matrix by Eigen's supernodal method, which is fast on large matrices and
// allocates; sparse_lu.h and grouped_lu.h do not. Its templates are compiled here and nowhere else.

#include <memory>

#include <Eigen/SparseCore>

#include "stiction/math/matrix.h"

namespace stiction {

class SupernodalLu {
 public:
  SupernodalLu();
  ~SupernodalLu();

  // False if a pivot is zero. All numbers must be finite.
  [[nodiscard]] bool factorise(const Eigen::SparseMatrix<double>& A);
  VecX solve(const VecX& b) const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

}  // namespace stiction
