#include "stiction/geometry/primitive/patch_weights.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/polytope/polytope_manifold.h"
#include "stiction/geometry/shape/polytope.h"

namespace stiction {
namespace {

using Vec2 = Eigen::Vector2d;

double distance_to_side(const Vec2& x, const Vec2& from, const Vec2& to) {
  const Vec2 side = to - from;
  const double length2 = side.squaredNorm();
  const double t = length2 > 0.0 ? std::clamp((x - from).dot(side) / length2, 0.0, 1.0) : 0.0;
  return (x - from - t * side).norm();
}

}  // namespace

double least_window(double overlap) { return std::max(overlap, kLeastWindow); }

void raise_to_least(double nearest, double window, std::span<PatchPoint> points) {
  const auto inside = [&](const PatchPoint& point) {
    return std::clamp(1.0 - (point.distance - nearest) / window, 0.0, 1.0);
  };
  double used = 0.0, wanted = 0.0, bearing = 0.0;
  for (const PatchPoint& point : points) {
    const double b = inside(point);
    used += point.weight * b;
    wanted = std::max(wanted, point.least * b);
    bearing += point.bearing * b;
  }
  if (used >= wanted || !(bearing > 0.0)) return;
  // At most 1, whatever round-off makes of sums that are 1.
  const double given = used < 1.0 ? std::min(1.0, (wanted - used) / (1.0 - used)) : 1.0;
  for (PatchPoint& point : points)
    point.weight = (1.0 - given) * point.weight + given * inside(point) * point.bearing / bearing;
}

double PolygonLeast::least_of_vertex(int vertex) const {
  return polytope != nullptr ? polytope->least.of_vertex[vertex] : kCornerWeight;
}

double PolygonLeast::least_at_border(const Vec2& x) const {
  if (polytope == nullptr) return kCornerWeight;
  double most = 0.0;
  const int begin = polytope->faces[part->index].begin;
  for (int i = 0; i < part->count; ++i) {
    // The edges of a box are alike: its corners have another order here.
    const double edge = polytope->least.of_edge[polytope->corner_edge[begin + i]],
                 vertex = polytope->least.near_vertex[part->vertices[i]];
    const Vec2 &from = corners[i], &to = corners[i + 1 < part->count ? i + 1 : 0];
    most =
        std::max({most, edge - distance_to_side(x, from, to) / window, vertex - (from - x).norm() / window});
  }
  return most;
}

}  // namespace stiction
