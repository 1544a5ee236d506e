#include "stiction/simulation/contact/point_mobility.h"

#include <algorithm>
#include <cstring>

#include <Eigen/LU>

#include "stiction/simulation/contact/velocity_path.h"

namespace stiction {
namespace {

using simd::Pack;

void store_columns(const Pack from[3], double to[3][4]) {
  for (int c = 0; c < 3; ++c) simd::store(to[c], from[c]);
}

// Of the columns (w, 0, v, 0), those of J_b' at first: to -= L[j] from.
[[gnu::always_inline]] inline void eliminate(const double* from, double entry, double* to) {
  simd::store(to, simd::load(to) - simd::load(from) * entry);
  simd::store(to + 4, simd::load(to + 4) - simd::load(from + 4) * entry);
}

// L' U = J' in place, from the last velocity to the root: row k of L has an entry for every ancestor. Four
// rows at a time, so that what is above them is loaded and stored once for all four.
void solve_path(const TreeInputs& in, const VelocityPath& path, double* columns) {
  constexpr int kRows = 4;
  const auto row = [&](int k) { return in.mass.factor.data() + in.forest.dofs[path[k]].row; };
  for (int end = path.size; end > 0; end -= kRows) {
    const int begin = std::max(end - kRows, 0);
    for (int k = end - 1; k > begin; --k)
      for (int j = begin; j < k; ++j) eliminate(columns + 8 * k, row(k)[j], columns + 8 * j);
    if (begin == 0) return;
    const double *L0 = row(begin), *L1 = row(begin + 1), *L2 = row(begin + 2), *L3 = row(begin + 3);
    const double* from = columns + 8 * begin;
    const Pack w0 = simd::load(from), w1 = simd::load(from + 8), w2 = simd::load(from + 16),
               w3 = simd::load(from + 24);
    const Pack v0 = simd::load(from + 4), v1 = simd::load(from + 12), v2 = simd::load(from + 20),
               v3 = simd::load(from + 28);
    for (int j = 0; j < begin; ++j) {
      double* to = columns + 8 * j;
      simd::store(to, simd::load(to) - (w0 * L0[j] + w1 * L1[j]) - (w2 * L2[j] + w3 * L3[j]));
      simd::store(to + 4, simd::load(to + 4) - (v0 * L0[j] + v1 * L1[j]) - (v2 * L2[j] + v3 * L3[j]));
    }
  }
}

}  // namespace

BodyMobility free_body_mobility(const double* A) {
  BodyMobility Y = {};
  Mat3 I;
  for (int c = 0; c < 3; ++c) I.col(c) = Eigen::Map<const Vec3>(A + 8 * c);
  const Mat3 inverse = I.inverse();
  for (int c = 0; c < 3; ++c) {
    for (int i = 0; i < 3; ++i) Y.moment_to_w[c][i] = inverse(i, c);
    Y.force_to_v[c][c] = 1.0 / A[8 * (c + 3) + c + 4];
  }
  return Y;
}

BodyMobility node_mobility(const TreeInputs& in, int node, double* columns) {
  const VelocityPath path = velocity_path(in.forest, node);
  for (int k = 0; k < path.size; ++k)
    std::memcpy(columns + 8 * k, in.kinematics.axis(path[k]), 8 * sizeof(double));
  solve_path(in, path, columns);
  // U' D^-1 U, which is symmetric.
  Pack moment_to_w[3] = {}, force_to_w[3] = {}, force_to_v[3] = {};
  for (int k = 0; k < path.size; ++k) {
    const double *u = columns + 8 * k, inverse = in.mass.inverse_diagonal[path[k]];
    const Pack w = simd::load(u) * inverse, v = simd::load(u + 4) * inverse;
    for (int c = 0; c < 3; ++c) {
      moment_to_w[c] += w * u[c];
      force_to_w[c] += w * u[4 + c];
      force_to_v[c] += v * u[4 + c];
    }
  }
  BodyMobility Y = {};
  Y.couples = true;
  store_columns(moment_to_w, Y.moment_to_w);
  store_columns(force_to_w, Y.force_to_w);
  store_columns(force_to_v, Y.force_to_v);
  for (int c = 0; c < 3; ++c)
    for (int i = 0; i < 3; ++i) Y.moment_to_v[c][i] = Y.force_to_w[i][c];
  return Y;
}

BodyMobility mobility_between(const TreeInputs& in, int node_a, const double* columns_a, int node_b,
                              const double* columns_b) {
  const VelocityPath a = velocity_path(in.forest, node_a), b = velocity_path(in.forest, node_b);
  Pack moment_to_w[3] = {}, moment_to_v[3] = {}, force_to_w[3] = {}, force_to_v[3] = {};
  for (int k = 0; k < std::min(a.size, b.size) && a[k] == b[k]; ++k) {
    const double *of_a = columns_a + 8 * k, *of_b = columns_b + 8 * k;
    const double inverse = in.mass.inverse_diagonal[a[k]];
    const Pack w = simd::load(of_a) * inverse, v = simd::load(of_a + 4) * inverse;
    for (int c = 0; c < 3; ++c) {
      moment_to_w[c] += w * of_b[c];
      moment_to_v[c] += v * of_b[c];
      force_to_w[c] += w * of_b[4 + c];
      force_to_v[c] += v * of_b[4 + c];
    }
  }
  BodyMobility Y;
  Y.couples = true;
  store_columns(moment_to_w, Y.moment_to_w);
  store_columns(moment_to_v, Y.moment_to_v);
  store_columns(force_to_w, Y.force_to_w);
  store_columns(force_to_v, Y.force_to_v);
  return Y;
}

}  // namespace stiction
