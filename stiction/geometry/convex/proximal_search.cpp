#include "stiction/geometry/convex/proximal_search.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/convex/direction_search.h"
#include "stiction/geometry/convex/gjk.h"
#include "stiction/geometry/convex/witness_points.h"

namespace stiction {
namespace {

constexpr double kGap = 1e-3;      // of the sizes: normals of GJK are accurate to round-off divided by this
constexpr double kNoGain = 1e-15;  // of the sizes
constexpr int kMaxSteps = 80;
constexpr int kMaxIdleSteps = 5;

}  // namespace

ProximalResult proximal_search(const DirectionSearch& cores, const Vec3& start) {
  const CollisionShape &A = cores.A, &B = cores.B;
  const double gap = kGap * cores.size, no_gain = kNoGain * cores.size;
  ProximalResult best;
  const auto look = [&](const Vec3& n, const Vec3& on_a) {
    const double g = separation_along(A, B, cores.X_AB, n), off = outside_both(cores, on_a, g, n);
    // g is a lower bound of the signed distance, and `off` bounds its error.
    if (g - std::max(off, 0.0) > best.distance - std::max(best.off, 0.0)) best = {g, n, on_a, off};
  };
  Vec3 n = start;
  double g = separation_along(A, B, cores.X_AB, n), least_residual = 1e300;
  for (int step = 0, idle = 0; step < kMaxSteps && idle < kMaxIdleSteps; ++step) {
    const double way = g >= gap ? 0.0 : gap - g;
    Pose X = cores.X_AB;
    X.p += way * n;
    GjkOptions options;
    options.tolerance = 0.0;
    options.axis = n;
    const GjkResult gjk = gjk_distance(A, B, X, options);
    if (gjk.overlap) break;
    const Vec3 apart = gjk.p_b - way * n - gjk.p_a;  // of the nearest points, with B moved back
    const double next = separation_along(A, B, cores.X_AB, gjk.normal);
    const double residual = (apart - next * gjk.normal).norm();
    look(gjk.normal, gjk.p_a);
    // The direction between both points, if they are far enough apart to define one.
    if (std::abs(next) > gap) look(std::copysign(1.0, next) * apart.normalized(), gjk.p_a);
    if (way == 0.0 || residual <= no_gain) break;
    idle = residual < 0.9 * least_residual || next > g + no_gain ? 0 : idle + 1;
    least_residual = std::min(least_residual, residual);
    n = gjk.normal;
    g = next;
  }
  return best;
}

}  // namespace stiction
