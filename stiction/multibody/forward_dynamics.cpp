#include "stiction/multibody/forward_dynamics.h"

#include "stiction/math/simd.h"
#include "stiction/multibody/free_body.h"
#include "stiction/multibody/node_algebra.h"

namespace stiction {

using namespace simd;

namespace {

// I^a = [A B; B' C] by columns: the packs of A, B', B, C in this order.
constexpr int kA = 0, kBt = 3, kB = 6, kC = 9, kPacks = 12;

// Adds [I h; -h m] of a node's own mass.
[[gnu::always_inline]] inline void add_own_inertia(const double* J, Pack* I) {
  const double trace = J[0] + J[5] + J[10], m = J[15];
  const double hx = J[12], hy = J[13], hz = J[14];
  I[kA] += Pack{trace - J[0], -J[1], -J[2], 0.0};
  I[kA + 1] += Pack{-J[4], trace - J[5], -J[6], 0.0};
  I[kA + 2] += Pack{-J[8], -J[9], trace - J[10], 0.0};
  const Pack x = {0.0, hz, -hy, 0.0}, y = {-hz, 0.0, hx, 0.0}, z = {hy, -hx, 0.0, 0.0};
  I[kB] += x, I[kB + 1] += y, I[kB + 2] += z;
  I[kBt] -= x, I[kBt + 1] -= y, I[kBt + 2] -= z;
  I[kC] += Pack{m, 0.0, 0.0, 0.0};
  I[kC + 1] += Pack{0.0, m, 0.0, 0.0};
  I[kC + 2] += Pack{0.0, 0.0, m, 0.0};
}

// Removes one velocity from an inertia. Returns D.
[[gnu::always_inline]] inline double eliminate_axis(const double* axis, double armature, Pack* I, double* U,
                                                    double* inverse) {
  const Pack s = load(axis), t = load(axis + 4);
  const Pack Ua =
      multiply(I[kA], I[kA + 1], I[kA + 2], axis) + multiply(I[kB], I[kB + 1], I[kB + 2], axis + 4);
  const Pack Ul =
      multiply(I[kBt], I[kBt + 1], I[kBt + 2], axis) + multiply(I[kC], I[kC + 1], I[kC + 2], axis + 4);
  const Pack D = spread_sum(s * Ua + t * Ul) + armature;
  const Pack reciprocal = 1.0 / D;
  store(U, Ua);
  store(U + 4, Ul);
  *inverse = reciprocal[0];
  const Pack Va = Ua * reciprocal, Vl = Ul * reciprocal;
  const Pack a[3] = {spread<0>(Ua), spread<1>(Ua), spread<2>(Ua)},
             l[3] = {spread<0>(Ul), spread<1>(Ul), spread<2>(Ul)};
  for (int c = 0; c < 3; ++c) {
    I[kA + c] -= Va * a[c];
    I[kBt + c] -= Vl * a[c];
    I[kB + c] -= Va * l[c];
    I[kC + c] -= Vl * l[c];
  }
  return D[0];
}

int eliminate_tree(const Forest& forest, const Kinematics& k, const Tree& tree, const double* extra,
                   ArticulatedBodies* bodies) {
  int failed = -1;
  const auto eliminate_node = [&](int n, Pack* I) {
    const Node& info = forest.nodes[n];
    if (info.has_mass) add_own_inertia(k.nodes[n].J, I);
    for (int d = info.v_begin + info.num_v - 1; d >= info.v_begin; --d) {
      const double armature = forest.dofs[d].armature + (extra ? extra[d] : 0.0);
      const double D =
          eliminate_axis(k.axis(d), armature, I, bodies->U.data() + 8 * d, &bodies->inverse_diagonal[d]);
      if (!(D > 0.0) && failed < 0) failed = d;
    }
  };
  sum_to_root<kPacks>(forest, tree, eliminate_node, bodies->inertias.data());
  return failed;
}

void solve_tree(const Forest& forest, const Kinematics& k, const Tree& tree, ArticulatedBodies* bodies,
                double* x) {
  const double* U = bodies->U.data();
  // u, from the leaves.
  const auto gather = [&](int n, Pack* p) {
    const Node& info = forest.nodes[n];
    for (int d = info.v_begin + info.num_v - 1; d >= info.v_begin; --d) {
      const double* axis = k.axis(d);
      const Pack work = spread_sum(load(axis) * p[0] + load(axis + 4) * p[1]);
      const Pack u = (x[d] - work) * bodies->inverse_diagonal[d];
      p[0] += load(U + 8 * d) * u;
      p[1] += load(U + 8 * d + 4) * u;
      x[d] = u[0];
    }
  };
  sum_to_root<2>(forest, tree, gather, bodies->wrenches.data());

  // Accelerations, from the root; they overwrite the wrenches. Those of the previous node stay in registers.
  double* accelerations = bodies->wrenches.data();
  Pack alpha = zero(), a = zero();
  for (int n = tree.node_begin; n < tree.node_end; ++n) {
    const Node& info = forest.nodes[n];
    if (info.parent != n - 1 && info.parent >= 0) {
      alpha = load(accelerations + 8 * info.parent);
      a = load(accelerations + 8 * info.parent + 4);
    }
    for (int d = info.v_begin; d < info.v_begin + info.num_v; ++d) {
      const double* axis = k.axis(d);
      const Pack taken = spread_sum(load(U + 8 * d) * alpha + load(U + 8 * d + 4) * a);
      const Pack vdot = x[d] - taken * bodies->inverse_diagonal[d];
      alpha += load(axis) * vdot;
      a += load(axis + 4) * vdot;
      x[d] = vdot[0];
    }
    store(accelerations + 8 * n, alpha);
    store(accelerations + 8 * n + 4, a);
  }
}

}  // namespace

ArticulatedBodies::ArticulatedBodies(const Forest& forest)
    : inertias(48 * forest.nodes.size()),
      U(8 * forest.num_v),
      inverse_diagonal(padded(forest.num_v)),
      free_bodies(forest.nodes.size()),
      wrenches(8 * forest.nodes.size()) {}

int eliminate(const Forest& forest, const Kinematics& kinematics, const double* extra,
              ArticulatedBodies* bodies) {
  for (const Tree& tree : forest.trees) {
    int failed = -1;
    if (tree.is_free_body) {
      FreeBodyFactor& factor = bodies->free_bodies[tree.node_begin];
      failed = factorise_free_body(kinematics.nodes[tree.node_begin].J, forest.dofs.data() + tree.v_begin,
                                   extra ? extra + tree.v_begin : nullptr, &factor,
                                   bodies->inverse_diagonal.data() + tree.v_begin);
      if (failed >= 0) failed += tree.v_begin;
    } else {
      failed = eliminate_tree(forest, kinematics, tree, extra, bodies);
    }
    if (failed >= 0) return failed;
  }
  return -1;
}

void solve(const Forest& forest, const Kinematics& kinematics, ArticulatedBodies* bodies, double* x) {
  for (const Tree& tree : forest.trees) {
    if (tree.is_free_body) {
      solve_free_body(bodies->free_bodies[tree.node_begin], bodies->inverse_diagonal.data() + tree.v_begin,
                      x + tree.v_begin);
    } else {
      solve_tree(forest, kinematics, tree, bodies, x);
    }
  }
}

int forward_dynamics(const Forest& forest, const Kinematics& kinematics, const double* tau, NodeForces* work,
                     ArticulatedBodies* bodies, double* vdot) {
  compute_bias(forest, kinematics, work, vdot);
  for (int d = 0; d < forest.num_v; ++d) vdot[d] = tau[d] - vdot[d];
  const int failed = eliminate(forest, kinematics, nullptr, bodies);
  if (failed < 0) solve(forest, kinematics, bodies, vdot);
  return failed;
}

}  // namespace stiction
