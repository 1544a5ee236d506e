#include "stiction/contact/complementarity/row_system.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "stiction/math/simd.h"

namespace stiction {
namespace {

using namespace simd;

// A row or column is dependent if elimination leaves less than this share of it.
constexpr double kDependent = 1e-13;

}  // namespace

void RowSystem::set_groups(std::span<const int> groups) {
  if (std::equal(groups.begin(), groups.end(), groups_.begin(), groups_.end())) return;
  groups_.assign(groups.begin(), groups.end());
  has_new_groups_ = true;
}

void RowSystem::set_pattern(const SparseRows& pattern) {
  const int n = pattern.num_rows();
  if (is_dense(n)) return;
  const int analysed = has_groups() ? grouped_.size() : sparse_.size();
  if (n == analysed && !has_new_groups_ && pattern.row_begin == pattern_begin_ &&
      pattern.columns == pattern_columns_)
    return;
  has_new_groups_ = false;
  pattern_begin_ = pattern.row_begin;
  pattern_columns_ = pattern.columns;
  if (has_groups())
    grouped_.analyse(groups_, pattern_begin_, pattern_columns_);
  else
    sparse_.analyse(n, pattern_begin_, pattern_columns_);
}

bool RowSystem::factorise_by_groups(const SparseRows& A, const VecX& of_unit, const VecX& of_rows) {
  n_ = A.num_rows();
  rank_ = 0;
  double sum = 0.0;  // stays zero if all are finite
  for (const double value : A.values) sum += value - value;
  if (!(sum == 0.0)) return false;
  rank_ = grouped_.factorise(A.values, of_unit.data(), of_rows.data(), kDependent);
  return rank_ == n_;
}

bool RowSystem::factorise(const SparseRows& A) {
  n_ = A.num_rows();
  if (is_dense(n_)) return factorise_dense(A);
  if (has_groups()) {
    zeros_.setZero(n_);
    ones_.setOnes(n_);
    return factorise_by_groups(A, zeros_, ones_);
  }
  rank_ = 0;
  for (const double value : A.values)
    if (!std::isfinite(value)) return false;
  rank_ = sparse_.factorise(A.row_begin, A.columns, A.values, kDependent);
  return rank_ == n_;
}

bool RowSystem::factorise_dense(const SparseRows& A) {
  stride_ = padded(n_);
  rows_.assign(static_cast<std::size_t>(n_) * stride_, 0.0);
  exchanged_.resize(n_);
  step_column_.resize(n_);
  row_scale_.resize(n_);
  column_scale_.assign(n_, 0.0);
  y_.resize(n_);
  // Rows of like size, so that pivots can be compared.
  double sum = 0.0;
  for (int i = 0; i < n_; ++i) {
    double largest = 0.0;
    for (int e = A.row_begin[i]; e < A.row_begin[i + 1]; ++e)
      largest = std::max(largest, std::abs(A.values[e]));
    row_scale_[i] = largest > 0.0 ? 1.0 / largest : 1.0;
    double* row = &rows_[static_cast<std::size_t>(i) * stride_];
    for (int e = A.row_begin[i]; e < A.row_begin[i + 1]; ++e) {
      const int j = A.columns[e];
      row[j] = row_scale_[i] * A.values[e];
      column_scale_[j] = std::max(column_scale_[j], std::abs(row[j]));
      sum += row[j];
    }
  }
  rank_ = 0;
  if (!std::isfinite(sum)) return false;

  for (int c = 0; c < n_ && rank_ < n_; ++c) {
    // The largest number of the column becomes the pivot, if there is one.
    double* top = &rows_[static_cast<std::size_t>(rank_) * stride_];
    int best = rank_;
    double largest = 0.0;
    for (int i = rank_; i < n_; ++i) {
      const double size = std::abs(rows_[static_cast<std::size_t>(i) * stride_ + c]);
      if (size > largest) {
        largest = size;
        best = i;
      }
    }
    if (!(largest > kDependent * column_scale_[c])) continue;
    exchanged_[rank_] = best;
    step_column_[rank_] = c;
    if (best != rank_) std::swap_ranges(top, top + n_, &rows_[static_cast<std::size_t>(best) * stride_]);

    // Eliminate the rows below; the multipliers are stored in place of the numbers that become zero.
    const double inverse = 1.0 / top[c];
    const int first = (c + 1) & ~(kLanes - 1);
    for (int i = rank_ + 1; i < n_; ++i) {
      double* row = &rows_[static_cast<std::size_t>(i) * stride_];
      if (row[c] == 0.0) continue;
      const double factor = row[c] * inverse;
      if (first <= c)
        for (int j = c + 1; j < first + kLanes && j < n_; ++j) row[j] -= factor * top[j];
      const Pack factors = broadcast(factor);
      for (int j = first <= c ? first + kLanes : first; j < n_; j += kLanes)
        store(row + j, load(row + j) - factors * load(top + j));
      row[c] = factor;
    }
    ++rank_;
  }
  return rank_ == n_;
}

void RowSystem::solve_dense(const double* b, double* x) {
  for (int i = 0; i < n_; ++i) y_[i] = row_scale_[i] * b[i];
  for (int s = 0; s < rank_; ++s) std::swap(y_[s], y_[exchanged_[s]]);
  for (int i = 1; i < rank_; ++i) {
    const double* row = &rows_[static_cast<std::size_t>(i) * stride_];
    double sum = y_[i];
    for (int s = 0; s < i; ++s) sum -= row[step_column_[s]] * y_[s];
    y_[i] = sum;
  }
  std::fill(x, x + n_, 0.0);
  for (int s = rank_ - 1; s >= 0; --s) {
    const double* row = &rows_[static_cast<std::size_t>(s) * stride_];
    double sum = y_[s];
    for (int later = s + 1; later < rank_; ++later) {
      const int c = step_column_[later];
      sum -= row[c] * x[c];
    }
    x[step_column_[s]] = sum / row[step_column_[s]];
  }
}

void RowSystem::solve(const double* b, double* x) {
  if (is_dense(n_))
    solve_dense(b, x);
  else if (has_groups())
    grouped_.solve(b, x);
  else
    sparse_.solve(b, x);
}

void RowSystem::solve(const VecX& b, VecX* x) {
  x->resize(n_);
  solve(b.data(), x->data());
}

}  // namespace stiction
