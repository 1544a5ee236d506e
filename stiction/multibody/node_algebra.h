#pragma once
// Inertia times motion with the pseudo-inertia of kinematics.h: J = [Sigma h; h' m], four columns of four
// numbers.
//
//   I (s, t) = ( tr(Sigma) s - Sigma s + h x t,   m t + s x h )
//
// Fourth lanes of the results are not meaningful.

#include "stiction/math/simd.h"
#include "stiction/multibody/tree.h"

namespace stiction {

struct PackWrench {
  simd::Pack angular, linear;
};

// The angular part s is passed as a pack and as its numbers in memory, which the loads broadcast.
[[gnu::always_inline]] inline PackWrench apply_inertia(const double* J, const double* s_memory, simd::Pack s,
                                                       simd::Pack t) {
  using namespace simd;
  const double trace = J[0] + J[5] + J[10];
  const Pack h = load(J + 12);
  const Pack h1 = yzx(h);
  PackWrench F;
  F.angular = s * trace - multiply(J, s_memory) + yzx(h * yzx(t) - h1 * t);
  F.linear = t * J[15] + yzx(s * h1 - yzx(s) * h);
  return F;
}

// Sums kPacks packs per node from the leaves to the root: sums[n] = own(n) + the sums of the children of n.
// `own(n, sum)` adds the node's own part to the packs. The sum passed to the previous node, most often the
// parent, stays in registers; only forks receive theirs through memory.
template <int kPacks, class Own>
[[gnu::always_inline]] inline void sum_to_root(const Forest& forest, const Tree& tree, Own&& own,
                                               double* sums) {
  using namespace simd;
  constexpr int kSize = 4 * kPacks;
  for (int n : forest.forks_of(tree))
    for (int i = 0; i < kPacks; ++i) store(sums + kSize * n + 4 * i, zero());
  Pack sum[kPacks] = {};
  for (int n = tree.node_end - 1; n >= tree.node_begin; --n) {
    const Node& node = forest.nodes[n];
    double* to = sums + kSize * n;
    if (node.is_fork)
      for (int i = 0; i < kPacks; ++i) sum[i] += load(to + 4 * i);
    own(n, sum);
    for (int i = 0; i < kPacks; ++i) store(to + 4 * i, sum[i]);
    if (node.parent == n - 1) continue;
    if (node.parent >= 0) {
      double* parent = sums + kSize * node.parent;
      for (int i = 0; i < kPacks; ++i) store(parent + 4 * i, load(parent + 4 * i) + sum[i]);
    }
    for (int i = 0; i < kPacks; ++i) sum[i] = zero();
  }
}

// S . F for a motion whose fourth lanes are zero.
[[gnu::always_inline]] inline double power(simd::Pack s, simd::Pack t, const PackWrench& F) {
  return simd::sum(s * F.angular + t * F.linear);
}

}  // namespace stiction
