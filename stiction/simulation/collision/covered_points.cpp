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
    case ShapeKind::ellipsoid:
    case ShapeKind::superellipsoid:
    case ShapeKind::cylinder:
    case ShapeKind::box:
    case ShapeKind::hull:
    case ShapeKind::mesh:
    case ShapeKind::height_field:
      break;
  }
  return shape.rounding - outside_core(shape, q);
}

// Of half the smallest extent: where covering begins.
constexpr double kCovered = 0.25;

// 0 up to 1/4, 1 from 3/4 on, with a continuous slope between.
double smooth_step(double x) {
  const double t = std::clamp(2.0 * x - 0.5, 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

// Whether two items overlap, by their points.
bool overlap(const CollisionRecord& c, int i, int j) {
  const IndexPair wanted{std::min(i, j), std::max(i, j)};
  const auto items = [](const ShapePair& pair) { return IndexPair{pair.item_A, pair.item_B}; };
  const auto found =
      std::lower_bound(c.pairs.begin(), c.pairs.end(), wanted,
                       [&](const ShapePair& pair, const IndexPair& x) { return items(pair) < x; });
  if (found == c.pairs.end() || items(*found) != wanted) return false;
  for (int k = found->begin; k < found->end; ++k)
    if (c.contact(*found, k).distance < 0.0) return true;
  return false;
}

// The share of a point of `item` that is left: p on its surface, `out` the outward normal there, both in W.
double uncovered(const CollisionModel& model, const CollisionRecord& c, int item, int other, const Vec3& p,
                 const Vec3& out) {
  double share = 1.0;
  const double L = 0.5 * model.items[static_cast<std::size_t>(item)].geometry.thickness;
  if (!std::isfinite(L)) return share;
  for (const int neighbour : model.neighbours[static_cast<std::size_t>(item)]) {
    const CollisionShape& cover = model.items[static_cast<std::size_t>(neighbour)].geometry;
    const Pose& X_WS = c.motions[static_cast<std::size_t>(neighbour)].X_WS;
    const Vec3 q = X_WS.R.transpose() * (p + L * out - X_WS.p);
    // No deeper than in the bounding box: most points are outside of it.
    if ((cover.box_half - (q - cover.box_centre).cwiseAbs()).minCoeff() <= kCovered * L) continue;
    const double depth = depth_inside(cover, q);
    if (depth > kCovered * L && overlap(c, neighbour, other)) share *= 1.0 - smooth_step(depth / L);
  }
  return share;
}

}  // namespace

void leave_out_covered(const CollisionModel& model, CollisionRecord* record, CollisionWorkspace* work) {
  constexpr double kGone = -1.0;  // weight of a point that is to be removed
  CollisionRecord& c = *record;
  bool any = false;
  for (const ShapePair& pair : c.pairs) {
    if (pair.begin == pair.end || pair.has_patch) continue;
    const bool of_A = !model.neighbours[static_cast<std::size_t>(pair.item_A)].empty();
    const bool of_B = !model.neighbours[static_cast<std::size_t>(pair.item_B)].empty();
    if (!of_A && !of_B) continue;
    for (int k = pair.begin; k < pair.end; ++k) {
      ContactPoint& point = c.points[static_cast<std::size_t>(k)];
      double share = 1.0;
      if (of_A) share *= uncovered(model, c, pair.item_A, pair.item_B, point.p_A, point.normal);
      if (of_B) share *= uncovered(model, c, pair.item_B, pair.item_A, point.p_B(), -point.normal);
      point.weight = share > 0.0 ? point.weight * share : kGone;
      any = any || share <= 0.0;
    }
  }
  if (!any) return;
  if (work->chunks.empty()) work->chunks.resize(1);
  ContactPoints& kept = work->chunks.front();
  kept.clear();
  for (ShapePair& pair : c.pairs) {
    if (pair.has_patch) continue;
    const int begin = static_cast<int>(kept.size());
    for (int k = pair.begin; k < pair.end; ++k)
      if (c.points[static_cast<std::size_t>(k)].weight != kGone)
        kept.push_back(c.points[static_cast<std::size_t>(k)]);
    pair.begin = begin;
    pair.end = static_cast<int>(kept.size());
  }
  std::swap(c.points, kept);
}

}  // namespace stiction
