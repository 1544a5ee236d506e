// Solving with the factor of mass_matrix.h.

#include <algorithm>

#include "stiction/math/simd.h"
#include "stiction/multibody/free_body.h"
#include "stiction/multibody/mass_matrix.h"

namespace stiction {

using namespace simd;

namespace {

// Both sweeps gather: y_d from the descendants of d, which follow it directly, then x_d from its ancestors.
void solve_shallow_tree(const Forest& forest, const Tree& tree, const double* L, const double* inverse,
                        double* x) {
  const int* rows = forest.dof_rows.data();
  for (int d = tree.v_end - 2; d >= tree.v_begin; --d) {
    const Dof& dof = forest.dofs[d];
    const double* column = L + dof.depth;
    double even = x[d], odd = 0.0;
    int e = dof.subtree_end - 1;
    for (; e > d + 1; e -= 2) {
      even -= column[rows[e]] * x[e];
      odd -= column[rows[e - 1]] * x[e - 1];
    }
    if (e > d) even -= column[rows[e]] * x[e];
    x[d] = even + odd;
  }
  for (int d = tree.v_begin; d < tree.v_end; ++d) {
    const Dof& dof = forest.dofs[d];
    const double* row = L + dof.row;
    const int* above = forest.ancestor_dofs.data() + dof.ancestors;
    double even = x[d] * inverse[d], odd = 0.0;
    int k = 0;
    for (; k + 1 < dof.depth; k += 2) {
      even -= row[k] * x[above[k]];
      odd -= row[k + 1] * x[above[k + 1]];
    }
    if (k < dof.depth) even -= row[k] * x[above[k]];
    x[d] = even + odd;
  }
}

}  // namespace

void solve_tree(const Forest& forest, const MassMatrix& M, int t, double* x) {
  const Tree& tree = forest.trees[t];
  const double* L = M.factor.data();
  if (tree.is_free_body) {
    const Dof* dofs = forest.dofs.data() + tree.v_begin;
    const FreeBodyFactor factor = {L[dofs[1].row], L[dofs[2].row], L[dofs[2].row + 1]};
    solve_free_body(factor, M.inverse_diagonal.data() + tree.v_begin, x + tree.v_begin);
    return;
  }
  if (tree.max_depth < kShortRow) {
    solve_shallow_tree(forest, tree, L, M.inverse_diagonal.data(), x);
    return;
  }
  // L' y = x, from the leaves: every velocity is subtracted from its ancestors.
  for (int d = tree.v_end - 1; d > tree.v_begin; --d) {
    const Dof& dof = forest.dofs[d];
    const double* row = L + dof.row;
    const double xd = x[d];
    int depth = 0;
    for (int r = dof.range_begin; r < dof.range_end; ++r) {
      const DofRange& range = forest.ranges[r];
      double* xr = x + range.begin;
      const int n = std::min(range.count, dof.depth - depth);
      int j = 0;
      for (; j + kLanes <= n; j += kLanes)
        store_unaligned(xr + j, load_unaligned(xr + j) - xd * load_unaligned(row + depth + j));
      for (; j < n; ++j) xr[j] -= xd * row[depth + j];
      depth += n;
    }
  }
  for (int d = tree.v_begin; d < tree.v_end; ++d) x[d] *= M.inverse_diagonal[d];
  // L x = y, from the root.
  for (int d = tree.v_begin + 1; d < tree.v_end; ++d) {
    const Dof& dof = forest.dofs[d];
    const double* row = L + dof.row;
    Pack sums = zero();
    double rest = 0.0;
    int depth = 0;
    for (int r = dof.range_begin; r < dof.range_end; ++r) {
      const DofRange& range = forest.ranges[r];
      const double* xr = x + range.begin;
      const int n = std::min(range.count, dof.depth - depth);
      int j = 0;
      for (; j + kLanes <= n; j += kLanes) sums += load_unaligned(xr + j) * load_unaligned(row + depth + j);
      for (; j < n; ++j) rest += xr[j] * row[depth + j];
      depth += n;
    }
    x[d] -= sum(sums) + rest;
  }
}

void solve(const Forest& forest, const MassMatrix& M, double* x) {
  for (int t = 0; t < static_cast<int>(forest.trees.size()); ++t) solve_tree(forest, M, t, x);
}

namespace {

// One band of kPacks packs of the right-hand sides: both sweeps gather into registers, so that every number
// is stored once.
template <int kPacks>
void solve_band(const Forest& forest, const MassMatrix& M, const Tree& tree, int stride, double* x) {
  const double* L = M.factor.data();
  double* base = x - static_cast<std::ptrdiff_t>(tree.v_begin) * stride;
  const auto row_of = [&](int d) { return base + static_cast<std::ptrdiff_t>(d) * stride; };
  // L' y = x: every velocity from its descendants, which follow it directly.
  for (int d = tree.v_end - 2; d >= tree.v_begin; --d) {
    const Dof& dof = forest.dofs[d];
    Pack sum[kPacks];
    for (int i = 0; i < kPacks; ++i) sum[i] = load(row_of(d) + 4 * i);
    for (int e = d + 1; e < dof.subtree_end; ++e) {
      const double* below = row_of(e);
      const Pack c = broadcast(L[forest.dofs[e].row + dof.depth]);
      for (int i = 0; i < kPacks; ++i) sum[i] -= c * load(below + 4 * i);
    }
    for (int i = 0; i < kPacks; ++i) store(row_of(d) + 4 * i, sum[i]);
  }
  // D z = y and L x = z, from the root.
  for (int d = tree.v_begin; d < tree.v_end; ++d) {
    const Dof& dof = forest.dofs[d];
    const double* row = L + dof.row;
    Pack sum[kPacks];
    const Pack inverse = broadcast(M.inverse_diagonal[d]);
    for (int i = 0; i < kPacks; ++i) sum[i] = load(row_of(d) + 4 * i) * inverse;
    int left = dof.depth;
    for (int r = dof.range_begin; left > 0; ++r) {
      const DofRange& range = forest.ranges[r];
      const int count = std::min(range.count, left);
      left -= count;
      const double* above = row_of(range.begin);
      for (int j = 0; j < count; ++j, above += stride) {
        const Pack c = broadcast(*row++);
        for (int i = 0; i < kPacks; ++i) sum[i] -= c * load(above + 4 * i);
      }
    }
    for (int i = 0; i < kPacks; ++i) store(row_of(d) + 4 * i, sum[i]);
  }
}

}  // namespace

void solve_tree_rows(const Forest& forest, const MassMatrix& M, int t, int n, int stride, double* x) {
  const Tree& tree = forest.trees[t];
  int packs = padded(n) / kLanes;
  for (; packs >= 8; packs -= 8, x += 32) solve_band<8>(forest, M, tree, stride, x);
  for (; packs >= 4; packs -= 4, x += 16) solve_band<4>(forest, M, tree, stride, x);
  for (; packs >= 2; packs -= 2, x += 8) solve_band<2>(forest, M, tree, stride, x);
  if (packs > 0) solve_band<1>(forest, M, tree, stride, x);
}

}  // namespace stiction
