#include "stiction/contact/newton/island_blocks.h"

#include <algorithm>

namespace stiction {

void IslandBlocks::set(const ContactProblem& problem, const Island& island,
                       const std::vector<int>& local_tree, const std::vector<int>& offsets, Kind kind) {
  kind_ = kind;
  for (std::vector<int>* list :
       {&sizes_, &first_, &parent_, &tree_of_, &block_of_, &tree_begin_, &patch_begin_, &patch_pairs_})
    list->clear();
  pairs_.clear();
  inner_pairs_.clear();
  if (kind == Kind::branches) std::fill(slots_.begin(), slots_.end(), -1);

  for (int i = island.tree_begin; i < island.tree_end; ++i) {
    const ProblemTree& tree = problem.trees[problem.island_trees[i]];
    const int offset = offsets[i - island.tree_begin], block = static_cast<int>(sizes_.size());
    tree_begin_.push_back(block);
    if (kind == Kind::trees || tree.branch_begin == tree.branch_end) {
      sizes_.push_back(tree.num_v);
      first_.push_back(offset);
      parent_.push_back(-1);
      tree_of_.push_back(i - island.tree_begin);
      block_of_.insert(block_of_.end(), static_cast<std::size_t>(tree.num_v), block);
      continue;
    }
    for (int k = tree.branch_begin; k < tree.branch_end; ++k) {
      const ProblemBranch& branch = problem.branches[k];
      const int index = static_cast<int>(sizes_.size());
      sizes_.push_back(branch.end - branch.begin);
      first_.push_back(offset + branch.begin);
      parent_.push_back(branch.parent < 0 ? -1 : block + branch.parent);
      block_of_.insert(block_of_.end(), static_cast<std::size_t>(sizes_.back()), index);
      tree_of_.push_back(i - island.tree_begin);
      for (int above = parent_.back(); above >= 0; above = parent_[above])
        couple_inside(i - island.tree_begin, index, above);
    }
  }
  tree_begin_.push_back(static_cast<int>(sizes_.size()));
  if (is_single()) return;  // no pairs

  deepest_.resize(problem.bodies.size());
  for (int i = island.body_begin; i < island.body_end; ++i) {
    const int index = problem.island_bodies[i];
    const ProblemBody& body = problem.bodies[index];
    const int tree = local_tree[body.tree];
    int deepest = tree_begin_[tree];
    if (tree_begin_[tree + 1] - deepest > 1 && body.columns > 0) {
      const int* dofs = problem.column_dofs.data() + body.column_begin;
      deepest = block_of_[offsets[tree] + *std::max_element(dofs, dofs + body.columns)];
    }
    deepest_[index] = deepest;
  }

  for (int k = island.patch_begin; k < island.patch_end; ++k) {
    const Patch& patch = problem.patches[k];
    patch_begin_.push_back(static_cast<int>(patch_pairs_.size()));
    if (problem.bodies[patch.a].tree < 0) continue;
    const int a = deepest_[patch.a], b = deepest_[patch.b];
    if (problem.bodies[patch.a].tree == problem.bodies[patch.b].tree) {
      add_inner_pairs(local_tree[problem.bodies[patch.a].tree], a, b);
      continue;
    }
    for (int below = b; below >= 0; below = parent_[below]) {
      for (int beside = a; beside >= 0; beside = parent_[beside])
        patch_pairs_.push_back(couple(below, beside));
    }
  }
  patch_begin_.push_back(static_cast<int>(patch_pairs_.size()));
}

// Whether `block` is `other` or one of its ancestors.
bool IslandBlocks::is_ancestor(int block, int other) const {
  while (other > block) other = parent_[other];
  return other == block;
}

// Pairs of two bodies of one tree that touch. A couples common ancestors with both already.
void IslandBlocks::add_inner_pairs(int tree, int a, int b) {
  for (int i = b; i >= 0 && !is_ancestor(i, a); i = parent_[i]) {
    for (int j = a; j >= 0 && !is_ancestor(j, b); j = parent_[j]) {
      couple_inside(tree, i, j);
    }
  }
}

void IslandBlocks::couple_inside(int tree, int i, int j) {
  const std::size_t before = pairs_.size();
  const int row = std::max(i, j), col = std::min(i, j), pair = find_or_add(row, col);
  if (pairs_.size() > before) inner_pairs_.push_back({row, col, pair, tree});
}

int IslandBlocks::couple(int i, int j) {
  if (kind_ == Kind::branches) return find_or_add(i, j);
  const bool is_last = !pairs_.empty() && pairs_.back().row == i && pairs_.back().col == j;
  if (!is_last) pairs_.push_back({i, j});
  return static_cast<int>(pairs_.size()) - 1;
}

static std::size_t hash_of(const BlockPair& pair) {
  const auto row = static_cast<std::size_t>(pair.row), col = static_cast<std::size_t>(pair.col);
  return (row * 0x9E3779B1u) ^ (col * 0x85EBCA77u) ^ (row >> 3);
}

int IslandBlocks::find_or_add(int i, int j) {
  constexpr std::size_t kFirstSize = 64;
  if (slots_.size() < 2 * (pairs_.size() + 1)) rehash(std::max(kFirstSize, 2 * slots_.size()));
  const BlockPair pair = {i, j};
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash_of(pair) & mask;
  for (; slots_[at] >= 0; at = (at + 1) & mask) {
    const BlockPair& other = pairs_[slots_[at]];
    if (other.row == i && other.col == j) return slots_[at];
  }
  slots_[at] = static_cast<int>(pairs_.size());
  pairs_.push_back(pair);
  return slots_[at];
}

void IslandBlocks::rehash(std::size_t size) {
  slots_.assign(size, -1);
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    std::size_t at = hash_of(pairs_[k]) & (size - 1);
    while (slots_[at] >= 0) at = (at + 1) & (size - 1);
    slots_[at] = static_cast<int>(k);
  }
}

}  // namespace stiction
