#include "stiction/io/mjcf/principal_axes.h"

#include <cmath>
#include <numbers>

#include "stiction/math/rotation.h"

namespace stiction {

MjcfPrincipalAxes mjcf_principal_axes(const Mat3& I) {
  constexpr int kMaxTurns = 100;  // Jacobi's method converges quadratically: a few are enough
  constexpr double kRoundOff = 1e-16;
  MjcfPrincipalAxes out;
  const auto turn = [&](int axis, double angle) {
    out.R = out.R * rotation_about<double>(Vec3::Unit(axis), angle);
    return Mat3(out.R.transpose() * I * out.R);
  };
  Mat3 D = I;
  for (int i = 0; i < kMaxTurns; ++i) {
    // The two axes with the largest product of inertia; the smaller rotation about the third removes it.
    int axis = 2;
    for (const int other : {1, 0})
      if (std::abs(D((other + 1) % 3, (other + 2) % 3)) > std::abs(D((axis + 1) % 3, (axis + 2) % 3)))
        axis = other;
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    if (std::abs(D(j, k)) <= kRoundOff * std::abs(D.trace())) break;
    const double difference = D(j, j) - D(k, k);
    const double angle = 0.5 * std::atan2(2.0 * D(j, k), std::abs(difference));
    D = turn(axis, difference < 0.0 ? -angle : angle);
  }
  for (const int j : {0, 1, 0})
    if (D(j, j) < D(j + 1, j + 1)) D = turn((j + 2) % 3, std::numbers::pi / 2.0);
  out.moments = D.diagonal();
  return out;
}

}  // namespace stiction
