#include "stiction/contact/dual/anderson.h"

#include <algorithm>
#include <cmath>

namespace stiction {

using ColumnMap = Eigen::Map<VecX>;

void Anderson::begin(int size) {
  size_ = size;
  const std::size_t numbers = static_cast<std::size_t>(kMemory) * static_cast<std::size_t>(size);
  if (Q_.size() < numbers) {
    Q_.resize(numbers);
    moves_.resize(numbers);
  }
  last_x_.resize(size);
  last_g_.resize(size);
  difference_.resize(size);
  theta_.resize(kMemory);
  for (int k = 0; k < kMemory; ++k) slots_[k] = k;
  clear();
}

void Anderson::clear() {
  columns_ = 0;
  has_last_ = false;
}

// Removes the first column of Q R; one rotation of neighbouring rows per column makes R triangular again.
void Anderson::drop_oldest() {
  for (int j = 0; j + 1 < columns_; ++j)
    for (int i = 0; i <= j + 1; ++i) R(i, j) = R(i, j + 1);
  --columns_;
  for (int j = 0; j < columns_; ++j) {
    const double a = R(j, j), b = R(j + 1, j), length = std::hypot(a, b);
    const double c = length > 0.0 ? a / length : 1.0, s = length > 0.0 ? b / length : 0.0;
    for (int k = j; k < columns_; ++k) {
      const double x = R(j, k), y = R(j + 1, k);
      R(j, k) = c * x + s * y;
      R(j + 1, k) = c * y - s * x;
    }
    double *p = Q(j), *q = Q(j + 1);
    for (int i = 0; i < size_; ++i) {
      const double x = p[i], y = q[i];
      p[i] = c * x + s * y;
      q[i] = c * y - s * x;
    }
  }
  std::rotate(slots_.begin(), slots_.begin() + 1, slots_.begin() + columns_ + 1);
}

// Appends difference_ as the last column. False: it depends on the others linearly, or is not finite.
bool Anderson::append() {
  const double length = difference_.norm();
  if (!(length > 0.0) || !std::isfinite(length)) return false;
  if (columns_ == kMemory) drop_oldest();
  for (;;) {
    ColumnMap q(Q(columns_), size_);
    q = difference_;
    for (int j = 0; j < columns_; ++j) R(j, columns_) = 0.0;
    for (int pass = 0; pass < 2; ++pass) {
      for (int j = 0; j < columns_; ++j) {
        const ColumnMap other(Q(j), size_);
        const double along = other.dot(q);
        R(j, columns_) += along;
        q -= along * other;
      }
    }
    const double rest = q.norm();
    if (rest > kDependent * length) {
      R(columns_, columns_) = rest;
      q /= rest;
      return true;
    }
    if (columns_ == 0) return false;
    drop_oldest();
  }
}

bool Anderson::mix(const VecX& x, const VecX& g, const VecX& weights, VecX* next) {
  *next = x + g;
  if (has_last_) {
    difference_ = weights.cwiseProduct(g - last_g_);
    if (append()) {
      ColumnMap(moves_.data() + slots_[columns_] * size_, size_) = *next - last_x_ - last_g_;
      ++columns_;
    }
  }
  has_last_ = true;
  last_x_ = x;
  last_g_ = g;
  if (columns_ == 0) return false;

  difference_ = weights.cwiseProduct(g);
  for (int j = 0; j < columns_; ++j) theta_[j] = ColumnMap(Q(j), size_).dot(difference_);
  for (int j = columns_ - 1; j >= 0; --j) {
    for (int k = j + 1; k < columns_; ++k) theta_[j] -= R(j, k) * theta_[k];
    theta_[j] /= R(j, j);
  }
  for (int j = 0; j < columns_; ++j) *next -= theta_[j] * ColumnMap(moves_.data() + slots_[j] * size_, size_);
  // Inexact solves may give two different steps at the same x, whose combination does not move.
  const double least = kStandstill * difference_.norm();
  difference_ = weights.cwiseProduct(*next - x);
  if (next->allFinite() && difference_.norm() > least) return true;
  *next = x + g;
  clear();
  return false;
}

}  // namespace stiction
