#include "stiction/simulation/collision/covered_points.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/convex/support_set.h"

namespace stiction {
namespace {

// m, how deep a point q (in S) is inside a shape; not positive outside.
double depth_inside(const CollisionShape& shape, const Vec3& q) {
  switch (shape.kind) {
    case ShapeKind::half_space:
      return -q.z();
    case ShapeKind::sphere:
    case ShapeKind::capsule:
      return shape.size[0] - outside_core(shape, q);
    default:
      return shape.rounding - outside_core(shape, q);
  }
}

// 0 up to 1/4, 1 from 3/4 on, with a continuous slope between.
double smooth_step(double x) {
  const double t = std::clamp(2.0 * x - 0.5, 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

// The share of a point of `item` that is left: p on its surface, `out` the outward normal there, both in W.
double uncovered(const CollisionModel& model, const CollisionRecord& record, int item, int other,
                 const Vec3& p, const Vec3& out) {
  double share = 1.0;
  for (const int neighbour : model.neighbours[static_cast<std::size_t>(item)]) {
    const CollisionShape& cover = model.items[static_cast<std::size_t>(neighbour)].geometry;
    const double L =
        0.5 * std::min(model.items[static_cast<std::size_t>(item)].geometry.thickness, cover.thickness);
    if (!std::isfinite(L)) continue;  // two half-spaces
    const Pose& X_WS = record.motions[static_cast<std::size_t>(neighbour)].X_WS;
    const double depth = depth_inside(cover, X_WS.R.transpose() * (p + L * out - X_WS.p));
    if (depth <= 0.25 * L) continue;
    if (!model.filter.allows(neighbour, other) && !model.filter.is_forced(neighbour, other)) continue;
    share *= 1.0 - smooth_step(depth / L);
  }
  return share;
}

}  // namespace

void leave_out_covered(const CollisionModel& model, const CollisionRecord& record, const ShapePair& pair,
                       int begin, ContactPoints* points) {
  const auto has_neighbours = [&](int item) {
    return !model.neighbours[static_cast<std::size_t>(item)].empty();
  };
  const bool of_A = has_neighbours(pair.item_A), of_B = has_neighbours(pair.item_B);
  if (!of_A && !of_B) return;
  for (auto point = points->begin() + begin; point != points->end(); ++point) {
    double share = 1.0;
    if (of_A) share *= uncovered(model, record, pair.item_A, pair.item_B, point->p_A, point->normal);
    if (of_B && share > 0.0)
      share *= uncovered(model, record, pair.item_B, pair.item_A, point->p_B(), -point->normal);
    point->weight *= share;
    if (share == 0.0) point->weight = -1.0;
  }
  points->erase(std::remove_if(points->begin() + begin, points->end(),
                               [](const ContactPoint& point) { return point.weight < 0.0; }),
                points->end());
}

}  // namespace stiction
