#include "stiction/multibody/dynamics_derivatives.h"

#include <algorithm>

#include "stiction/math/simd.h"
#include "stiction/multibody/node_algebra.h"
#include "stiction/multibody/node_kinds.h"

namespace stiction {

using namespace simd;

namespace {

struct PackMotion {
  Pack angular, linear;
};

[[gnu::always_inline]] inline PackMotion load_motion(const double* p) { return {load(p), load(p + 4)}; }

[[gnu::always_inline]] inline void store_motion(double* p, const PackMotion& m) {
  store(p, m.angular);
  store(p + 4, m.linear);
}

[[gnu::always_inline]] inline PackMotion operator+(const PackMotion& a, const PackMotion& b) {
  return {a.angular + b.angular, a.linear + b.linear};
}

// V x M.
[[gnu::always_inline]] inline PackMotion cross(const PackMotion& V, const PackMotion& M) {
  const Pack w1 = yzx(V.angular), v1 = yzx(V.linear), mw1 = yzx(M.angular), mv1 = yzx(M.linear);
  return {yzx(V.angular * mw1 - w1 * M.angular),
          yzx(V.angular * mv1 - w1 * M.linear + V.linear * mw1 - v1 * M.angular)};
}

// V x* F.
[[gnu::always_inline]] inline PackWrench cross_star(const PackMotion& V, const PackWrench& F) {
  const Pack w1 = yzx(V.angular), v1 = yzx(V.linear), fw1 = yzx(F.angular), fv1 = yzx(F.linear);
  return {yzx(V.angular * fw1 - w1 * F.angular + V.linear * fv1 - v1 * F.linear),
          yzx(V.angular * fv1 - w1 * F.linear)};
}

// [N, P] of a node's own mass: the velocity operator [w v] times the pseudo-inertia, column by column.
[[gnu::always_inline]] inline void add_own_coriolis(const NodeMotion& node, Pack* K) {
  const Pack w = load(node.w), v = load(node.v), w1 = yzx(w);
  for (int c = 0; c < 4; ++c) {
    const Pack column = load(node.J + 4 * c);
    K[c] += yzx(w * yzx(column) - w1 * column) + v * node.J[4 * c + 3];
  }
}

// 2 B (s, .): the linear part of the motion does not matter.
[[gnu::always_inline]] inline PackWrench apply_coriolis(const double* K, const double* s_memory, Pack s) {
  const double trace = K[0] + K[5] + K[10];
  return {2.0 * (s * trace - simd::multiply(K, s_memory)), 2.0 * simd::cross(s, load(K + 12))};
}

// The angular part of (2 B)' (s, t); the linear part is zero.
[[gnu::always_inline]] inline Pack apply_coriolis_transposed(const double* K, Pack s, Pack t) {
  const double trace = K[0] + K[5] + K[10];
  const Pack a = load(K) * s, b = load(K + 4) * s, c = load(K + 8) * s;
  const Pack Nts = {a[0] + a[1] + a[2], b[0] + b[1] + b[2], c[0] + c[1] + c[2], 0.0};
  return 2.0 * (s * trace - Nts + simd::cross(load(K + 12), t));
}

constexpr int kP = 0, kQ = 3, kY = 9, kNumRows = 15;

[[gnu::always_inline]] inline void scatter(Pack a, int stride, double* rows) {
  rows[0] = a[0];
  rows[stride] = a[1];
  rows[2 * stride] = a[2];
}

// P, Q and Y of every velocity of a tree.
void compute_derivative_axes(const Forest& forest, const Kinematics& k, int t,
                             InverseDynamicsDerivatives* out) {
  const Tree& tree = forest.trees[t];
  const double* A = out->work.accelerations.data();
  const int stride = k.axis_stride;
  for (int n = tree.node_begin; n < tree.node_end; ++n) {
    const Node& info = forest.nodes[n];
    const PackMotion V = load_motion(k.nodes[n].w);
    // The motion that a displacement of the joint leaves unchanged: the parent's; for a free joint its own.
    PackMotion V_kept = V, A_kept = load_motion(A + 8 * n);
    if (!moves_in_world(info.kind)) {
      const double* base = k.bases.data() + 16 * t;
      V_kept = load_motion(info.parent >= 0 ? k.nodes[info.parent].w : base);
      A_kept = load_motion(info.parent >= 0 ? A + 8 * info.parent : base + 8);
    }
    for (int i = 0; i < info.num_v; ++i) {
      const int d = info.v_begin + i;
      const PackMotion S = load_motion(k.axis(d));
      PackMotion P = cross(V_kept, S), Q = cross(A_kept, S) + cross(V_kept, P), Y = P;
      if (moves_in_world(info.kind)) {
        if (i < 3) {
          Y = {P.angular, 2.0 * P.linear};
        } else {
          P = Q = Y = {zero(), zero()};
        }
      } else {
        Y = P + cross(V, S);
      }
      double* axes = out->derivative_axes.data() + 24 * d;
      store_motion(axes, P);
      store_motion(axes + 8, Q);
      store_motion(axes + 16, Y);
      double* rows = out->rows.data() + d;
      scatter(P.angular, stride, rows + kP * stride);
      scatter(Q.angular, stride, rows + kQ * stride);
      scatter(Q.linear, stride, rows + (kQ + 3) * stride);
      scatter(Y.angular, stride, rows + kY * stride);
      scatter(Y.linear, stride, rows + (kY + 3) * stride);
    }
  }
}

// The vectors of velocity i that are projected on the axes of its ancestors.
struct alignas(32) Projections {
  double F[8];  // I S
  double G[4];  // (2B)' S, angular
  double Z[8];  // 2 B P + I Q + S x* f
  double W[8];  // 2 B S + I Y
};

[[gnu::always_inline]] inline Pack dot3(const double* a, const double* rows, int stride) {
  return a[0] * load_unaligned(rows) + a[1] * load_unaligned(rows + stride) +
         a[2] * load_unaligned(rows + 2 * stride);
}

// Row d and column d of both blocks, at the ancestors of d.
[[gnu::always_inline]] inline void project(const Forest& forest, const Kinematics& k, const Tree& tree, int d,
                                           int num_above, const Projections& x, const double* rows,
                                           int block_stride, double* dq, double* dv) {
  const int stride = k.axis_stride;
  const Dof& dof = forest.dofs[d];
  const int i = d - tree.v_begin;
  int left = num_above;
  for (int r = dof.range_begin; left > 0; ++r) {
    const DofRange& range = forest.ranges[r];
    const int count = std::min(range.count, left);
    left -= count;
    for (int j = 0; j < count; j += kLanes) {
      const double* S = k.axis_rows.data() + range.begin + j;
      const double* D = rows + range.begin + j;
      const Pack low_q = dot3(x.G, D + kP * stride, stride) + dot3(x.F, D + kQ * stride, stride) +
                         dot3(x.F + 4, D + (kQ + 3) * stride, stride);
      const Pack low_v = dot3(x.G, S, stride) + dot3(x.F, D + kY * stride, stride) +
                         dot3(x.F + 4, D + (kY + 3) * stride, stride);
      const Pack up_q = dot3(x.Z, S, stride) + dot3(x.Z + 4, S + 3 * stride, stride);
      const Pack up_v = dot3(x.W, S, stride) + dot3(x.W + 4, S + 3 * stride, stride);
      const int column = range.begin - tree.v_begin + j;
      double* row_q = dq + i * block_stride + column;
      double* row_v = dv + i * block_stride + column;
      double* column_q = dq + column * block_stride + i;
      double* column_v = dv + column * block_stride + i;
      const int lanes = std::min(kLanes, count - j);
      if (lanes == kLanes) {
        store_unaligned(row_q, low_q);
        store_unaligned(row_v, low_v);
        for (int lane = 0; lane < kLanes; ++lane) {
          column_q[lane * block_stride] = up_q[lane];
          column_v[lane * block_stride] = up_v[lane];
        }
      } else {
        for (int lane = 0; lane < lanes; ++lane) {
          row_q[lane] = low_q[lane];
          row_v[lane] = low_v[lane];
          column_q[lane * block_stride] = up_q[lane];
          column_v[lane * block_stride] = up_v[lane];
        }
      }
    }
  }
}

void differentiate_tree(const Forest& forest, const Kinematics& k, int t, InverseDynamicsDerivatives* out) {
  const Tree& tree = forest.trees[t];
  double* coriolis = out->coriolis.data();
  sum_composites(forest, k, tree, out->composite.data());
  const auto add_coriolis = [&](int n, Pack* K) {
    if (forest.nodes[n].has_mass) add_own_coriolis(k.nodes[n], K);
  };
  sum_to_root<4>(forest, tree, add_coriolis, coriolis);
  compute_derivative_axes(forest, k, t, out);

  const int stride = TreeBlocks::stride(tree);
  double* dq = out->dq.data(t);
  double* dv = out->dv.data(t);
  Projections x;
  for (int n = tree.node_begin; n < tree.node_end; ++n) {
    const Node& info = forest.nodes[n];
    const double* I = out->composite.data() + 16 * n;
    const double* K = coriolis + 16 * n;
    const PackWrench f = {load(out->work.forces.data() + 8 * n), load(out->work.forces.data() + 8 * n + 4)};
    const int num_above = forest.dofs[info.v_begin].depth;
    for (int d = info.v_begin; d < info.v_begin + info.num_v; ++d) {
      const double* axes = out->derivative_axes.data() + 24 * d;
      const PackMotion S = load_motion(k.axis(d)), P = load_motion(axes), Q = load_motion(axes + 8),
                       Y = load_motion(axes + 16);
      const PackWrench F = apply_inertia(I, k.axis(d), S.angular, S.linear);
      const PackWrench IQ = apply_inertia(I, axes + 8, Q.angular, Q.linear);
      const PackWrench IY = apply_inertia(I, axes + 16, Y.angular, Y.linear);
      const PackWrench BP = apply_coriolis(K, axes, P.angular), BS = apply_coriolis(K, k.axis(d), S.angular);
      const PackWrench turned = cross_star(S, f);
      const PackWrench below = {BP.angular + IQ.angular, BP.linear + IQ.linear};
      const bool shift = moves_in_world(info.kind) && d >= info.v_begin + 3;
      const PackWrench Z = {below.angular + turned.angular, below.linear + turned.linear};
      const PackWrench W = {BS.angular + IY.angular, BS.linear + IY.linear};
      store(x.F, F.angular);
      store(x.F + 4, F.linear);
      store(x.G, apply_coriolis_transposed(K, S.angular, S.linear));
      store(x.Z, Z.angular);
      store(x.Z + 4, Z.linear);
      store(x.W, W.angular);
      store(x.W + 4, W.linear);
      project(forest, k, tree, d, num_above, x, out->rows.data(), stride, dq, dv);

      // Between the velocities of one joint; a free joint's axes do not rotate with the body.
      const PackWrench own = moves_in_world(info.kind) ? Z : below;
      for (int e = info.v_begin; e < info.v_begin + info.num_v; ++e) {
        const PackMotion S_e = load_motion(k.axis(e));
        const int at = (e - tree.v_begin) * stride + d - tree.v_begin;
        dq[at] = shift ? 0.0 : power(S_e.angular, S_e.linear, own);
        dv[at] = shift ? 0.0 : power(S_e.angular, S_e.linear, W);
      }
    }
  }
}

}  // namespace

int TreeBlocks::stride(const Tree& tree) { return padded(tree.num_v()); }

TreeBlocks::TreeBlocks(const Forest& forest) {
  int size = 0;
  for (const Tree& tree : forest.trees) {
    begin.push_back(size);
    size += stride(tree) * tree.num_v();
  }
  values.resize(size + kLanes);
}

TreeBlock TreeBlocks::block(const Forest& forest, int tree) const {
  const int n = forest.trees[tree].num_v();
  return TreeBlock(data(tree), n, n, Eigen::OuterStride<>(stride(forest.trees[tree])));
}

InverseDynamicsDerivatives::InverseDynamicsDerivatives(const Forest& forest)
    : dq(forest),
      dv(forest),
      tau(VecX::Zero(forest.num_v)),
      work(forest),
      composite(16 * forest.nodes.size()),
      coriolis(16 * forest.nodes.size()),
      derivative_axes(24 * forest.num_v),
      rows(kNumRows * padded(forest.num_v + 3)) {}

ForwardDynamicsDerivatives::ForwardDynamicsDerivatives(const Forest& forest)
    : dq(forest), dv(forest), dtau(forest) {}

void inverse_dynamics_derivatives(const Forest& forest, const Kinematics& kinematics, const double* vdot,
                                  InverseDynamicsDerivatives* out) {
  inverse_dynamics(forest, kinematics, vdot, &out->work, out->tau.data());
  for (int t = 0; t < static_cast<int>(forest.trees.size()); ++t)
    differentiate_tree(forest, kinematics, t, out);
}

void forward_dynamics_derivatives(const Forest& forest, const InverseDynamicsDerivatives& inverse,
                                  const MassMatrix& M, ForwardDynamicsDerivatives* out) {
  for (int t = 0; t < static_cast<int>(forest.trees.size()); ++t) {
    const Tree& tree = forest.trees[t];
    const int n = tree.num_v(), stride = TreeBlocks::stride(tree);
    const auto negate = [&](const TreeBlocks& from, TreeBlocks* to) {
      for (int i = 0; i < n * stride; i += kLanes) store(to->data(t) + i, -load(from.data(t) + i));
    };
    negate(inverse.dq, &out->dq);
    negate(inverse.dv, &out->dv);
    double* identity = out->dtau.data(t);
    std::fill_n(identity, n * stride, 0.0);
    for (int i = 0; i < n; ++i) identity[i * stride + i] = 1.0;
    for (TreeBlocks* block : {&out->dq, &out->dv, &out->dtau})
      solve_tree_rows(forest, M, t, n, stride, block->data(t));
  }
}

}  // namespace stiction
