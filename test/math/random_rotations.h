#pragma once
// Random rotations, vectors and directions for tests, the same in every run.

#include "stiction/base/random.h"
#include "stiction/math/dual.h"
#include "stiction/math/matrix.h"

namespace stiction {

inline Vec3 random_vector(Random* random) {
  return Vec3(random->normal(), random->normal(), random->normal());
}

inline Vec4 random_quaternion(Random* random) {
  const auto q = random->unit_vector<4>();
  return Vec4(q[0], q[1], q[2], q[3]);
}

// x moving along dx.
template <int N>
Eigen::Matrix<Dual, N, 1> along(const Eigen::Matrix<double, N, 1>& x, const Eigen::Matrix<double, N, 1>& dx) {
  Eigen::Matrix<Dual, N, 1> moving;
  for (int i = 0; i < N; ++i) moving[i] = Dual(x[i], dx[i]);
  return moving;
}

template <int R, int C>
Eigen::Matrix<double, R, C> value_of(const Eigen::Matrix<Dual, R, C>& m) {
  return m.unaryExpr([](const Dual& d) { return d.value; });
}

template <int R, int C>
Eigen::Matrix<double, R, C> derivative_of(const Eigen::Matrix<Dual, R, C>& m) {
  return m.unaryExpr([](const Dual& d) { return d.derivative; });
}

}  // namespace stiction
