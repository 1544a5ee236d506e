#pragma once
// How fast the wrench of a penalty law changes along a motion, for the tests of pairs.

#include <algorithm>
#include <functional>

#include "stiction/geometry/narrow_phase.h"

namespace stiction {

// Force and moment about A's origin on A of k = 1 N/m on the weighted points.
inline Vec6 penalty_wrench(CollideFunction function, const CollisionShape& A, const Pose& XA,
                           const CollisionShape& B, const Pose& XB) {
  CollideOptions options;
  PairMemory memory;
  ContactPoints points;
  function(A, XA, B, XB, options, &memory, &points);
  Vec6 wrench = Vec6::Zero();
  for (const ContactPoint& point : points) {
    const Vec3 force = -point.weight * std::max(0.0, -point.distance) * point.normal;
    wrench.head<3>() += (point.p_A - XA.p).cross(force);
    wrench.tail<3>() += force;
  }
  return wrench;
}

// The largest change of force per displacement, and of moment per displacement and size of A, where A moves
// along `path` from
// `begin` to `end` in steps that shift no point of it by more than about `step` (m).
inline double worst_lipschitz(CollideFunction function, const CollisionShape& A,
                              const std::function<Pose(double)>& path, const CollisionShape& B,
                              const Pose& XB, double begin, double end, double step) {
  const double size = A.size.norm() + A.rounding;
  double worst = 0.0;
  Vec6 before = penalty_wrench(function, A, path(begin), B, XB);
  Pose X = path(begin);
  for (double x = begin + step; x < end; x += step) {
    const Pose next = path(x);
    const double way = (next.p - X.p).norm() + size * (next.R - X.R).norm();
    const Vec6 wrench = penalty_wrench(function, A, next, B, XB);
    worst = std::max(
        {worst, (wrench - before).tail<3>().norm() / way, (wrench - before).head<3>().norm() / way / size});
    before = wrench;
    X = next;
  }
  return worst;
}

}  // namespace stiction
