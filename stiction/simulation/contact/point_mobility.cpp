#include "stiction/simulation/contact/point_mobility.h"

#include <algorithm>
#include <cstring>

#include <Eigen/LU>

namespace stiction {
namespace {

using simd::Pack;

// The velocities of a node and its ancestors, root first.
struct Path {
  const int* ancestors;
  int last, size;
  int operator[](int k) const { return k == size - 1 ? last : ancestors[k]; }
};

Path path_of(const Forest& forest, int node) {
  while (node >= 0 && forest.nodes[node].num_v == 0) node = forest.nodes[node].parent;
  if (node < 0) return {nullptr, -1, 0};
  const int last = forest.nodes[node].v_begin + forest.nodes[node].num_v - 1;
  const Dof& dof = forest.dofs[last];
  return {forest.ancestor_dofs.data() + dof.ancestors, last, dof.depth + 1};
}

// Y += a b' / D, a and b columns (w, 0, v, 0).
[[gnu::always_inline]] inline void add_product(const double* a, const double* b, double inverse,
                                               BodyMobility* Y) {
  const Pack w = simd::load(a) * inverse, v = simd::load(a + 4) * inverse;
  const auto add = [](double* to, Pack motion) { simd::store(to, simd::load(to) + motion); };
  for (int c = 0; c < 3; ++c) {
    add(Y->moment_to_w[c], w * b[c]);
    add(Y->moment_to_v[c], v * b[c]);
    add(Y->force_to_w[c], w * b[4 + c]);
    add(Y->force_to_v[c], v * b[4 + c]);
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
  BodyMobility Y = {};
  Y.couples = true;
  const Path path = path_of(in.forest, node);
  for (int k = 0; k < path.size; ++k)
    std::memcpy(columns + 8 * k, in.kinematics.axis(path[k]), 8 * sizeof(double));
  // L' U = J', from the last velocity to the root: row k of L has an entry for every ancestor.
  for (int k = path.size - 1; k >= 0; --k) {
    const int d = path[k];
    const double* L = in.mass.factor.data() + in.forest.dofs[d].row;
    const Pack w = simd::load(columns + 8 * k), v = simd::load(columns + 8 * k + 4);
    for (int j = 0; j < k; ++j) {
      double* to = columns + 8 * j;
      simd::store(to, simd::load(to) - w * L[j]);
      simd::store(to + 4, simd::load(to + 4) - v * L[j]);
    }
    add_product(columns + 8 * k, columns + 8 * k, in.mass.inverse_diagonal[d], &Y);
  }
  return Y;
}

BodyMobility mobility_between(const TreeInputs& in, int node_a, const double* columns_a, int node_b,
                              const double* columns_b) {
  BodyMobility Y = {};
  Y.couples = true;
  const Path a = path_of(in.forest, node_a), b = path_of(in.forest, node_b);
  for (int k = 0; k < std::min(a.size, b.size) && a[k] == b[k]; ++k)
    add_product(columns_a + 8 * k, columns_b + 8 * k, in.mass.inverse_diagonal[a[k]], &Y);
  return Y;
}

}  // namespace stiction
