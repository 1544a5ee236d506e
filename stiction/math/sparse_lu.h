#pragma once
// LU of a sparse unsymmetric matrix that may be singular, row by row:
//
//   A x = b,   row r_k of A = sum of U-multiples of the pivot rows before it, pivot in column c_k.
//
// The earlier pivot rows are subtracted from every row along their pattern only (depth-first search); then
// the largest number that is left becomes the pivot, with a preference for the diagonal where that is large
// enough. Rows are taken in an order of little fill (COLAMD), found once per pattern. A row that becomes zero
// depends on earlier ones and is skipped; the unknown without a row stays zero. The answer is then one of
// many, and solves A x = b if that has a solution.
//
// Workspaces grow to the largest factor seen; a second factorisation of the same pattern allocates nothing.
//
// J. R. Gilbert, T. Peierls, Sparse partial pivoting in time proportional to arithmetic operations, SIAM
// J. Sci. Stat. Comput. 9 (1988); T. A. Davis, Direct Methods for Sparse Linear Systems, 2006, chapter 6.

#include <span>
#include <vector>

#include "stiction/math/matrix.h"

namespace stiction {

class SparseLu {
 public:
  // Columns of a row may come in any order, each once. The pattern of later matrices may be any part of the
  // one analysed.
  void analyse(int n, std::span<const int> row_begin, std::span<const int> columns);
  // Returns the rank: rows that are left with `smallest` or less, relative to the largest number of the row,
  // are skipped.
  int factorise(std::span<const int> row_begin, std::span<const int> columns, std::span<const double> values,
                double smallest);
  // b and x must not be the same.
  void solve(const double* b, double* x) const;

  int size() const { return n_; }

 private:
  struct Entry {
    int index;
    double value;
  };

  void reach(int column);

  int n_ = 0;
  std::vector<int> order_;                   // row taken in step k
  std::vector<int> pivot_column_, step_of_;  // column of step k, -1 if skipped; step of column, -1 if none
  std::vector<double> pivot_;
  // By step: multiples of the earlier pivot rows (U transposed), and the pivot row for later ones.
  std::vector<int> lower_begin_, upper_begin_;
  std::vector<Entry> lower_, upper_;
  // Of the current row: its numbers by column, the columns touched, the steps it needs in topological order.
  VecX work_;
  std::vector<int> touched_, path_, path_next_, topological_;
  std::vector<int> mark_;
  int stamp_ = 0;
  mutable VecX y_;
};

}  // namespace stiction
