#include "stiction/multibody/forward_dynamics.h"

#include "stiction/math/simd.h"
#include "stiction/multibody/node_algebra.h"

namespace stiction {

using namespace simd;

namespace {

constexpr int kA = 0, kBt = 12, kB = 24, kC = 36;  // where the four blocks start

// [I h; -h m] of a node's own mass, as columns.
[[gnu::always_inline]] inline void start_inertia(const double* J, double* I) {
  const double trace = J[0] + J[5] + J[10], m = J[15];
  const double hx = J[12], hy = J[13], hz = J[14];
  store(I + kA, Pack{trace - J[0], -J[1], -J[2], 0.0});
  store(I + kA + 4, Pack{-J[4], trace - J[5], -J[6], 0.0});
  store(I + kA + 8, Pack{-J[8], -J[9], trace - J[10], 0.0});
  const Pack x = {0.0, hz, -hy, 0.0}, y = {-hz, 0.0, hx, 0.0}, z = {hy, -hx, 0.0, 0.0};
  store(I + kB, x);
  store(I + kB + 4, y);
  store(I + kB + 8, z);
  store(I + kBt, -x);
  store(I + kBt + 4, -y);
  store(I + kBt + 8, -z);
  store(I + kC, Pack{m, 0.0, 0.0, 0.0});
  store(I + kC + 4, Pack{0.0, m, 0.0, 0.0});
  store(I + kC + 8, Pack{0.0, 0.0, m, 0.0});
}

// Removes one velocity from a node's inertia. Returns D.
[[gnu::always_inline]] inline double eliminate_axis(const double* axis, double armature, double* I, double* U,
                                                    double* inverse) {
  const Pack s = load(axis), t = load(axis + 4);
  const Pack Ua = multiply(I + kA, axis) + multiply(I + kB, axis + 4);
  const Pack Ul = multiply(I + kBt, axis) + multiply(I + kC, axis + 4);
  store(U, Ua);
  store(U + 4, Ul);
  const double D = sum(s * Ua + t * Ul) + armature;
  *inverse = 1.0 / D;
  const Pack Va = Ua * *inverse, Vl = Ul * *inverse;
  for (int c = 0; c < 3; ++c) {
    store(I + kA + 4 * c, load(I + kA + 4 * c) - Va * U[c]);
    store(I + kBt + 4 * c, load(I + kBt + 4 * c) - Vl * U[c]);
    store(I + kB + 4 * c, load(I + kB + 4 * c) - Va * U[4 + c]);
    store(I + kC + 4 * c, load(I + kC + 4 * c) - Vl * U[4 + c]);
  }
  return D;
}

int eliminate_tree(const Forest& forest, const Kinematics& k, const Tree& tree, const double* extra,
                   ArticulatedBodies* bodies) {
  double* inertias = bodies->inertias.data();
  for (int n = tree.node_begin; n < tree.node_end; ++n) start_inertia(k.nodes[n].J, inertias + 48 * n);
  for (int n = tree.node_end - 1; n >= tree.node_begin; --n) {
    const Node& info = forest.nodes[n];
    double* I = inertias + 48 * n;
    for (int d = info.v_begin + info.num_v - 1; d >= info.v_begin; --d) {
      const double armature = forest.dofs[d].armature + (extra ? extra[d] : 0.0);
      const double D = eliminate_axis(k.axis(d), armature, I, bodies->U.data() + 8 * d,
                                      bodies->inverse_diagonal.data() + d);
      if (!(D > 0.0)) return d;
    }
    if (info.parent < 0) continue;
    double* to = inertias + 48 * info.parent;
    for (int c = 0; c < 48; c += 4) store(to + c, load(to + c) + load(I + c));
  }
  return -1;
}

void solve_tree(const Forest& forest, const Kinematics& k, const Tree& tree, ArticulatedBodies* bodies,
                double* x) {
  double* wrenches = bodies->wrenches.data();
  const double* U = bodies->U.data();
  for (int n = tree.node_begin; n < tree.node_end; ++n) {
    store(wrenches + 8 * n, zero());
    store(wrenches + 8 * n + 4, zero());
  }
  // u, from the leaves.
  for (int n = tree.node_end - 1; n >= tree.node_begin; --n) {
    const Node& info = forest.nodes[n];
    PackWrench p = {load(wrenches + 8 * n), load(wrenches + 8 * n + 4)};
    for (int d = info.v_begin + info.num_v - 1; d >= info.v_begin; --d) {
      const double* axis = k.axis(d);
      const double u = (x[d] - power(load(axis), load(axis + 4), p)) * bodies->inverse_diagonal[d];
      p.angular += load(U + 8 * d) * u;
      p.linear += load(U + 8 * d + 4) * u;
      x[d] = u;
    }
    if (info.parent < 0) continue;
    double* to = wrenches + 8 * info.parent;
    store(to, load(to) + p.angular);
    store(to + 4, load(to + 4) + p.linear);
  }
  // Accelerations, from the root; they take the place of the wrenches.
  for (int n = tree.node_begin; n < tree.node_end; ++n) {
    const Node& info = forest.nodes[n];
    Pack alpha = zero(), a = zero();
    if (info.parent >= 0) {
      alpha = load(wrenches + 8 * info.parent);
      a = load(wrenches + 8 * info.parent + 4);
    }
    for (int d = info.v_begin; d < info.v_begin + info.num_v; ++d) {
      const double* axis = k.axis(d);
      x[d] -= sum(load(U + 8 * d) * alpha + load(U + 8 * d + 4) * a) * bodies->inverse_diagonal[d];
      alpha += load(axis) * x[d];
      a += load(axis + 4) * x[d];
    }
    store(wrenches + 8 * n, alpha);
    store(wrenches + 8 * n + 4, a);
  }
}

}  // namespace

ArticulatedBodies::ArticulatedBodies(const Forest& forest)
    : inertias(48 * forest.nodes.size()),
      U(8 * forest.num_v),
      inverse_diagonal(padded(forest.num_v)),
      wrenches(8 * forest.nodes.size()) {}

int eliminate(const Forest& forest, const Kinematics& kinematics, const double* extra,
              ArticulatedBodies* bodies) {
  for (const Tree& tree : forest.trees) {
    const int failed = eliminate_tree(forest, kinematics, tree, extra, bodies);
    if (failed >= 0) return failed;
  }
  return -1;
}

void solve(const Forest& forest, const Kinematics& kinematics, ArticulatedBodies* bodies, double* x) {
  for (const Tree& tree : forest.trees) solve_tree(forest, kinematics, tree, bodies, x);
}

}  // namespace stiction
