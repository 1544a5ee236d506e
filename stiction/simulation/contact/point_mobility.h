#pragma once
// Mobility of a contact point: W = J A^-1 J' (3 x 3), by which its relative velocity answers an impulse.
//
// A body has the mobility Y = J_b A^-1 J_b' (6 x 6) at the origin O of its tree,
//
//   (w, v) = Y (m, f)        velocity of the body due to an impulse with moment m about O
//   W e_c  = v_c + w_c x r   for the unit impulse e_c at the arm r: (m, f) = (r x e_c, e_c)
//
// With the factor A = L' D L of the tree, Y = U' D^-1 U where U = L^-T J_b' is non-zero at the ancestors of
// the body only, and two bodies a, b of one tree have the mobility U_a' D^-1 U_b between them, of which W has
// the negative with its transpose.
//
// W sets the scale of the regularisation of contact: w = |W|/3 (S section V-B, where M stands in place of A;
// we have the factor of A, with which the problem is solved).

#include "stiction/contact/problem.h"
#include "stiction/math/simd.h"
#include "stiction/multibody/mass_matrix.h"

namespace stiction {

// Columns of four numbers, the last one zero.
struct alignas(32) BodyMobility {
  double moment_to_w[3][4], moment_to_v[3][4], force_to_w[3][4], force_to_v[3][4];
  bool couples = false;  // moments move O, and forces rotate the body
};

// What bodies of trees with joints are made of.
struct TreeInputs {
  const Forest& forest;
  const Kinematics& kinematics;
  const MassMatrix& mass;  // with its factor, of A
};

// Of a free body, from its block of A.
BodyMobility free_body_mobility(const double* A);
// Of a node of a tree. U is written to `columns`, eight numbers (w, 0, v, 0) for every velocity of the node
// and its ancestors, root first.
BodyMobility node_mobility(const TreeInputs& in, int node, double* columns);
// Velocity of a due to impulses on b, two nodes of one tree, from their columns.
BodyMobility mobility_between(const TreeInputs& in, int node_a, const double* columns_a, int node_b,
                              const double* columns_b);

// Adds to W the velocity at the arm `out` due to unit impulses at the arm `in` (m, their fourth lanes zero).
[[gnu::always_inline]] inline void add_point_mobility(const BodyMobility& Y, simd::Pack in, simd::Pack out,
                                                      simd::Pack W[3]) {
  using simd::Pack;
  const double x = in[0], y = in[1], z = in[2];
  const auto turned = [x, y, z](const double c[3][4], Pack to[3]) {
    const Pack c0 = simd::load(c[0]), c1 = simd::load(c[1]), c2 = simd::load(c[2]);
    to[0] = c1 * z - c2 * y;
    to[1] = c2 * x - c0 * z;
    to[2] = c0 * y - c1 * x;
  };
  Pack w[3];
  turned(Y.moment_to_w, w);
  if (Y.couples) {
    Pack v[3];
    turned(Y.moment_to_v, v);
    for (int c = 0; c < 3; ++c) {
      w[c] += simd::load(Y.force_to_w[c]);
      W[c] += v[c];
    }
  }
  for (int c = 0; c < 3; ++c) W[c] += simd::load(Y.force_to_v[c]) + simd::cross(w[c], out);
}

// Takes from W the mobility between two bodies of one tree, with its transpose.
inline void subtract_mobility_between(const BodyMobility& Y, simd::Pack at_a, simd::Pack at_b,
                                      simd::Pack W[3]) {
  simd::Pack P[3] = {simd::zero(), simd::zero(), simd::zero()};
  add_point_mobility(Y, at_b, at_a, P);
  for (int c = 0; c < 3; ++c) W[c] -= P[c] + simd::Pack{P[0][c], P[1][c], P[2][c], 0.0};
}

}  // namespace stiction
