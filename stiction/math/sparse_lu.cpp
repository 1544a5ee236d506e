#include "stiction/math/sparse_lu.h"

#include <algorithm>
#include <cmath>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

namespace stiction {
namespace {

constexpr double kDiagonalShare = 0.1;  // of the largest: a diagonal pivot this large keeps the fill low
constexpr int kMostStamps = 1 << 30;    // before marks begin again at zero

}  // namespace

void SparseLu::analyse(int n, std::span<const int> row_begin, std::span<const int> columns) {
  n_ = n;
  // COLAMD orders the columns of the transpose, which are our rows.
  Eigen::SparseMatrix<double> transposed(n, n);
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(columns.size());
  for (int i = 0; i < n; ++i)
    for (int e = row_begin[i]; e < row_begin[i + 1]; ++e) entries.emplace_back(columns[e], i, 1.0);
  transposed.setFromTriplets(entries.begin(), entries.end());
  Eigen::COLAMDOrdering<int>::PermutationType place_of_row;
  Eigen::COLAMDOrdering<int> colamd;
  colamd(transposed, place_of_row);
  order_.resize(n);
  for (int i = 0; i < n; ++i) order_[place_of_row.indices()[i]] = i;

  pivot_column_.resize(n);
  step_of_.resize(n);
  pivot_.resize(n);
  lower_begin_.resize(n + 1);
  upper_begin_.resize(n + 1);
  work_.setZero(n);
  mark_.assign(n, 0);
  stamp_ = 0;
  path_.reserve(n);
  path_next_.reserve(n);
  topological_.reserve(n);
  touched_.reserve(n);
  y_.resize(n);
}

// All columns that a number in `column` fills: depth first, through the pivot rows that eliminate it.
void SparseLu::reach(int column) {
  if (mark_[column] == stamp_) return;
  mark_[column] = stamp_;
  touched_.push_back(column);
  if (step_of_[column] < 0) return;
  path_.push_back(step_of_[column]);
  path_next_.push_back(upper_begin_[step_of_[column]]);
  while (!path_.empty()) {
    const int step = path_.back();
    bool is_done = true;
    for (int& e = path_next_.back(); e < upper_begin_[step + 1]; ++e) {
      const int next = upper_[e].index;
      if (mark_[next] == stamp_) continue;
      mark_[next] = stamp_;
      touched_.push_back(next);
      if (step_of_[next] < 0) continue;
      ++e;
      path_.push_back(step_of_[next]);
      path_next_.push_back(upper_begin_[step_of_[next]]);
      is_done = false;
      break;
    }
    if (!is_done) continue;
    topological_.push_back(step);
    path_.pop_back();
    path_next_.pop_back();
  }
}

int SparseLu::factorise(std::span<const int> row_begin, std::span<const int> columns,
                        std::span<const double> values, double smallest) {
  std::fill(step_of_.begin(), step_of_.end(), -1);
  if (stamp_ > kMostStamps) {
    std::fill(mark_.begin(), mark_.end(), 0);
    stamp_ = 0;
  }
  lower_.clear();
  upper_.clear();
  int rank = 0;
  for (int k = 0; k < n_; ++k) {
    const int row = order_[k];
    lower_begin_[k] = static_cast<int>(lower_.size());
    upper_begin_[k] = static_cast<int>(upper_.size());
    // The pattern of the row and the steps that it needs.
    ++stamp_;
    touched_.clear();
    topological_.clear();
    double row_scale = 0.0;
    for (int e = row_begin[row]; e < row_begin[row + 1]; ++e) {
      if (values[e] == 0.0) continue;
      reach(columns[e]);
      work_[columns[e]] = values[e];
      row_scale = std::max(row_scale, std::abs(values[e]));
    }
    // Last found first, so that a step comes before all steps that it fills.
    for (auto it = topological_.rbegin(); it != topological_.rend(); ++it) {
      const int step = *it;
      const double multiple = work_[pivot_column_[step]] / pivot_[step];
      if (multiple == 0.0) continue;
      lower_.push_back({step, multiple});
      for (int e = upper_begin_[step]; e < upper_begin_[step + 1]; ++e)
        work_[upper_[e].index] -= multiple * upper_[e].value;
    }
    // The pivot, and the rest of the row.
    int best = -1;
    double largest = smallest * row_scale;
    for (const int c : touched_) {
      if (step_of_[c] >= 0 || !(std::abs(work_[c]) > largest)) continue;
      largest = std::abs(work_[c]);
      best = c;
    }
    if (best >= 0 && mark_[row] == stamp_ && step_of_[row] < 0 &&
        std::abs(work_[row]) >= kDiagonalShare * largest)
      best = row;
    pivot_column_[k] = best;
    pivot_[k] = best >= 0 ? work_[best] : 1.0;
    for (const int c : touched_) {
      if (best >= 0 && step_of_[c] < 0 && c != best && work_[c] != 0.0) upper_.push_back({c, work_[c]});
      work_[c] = 0.0;
    }
    if (best >= 0) {
      step_of_[best] = k;
      ++rank;
    }
  }
  lower_begin_[n_] = static_cast<int>(lower_.size());
  upper_begin_[n_] = static_cast<int>(upper_.size());
  return rank;
}

void SparseLu::solve(const double* b, double* x) const {
  for (int k = 0; k < n_; ++k) {
    double y = pivot_column_[k] >= 0 ? b[order_[k]] : 0.0;
    if (pivot_column_[k] >= 0)
      for (int e = lower_begin_[k]; e < lower_begin_[k + 1]; ++e) y -= lower_[e].value * y_[lower_[e].index];
    y_[k] = y;
  }
  std::fill(x, x + n_, 0.0);
  for (int k = n_ - 1; k >= 0; --k) {
    if (pivot_column_[k] < 0) continue;
    double value = y_[k];
    for (int e = upper_begin_[k]; e < upper_begin_[k + 1]; ++e) value -= upper_[e].value * x[upper_[e].index];
    x[pivot_column_[k]] = value / pivot_[k];
  }
}

}  // namespace stiction
