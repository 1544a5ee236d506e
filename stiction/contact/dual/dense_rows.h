#pragma once
// W + R of a dual problem of few rows as one dense matrix, stored by rows. With a dozen contacts a product
// with it is faster than one by way of the velocities of the trees, and Newton systems are assembled from its
// rows.
//
// By trees W = J Y' is computed on one side of the diagonal and mirrored; an explicit W, which may be
// slightly unsymmetric, is copied. Nothing allocates once the largest problem has been seen.

#include "stiction/contact/dual/problem.h"

namespace stiction {

class DenseRows {
 public:
  static constexpr int kFew = 64;  // rows, some twenty contacts: beyond, sweeps are faster without W
  static bool fits(const DualProblem& problem) { return problem.num_rows() <= kFew; }

  // The problem must live until the last call.
  void begin(const DualProblem& problem);

  int size() const { return size_; }
  int stride() const { return stride_; }  // numbers from row to row, a multiple of four; zeros beyond size
  const double* row(int i) const { return numbers_.data() + i * stride_; }

  // y = (W + R) x.
  void multiply(const VecX& x, VecX* y) const;
  // s = (W + R) lambda + r.
  void velocities(const VecX& lambda, VecX* s) const;
  // s of one block; lambda is aligned and padded with zeros to stride().
  void block_velocity(const DualBlock& block, const double* lambda, double* s) const;

 private:
  void add_trees(const DualProblem& problem);
  void add_blocks(const DualProblem& problem);

  const DualProblem* problem_ = nullptr;
  int size_ = 0, stride_ = 0;
  mutable AlignedVector<double> numbers_;  // rows, padded to a multiple of four, then a padded vector
};

}  // namespace stiction
