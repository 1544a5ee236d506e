// The factor M = L' D L of mass_matrix.h.

#include <algorithm>
#include <type_traits>

#include "stiction/math/simd.h"
#include "stiction/multibody/free_body.h"
#include "stiction/multibody/mass_matrix.h"

namespace stiction {

using namespace simd;

namespace {

// From the composite inertia, which determines M of a free body.
int factorise_free_tree(const Forest& forest, const Tree& tree, const double* extra, MassMatrix* M) {
  const Dof* dofs = forest.dofs.data() + tree.v_begin;
  FreeBodyFactor factor;
  const int failed = factorise_free_body(M->composite.data() + 16 * tree.node_begin, dofs,
                                         extra ? extra + tree.v_begin : nullptr, &factor,
                                         M->inverse_diagonal.data() + tree.v_begin);
  double* L = M->factor.data();
  L[dofs[1].row] = factor.l10;
  L[dofs[2].row] = factor.l20;
  L[dofs[2].row + 1] = factor.l21;
  return failed < 0 ? -1 : tree.v_begin + failed;
}

// row -= c * other over the first n numbers, in whole packs.
[[gnu::always_inline]] inline void subtract_multiple(double c, const double* other, int n, double* row) {
  const Pack factor = broadcast(c);
  for (int k = 0; k < n; k += kLanes) store(row + k, load(row + k) - factor * load(other + k));
}

// Eliminates velocity d from the rows of its ancestors, row_k -= (row[k] / pivot) row[0..k], and scales its
// row to L. The row stays in four registers. One jump into a sequence of updates, the parent's first, instead
// of loops, whose ends the processor would mispredict too often.
[[gnu::always_inline]] inline void eliminate_short_row(double* L, const int* ancestor_rows, int depth,
                                                       double inverse, double* row) {
  const Pack r[4] = {load(row), load(row + 4), load(row + 8), load(row + 12)};
  const Pack scale = broadcast(inverse);
  const auto update = [&](auto k) {
    double* to = L + ancestor_rows[k()];
    const Pack c = row[k()] * scale;
    for (int i = 0; i <= k() / 4; ++i) store(to + 4 * i, load(to + 4 * i) - c * r[i]);
    if constexpr (k() % 4 == 0) store(row + k(), r[k() / 4] * scale);
  };
  static_assert(kShortRow == 16);
#define STICTION_UPDATE(k)                    \
  case k + 1:                                 \
    update(std::integral_constant<int, k>()); \
    [[fallthrough]]
  switch (depth) {
    STICTION_UPDATE(15);
    STICTION_UPDATE(14);
    STICTION_UPDATE(13);
    STICTION_UPDATE(12);
    STICTION_UPDATE(11);
    STICTION_UPDATE(10);
    STICTION_UPDATE(9);
    STICTION_UPDATE(8);
    STICTION_UPDATE(7);
    STICTION_UPDATE(6);
    STICTION_UPDATE(5);
    STICTION_UPDATE(4);
    STICTION_UPDATE(3);
    STICTION_UPDATE(2);
    STICTION_UPDATE(1);
    STICTION_UPDATE(0);
    default:
      break;
  }
#undef STICTION_UPDATE
}

// The same for a velocity whose row is longer.
void eliminate_long_row(double* L, const int* ancestor_rows, int depth, double inverse, double* row) {
  for (int k = 0; k < depth; ++k) subtract_multiple(row[k] * inverse, row, k + 1, L + ancestor_rows[k]);
  for (int k = 0; k < depth; k += kLanes) store(row + k, load(row + k) * inverse);
}

// Four consecutive velocities d - 3 .. d, each the parent of the next, with long rows: they are eliminated
// from each other first, then all four together from the rows of their common ancestors, two rows at a time.
// Returns the velocity whose pivot is not positive, or -1.
int eliminate_four_long_rows(const Forest& forest, int d, double* L, double* inverse_diagonal) {
  double* rows[4];
  for (int i = 0; i < 4; ++i) rows[i] = L + forest.dofs[d - i].row;
  const int above = forest.dofs[d - 3].depth;  // ancestors that all four share
  // rows[i] keeps M, scaled copies go to L at the end; c[i][k] = rows[i][k] / pivot_i.
  double inverse[4];
  for (int i = 0; i < 4; ++i) {
    const int depth = above + 3 - i;
    const double pivot = rows[i][depth];
    if (!(pivot > 0.0)) return d - i;
    inverse[i] = 1.0 / pivot;
    inverse_diagonal[d - i] = inverse[i];
    for (int j = i + 1; j < 4; ++j) {
      const int at = above + 3 - j;
      subtract_multiple(rows[i][at] * inverse[i], rows[i], at + 1, rows[j]);
    }
  }
  const int* ancestor_rows = forest.ancestor_rows.data() + forest.dofs[d].ancestors;
  int k = 0;
  for (; k + 1 < above; k += 2) {
    double* to0 = L + ancestor_rows[k];
    double* to1 = L + ancestor_rows[k + 1];
    Pack c0[4], c1[4];
    for (int i = 0; i < 4; ++i) {
      c0[i] = broadcast(rows[i][k] * inverse[i]);
      c1[i] = broadcast(rows[i][k + 1] * inverse[i]);
    }
    for (int p = 0; p < k + 2; p += kLanes) {
      Pack sum0 = load(to0 + p), sum1 = load(to1 + p);
      for (int i = 0; i < 4; ++i) {
        const Pack r = load(rows[i] + p);
        sum0 -= c0[i] * r;
        sum1 -= c1[i] * r;
      }
      store(to0 + p, sum0);
      store(to1 + p, sum1);
    }
  }
  for (; k < above; ++k)
    for (int i = 0; i < 4; ++i)
      subtract_multiple(rows[i][k] * inverse[i], rows[i], k + 1, L + ancestor_rows[k]);
  for (int i = 0; i < 4; ++i)
    for (int p = 0; p < above + 3 - i; p += kLanes) store(rows[i] + p, load(rows[i] + p) * inverse[i]);
  return -1;
}

int factorise_tree(const Forest& forest, const Tree& tree, const double* extra, MassMatrix* M) {
  double* L = M->factor.data();
  for (int k = tree.row_begin; k < tree.row_end; k += kLanes) store(L + k, load(M->rows.data() + k));
  if (extra)
    for (int d = tree.v_begin; d < tree.v_end; ++d) L[forest.dofs[d].row + forest.dofs[d].depth] += extra[d];
  int next_pivot_of = -1;
  double next_pivot = 0.0;
  constexpr int kLong = 12;  // ancestors, from which four velocities at once are faster than one by one
  for (int d = tree.v_end - 1; d >= tree.v_begin; --d) {
    const Dof& dof = forest.dofs[d];
    const int depth = dof.depth;
    if (depth >= kLong && forest.dofs[d - 3].depth == depth - 3 && forest.dofs[d - 3].subtree_end > d) {
      const int failed = eliminate_four_long_rows(forest, d, L, M->inverse_diagonal.data());
      if (failed >= 0) return failed;
      d -= 3;
      next_pivot_of = -1;
      continue;
    }
    const int* ancestor_rows = forest.ancestor_rows.data() + dof.ancestors;
    double* row = L + dof.row;
    const double pivot = next_pivot_of == d ? next_pivot : row[depth];
    if (!(pivot > 0.0)) return d;
    const double inverse = 1.0 / pivot;
    M->inverse_diagonal[d] = inverse;
    // The pivot of the parent, where that comes next, is computed ahead of the packs, so that the chain of
    // divisions does not wait for them.
    if (depth > 0) {
      next_pivot_of = forest.dofs[d - 1].depth == depth - 1 ? d - 1 : -1;
      next_pivot = L[ancestor_rows[depth - 1] + depth - 1] - (row[depth - 1] * inverse) * row[depth - 1];
    }
    if (depth <= kShortRow) {
      eliminate_short_row(L, ancestor_rows, depth, inverse, row);
    } else {
      eliminate_long_row(L, ancestor_rows, depth, inverse, row);
    }
  }
  return -1;
}

}  // namespace

int factorise(const Forest& forest, const double* extra, MassMatrix* M) {
  for (const Tree& tree : forest.trees) {
    const int failed = tree.is_free_body ? factorise_free_tree(forest, tree, extra, M)
                                         : factorise_tree(forest, tree, extra, M);
    if (failed >= 0) return failed;
  }
  return -1;
}

}  // namespace stiction
