#pragma once
// Mobility of a point of a body: W = J A^-1 J' (3 x 3), from the body's own mobility Y at its origin O,
//
//   (w, v) = Y (m, f)        velocity of the body due to an impulse with moment m about O
//   W e_c  = v_c + w_c x r   for the unit impulse e_c at the arm r: (m, f) = (r x e_c, e_c)
//
// For a tree we sum over its velocities one at a time, Y = sum of S S'/A_dd, which is exact for a free body.
// W sets the scale of the regularisation of contact (S section V-B): w = |W|/3.

#include "stiction/contact/problem.h"
#include "stiction/math/simd.h"

namespace stiction {

// Columns of four numbers, the last one zero.
struct alignas(32) BodyMobility {
  double moment_to_w[3][4], moment_to_v[3][4], force_to_w[3][4], force_to_v[3][4];
  bool couples = false;  // moments move O, and forces rotate the body
};

// Of a body in contact that is neither static nor kinematic.
BodyMobility body_mobility(const ContactProblem& problem, const ProblemBody& body);

// Adds to W the mobility of the body at the arm r (m, the fourth lane zero).
[[gnu::always_inline]] inline void add_point_mobility(const BodyMobility& Y, simd::Pack r, simd::Pack W[3]) {
  using simd::Pack;
  const double x = r[0], y = r[1], z = r[2];
  const auto turned = [x, y, z](const double c[3][4], Pack out[3]) {
    const Pack c0 = simd::load(c[0]), c1 = simd::load(c[1]), c2 = simd::load(c[2]);
    out[0] = c1 * z - c2 * y;
    out[1] = c2 * x - c0 * z;
    out[2] = c0 * y - c1 * x;
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
  for (int c = 0; c < 3; ++c) W[c] += simd::load(Y.force_to_v[c]) + simd::cross(w[c], r);
}

}  // namespace stiction
