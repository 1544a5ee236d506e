#include "stiction/contact/complementarity/mixed_lemke.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kZeroPivot = 1e-14;  // relative to the largest number of the scaled M
constexpr int kBases = 6;             // bases that are tried

}  // namespace

// C_i such that C_i^2 times the geometric mean of the largest numbers of row i and column i is about 1.
// Powers of two, which add no round-off.
void MixedLemke::compute_scale(const MatX& M) {
  const int n = static_cast<int>(M.rows());
  scale_.resize(n);
  for (int i = 0; i < n; ++i) {
    const double size = std::sqrt(M.row(i).cwiseAbs().maxCoeff() * M.col(i).cwiseAbs().maxCoeff());
    scale_[i] = size > 0.0 && std::isfinite(size) ? std::exp2(std::round(-0.5 * std::log2(size))) : 1.0;
  }
}

void MixedLemke::list_unknowns(const VecX& lower, const VecX& upper) {
  unknowns_.clear();
  pairs_.clear();
  const int n = static_cast<int>(lower.size());
  base_.resize(n);
  const auto add = [&](int i, double sign, Kind kind) {
    if (kind != Kind::free) pairs_.push_back(static_cast<int>(unknowns_.size()));
    unknowns_.push_back({i, sign, kind});
  };
  for (int i = 0; i < n; ++i) {
    const bool has_lower = std::isfinite(lower[i]), has_upper = std::isfinite(upper[i]);
    base_[i] = has_lower ? lower[i] : has_upper ? upper[i] : 0.0;
    if (!has_lower && !has_upper) add(i, 1.0, Kind::free);
    if (has_lower && !(lower[i] < upper[i])) continue;  // fixed: no unknown
    if (has_lower) add(i, 1.0, Kind::pair);
    if (has_lower && has_upper) add(i, 1.0, Kind::bound);
    if (!has_lower && has_upper) add(i, -1.0, Kind::pair);
  }
}

void MixedLemke::fill_first(const MatX& M, const VecX& q, const VecX& lower, const VecX& upper) {
  const int size = static_cast<int>(unknowns_.size());
  base_F_.noalias() = M * base_;
  base_F_ += q;
  MatX& T = first_T_;
  VecX& t = first_t_;
  T.setZero(size, size);
  t.resize(size);
  for (int r = 0; r < size; ++r) {
    const Unknown& row = unknowns_[r];
    if (row.kind == Kind::bound) {
      // The multiplier of the upper bound of the unknown before it, in the same units.
      T(r, r - 1) = -1.0;
      T(r - 1, r) = 1.0;
      t[r] = (upper[row.i] - lower[row.i]) / scale_[row.i];
      continue;
    }
    t[r] = row.sign * scale_[row.i] * base_F_[row.i];
    for (int c = 0; c < size; ++c) {
      const Unknown& column = unknowns_[c];
      if (column.kind != Kind::bound)
        T(r, c) = row.sign * column.sign * scale_[row.i] * scale_[column.i] * M(row.i, column.i);
    }
  }
  least_pivot_ = size > 0 ? kZeroPivot * T.cwiseAbs().maxCoeff() : 0.0;
}

// Solves one of the remaining equations for one of the remaining free unknowns.
bool MixedLemke::pivot_on_largest() {
  double largest = least_pivot_;
  std::size_t best_e = 0, best_f = 0;
  for (std::size_t e = 0; e < left_equations_.size(); ++e) {
    for (std::size_t f = 0; f < left_free_.size(); ++f) {
      const double size = std::abs(
          tableau_.T(tableau_.row_of(w_of(left_equations_[e])), tableau_.column_of(x_of(left_free_[f]))));
      if (!(size > largest)) continue;
      largest = size;
      best_e = e;
      best_f = f;
    }
  }
  if (!(largest > least_pivot_)) return false;
  tableau_.exchange(tableau_.row_of(w_of(left_equations_[best_e])),
                    tableau_.column_of(x_of(left_free_[best_f])));
  left_equations_.erase(left_equations_.begin() + static_cast<std::ptrdiff_t>(best_e));
  left_free_.erase(left_free_.begin() + static_cast<std::ptrdiff_t>(best_f));
  return true;
}

// The same by way of the pair with the largest product of pivots.
bool MixedLemke::pivot_with_a_pair() {
  const MatX& T = tableau_.T;
  double largest = least_pivot_;
  std::size_t best_e = 0, best_f = 0;
  int best_row = -1, best_column = -1;
  for (const int k : pairs_) {
    // Pairs that are treated as equations may be half exchanged, and cannot be used.
    if (tableau_.is_basic(x_of(k)) == tableau_.is_basic(w_of(k))) continue;
    if (std::find(left_free_.begin(), left_free_.end(), k) != left_free_.end()) continue;
    const int row = dependent(k), column = independent(k);
    for (std::size_t e = 0; e < left_equations_.size(); ++e) {
      const double first = std::abs(T(tableau_.row_of(w_of(left_equations_[e])), column));
      for (std::size_t f = 0; f < left_free_.size(); ++f) {
        const double size = std::min(first, std::abs(T(row, tableau_.column_of(x_of(left_free_[f])))));
        if (!(size > largest)) continue;
        largest = size;
        best_e = e;
        best_f = f;
        best_row = row;
        best_column = column;
      }
    }
  }
  if (best_row < 0) return false;
  // The first exchange leaves the other row and column where they are.
  tableau_.exchange(tableau_.row_of(w_of(left_equations_[best_e])), best_column);
  tableau_.exchange(best_row, tableau_.column_of(x_of(left_free_[best_f])));
  left_equations_.erase(left_equations_.begin() + static_cast<std::ptrdiff_t>(best_e));
  left_free_.erase(left_free_.begin() + static_cast<std::ptrdiff_t>(best_f));
  return true;
}

bool MixedLemke::solve_equations() {
  while (!left_equations_.empty())
    if (!pivot_on_largest() && !pivot_with_a_pair()) return false;
  return true;
}

// Which pairs are solved for x beforehand in a basis: none, all, and different halves.
bool MixedLemke::is_turned_first(int basis, int pair) const {
  if (basis <= 1) return basis == 1;
  const double x = 0.6180339887498949 * (basis * (pair + 1) + pair / 3);
  return x - std::floor(x) < 0.5;
}

LcpStatus MixedLemke::solve_from_basis(int basis, int max_pivots, LcpReport* report) {
  tableau_.T = first_T_;
  tableau_.t = first_t_;
  tableau_.begin();
  left_equations_.clear();
  int pair = 0;
  for (int k = 0; k < static_cast<int>(unknowns_.size()); ++k)
    if (unknowns_[k].kind == Kind::free || is_turned_first(basis, pair++)) left_equations_.push_back(k);
  left_free_ = left_equations_;
  if (!solve_equations()) return LcpStatus::singular;

  // The ordinary problem in the pairs; in those solved beforehand x depends on w.
  const int pairs = static_cast<int>(pairs_.size());
  pair_M_.resize(pairs, pairs);
  pair_q_.resize(pairs);
  for (int r = 0; r < pairs; ++r) {
    const int row = dependent(pairs_[r]);
    pair_q_[r] = tableau_.t[row];
    for (int c = 0; c < pairs; ++c) pair_M_(r, c) = tableau_.T(row, independent(pairs_[c]));
  }
  const LcpReport one = lemke_.solve(pair_M_, pair_q_, max_pivots - report->pivots, &x_);
  report->pivots += one.pivots;
  report->rebuilds += one.rebuilds;
  return one.status;
}

LcpReport MixedLemke::solve(const MatX& M, const VecX& q, const VecX& lower, const VecX& upper,
                            int max_pivots, VecX* z) {
  LcpReport report;
  compute_scale(M);
  list_unknowns(lower, upper);
  *z = base_;
  if (!M.allFinite() || !q.allFinite()) {
    report.status = LcpStatus::not_finite;
    return report;
  }
  fill_first(M, q, lower, upper);
  report.status = solve_from_basis(0, max_pivots, &report);
  for (int basis = 1; basis < kBases && report.status == LcpStatus::ray; ++basis)
    if (solve_from_basis(basis, max_pivots, &report) == LcpStatus::solved) report.status = LcpStatus::solved;
  if (report.status != LcpStatus::solved) return report;

  // Back to all unknowns; the w of equations stay zero.
  independent_.setZero(tableau_.num_columns());
  for (int c = 0; c < static_cast<int>(pairs_.size()); ++c) independent_[independent(pairs_[c])] = x_[c];
  for (int k = 0; k < static_cast<int>(unknowns_.size()); ++k) {
    const Unknown& unknown = unknowns_[k];
    if (unknown.kind == Kind::bound) continue;
    double x = 0.0;
    if (tableau_.is_basic(x_of(k))) {
      const int row = tableau_.row_of(x_of(k));
      x = tableau_.T.row(row).dot(independent_) + tableau_.t[row];
    } else {
      x = independent_[tableau_.column_of(x_of(k))];
    }
    // Up to round-off x is not negative.
    if (unknown.kind == Kind::pair) x = std::max(0.0, x);
    (*z)[unknown.i] += unknown.sign * scale_[unknown.i] * x;
  }
  return report;
}

}  // namespace stiction
