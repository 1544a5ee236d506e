#include "stiction/multibody/mass_matrix.h"

#include <algorithm>
#include <type_traits>

#include "stiction/math/simd.h"
#include "stiction/multibody/free_body.h"
#include "stiction/multibody/node_algebra.h"

namespace stiction {

using namespace simd;

namespace {

// Row of F . S_j over the ancestors' ranges. Whole packs are written; what spills over the end of a range is
// overwritten by the next range or lies in the row's padding. S: the six rows of Kinematics::axis_rows.
[[gnu::always_inline]] inline void project_on_ancestors(const DofRange* range, const DofRange* range_end,
                                                        const double* const* S, const PackWrench& F,
                                                        double* row) {
  const Pack F0 = spread<0>(F.angular), F1 = spread<1>(F.angular), F2 = spread<2>(F.angular);
  const Pack F3 = spread<0>(F.linear), F4 = spread<1>(F.linear), F5 = spread<2>(F.linear);
  for (; range != range_end; ++range) {
    const std::ptrdiff_t begin = range->begin, end = begin + range->count;
    double* to = row - begin;
    for (std::ptrdiff_t j = begin; j < end; j += kLanes) {
      const Pack a =
          F0 * load_unaligned(S[0] + j) + F1 * load_unaligned(S[1] + j) + F2 * load_unaligned(S[2] + j);
      const Pack b =
          F3 * load_unaligned(S[3] + j) + F4 * load_unaligned(S[4] + j) + F5 * load_unaligned(S[5] + j);
      store_unaligned(to + j, a + b);
    }
    row += end - begin;
  }
}

void fill_tree(const Forest& forest, const Kinematics& k, const Tree& tree, MassMatrix* M) {
  double* composite = M->composite.data();
  double* rows = M->rows.data();
  sum_composites(forest, k, tree, composite);
  const double* S[6];
  for (int i = 0; i < 6; ++i) S[i] = k.axis_rows.data() + i * k.axis_stride;
  const DofRange* ranges = forest.ranges.data();
  const double* axes = k.axes.data();
  for (int d = tree.v_begin; d < tree.v_end; ++d) {
    const Dof& dof = forest.dofs[d];
    const double* axis = axes + 8 * d;
    const PackWrench F = apply_inertia(composite + 16 * dof.node, axis, load(axis), load(axis + 4));
    project_on_ancestors(ranges + dof.range_begin, ranges + dof.range_end, S, F, rows + dof.row);
  }
  // Afterwards, when the packs above have left the store queue: reading one number of a fresh, unaligned pack
  // stalls.
  for (int d = tree.v_begin; d < tree.v_end; ++d)
    rows[forest.dofs[d].row + forest.dofs[d].depth] += forest.dofs[d].armature;
}

// M = diag(I_W, m 1): the centre of mass is the origin of the free node.
void fill_free_body(const Forest& forest, const Kinematics& k, const Tree& tree, MassMatrix* M) {
  const double* J = k.nodes[tree.node_begin].J;
  double* composite = M->composite.data() + 16 * tree.node_begin;
  for (int c = 0; c < 16; c += 4) store(composite + c, load(J + c));
  const double trace = J[0] + J[5] + J[10], mass = J[15];
  const Dof* dofs = forest.dofs.data() + tree.v_begin;
  double* row = M->rows.data() + tree.row_begin;
  store(row, Pack{trace - J[0] + dofs[0].armature, 0.0, 0.0, 0.0});
  row = M->rows.data() + dofs[1].row;
  store(row, Pack{-J[1], trace - J[5] + dofs[1].armature, 0.0, 0.0});
  row = M->rows.data() + dofs[2].row;
  store(row, Pack{-J[2], -J[6], trace - J[10] + dofs[2].armature, 0.0});
  for (int i = 3; i < 6; ++i) {
    row = M->rows.data() + dofs[i].row;
    store(row, zero());
    store(row + 4, zero());
    row[i] = mass + dofs[i].armature;
  }
}

// By the composite inertia, which holds M of a free body as well as its rows do.
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

// Rows up to this many ancestors are eliminated from registers.
constexpr int kShort = 16;

// Takes velocity d out of the rows of its ancestors, row_k -= (row[k] / pivot) row[0..k], and scales its row
// to L. The row stays in four registers. One jump into a line of updates, the parent's first, instead of
// loops: their ends would be guessed wrong too often.
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
  static_assert(kShort == 16);
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

// Four velocities in a line, d - 3 .. d, each the parent of the next, with long rows: first among themselves,
// then all four out of the rows of the ancestors above in one go, two rows at a time. Returns the one whose
// pivot is not positive, or -1.
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
    // The pivot of the parent, where it comes next, ahead of the packs: the chain of divisions does not wait
    // for them.
    if (depth > 0) {
      next_pivot_of = forest.dofs[d - 1].depth == depth - 1 ? d - 1 : -1;
      next_pivot = L[ancestor_rows[depth - 1] + depth - 1] - (row[depth - 1] * inverse) * row[depth - 1];
    }
    if (depth <= kShort) {
      eliminate_short_row(L, ancestor_rows, depth, inverse, row);
    } else {
      eliminate_long_row(L, ancestor_rows, depth, inverse, row);
    }
  }
  return -1;
}

// Both sweeps gather: y_d from the velocities that hang on d, which follow it directly, then x_d from its
// ancestors.
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

void sum_composites(const Forest& forest, const Kinematics& kinematics, const Tree& tree, double* composite) {
  const auto add_own = [&](int n, Pack* J) {
    if (!forest.nodes[n].has_mass) return;
    for (int c = 0; c < 4; ++c) J[c] += load(kinematics.nodes[n].J + 4 * c);
  };
  sum_to_root<4>(forest, tree, add_own, composite);
}

MassMatrix::MassMatrix(const Forest& forest)
    : rows(forest.row_storage),
      factor(forest.row_storage + kShort),  // short rows are read as if they were full
      inverse_diagonal(padded(forest.num_v)),
      composite(16 * forest.nodes.size()) {}

void compute_mass_matrix(const Forest& forest, const Kinematics& kinematics, MassMatrix* M) {
  for (const Tree& tree : forest.trees) {
    if (tree.is_free_body) {
      fill_free_body(forest, kinematics, tree, M);
    } else {
      fill_tree(forest, kinematics, tree, M);
    }
  }
}

int factorise(const Forest& forest, const double* extra, MassMatrix* M) {
  for (const Tree& tree : forest.trees) {
    const int failed = tree.is_free_body ? factorise_free_tree(forest, tree, extra, M)
                                         : factorise_tree(forest, tree, extra, M);
    if (failed >= 0) return failed;
  }
  return -1;
}

void solve_tree(const Forest& forest, const MassMatrix& M, int t, double* x) {
  const Tree& tree = forest.trees[t];
  const double* L = M.factor.data();
  if (tree.is_free_body) {
    const Dof* dofs = forest.dofs.data() + tree.v_begin;
    const FreeBodyFactor factor = {L[dofs[1].row], L[dofs[2].row], L[dofs[2].row + 1]};
    solve_free_body(factor, M.inverse_diagonal.data() + tree.v_begin, x + tree.v_begin);
    return;
  }
  if (tree.max_depth < kShort) {
    solve_shallow_tree(forest, tree, L, M.inverse_diagonal.data(), x);
    return;
  }
  // L' y = x, from the leaves: every velocity takes its share from its ancestors.
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

// One band of kPacks packs of the right-hand sides: both sweeps gather into registers, so that nothing is
// stored twice.
template <int kPacks>
void solve_band(const Forest& forest, const MassMatrix& M, const Tree& tree, int stride, double* x) {
  const double* L = M.factor.data();
  double* base = x - static_cast<std::ptrdiff_t>(tree.v_begin) * stride;
  const auto row_of = [&](int d) { return base + static_cast<std::ptrdiff_t>(d) * stride; };
  // L' y = x: every velocity from those that hang on it, which follow it directly.
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

void multiply(const Forest& forest, const MassMatrix& M, const double* x, double* y) {
  for (const Tree& tree : forest.trees) {
    for (int d = tree.v_begin; d < tree.v_end; ++d) {
      const Dof& dof = forest.dofs[d];
      const double* row = M.rows.data() + dof.row;
      double total = row[dof.depth] * x[d];
      int depth = 0;
      for (int r = dof.range_begin; r < dof.range_end; ++r) {
        const DofRange& range = forest.ranges[r];
        for (int j = 0; j < range.count && depth < dof.depth; ++j, ++depth) {
          total += row[depth] * x[range.begin + j];
          y[range.begin + j] += row[depth] * x[d];
        }
      }
      y[d] = total;
    }
  }
}

MatX dense_mass_matrix(const Forest& forest, const MassMatrix& M, int t) {
  const Tree& tree = forest.trees[t];
  MatX dense = MatX::Zero(tree.num_v(), tree.num_v());
  for (int d = tree.v_begin; d < tree.v_end; ++d) {
    const Dof& dof = forest.dofs[d];
    int depth = 0;
    for (int r = dof.range_begin; r < dof.range_end; ++r) {
      const DofRange& range = forest.ranges[r];
      for (int j = 0; j < range.count; ++j, ++depth) {
        const int i = d - tree.v_begin, k = range.begin + j - tree.v_begin;
        dense(i, k) = dense(k, i) = M.rows[dof.row + depth];
      }
    }
  }
  return dense;
}

}  // namespace stiction
