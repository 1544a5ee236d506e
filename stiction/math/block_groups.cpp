#include "stiction/math/block_groups.h"

#include <algorithm>
#include <numeric>

#include "stiction/math/cholesky_structure.h"

namespace stiction {

void BlockGroups::build_single(std::span<const int> sizes) {
  group_sizes_.assign(sizes.begin(), sizes.end());
  group_of_.resize(sizes.size());
  std::iota(group_of_.begin(), group_of_.end(), 0);
  list_members(sizes);
}

void BlockGroups::build(std::span<const int> sizes, const BlockGraph& graph, std::span<const int> order,
                        EliminationTree* tree) {
  const auto may_join = [](int size) { return size < kTileSize; };
  if (std::ranges::count_if(sizes, may_join) < 2) {
    build_single(sizes);
    return;
  }
  // At most this share of the rows of the parent's column may be new in the child's; one tile always may.
  constexpr double kMostAdded = 0.5;
  tree->count_rows_below(graph, order, sizes, &rows_below_);
  const int n = static_cast<int>(order.size());
  best_child_.assign(sizes.size(), -1);
  filled_.resize(sizes.size());
  for (int p = 0; p < n; ++p) {
    // Children come first: best_child_[p] is known.
    const int child = best_child_[p], size = sizes[order[p]];
    filled_[p] = size + (child >= 0 ? filled_[child] : 0);
    const int parent = tree->parent()[p];
    if (parent < 0 || filled_[p] + sizes[order[parent]] > kTileSize) continue;
    const int added = rows_below_[parent] - (rows_below_[p] - sizes[order[parent]]);
    if (added > std::max<double>(kTileSize, kMostAdded * rows_below_[parent])) continue;
    int& best = best_child_[parent];
    if (best < 0 || rows_below_[p] > rows_below_[best]) best = p;
  }

  if (std::ranges::all_of(best_child_, [](int child) { return child < 0; })) {
    build_single(sizes);
    return;
  }

  // From the last member of a group down to the first.
  group_of_.assign(sizes.size(), -1);
  group_sizes_.clear();
  for (int p = 0; p < n; ++p) {
    const int parent = tree->parent()[p];
    if (parent >= 0 && best_child_[parent] == p) continue;  // not the last one
    const int group = static_cast<int>(group_sizes_.size());
    group_sizes_.push_back(filled_[p]);
    for (int j = p; j >= 0; j = best_child_[j]) group_of_[order[j]] = group;
  }
  list_members(sizes);
}

void BlockGroups::list_members(std::span<const int> sizes) {
  members_begin_.assign(group_sizes_.size() + 1, 0);
  for (const int group : group_of_) ++members_begin_[group + 1];
  std::partial_sum(members_begin_.begin(), members_begin_.end(), members_begin_.begin());
  members_.resize(sizes.size());
  first_row_.resize(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i)
    members_[members_begin_[group_of_[i]]++] = static_cast<int>(i);
  for (std::size_t g = group_sizes_.size(); g > 0; --g) members_begin_[g] = members_begin_[g - 1];
  members_begin_[0] = 0;
  for (int g = 0; g < static_cast<int>(group_sizes_.size()); ++g) {
    int row = 0;
    for (const int i : members(g)) {
      first_row_[i] = row;
      row += sizes[i];
    }
  }
}

}  // namespace stiction
