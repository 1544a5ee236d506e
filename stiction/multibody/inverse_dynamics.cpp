#include "stiction/multibody/inverse_dynamics.h"

#include "stiction/math/simd.h"
#include "stiction/multibody/node_algebra.h"
#include "stiction/multibody/node_kinds.h"

namespace stiction {

using namespace simd;

namespace {

// f = I A + V x* I V of one node's own mass.
[[gnu::always_inline]] inline PackWrench node_force(const NodeMotion& node, const double* alpha_memory,
                                                    Pack a) {
  const double* J = node.J;
  const double trace = J[0] + J[5] + J[10], mass = J[15];
  const Pack w = load(node.w), v = load(node.v), alpha = load(alpha_memory), h = load(J + 12);
  const Pack w1 = yzx(w), v1 = yzx(v), h1 = yzx(h), alpha1 = yzx(alpha), a1 = yzx(a);
  // Momentum (L about O, P).
  const Pack L = w * trace - multiply(J, node.w) + yzx(h * v1 - h1 * v);
  const Pack P = v * mass + yzx(w * h1 - w1 * h);
  const Pack L1 = yzx(L), P1 = yzx(P);
  return {alpha * trace - multiply(J, alpha_memory) +
              yzx(h * a1 - h1 * a + (w * L1 - w1 * L) + (v * P1 - v1 * P)),
          a * mass + yzx(alpha * h1 - alpha1 * h + (w * P1 - w1 * P))};
}

// Sums forces to the roots and projects them on the axes. `motion(n)` points to alpha, followed by a.
template <class Motion>
[[gnu::always_inline]] inline void collect(const Forest& forest, const Kinematics& k, const Tree& tree,
                                           Motion&& motion, double* forces, double* tau) {
  const auto add_own = [&](int n, Pack* f) {
    const Node& info = forest.nodes[n];
    if (info.has_mass) {
      const double* A = motion(n);
      const PackWrench own = node_force(k.nodes[n], A, load(A + 4));
      f[0] += own.angular;
      f[1] += own.linear;
    }
    if (moves_in_world(info.kind)) {
      // The axes are the world's: the force is its own projection.
      store_unaligned(tau + info.v_begin, f[0]);
      tau[info.v_begin + 3] = f[1][0];
      tau[info.v_begin + 4] = f[1][1];
      tau[info.v_begin + 5] = f[1][2];
      return;
    }
    for (int d = info.v_begin; d < info.v_begin + info.num_v; ++d)
      tau[d] = power(load(k.axis(d)), load(k.axis(d) + 4), {f[0], f[1]});
  };
  sum_to_root<2>(forest, tree, add_own, forces);
}

// A free body's centre of mass is O: only the gyroscopic moment and the weight are left.
void free_body_bias(const Forest& forest, const NodeMotion& node, double* forces, double* bias) {
  const double* J = node.J;
  const double trace = J[0] + J[5] + J[10];
  const Pack w = load(node.w);
  const Pack L = w * trace - multiply(J, node.w);
  const Pack moment = cross(w, L);
  store(forces, moment);
  store(forces + 4,
        Pack{-J[15] * forest.gravity[0], -J[15] * forest.gravity[1], -J[15] * forest.gravity[2], 0.0});
  for (int d = 0; d < 3; ++d) {
    bias[d] = moment[d];
    bias[3 + d] = -J[15] * forest.gravity[d];
  }
}

}  // namespace

void compute_bias(const Forest& forest, const Kinematics& kinematics, NodeForces* work, double* bias) {
  for (const Tree& tree : forest.trees) {
    if (tree.is_free_body) {
      free_body_bias(forest, kinematics.nodes[tree.node_begin], work->forces.data() + 8 * tree.node_begin,
                     bias + tree.v_begin);
      continue;
    }
    const NodeMotion* nodes = kinematics.nodes.data();
    collect(
        forest, kinematics, tree, [nodes](int n) { return nodes[n].alpha; }, work->forces.data(), bias);
  }
}

void inverse_dynamics(const Forest& forest, const Kinematics& kinematics, const double* vdot,
                      NodeForces* work, double* tau) {
  double* A = work->accelerations.data();
  for (const Tree& tree : forest.trees) {
    // The part that vdot adds to the accelerations at zero vdot sums up along the tree like a velocity.
    for (int n = tree.node_begin; n < tree.node_end; ++n) {
      const Node& info = forest.nodes[n];
      const NodeMotion& node = kinematics.nodes[n];
      Pack alpha = load(node.alpha), a = load(node.a);
      if (info.parent >= 0) {
        const NodeMotion& parent = kinematics.nodes[info.parent];
        alpha += load(A + 8 * info.parent) - load(parent.alpha);
        a += load(A + 8 * info.parent + 4) - load(parent.a);
      }
      for (int d = info.v_begin; d < info.v_begin + info.num_v; ++d) {
        alpha += load(kinematics.axis(d)) * vdot[d];
        a += load(kinematics.axis(d) + 4) * vdot[d];
      }
      store(A + 8 * n, alpha);
      store(A + 8 * n + 4, a);
    }
    collect(
        forest, kinematics, tree, [A](int n) { return A + 8 * n; }, work->forces.data(), tau);
    for (int d = tree.v_begin; d < tree.v_end; ++d) tau[d] += forest.dofs[d].armature * vdot[d];
  }
}

void add_wrench(const Forest& forest, const Kinematics& kinematics, int body, const Vec3& p_W,
                const Vec6& wrench, double* tau) {
  const int first = forest.places[body].node;
  if (first < 0) return;
  const double* O = kinematics.origins.data() + 4 * forest.nodes[first].tree;
  const Vec3 force = wrench.tail<3>();
  const Vec3 moment = wrench.head<3>() + (p_W - Vec3(O[0], O[1], O[2])).cross(force);
  for (int n = first; n >= 0; n = forest.nodes[n].parent) {
    const Node& node = forest.nodes[n];
    for (int d = 0; d < node.num_v; ++d) {
      const double* S = kinematics.axis(node.v_begin + d);
      tau[node.v_begin + d] += S[0] * moment[0] + S[1] * moment[1] + S[2] * moment[2] + S[4] * force[0] +
                               S[5] * force[1] + S[6] * force[2];
    }
  }
}

}  // namespace stiction
