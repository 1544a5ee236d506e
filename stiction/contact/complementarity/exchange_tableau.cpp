#include "stiction/contact/complementarity/exchange_tableau.h"

#include <cmath>
#include <numeric>

namespace stiction {

void ExchangeTableau::begin() {
  const int rows = num_rows(), columns = num_columns();
  row_variable_.resize(rows);
  column_variable_.resize(columns);
  place_.resize(rows + columns);
  std::iota(row_variable_.begin(), row_variable_.end(), 0);
  std::iota(column_variable_.begin(), column_variable_.end(), rows);
  for (int i = 0; i < rows; ++i) place_[i] = i;
  for (int j = 0; j < columns; ++j) place_[rows + j] = -1 - j;
}

void ExchangeTableau::exchange(int row, int column) {
  const double inverse = 1.0 / T(row, column);
  column_ = T.col(column) * inverse;
  row_ = T.row(row).transpose();
  // With these two zero, the update below leaves the pivot's row and column alone.
  column_[row] = 0.0;
  row_[column] = 0.0;
  T.noalias() -= column_ * row_.transpose();
  const double value = t[row];
  t.noalias() -= column_ * value;
  T.row(row) = -inverse * row_.transpose();
  T.col(column) = column_;
  T(row, column) = inverse;
  t[row] = -inverse * value;

  std::swap(row_variable_[row], column_variable_[column]);
  place_[row_variable_[row]] = row;
  place_[column_variable_[column]] = -1 - column;
}

bool ExchangeTableau::rebuild(const MatX& first_T, const VecX& first_t, double smallest) {
  wanted_.assign(place_.size(), 0);
  for (const int variable : row_variable_) wanted_[variable] = 1;
  T = first_T;
  t = first_t;
  begin();
  const double least = smallest * T.cwiseAbs().maxCoeff();
  while (true) {
    int best_row = -1, best_column = -1;
    double best = least;
    bool is_done = true;
    for (int j = 0; j < num_columns(); ++j) {
      if (!wanted_[column_variable_[j]]) continue;
      is_done = false;
      for (int i = 0; i < num_rows(); ++i) {
        if (wanted_[row_variable_[i]] || !(std::abs(T(i, j)) > best)) continue;
        best = std::abs(T(i, j));
        best_row = i;
        best_column = j;
      }
    }
    if (is_done) return true;
    if (best_row < 0) return false;
    exchange(best_row, best_column);
  }
}

}  // namespace stiction
