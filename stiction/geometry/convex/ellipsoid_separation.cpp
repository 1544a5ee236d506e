#include "stiction/geometry/convex/ellipsoid_separation.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/convex/direction_search.h"

namespace stiction {
namespace {

// Calls try_direction(n), any length, at every iterate towards the nearest point of the scaled box until it
// returns true. In B's axes: p the position of its centre, x that of the point in the box, G = R' E^2 (p +
// x).
template <class TryDirection>
bool descend_in_box(const Vec3& radii, const Vec3& half_extents, const Pose& X_AB,
                    const TryDirection& try_direction) {
  constexpr int kMaxSweeps = 6;
  const Vec3 p = X_AB.R.transpose() * X_AB.p;
  const Mat3 scaled = X_AB.R.transpose() * radii.cwiseAbs2().cwiseInverse().asDiagonal();
  const Mat3 M = scaled * X_AB.R;
  const Vec3 step = M.diagonal().cwiseInverse();
  Vec3 x = Vec3::Zero(), G = scaled * X_AB.p;
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    const double scaled2 = G.dot(p + x);  // |E q|^2
    if (!(scaled2 > 1.0)) return false;   // the point lies in both
    if (G.dot(p) - half_extents.dot(G.cwiseAbs()) > std::sqrt(scaled2) && try_direction(X_AB.R * G))
      return true;
    for (int k = 0; k < 3; ++k) {
      const double next = std::clamp(x[k] - step[k] * G[k], -half_extents[k], half_extents[k]);
      G += (next - x[k]) * M.col(k);
      x[k] = next;
    }
  }
  return false;
}

}  // namespace

Vec3 direction_between_ellipsoids(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB) {
  Mat3 sum = X_AB.R * B.size.cwiseAbs2().asDiagonal() * X_AB.R.transpose();
  sum.diagonal() += A.size.cwiseAbs2();
  const Vec3 guess = sum.inverse() * X_AB.p;
  const double length = guess.norm();
  return length > 0.0 ? Vec3(guess / length) : Vec3::UnitX();
}

bool separate_ellipsoid(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB, double enough,
                        Vec3* n) {
  const auto separates = [&](const Vec3& direction) {
    *n = direction / direction.norm();
    return separation_along(A, B, X_AB, *n) > enough;
  };
  if (separates(X_AB.p)) return true;
  if (B.kind == ShapeKind::ellipsoid) return separates(direction_between_ellipsoids(A, B, X_AB));
  return descend_in_box(A.size, B.size, X_AB, separates);
}

}  // namespace stiction
