#include "stiction/simulation/contact/tree_branches.h"

#include "stiction/math/cholesky_structure.h"

namespace stiction {

void add_branches(const Forest& forest, const Tree& tree, std::vector<ProblemBranch>* branches) {
  const int n = tree.num_v();
  if (tree.is_free_body || n <= 2 * kTileSize) return;
  // By velocity, counted from the tree's first: its parent, and its number of children.
  std::vector<int> parent(n, -1), children(n, 0), branch_of(n, 0);
  for (int i = 0; i < n; ++i) {
    const Dof& dof = forest.dofs[tree.v_begin + i];
    if (dof.depth == 0) continue;
    parent[i] = forest.ancestor_dofs[dof.ancestors + dof.depth - 1] - tree.v_begin;
    ++children[parent[i]];
  }
  std::vector<ProblemBranch> chains;
  for (int i = 0; i < n; ++i) {
    const bool goes_on = i > 0 && parent[i] == i - 1 && children[i - 1] == 1;
    if (!goes_on) chains.push_back({i, i, parent[i] < 0 ? -1 : branch_of[parent[i]]});
    branch_of[i] = static_cast<int>(chains.size()) - 1;
    chains.back().end = i + 1;
  }
  std::vector<bool> has_child(chains.size(), false);
  for (const ProblemBranch& chain : chains) {
    if (chain.parent >= 0) has_child[chain.parent] = true;
  }
  // Neighbouring leaves with the same parent branch become one.
  std::vector<int> joined(chains.size(), 0);
  const std::size_t first = branches->size();
  bool can_grow = false;
  for (std::size_t k = 0; k < chains.size(); ++k) {
    ProblemBranch chain = chains[k];
    if (chain.parent >= 0) chain.parent = joined[chain.parent];
    ProblemBranch* last = can_grow ? &branches->back() : nullptr;
    if (last && !has_child[k] && last->parent == chain.parent && chain.end - last->begin <= kTileSize)
      last->end = chain.end;
    else
      branches->push_back(chain);
    joined[k] = static_cast<int>(branches->size() - first) - 1;
    can_grow = !has_child[k];
  }
  if (branches->size() == first + 1) branches->pop_back();
}

}  // namespace stiction
