#pragma once
// The tableau of pivoting methods: a linear system that is solved for one variable after the other (Jordan
// exchange),
//
//   u = T v + t,    u the basic variables (rows), v the nonbasic ones (columns).
//
// Exchanging row i and column j, whose pivot is T_ij, makes v_j basic and u_i nonbasic:
//
//   T_ij -> 1/T_ij,   T_il -> -T_il/T_ij,   T_kj -> T_kj/T_ij,   T_kl -> T_kl - T_kj T_il/T_ij.
//
// Variables are numbered: at first rows are 0 .. rows - 1, columns rows .. rows + columns - 1. rebuild
// removes the round-off of many exchanges: it starts from the first T and t again and chooses its own pivots.

#include <vector>

#include "stiction/math/matrix.h"

namespace stiction {

class ExchangeTableau {
 public:
  MatX T;
  VecX t;

  // Numbers the variables, after T and t have been set.
  void begin();

  int num_rows() const { return static_cast<int>(t.size()); }
  int num_columns() const { return static_cast<int>(T.cols()); }
  int row_variable(int row) const { return row_variable_[row]; }
  int column_variable(int column) const { return column_variable_[column]; }
  bool is_basic(int variable) const { return place_[variable] >= 0; }
  // The row of a basic variable; the column of a nonbasic one.
  int row_of(int variable) const { return place_[variable]; }
  int column_of(int variable) const { return -1 - place_[variable]; }

  void exchange(int row, int column);

  // The tableau of the same basic variables from the first T and t, by exchanges with the largest pivots.
  // False if a pivot is below `smallest` times the largest number of T: the basis is singular.
  bool rebuild(const MatX& first_T, const VecX& first_t, double smallest);

 private:
  std::vector<int> row_variable_, column_variable_;
  std::vector<int> place_;  // row, or -1 - column
  std::vector<char> wanted_;
  VecX column_, row_;
};

}  // namespace stiction
