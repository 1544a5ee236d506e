#include "stiction/contact/newton/patch_hessian.h"

#include "stiction/math/simd.h"

namespace stiction {

using simd::Pack;

namespace {

// Replaces a (1 - n n') by a S^2 in the columns of G.
void add_friction_tensor(const ContactProblem& problem, int p, double a, Pack n, Pack* g0, Pack* g1,
                         Pack* g2) {
  const double slide = problem.friction_lengths.empty() ? 1.0 : problem.friction_lengths[p].slide;
  Pack* const columns[3] = {g0, g1, g2};
  for (int c = 0; c < 3; ++c) {
    const Pack unit = {c == 0 ? 1.0 : 0.0, c == 1 ? 1.0 : 0.0, c == 2 ? 1.0 : 0.0, 0.0};
    const Pack squared = problem.friction_tensors.empty()
                             ? unit - n * n[c]
                             : problem.friction_tensors[p](problem.friction_tensors[p](unit));
    *columns[c] += a * (slide * slide * squared - unit + n * n[c]);
  }
}

// Adds the rows and columns of w of the G of law/torsional_rolling.h, with C = b T + e n.
void add_torsional_and_rolling(const FrictionLengths& friction_lengths, double a, double b, Pack n, Pack r,
                               Pack M, Pack C, Pack* angular, Pack* linear) {
  const Pack moment = simd::cross(r, C);
  for (int c = 0; c < 3; ++c) {
    const Pack unit = {c == 0 ? 1.0 : 0.0, c == 1 ? 1.0 : 0.0, c == 2 ? 1.0 : 0.0, 0.0};
    angular[c] += moment * M[c] + M * (moment[c] + b * M[c]) + a * friction_lengths.twice(n, unit);
    linear[c] += C * M[c];
    angular[3 + c] += M * C[c];
  }
}

// Sum over the points of P' G P, from the columns of G = a 1 + n ((c - a) n + e t)' + t (b t + e n)'.
// is_round: friction is isotropic, without torsional and rolling friction.
template <bool is_round>
[[gnu::always_inline]] inline void find_G(const ContactProblem& problem, int p, const PointArrays& points,
                                          int first, Pack* g0, Pack* g1, Pack* g2) {
  const int k = p - first;
  const PointFrame& frame = problem.frames[p];
  const Pack n = simd::load(frame.n);
  const double tx = points.tx[k], ty = points.ty[k], tz = points.tz[k];
  const double a = points.a[k], b = points.b[k], e = points.e[k], ca = points.c[k] - a;
  const Pack t = {tx, ty, tz, 0.0};
  *g0 = n * (ca * frame.n[0] + e * tx) + t * (b * tx + e * frame.n[0]) + Pack{a, 0.0, 0.0, 0.0};
  *g1 = n * (ca * frame.n[1] + e * ty) + t * (b * ty + e * frame.n[1]) + Pack{0.0, a, 0.0, 0.0};
  *g2 = n * (ca * frame.n[2] + e * tz) + t * (b * tz + e * frame.n[2]) + Pack{0.0, 0.0, a, 0.0};
  if constexpr (!is_round) add_friction_tensor(problem, p, a, n, g0, g1, g2);
}

template <bool is_round>
LinearPatchMatrix linear_patch_matrix_of(const ContactProblem& problem, const Patch& patch,
                                         const PointArrays& points, int first) {
  Pack sum[3] = {};
  for (int p = patch.begin; p < patch.end; ++p) {
    Pack g0, g1, g2;
    find_G<is_round>(problem, p, points, first, &g0, &g1, &g2);
    sum[0] += g0;
    sum[1] += g1;
    sum[2] += g2;
  }
  LinearPatchMatrix K;
  for (int c = 0; c < 3; ++c) simd::store(K.column[c], sum[c]);
  return K;
}

template <bool is_round>
PatchMatrix patch_matrix_of(const ContactProblem& problem, const Patch& patch, const PointArrays& points,
                            int first) {
  Pack angular[6] = {}, linear[6] = {};
  for (int p = patch.begin; p < patch.end; ++p) {
    const PointFrame& frame = problem.frames[p];
    const Pack r = simd::load(frame.r_B);
    Pack g0, g1, g2;
    find_G<is_round>(problem, p, points, first, &g0, &g1, &g2);
    if constexpr (!is_round) {
      if (!problem.friction_lengths.empty()) {
        const int k = p - first;
        const Pack n = simd::load(frame.n), t = {points.tx[k], points.ty[k], points.tz[k], 0.0};
        add_torsional_and_rolling(problem.friction_lengths[p], points.a[k], points.b[k], n, r,
                                  simd::load(points.turn.data() + 4 * k), t * points.b[k] + n * points.e[k],
                                  angular, linear);
      }
    }
    // G (e_c x r).
    const double rx = frame.r_B[0], ry = frame.r_B[1], rz = frame.r_B[2];
    const Pack u0 = g2 * ry - g1 * rz, u1 = g0 * rz - g2 * rx, u2 = g1 * rx - g0 * ry;
    linear[0] += u0;
    linear[1] += u1;
    linear[2] += u2;
    linear[3] += g0;
    linear[4] += g1;
    linear[5] += g2;
    angular[0] += simd::cross(r, u0);
    angular[1] += simd::cross(r, u1);
    angular[2] += simd::cross(r, u2);
    angular[3] += simd::cross(r, g0);
    angular[4] += simd::cross(r, g1);
    angular[5] += simd::cross(r, g2);
  }
  PatchMatrix K;
  for (int c = 0; c < 6; ++c) {
    simd::store(K.column[c], angular[c]);
    simd::store(K.column[c] + 4, linear[c]);
  }
  return K;
}

}  // namespace

PatchMatrix patch_matrix(const ContactProblem& problem, const Patch& patch, const PointArrays& points,
                         int first) {
  const bool is_round = problem.friction_tensors.empty() && problem.friction_lengths.empty();
  return is_round ? patch_matrix_of<true>(problem, patch, points, first)
                  : patch_matrix_of<false>(problem, patch, points, first);
}

LinearPatchMatrix linear_patch_matrix(const ContactProblem& problem, const Patch& patch,
                                      const PointArrays& points, int first) {
  const bool is_round = problem.friction_tensors.empty() && problem.friction_lengths.empty();
  return is_round ? linear_patch_matrix_of<true>(problem, patch, points, first)
                  : linear_patch_matrix_of<false>(problem, patch, points, first);
}

PatchMatrix shifted_right(const PatchMatrix& K, const double* d) {
  PatchMatrix out = K;
  const int next[3] = {1, 2, 0};
  for (int c = 0; c < 3; ++c) {
    // e_c x d = d_j e_k - d_k e_j, (c, j, k) in cyclic order.
    const int j = next[c], k = next[j];
    for (int half = 0; half < 8; half += 4) {
      simd::store(out.column[c] + half, simd::load(K.column[c] + half) +
                                            simd::load(K.column[3 + k] + half) * d[j] -
                                            simd::load(K.column[3 + j] + half) * d[k]);
    }
  }
  return out;
}

PatchMatrix shifted_left(const PatchMatrix& K, const double* d) {
  PatchMatrix out = K;
  const Pack arm = {d[0], d[1], d[2], 0.0};
  for (int c = 0; c < 6; ++c)
    simd::store(out.column[c], simd::load(K.column[c]) + simd::cross(arm, simd::load(K.column[c] + 4)));
  return out;
}

void add_to(const PatchMatrix& K, double sign, TileColumn* to) {
  for (int c = 0; c < 6; ++c) {
    for (int half = 0; half < 8; half += 4)
      simd::store(to[c].lane + half, simd::load(to[c].lane + half) + simd::load(K.column[c] + half) * sign);
  }
}

}  // namespace stiction
