#include "stiction/geometry/convex/nonsmooth_directions.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/shape/convex_hull.h"

namespace stiction {
namespace {

// The edges whose lower end reaches farthest along n.
void add_highest_edges(const ConvexHull& hull, const Vec3& n, NonsmoothDirections* nonsmooth) {
  constexpr int kMost = NonsmoothDirections::kMaxLines - 2;
  std::array<double, kMost> reach;
  std::array<int, kMost> edge;
  int count = 0;
  for (int i = 0; i < static_cast<int>(hull.edges.size()); ++i) {
    const auto& ends = hull.edges[i].vertices;
    const double r = std::min(n.dot(hull.vertices[ends[0]]), n.dot(hull.vertices[ends[1]]));
    if (count == kMost && r <= reach[count - 1]) continue;
    int place = count < kMost ? count++ : count - 1;
    for (; place > 0 && reach[place - 1] < r; --place)
      reach[place] = reach[place - 1], edge[place] = edge[place - 1];
    reach[place] = r, edge[place] = i;
  }
  for (int i = 0; i < count; ++i) {
    const auto& ends = hull.edges[edge[i]].vertices;
    nonsmooth->line((hull.vertices[ends[1]] - hull.vertices[ends[0]]).normalized());
  }
}

}  // namespace

NonsmoothDirections nonsmooth_directions_near(const CollisionShape& shape, const Vec3& n, bool wide) {
  NonsmoothDirections nonsmooth;
  switch (shape.kind) {
    case ShapeKind::capsule:
      if (std::abs(n.z()) < kNonsmoothWindow) nonsmooth.line(Vec3::UnitZ());
      break;
    case ShapeKind::cylinder:
      if (std::abs(n.z()) < kNonsmoothWindow) nonsmooth.line(Vec3::UnitZ());
      if (n.x() * n.x() + n.y() * n.y() < kNonsmoothWindow * kNonsmoothWindow)
        nonsmooth.flat(Vec3(0, 0, std::copysign(1.0, n.z())));
      break;
    case ShapeKind::box:
      for (int i = 0; i < 3; ++i) {
        if (std::abs(n[i]) < kNonsmoothWindow) nonsmooth.line(Vec3::Unit(i));
        if (std::abs(n[(i + 1) % 3]) < kNonsmoothWindow && std::abs(n[(i + 2) % 3]) < kNonsmoothWindow)
          nonsmooth.flat(std::copysign(1.0, n[i]) * Vec3::Unit(i));
      }
      break;
    case ShapeKind::hull: {
      const ConvexHull& hull = *shape.hull;
      const int v = core_support(shape, n).vertex;
      if (wide) add_highest_edges(hull, n, &nonsmooth);
      for (int k = hull.neighbour_begin[v]; k < hull.neighbour_begin[v + 1]; ++k) {
        const Vec3 e = (hull.vertices[hull.neighbours[k]] - hull.vertices[v]).normalized();
        if (std::abs(n.dot(e)) < kNonsmoothWindow) nonsmooth.line(e);
      }
      for (const HullFace& face : hull.faces)
        if (face.normal.dot(n) > 1.0 - 0.5 * kNonsmoothWindow * kNonsmoothWindow) nonsmooth.flat(face.normal);
      break;
    }
    case ShapeKind::sphere:
    case ShapeKind::ellipsoid:
    case ShapeKind::superellipsoid:
    case ShapeKind::half_space:
    case ShapeKind::mesh:
    case ShapeKind::height_field:
      break;
  }
  return nonsmooth;
}

}  // namespace stiction
