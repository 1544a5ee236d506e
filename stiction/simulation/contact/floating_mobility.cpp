#include "stiction/simulation/contact/floating_mobility.h"

#include <algorithm>

#include "stiction/simulation/contact/velocity_path.h"

namespace stiction {
namespace {

using simd::Pack;

constexpr int kRootVelocities = 6;

// Six numbers (w, v), the fourth lanes zero.
struct Motion {
  Pack w, v;

  [[gnu::always_inline]] static Motion from(const double* p) { return {simd::load(p), simd::load(p + 4)}; }
  // The product with a wrench F of six numbers, in every lane. It reads seven numbers, because the rows of
  // the factor go on behind F; what is too much meets the zero fourth lanes of the motion.
  [[gnu::always_inline]] Pack dot(const double* F) const {
    return simd::spread_sum(w * simd::load_unaligned(F) + v * simd::load_unaligned(F + 3));
  }
};

// Y as its columns: the motions due to unit moments and forces.
struct Columns {
  Motion moment[3], force[3];

  [[gnu::always_inline]] explicit Columns(const BodyMobility& Y) {
    for (int c = 0; c < 3; ++c) {
      moment[c] = {simd::load(Y.moment_to_w[c]), simd::load(Y.moment_to_v[c])};
      force[c] = {simd::load(Y.force_to_w[c]), simd::load(Y.force_to_v[c])};
    }
  }
  [[gnu::always_inline]] void store_to(BodyMobility* Y) const {
    for (int c = 0; c < 3; ++c) {
      simd::store(Y->moment_to_w[c], moment[c].w);
      simd::store(Y->moment_to_v[c], moment[c].v);
      simd::store(Y->force_to_w[c], force[c].w);
      simd::store(Y->force_to_v[c], force[c].v);
    }
    Y->couples = true;
  }

  // Y F.
  [[gnu::always_inline]] Motion times(const double* F) const {
    return {(moment[0].w * F[0] + moment[1].w * F[1] + moment[2].w * F[2]) +
                (force[0].w * F[3] + force[1].w * F[4] + force[2].w * F[5]),
            (moment[0].v * F[0] + moment[1].v * F[1] + moment[2].v * F[2]) +
                (force[0].v * F[3] + force[1].v * F[4] + force[2].v * F[5])};
  }
};

// x -= m scale.
template <class Scale>
[[gnu::always_inline]] inline void subtract(const Motion& m, const Scale& scale, Motion* x) {
  x->w -= m.w * scale;
  x->v -= m.v * scale;
}

[[gnu::always_inline]] inline Pack three(double x, double y, double z) { return Pack{x, y, z, 0.0}; }

// The columns of the inverse of the unit lower triangular matrix (1 0 0; a 1 0; b c 1).
struct InverseOfUnitLower {
  Pack column[3];

  [[gnu::always_inline]] InverseOfUnitLower(double a, double b, double c)
      : column{Pack{1.0, -a, c * a - b, 0.0}, Pack{0.0, 1.0, -c, 0.0}, Pack{0.0, 0.0, 1.0, 0.0}} {}
};

const double* wrench_of(const TreeInputs& in, int dof) {
  return in.mass.factor.data() + in.forest.dofs[dof].row;
}

// Y of a body before the velocity d to that of one behind it.
[[gnu::always_inline]] inline void pass(const TreeInputs& in, int d, Columns* Y) {
  const double *axis = in.kinematics.axis(d), *F = wrench_of(in, d);
  const Motion S = Motion::from(axis);
  // (1 - S F') Y (1 - F S') + S S'/D = Y - S b' - b S' with b = Y F - (F' Y F + 1/D)/2 S.
  Motion b = Y->times(F);
  subtract(S, 0.5 * (b.dot(F) + in.mass.inverse_diagonal[d]), &b);
  const Pack b_w[3] = {simd::spread<0>(b.w), simd::spread<1>(b.w), simd::spread<2>(b.w)},
             b_v[3] = {simd::spread<0>(b.v), simd::spread<1>(b.v), simd::spread<2>(b.v)};
  for (int c = 0; c < 3; ++c) {
    subtract(S, b_w[c], &Y->moment[c]);
    subtract(b, axis[c], &Y->moment[c]);
    subtract(S, b_v[c], &Y->force[c]);
    subtract(b, axis[4 + c], &Y->force[c]);
  }
}

// Y (1 - F S').
[[gnu::always_inline]] inline void pass_right(const TreeInputs& in, int d, Columns* Y) {
  const double* axis = in.kinematics.axis(d);
  const Motion m = Y->times(wrench_of(in, d));
  for (int c = 0; c < 3; ++c) {
    subtract(m, axis[c], &Y->moment[c]);
    subtract(m, axis[4 + c], &Y->force[c]);
  }
}

// (1 - S F') Y.
[[gnu::always_inline]] inline void pass_left(const TreeInputs& in, int d, Columns* Y) {
  const double* F = wrench_of(in, d);
  const Motion S = Motion::from(in.kinematics.axis(d));
  for (int c = 0; c < 3; ++c) {
    subtract(S, Y->moment[c].dot(F), &Y->moment[c]);
    subtract(S, Y->force[c].dot(F), &Y->force[c]);
  }
}

}  // namespace

bool is_on_free_joint(const Forest& forest, int tree) {
  return forest.nodes[forest.trees[tree].node_begin].kind == NodeKind::free;
}

BodyMobility root_mobility(const TreeInputs& in, int tree) {
  // A^-1 = N D^-1 N' with N = L^-1, of the root's six velocities, in blocks of three (w, v):
  //   N = (P 0; R Q)   with P and Q unit lower triangular, R = -Q L_vw P
  const int begin = in.forest.trees[tree].v_begin;
  const auto row = [&](int i) { return wrench_of(in, begin + i); };
  const double* d = in.mass.inverse_diagonal.data() + begin;
  const InverseOfUnitLower P(row(1)[0], row(2)[0], row(2)[1]), Q(row(4)[3], row(5)[3], row(5)[4]);
  Pack R[3];
  for (int c = 0; c < 3; ++c) {
    Pack L_vw_P = three(row(3)[c], row(4)[c], row(5)[c]);
    for (int k = c + 1; k < 3; ++k) L_vw_P += three(row(3)[k], row(4)[k], row(5)[k]) * P.column[c][k];
    R[c] = -(Q.column[0] * L_vw_P[0] + Q.column[1] * L_vw_P[1] + Q.column[2] * L_vw_P[2]);
  }
  BodyMobility Y = {};
  Y.couples = true;
  for (int c = 0; c < 3; ++c) {
    Pack moment_to_w = simd::zero(), moment_to_v = simd::zero(), force_to_v = simd::zero();
    for (int k = 0; k <= c; ++k) {
      const double share = P.column[k][c] * d[k];
      moment_to_w += P.column[k] * share;
      moment_to_v += R[k] * share;
      force_to_v += Q.column[k] * (Q.column[k][c] * d[3 + k]);
    }
    for (int k = 0; k < 3; ++k) force_to_v += R[k] * (R[k][c] * d[k]);
    simd::store(Y.moment_to_w[c], moment_to_w);
    simd::store(Y.moment_to_v[c], moment_to_v);
    simd::store(Y.force_to_v[c], force_to_v);
    for (int i = 0; i < 3; ++i) Y.force_to_w[i][c] = moment_to_v[i];
  }
  return Y;
}

void mobility_below(const TreeInputs& in, int above, const BodyMobility& Y_above, int node,
                    BodyMobility* out) {
  const VelocityPath path = velocity_path(in.forest, node);
  Columns Y(Y_above);
  for (int k = velocity_path(in.forest, above).size; k < path.size; ++k) pass(in, path[k], &Y);
  Y.store_to(out);
}

void mobility_between(const TreeInputs& in, const BodyMobility& Y_root, int node_a, int node_b,
                      BodyMobility* out) {
  const VelocityPath a = velocity_path(in.forest, node_a), b = velocity_path(in.forest, node_b);
  int common = kRootVelocities;
  while (common < std::min(a.size, b.size) && a[common] == b[common]) ++common;
  Columns Y(Y_root);
  for (int k = kRootVelocities; k < common; ++k) pass(in, a[k], &Y);
  for (int k = common; k < b.size; ++k) pass_right(in, b[k], &Y);
  for (int k = common; k < a.size; ++k) pass_left(in, a[k], &Y);
  Y.store_to(out);
}

}  // namespace stiction
