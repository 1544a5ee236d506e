#pragma once
// The velocities that move a node: its own and those of its ancestors, root first.

#include "stiction/multibody/tree.h"

namespace stiction {

struct VelocityPath {
  const int* ancestors;  // of the last one
  int last, size;

  int operator[](int k) const { return k == size - 1 ? last : ancestors[k]; }
};

inline VelocityPath velocity_path(const Forest& forest, int node) {
  while (node >= 0 && forest.nodes[node].num_v == 0) node = forest.nodes[node].parent;
  if (node < 0) return {nullptr, -1, 0};
  const int last = forest.nodes[node].v_begin + forest.nodes[node].num_v - 1;
  const Dof& dof = forest.dofs[last];
  return {forest.ancestor_dofs.data() + dof.ancestors, last, dof.depth + 1};
}

}  // namespace stiction
