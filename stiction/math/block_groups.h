#pragma once
// Small block rows joined into groups that fill a tile.
//
// The kernels of the factorisation work on tiles of six rows, full or not. A particle (three velocities)
// would leave half of its tile empty, a pendulum (one velocity) five sixths. So a block row j is joined with
// its parent p in the elimination tree where both fit into one tile: below p, the column of j has no rows
// that the column of p lacks, so that joining them adds to column j only the missing rows of p.

#include <span>
#include <vector>

#include "stiction/math/elimination_order.h"

namespace stiction {

class BlockGroups {
 public:
  // sizes[i] > 0: rows of block row i; graph: which of them share a block; order and tree: of the
  // elimination. A block row that is not joined is a group of its own. Allocates only while it grows.
  void build(std::span<const int> sizes, const BlockGraph& graph, std::span<const int> order,
             EliminationTree* tree);
  // Every block row a group of its own.
  void build_single(std::span<const int> sizes);

  // Groups are numbered in the order in which their last members are eliminated; if none are joined, as the
  // block rows.
  std::span<const int> sizes() const { return group_sizes_; }
  int group_of(int i) const { return group_of_[i]; }
  int first_row(int i) const { return first_row_[i]; }  // of block row i in its group
  std::span<const int> members(int group) const {       // in the order of their rows
    return {members_.data() + members_begin_[group], members_.data() + members_begin_[group + 1]};
  }
  bool is_joined() const { return group_sizes_.size() < group_of_.size(); }

 private:
  void list_members(std::span<const int> sizes);

  std::vector<int> group_of_, first_row_, group_sizes_, members_begin_, members_;
  // By position in elimination order: rows below the diagonal of a column, the child that is joined with it
  // (-1: none), rows of the group so far.
  std::vector<int> rows_below_, best_child_, filled_;
};

}  // namespace stiction
