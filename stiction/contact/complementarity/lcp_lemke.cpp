#include "stiction/contact/complementarity/lcp_lemke.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr int kCoverings = 4;  // covering vectors that are tried
// Round-off of T, relative to the largest number of a column, and of t, relative to the largest |q|.
constexpr double kZeroPivot = 1e-10, kTie = 1e-12;
// Pivots smaller than this share of the largest of a tie are not used, whatever the lexicographic order.
constexpr double kPoorPivot = 1e-5;
constexpr double kSingular = 1e-14;
constexpr int kFewPivots = 64;  // between rebuilds, at least

// Positive numbers around 1: all equal, rising, falling, and spread over (1, 2) by the golden section.
double covering_number(int covering, int i, int n) {
  if (covering == 0) return 1.0;
  if (covering == 1) return 1.0 + static_cast<double>(i + 1) / n;
  if (covering == 2) return 1.0 + static_cast<double>(n - i) / n;
  const double x = 0.6180339887498949 * (i + 1);
  return 1.0 + x - std::floor(x);
}

}  // namespace

// Derivative of the basic variable of a row with respect to q_k.
double Lemke::perturbation(int row, int k) const {
  if (tableau_.is_basic(k)) return tableau_.row_of(k) == row ? 1.0 : 0.0;
  return -tableau_.T(row, tableau_.column_of(k));
}

// The row whose basic variable first reaches zero as the variable of the column grows; -1: none does.
int Lemke::leaving_row(int column) const {
  const auto rates = tableau_.T.col(column);
  const double least_pivot = kZeroPivot * rates.cwiseAbs().maxCoeff(), tie = kTie * scale_;
  double furthest = HUGE_VAL, largest_pivot = 0.0;
  for (int i = 0; i < n_; ++i)
    if (rates[i] < -least_pivot)
      furthest = std::min(furthest, (std::max(tableau_.t[i], 0.0) + tie) / -rates[i]);
  tied_.clear();
  for (int i = 0; i < n_; ++i) {
    if (!(rates[i] < -least_pivot) || std::max(tableau_.t[i], 0.0) > furthest * -rates[i]) continue;
    if (tableau_.row_variable(i) == 2 * n_) return i;
    tied_.push_back(i);
    largest_pivot = std::max(largest_pivot, -rates[i]);
  }
  std::erase_if(tied_, [&](int i) { return -rates[i] < kPoorPivot * largest_pivot; });
  for (int k = 0; k < n_ && tied_.size() > 1; ++k) {
    double least = HUGE_VAL;
    for (const int i : tied_) least = std::min(least, perturbation(i, k) / -rates[i]);
    const double limit = least + kTie * std::max(1.0, std::abs(least));
    std::erase_if(tied_, [&](int i) { return perturbation(i, k) / -rates[i] > limit; });
  }
  return tied_.empty() ? -1 : tied_.front();
}

LcpStatus Lemke::follow(const MatX& M, const VecX& q, int covering, int max_pivots) {
  const int z0 = 2 * n_;
  first_T_.resize(n_, n_ + 1);
  first_T_.leftCols(n_) = M;
  for (int i = 0; i < n_; ++i) first_T_(i, n_) = covering_number(covering, i, n_);
  tableau_.T = first_T_;
  tableau_.t = q;
  tableau_.begin();

  // Decrease z0 until the first w vanishes; ties by the order of the perturbed q.
  int row = 0;
  for (int i = 1; i < n_; ++i) {
    const double here = q[i] / first_T_(i, n_), best = q[row] / first_T_(row, n_);
    if (here <= best) row = i;
  }
  int entering = complement(tableau_.row_variable(row));
  tableau_.exchange(row, n_);
  int since_rebuild = 1;
  const int rebuild_after = std::max(kFewPivots, n_ / 2);
  for (++report_.pivots; report_.pivots < max_pivots; ++report_.pivots) {
    if (since_rebuild++ >= rebuild_after) {
      if (!tableau_.rebuild(first_T_, q, kSingular)) return LcpStatus::singular;
      ++report_.rebuilds;
      since_rebuild = 0;
    }
    const int column = tableau_.column_of(entering);
    row = leaving_row(column);
    if (row < 0) return LcpStatus::ray;
    const int leaving = tableau_.row_variable(row);
    tableau_.exchange(row, column);
    if (!std::isfinite(tableau_.t.sum())) return LcpStatus::not_finite;
    if (leaving == z0) {
      ++report_.pivots;
      // Recompute the solution from its basis, without the round-off of the exchanges.
      if (!tableau_.rebuild(first_T_, q, kSingular)) return LcpStatus::singular;
      ++report_.rebuilds;
      return LcpStatus::solved;
    }
    entering = complement(leaving);
  }
  return LcpStatus::max_pivots;
}

LcpReport Lemke::solve(const MatX& M, const VecX& q, int max_pivots, VecX* z) {
  report_ = {};
  n_ = static_cast<int>(q.size());
  z->setZero(n_);
  if (n_ == 0) return report_;
  if (!M.allFinite() || !q.allFinite()) {
    report_.status = LcpStatus::not_finite;
    return report_;
  }
  if (q.minCoeff() >= 0.0) return report_;
  scale_ = q.cwiseAbs().maxCoeff();
  report_.status = follow(M, q, 0, max_pivots);
  for (int covering = 1; covering < kCoverings && report_.status != LcpStatus::solved; ++covering) {
    const LcpStatus status = follow(M, q, covering, max_pivots);
    if (status == LcpStatus::solved || status == LcpStatus::max_pivots) report_.status = status;
    if (status == LcpStatus::max_pivots) break;
  }
  if (report_.status != LcpStatus::solved) return report_;
  for (int i = 0; i < n_; ++i)
    if (tableau_.is_basic(n_ + i)) (*z)[i] = std::max(0.0, tableau_.t[tableau_.row_of(n_ + i)]);
  return report_;
}

}  // namespace stiction
