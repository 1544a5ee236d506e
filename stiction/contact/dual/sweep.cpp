#include "stiction/contact/dual/sweep.h"

#include <algorithm>

namespace stiction {

void DualSweep::begin(const DualProblem& problem, const VecX& lambda, bool uses_delassus) {
  problem_ = &problem;
  lambda_ = lambda;
  form_ = Form::trees;
  if (problem.is_explicit() || uses_delassus) {
    write_out();
    if (form_ == Form::dense) return;
    form_ = Form::blocks;
    matrix_ = &problem.W;
    if (!problem.is_explicit()) {
      problem.assemble(&assembled_);
      matrix_ = &assembled_;
    }
  }
  refresh();
}

void DualSweep::write_out() {
  if (form_ == Form::dense || !DenseRows::fits(*problem_)) return;
  form_ = Form::dense;
  rows_.begin(*problem_);
  dense_lambda_.assign(static_cast<std::size_t>(rows_.stride()), 0.0);
  refresh();
}

void DualSweep::restart(const VecX& x) {
  lambda_ = x;
  refresh();
}

void DualSweep::refresh() {
  if (form_ == Form::dense) std::copy(lambda_.begin(), lambda_.end(), dense_lambda_.begin());
  if (form_ != Form::trees) return;
  v_.setZero(problem_->num_velocities());
  for (int b = 0; b < problem_->num_blocks(); ++b)
    problem_->add_velocity(b, lambda_.data() + problem_->blocks[b].begin, v_.data());
}

void DualSweep::velocity(int b, double* s) const {
  const DualBlock& block = problem_->blocks[b];
  const int n = block.size();
  if (form_ == Form::dense) {
    rows_.block_velocity(block, dense_lambda_.data(), s);
    return;
  }
  if (form_ == Form::blocks) {
    std::fill(s, s + n, 0.0);
    for (int k = matrix_->row_begin[b]; k < matrix_->row_begin[b + 1]; ++k) {
      const DualBlock& other = problem_->blocks[matrix_->columns[k]];
      const double* B = matrix_->values.data() + matrix_->begin[k];
      const double* x = lambda_.data() + other.begin;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < other.size(); ++j) s[i] += B[i * other.size() + j] * x[j];
    }
  } else {
    problem_->row_velocity(b, v_.data(), s);
  }
  for (int i = block.begin; i < block.begin + n; ++i)
    s[i - block.begin] += problem_->r[i] + problem_->R[i] * lambda_[i];
}

void DualSweep::set(int b, const double* value) {
  const DualBlock& block = problem_->blocks[b];
  double change[kMostRows];
  for (int i = 0; i < block.size(); ++i) {
    change[i] = value[i] - lambda_[block.begin + i];
    lambda_[block.begin + i] = value[i];
  }
  if (form_ == Form::trees) problem_->add_velocity(b, change, v_.data());
  if (form_ == Form::dense) std::copy_n(value, block.size(), dense_lambda_.data() + block.begin);
}

}  // namespace stiction
