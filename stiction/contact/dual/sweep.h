#pragma once
// Gauss-Seidel's view of a dual problem: the velocities of one block at the present impulses, which change
// one block at a time. By trees it keeps the velocities of the trees (no Delassus operator); explicit, or
// where it is asked to, it goes over the rows of W. Of a problem of few rows W can be written out after some
// sweeps (dense_rows.h), which pays where more are to come.

#include "stiction/contact/dual/dense_rows.h"

namespace stiction {

class DualSweep {
 public:
  void begin(const DualProblem& problem, const VecX& lambda, bool uses_delassus = false);
  // Goes over rows of a dense W from here on, if there are few. Velocities change by round-off.
  void write_out();
  const VecX& lambda() const { return lambda_; }
  // s of one block.
  void velocity(int block, double* s) const;
  // lambda of one block := value.
  void set(int block, const double* value);
  // All of lambda := x.
  void restart(const VecX& x);
  // Velocities once more from the impulses, against the sum of round-off.
  void refresh();

 private:
  enum class Form { trees, blocks, dense };

  const DualProblem* problem_ = nullptr;
  Form form_ = Form::trees;
  DualMatrix assembled_;
  const DualMatrix* matrix_ = nullptr;
  DenseRows rows_;
  AlignedVector<double> dense_lambda_;  // padded
  VecX lambda_, v_;
};

}  // namespace stiction
