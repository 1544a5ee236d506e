#include "stiction/math/grouped_lu.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "stiction/math/simd.h"

namespace stiction {
namespace {

using namespace simd;

constexpr double kPivotShare = 0.1;  // of the largest number of later groups in the column

}  // namespace

void GroupedLu::analyse(std::span<const int> group_begin, std::span<const int> row_begin,
                        std::span<const int> columns) {
  const int groups = static_cast<int>(group_begin.size()) - 1;
  n_ = group_begin[groups];
  group_begin_.assign(group_begin.begin(), group_begin.end());
  row_begin_.assign(row_begin.begin(), row_begin.end());
  columns_.assign(columns.begin(), columns.end());
  group_of_.resize(n_);
  weights_.resize(groups);
  for (int g = 0; g < groups; ++g) {
    weights_[g] = group_begin[g + 1] - group_begin[g];
    std::fill(group_of_.begin() + group_begin[g], group_of_.begin() + group_begin[g + 1], g);
  }

  // The order of elimination.
  pairs_.clear();
  for (int i = 0; i < n_; ++i) {
    int last = group_of_[i];
    for (int e = row_begin[i]; e < row_begin[i + 1]; ++e) {
      const int g = group_of_[columns[e]];
      if (g == last) continue;
      last = g;
      if (pairs_.empty() || pairs_.back() != BlockPair{group_of_[i], g}) pairs_.push_back({group_of_[i], g});
    }
  }
  graph_.build(groups, pairs_);
  minimum_degree_.compute(graph_, weights_, &order_);
  tree_.build(graph_, &order_);

  // The fronts, children before parents.
  fronts_.assign(groups, {});
  for (int k = 0; k < groups; ++k) {
    fronts_[k].first = group_begin[order_[k]];
    fronts_[k].own = weights_[order_[k]];
  }
  for (int k = groups - 1; k >= 0; --k) {
    const int parent = tree_.parent()[k];
    if (parent < 0) continue;
    fronts_[k].sibling = fronts_[parent].child;
    fronts_[parent].child = k;
  }
  border_.clear();
  borders_.clear();
  seen_.assign(groups, -1);
  for (int k = 0; k < groups; ++k) add_border(k);

  // Where the border of a front lies in the front of its parent.
  to_parent_.resize(border_.size());
  place_.assign(n_, -1);
  for (int k = 0; k < groups; ++k) {
    const Front& front = fronts_[k];
    for (int i = 0; i < front.own; ++i) place_[front.first + i] = i;
    for (int i = 0; i < front.border; ++i) place_[border_[front.border_begin + i]] = front.own + i;
    for (int c = front.child; c >= 0; c = fronts_[c].sibling)
      for (int i = fronts_[c].border_begin; i < fronts_[c].border_begin + fronts_[c].border; ++i)
        to_parent_[i] = place_[border_[i]];
  }
  add_runs(row_begin, columns);
  row_scale_.resize(n_);
  column_scale_.resize(n_);
  y_.resize(n_);
}

// The later groups that a group is coupled with, by the matrix or by the Schur complements of its children.
void GroupedLu::add_border(int k) {
  const std::vector<int>& position = tree_.position();
  Front& front = fronts_[k];
  borders_.clear();
  const auto add = [&](int at) {
    if (at <= k || seen_[at] == k) return;
    seen_[at] = k;
    borders_.push_back(at);
  };
  for (const int g : graph_.of(order_[k])) add(position[g]);
  for (int c = front.child; c >= 0; c = fronts_[c].sibling)
    for (int i = fronts_[c].border_begin; i < fronts_[c].border_begin + fronts_[c].border; ++i)
      add(position[group_of_[border_[i]]]);
  std::sort(borders_.begin(), borders_.end());
  front.border_begin = static_cast<int>(border_.size());
  for (const int at : borders_)
    for (int i = 0; i < fronts_[at].own; ++i) border_.push_back(fronts_[at].first + i);
  front.border = static_cast<int>(border_.size()) - front.border_begin;
}

// Every number of A belongs to the front of its row or of its column, whichever is eliminated first.
void GroupedLu::add_runs(std::span<const int> row_begin, std::span<const int> columns) {
  const std::vector<int>& position = tree_.position();
  runs_.clear();
  place_.assign(n_, -1);
  for (Front& front : fronts_) {
    const int k = static_cast<int>(&front - fronts_.data());
    for (int i = 0; i < front.own; ++i) place_[front.first + i] = i;
    for (int i = 0; i < front.border; ++i) place_[border_[front.border_begin + i]] = front.own + i;
    front.run_begin = static_cast<int>(runs_.size());
    const auto add_row = [&](int row, int entry_begin, int entry_end, bool is_own) {
      for (int e = entry_begin; e < entry_end; ++e) {
        const int at = position[group_of_[columns[e]]];
        if (is_own ? at < k : at != k) continue;
        const int place = place_[columns[e]];
        if (static_cast<int>(runs_.size()) > front.run_begin) {
          Run& last = runs_.back();
          if (last.row == row && last.entry + last.count == e && last.to_col + last.count == place) {
            ++last.count;
            continue;
          }
        }
        runs_.push_back({e, 1, row, place_[row], place});
      }
    };
    for (int i = 0; i < front.own; ++i)
      add_row(front.first + i, row_begin[front.first + i], row_begin[front.first + i + 1], true);
    for (int i = 0; i < front.border; ++i) {
      const int row = border_[front.border_begin + i];
      const auto begin = columns.begin() + row_begin[row], end = columns.begin() + row_begin[row + 1];
      const int from = static_cast<int>(std::lower_bound(begin, end, front.first) - columns.begin());
      const int to =
          static_cast<int>(std::lower_bound(begin, end, front.first + front.own) - columns.begin());
      add_row(row, from, to, false);
    }
    front.run_end = static_cast<int>(runs_.size());
  }
}

// Scales rows to the same size, so that pivots can be compared.
void GroupedLu::scale(std::span<const double> values, const double* of_unit, const double* of_rows) {
  std::fill(column_scale_.begin(), column_scale_.end(), 0.0);
  for (int i = 0; i < n_; ++i) {
    double largest = 0.0;
    for (int e = row_begin_[i]; e < row_begin_[i + 1]; ++e) largest = std::max(largest, std::abs(values[e]));
    largest = std::abs(of_rows[i]) * largest + std::abs(of_unit[i]);
    row_scale_[i] = largest > 0.0 ? 1.0 / largest : 1.0;
    const double factor = row_scale_[i] * std::abs(of_rows[i]);
    if (factor > 0.0) {
      for (int e = row_begin_[i]; e < row_begin_[i + 1]; ++e) {
        double& column = column_scale_[columns_[e]];
        column = std::max(column, factor * std::abs(values[e]));
      }
    }
    column_scale_[i] = std::max(column_scale_[i], row_scale_[i] * std::abs(of_unit[i]));
  }
}

int GroupedLu::factorise(std::span<const double> values, const double* of_unit, const double* of_rows,
                         double smallest) {
  scale(values, of_unit, of_rows);
  numbers_.clear();
  rows_.clear();
  cols_.clear();
  int rank = 0;
  for (Front& front : fronts_) {
    assemble(&front, values, of_unit, of_rows);
    eliminate(&front, smallest);
    rank += front.pivots;
  }
  return rank;
}

void GroupedLu::assemble(Front* front, std::span<const double> values, const double* of_unit,
                         const double* of_rows) {
  // The group, the delayed columns of its children, the later groups.
  int waiting = 0;
  for (int c = front->child; c >= 0; c = fronts_[c].sibling)
    waiting += fronts_[c].candidates - fronts_[c].pivots;
  front->candidates = front->own + waiting;
  front->pivots = 0;
  const int total = front->total();
  front->stride = padded(total);
  front->numbers = numbers_.size();
  front->ids = rows_.size();
  numbers_.resize(front->numbers + static_cast<std::size_t>(total) * front->stride, 0.0);
  double* F = numbers_.data() + front->numbers;
  for (int i = 0; i < front->own; ++i) rows_.push_back(front->first + i);
  for (int c = front->child; c >= 0; c = fronts_[c].sibling)
    for (int i = fronts_[c].pivots; i < fronts_[c].candidates; ++i)
      rows_.push_back(rows_[fronts_[c].ids + i]);
  for (int i = 0; i < front->border; ++i) rows_.push_back(border_[front->border_begin + i]);
  cols_.insert(cols_.end(), rows_.end() - total, rows_.end());
  int at = front->own;
  for (int c = front->child; c >= 0; c = fronts_[c].sibling)
    for (int i = fronts_[c].pivots; i < fronts_[c].candidates; ++i)
      cols_[front->ids + at++] = cols_[fronts_[c].ids + i];

  // Its part of the matrix.
  const auto shifted = [&](int place) { return place < front->own ? place : place + waiting; };
  for (int k = front->run_begin; k < front->run_end; ++k) {
    const Run& run = runs_[k];
    const double factor = row_scale_[run.row] * of_rows[run.row];
    if (factor == 0.0) continue;
    double* row = F + static_cast<std::size_t>(shifted(run.to_row)) * front->stride;
    // A run may pass from the group to the border.
    const int inside = std::clamp(front->own - run.to_col, 0, run.count);
    for (int j = 0; j < inside; ++j) row[run.to_col + j] = factor * values[run.entry + j];
    for (int j = inside; j < run.count; ++j) row[run.to_col + waiting + j] = factor * values[run.entry + j];
  }
  for (int i = 0; i < front->own; ++i)
    F[static_cast<std::size_t>(i) * front->stride + i] +=
        row_scale_[front->first + i] * of_unit[front->first + i];

  int place = front->own;
  for (int c = front->child; c >= 0; c = fronts_[c].sibling) {
    add_child(fronts_[c], place, *front, F);
    place += fronts_[c].candidates - fronts_[c].pivots;
  }
}

// Adds the Schur complement of a child. Its delayed rows and columns come at `place`.
void GroupedLu::add_child(const Front& child, int place, const Front& front, double* F) {
  const int count = child.total() - child.pivots, waiting = child.candidates - child.pivots;
  places_.resize(count);
  for (int i = 0; i < waiting; ++i) places_[i] = place + i;
  for (int i = 0; i < child.border; ++i) {
    const int to = to_parent_[child.border_begin + i];
    places_[waiting + i] = to < front.own ? to : to + front.candidates - front.own;
  }
  for (int i = 0; i < count; ++i) {
    const double* from = numbers_.data() + child.numbers +
                         static_cast<std::size_t>(child.pivots + i) * child.stride + child.pivots;
    double* to = F + static_cast<std::size_t>(places_[i]) * front.stride;
    for (int j = 0; j < count; ++j) to[places_[j]] += from[j];
  }
}

void GroupedLu::eliminate(Front* front, double smallest) {
  const int total = front->total(), stride = front->stride, candidates = front->candidates;
  double* F = numbers_.data() + front->numbers;
  int* rows = rows_.data() + front->ids;
  int* cols = cols_.data() + front->ids;
  const auto row = [&](int i) { return F + static_cast<std::size_t>(i) * stride; };
  int k = 0, last = candidates;  // columns from `last` on are delayed
  bool has_changed = false;      // since the last column was delayed
  while (true) {
    if (k == last) {
      if (!has_changed || last == candidates) break;
      last = candidates;
      has_changed = false;
    }
    int best = k;
    double largest = 0.0, beside = 0.0;
    for (int i = k; i < candidates; ++i) {
      const double size = std::abs(row(i)[k]);
      if (size > largest) {
        largest = size;
        best = i;
      }
    }
    for (int i = candidates; i < total; ++i) beside = std::max(beside, std::abs(row(i)[k]));
    if (!(largest > smallest * column_scale_[cols[k]]) || largest < kPivotShare * beside) {
      --last;
      if (last != k) {
        for (int i = 0; i < total; ++i) std::swap(row(i)[k], row(i)[last]);
        std::swap(cols[k], cols[last]);
      }
      continue;
    }
    double* top = row(k);
    if (best != k) {
      std::swap_ranges(top, top + stride, row(best));
      std::swap(rows[k], rows[best]);
    }

    // Rows below lose their multiple of it, which stays in the place of the number that it clears.
    const double inverse = 1.0 / top[k];
    const int first = padded(k + 1);
    for (int i = k + 1; i < total; ++i) {
      double* below = row(i);
      if (below[k] == 0.0) continue;
      const double factor = below[k] * inverse;
      below[k] = factor;
      for (int j = k + 1; j < first && j < total; ++j) below[j] -= factor * top[j];
      const Pack factors = broadcast(factor);
      for (int j = first; j < total; j += kLanes) store(below + j, load(below + j) - factors * load(top + j));
    }
    ++k;
    has_changed = true;
  }
  front->pivots = k;
}

void GroupedLu::solve(const double* b, double* x) {
  for (int i = 0; i < n_; ++i) y_[i] = row_scale_[i] * b[i];
  for (const Front& front : fronts_) {
    const double* F = numbers_.data() + front.numbers;
    const int* rows = rows_.data() + front.ids;
    local_.resize(std::max<std::size_t>(local_.size(), static_cast<std::size_t>(front.stride)));
    for (int i = 0; i < front.total(); ++i) {
      const double* row = F + static_cast<std::size_t>(i) * front.stride;
      double sum = y_[rows[i]];
      const int before = std::min(i, front.pivots);
      for (int p = 0; p < before; ++p) sum -= row[p] * local_[p];
      if (i < front.pivots) local_[i] = sum;
      y_[rows[i]] = sum;
    }
  }
  std::fill(x, x + n_, 0.0);
  for (auto front = fronts_.rbegin(); front != fronts_.rend(); ++front) {
    const double* F = numbers_.data() + front->numbers;
    const int *rows = rows_.data() + front->ids, *cols = cols_.data() + front->ids;
    for (int j = front->pivots; j < front->total(); ++j) local_[j] = x[cols[j]];
    for (int p = front->pivots - 1; p >= 0; --p) {
      const double* row = F + static_cast<std::size_t>(p) * front->stride;
      double sum = y_[rows[p]];
      for (int j = p + 1; j < front->total(); ++j) sum -= row[j] * local_[j];
      local_[p] = sum / row[p];
      x[cols[p]] = local_[p];
    }
  }
}

}  // namespace stiction
