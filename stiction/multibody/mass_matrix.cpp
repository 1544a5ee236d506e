#include "stiction/multibody/mass_matrix.h"

#include <algorithm>

#include "stiction/math/simd.h"
#include "stiction/multibody/node_algebra.h"

namespace stiction {

using namespace simd;

namespace {

// Row of F . S_j over the ancestors' ranges. Whole packs are written; numbers beyond the end of a range are
// overwritten by the next range or lie in the row's padding. S: the six rows of Kinematics::axis_rows.
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
  // In a loop of its own, after the packs above have left the store queue: reading one number of an unaligned
  // pack that was just written stalls.
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
      factor(forest.row_storage + kShortRow),  // short rows are read as if they were full
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
