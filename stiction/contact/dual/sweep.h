#pragma once
// What Gauss-Seidel needs of a dual problem: the velocity s of one block at the present impulses, which
// change one block at a time. By trees it keeps the velocities of the trees and needs no Delassus matrix; for
// an explicit problem, or on request, it uses the rows of W. Where there are few rows, W can be written out
// as a dense matrix after some sweeps (dense_rows.h), which pays if more sweeps follow.

#include "stiction/contact/dual/dense_rows.h"

namespace stiction {

class DualSweep {
 public:
  void begin(const DualProblem& problem, const VecX& lambda, bool uses_delassus = false);
  // Uses the rows of a dense W from here on, if there are few. Velocities change by round-off.
  void write_out();
  const VecX& lambda() const { return lambda_; }
  // s of one block.
  void velocity(int block, double* s) const;
  // lambda of one block := value.
  void set(int block, const double* value);
  // All of lambda := x.
  void restart(const VecX& x);
  // Recomputes the velocities from the impulses, since updates accumulate round-off.
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
