#include "stiction/geometry/convex/rounded_surface.h"

#include <cmath>

#include "stiction/geometry/convex/nearest_point.h"
#include "stiction/geometry/convex/support.h"

namespace stiction {

std::optional<double> exit_distance(const CollisionShape& shape, const Vec3& x, const Vec3& d,
                                    double longest) {
  constexpr int kMaxSteps = 60;
  constexpr double kOnSurface = 1e-14;  // of the size
  constexpr double kLeastSlope = 1e-7;  // lines that only graze the surface are rejected
  const double radius = core_radius(shape), good_enough = kOnSurface * (shape.ball_radius + radius);
  NearestPoint near = nearest_on_core(shape, x);
  if (std::abs(near.distance - radius) <= good_enough) return 0.0;
  // Start outside.
  double way = 0.0;
  for (double step = radius; near.distance < radius; step *= 2.0) {
    if (way > longest) return {};
    way += step;
    near = nearest_on_core(shape, x + way * d);
  }
  for (int k = 0; k < kMaxSteps; ++k) {
    const double beyond = near.distance - radius, slope = near.normal.dot(d);
    if (beyond <= good_enough) break;
    if (slope < kLeastSlope) return {};
    way -= beyond / slope;
    near = nearest_on_core(shape, x + way * d);
  }
  if (way > longest) return {};
  return way;
}

}  // namespace stiction
