#pragma once
// Sparse rows over the velocities of a model: how the lengths of tendons and actuators change with the
// velocities, and how their forces act on the joints.
//
//   d/dt length_i = row_i . v,      tau = sum row_i' force_i
//
// The columns of a row are the velocities that can change its length, in ascending order without repetition.
// They are fixed when the model is compiled; a step only writes values, which may be zero.

#include <algorithm>
#include <span>
#include <vector>

#include "stiction/math/matrix.h"

namespace stiction {

struct MomentRows {
  std::vector<int> begin = {0};  // row i is [begin[i], begin[i + 1]) of the next two vectors
  std::vector<int> columns;      // velocities
  std::vector<double> values;    // m/rad, or 1

  int num_rows() const { return static_cast<int>(begin.size()) - 1; }
  std::span<const int> columns_of(int row) const {
    return {columns.data() + begin[row], static_cast<std::size_t>(begin[row + 1] - begin[row])};
  }
  std::span<const double> values_of(int row) const {
    return {values.data() + begin[row], static_cast<std::size_t>(begin[row + 1] - begin[row])};
  }

  double dot(int row, const double* v) const {
    double sum = 0.0;
    for (int k = begin[row]; k < begin[row + 1]; ++k) sum += values[k] * v[columns[k]];
    return sum;
  }
  // tau += force row'.
  void add(int row, double force, double* tau) const {
    for (int k = begin[row]; k < begin[row + 1]; ++k) tau[columns[k]] += values[k] * force;
  }

  // Adds a row of zeros; columns must ascend.
  void append(const std::vector<int>& row_columns) {
    columns.insert(columns.end(), row_columns.begin(), row_columns.end());
    values.resize(columns.size(), 0.0);
    begin.push_back(static_cast<int>(columns.size()));
  }
  // Index in `values` of a column of a row.
  int place(int row, int column) const {
    const auto first = columns.begin() + begin[row], last = columns.begin() + begin[row + 1];
    return static_cast<int>(std::lower_bound(first, last, column) - columns.begin());
  }
  VecX dense(int row, int num_v) const {
    VecX out = VecX::Zero(num_v);
    add(row, 1.0, out.data());
    return out;
  }
};

}  // namespace stiction
