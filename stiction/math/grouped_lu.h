#pragma once
// LU of a sparse unsymmetric matrix whose rows and columns come in groups (the unknowns of a contact, the
// velocities of a body), by dense elimination of one group after the other.
//
// A minimum-degree order of the graph of groups (elimination_order.h) and its elimination tree keep the fill
// small. Every group has a front: the rows and columns of the group and of those later ones that it is
// coupled with,
//
//     ( F11  F12 )  the group, and columns delayed by its children
//     ( F21  F22 )  later groups,
//
// in which F11 is eliminated by columns with row pivots taken from F11 alone, and F22 - F21 F11^-1 F12 goes
// on to the parent in the tree. A column whose largest number in F11 is small compared with those in F21 is
// delayed to the parent: the impulse of a rigid contact has no pivot before the velocities that it changes
// are eliminated. Rows are scaled so that their largest number is one.
//
// A singular matrix is not a failure, as in sparse_lu.h: at the root, a column that is zero gets x = 0, and a
// row that is zero is skipped.
//
// Workspaces grow to the largest factor seen; a second factorisation of the same pattern allocates nothing.
//
// I. S. Duff, J. K. Reid, The multifrontal solution of unsymmetric sets of linear equations, SIAM J. Sci.
// Stat. Comput. 5 (1984).

#include <span>
#include <vector>

#include "stiction/math/aligned_vector.h"
#include "stiction/math/elimination_order.h"

namespace stiction {

class GroupedLu {
 public:
  // group_begin: the first row of every group, which is its first column too, and the number of rows. Columns
  // of a row ascend.
  void analyse(std::span<const int> group_begin, std::span<const int> row_begin,
               std::span<const int> columns);

  // Factorises diag(of_unit) + diag(of_rows) A, all numbers finite. Returns the rank: columns that are left
  // with `smallest` or less, relative to their original size, count as dependent.
  int factorise(std::span<const double> values, const double* of_unit, const double* of_rows,
                double smallest);
  // b and x must not be the same.
  void solve(const double* b, double* x);

  int size() const { return n_; }

 private:
  // Numbers of a row of A that lie side by side in a front.
  struct Run {
    int entry, count;    // in A
    int row;             // of A
    int to_row, to_col;  // in the front, not counting delayed columns of its children
  };
  struct Front {
    int first = 0, own = 0;            // rows of the group
    int border_begin = 0, border = 0;  // in border_
    int run_begin = 0, run_end = 0;
    int child = -1, sibling = -1;
    // Of the last factorisation.
    int candidates = 0, pivots = 0;  // rows of F11, those of them that were eliminated
    int stride = 0;
    std::size_t numbers = 0, ids = 0;  // where they begin
    int total() const { return candidates + border; }
  };

  void add_border(int k);
  void add_runs(std::span<const int> row_begin, std::span<const int> columns);
  void scale(std::span<const double> values, const double* of_unit, const double* of_rows);
  void assemble(Front* front, std::span<const double> values, const double* of_unit, const double* of_rows);
  void add_child(const Front& child, int waiting, const Front& front, double* F);
  void eliminate(Front* front, double smallest);

  int n_ = 0;
  std::vector<int> order_, group_of_, group_begin_, row_begin_, columns_;
  BlockGraph graph_;
  MinimumDegree minimum_degree_;
  EliminationTree tree_;
  std::vector<BlockPair> pairs_;
  std::vector<int> weights_;

  std::vector<Front> fronts_;   // in the order of elimination
  std::vector<int> border_;     // rows of later groups by front, in the order of elimination
  std::vector<int> to_parent_;  // by number of border_: place in the front of the parent
  std::vector<Run> runs_;
  std::vector<int> place_, seen_, borders_;  // work space of the analysis

  AlignedVector<double> numbers_;
  std::vector<int> rows_, cols_;  // of A, by row and column of every front
  std::vector<double> row_scale_, column_scale_, y_;
  std::vector<int> places_;
  AlignedVector<double> local_;
};

}  // namespace stiction
