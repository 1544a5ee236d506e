#pragma once
// The linear systems A x = b of a Newton method, A by rows: dense elimination with row pivoting for small
// ones, LU by groups (math/grouped_lu.h) where groups of unknowns are known, sparse LU (math/sparse_lu.h) for
// the others.
//
// Singular systems are common in complementarity problems (the slip speed of an open contact is arbitrary)
// and no failure: columns without a pivot get x = 0, dependent rows are left out. The answer then solves A x
// = b if that has a solution; rank() gives the number of pivots.

#include <vector>

#include "stiction/contact/complementarity/mixed_problem.h"
#include "stiction/math/aligned_vector.h"
#include "stiction/math/grouped_lu.h"
#include "stiction/math/sparse_lu.h"

namespace stiction {

class RowSystem {
 public:
  // Largest sizes for dense elimination.
  static constexpr int kMostDense = 200, kMostDenseOfGroups = 40;

  // Groups of the unknowns of the systems to come (MixedProblem::groups).
  void set_groups(std::span<const int> groups);
  bool is_dense(int n) const { return n <= (groups_.empty() ? kMostDense : kMostDenseOfGroups); }
  // A pattern that contains those of all A to come. Analysed if it is new.
  void set_pattern(const SparseRows& pattern);
  // False if A is singular or not finite.
  bool factorise(const SparseRows& A);
  // Factorises diag(of_unit) + diag(of_rows) A. Needs groups, and a size that is not dense.
  bool factorise_by_groups(const SparseRows& A, const VecX& of_unit, const VecX& of_rows);
  bool has_groups() const { return !groups_.empty(); }
  void solve(const VecX& b, VecX* x);
  // The same on plain arrays.
  void solve(const double* b, double* x);

  int rank() const { return rank_; }

 private:
  bool factorise_dense(const SparseRows& A);
  void solve_dense(const double* b, double* x);

  int n_ = 0, rank_ = 0;
  // Dense: rows of the echelon form, the row exchanged in each step, and its column.
  int stride_ = 0;
  AlignedVector<double> rows_;
  std::vector<int> exchanged_, step_column_;
  std::vector<double> row_scale_, column_scale_, y_;

  std::vector<int> pattern_begin_, pattern_columns_;
  SparseLu sparse_;

  std::vector<int> groups_;
  bool has_new_groups_ = false;
  GroupedLu grouped_;
  VecX zeros_, ones_;
};

}  // namespace stiction
