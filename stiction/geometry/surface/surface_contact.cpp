#include "stiction/geometry/surface/surface_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/geometry/convex/lowest_on_line.h"
#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/surface/ray_mesh.h"

namespace stiction {

double ConvexOnSurface::lowest(const CoplanarFacet& facet) const {
  const Vec3 down = -(X_SA.R.transpose() * facet.normal);
  return facet.height(X_SA.p) - core_reach(shape, down) - core_radius(shape);
}

bool ConvexOnSurface::find_lowest_on_line(const Vec3& x, const Vec3& m, SurfacePoint* point) const {
  double s = 0.0;
  if (!lowest_on_line(shape, X_SA.R.transpose() * (x - X_SA.p), X_SA.R.transpose() * m, &s)) return false;
  point->distance = s;
  point->normal = m;
  point->p = x + point->distance * m;
  return true;
}

bool acts_on(const MeshRegion& region, const CoplanarFacet& facet, const ConvexOnSurface& body) {
  const Vec3 centre = body.centre();
  const double height = facet.height(centre);
  if (height >= 0.0) return true;
  if (region.mesh != nullptr) {
    const Vec3 up = body.X_SA.R.transpose() * facet.normal;
    const double highest = facet.height(body.X_SA.p) + core_reach(body.shape, up) + core_radius(body.shape);
    if (highest < 0.0) return false;
  }
  // Whether another triangle lies between the centre and this facet.
  const double slack = kFlatness * region.size;
  const Ray ray{centre, facet.normal, -height - slack};
  const int self = static_cast<int>(&facet - region.facets.data());
  return std::none_of(
      region.triangles.begin(), region.triangles.end(), [&ray, self](const RegionTriangle& t) {
        return t.facet != self && hit_triangle(ray, t.corners[0], t.corners[1], t.corners[2]) >= 0.0;
      });
}

Vec3 on_triangle(const MeshRegion& region, int t, int i, const Vec3& x, bool* is_moved) {
  constexpr double kMoved = 1e-11;  // of the size: ten times the band
  const std::array<Vec3, 3>& corners = region.triangles[t].corners;
  if (i < 0) {
    const Vec3& n = region.facets[region.triangles[t].facet].normal;
    double lowest = 0.0;
    for (int k = 0; k < 3; ++k) {
      const Vec3 side = corners[k == 2 ? 0 : k + 1] - corners[k];
      const double inside = n.cross(side).dot(x - corners[k]) / side.norm();
      if (inside < lowest) lowest = inside, i = k;
    }
    if (i < 0) return x;
  }
  const Vec3 &v = corners[i], e = corners[i == 2 ? 0 : i + 1] - v;
  const Vec3 y = v + std::clamp((x - v).dot(e) / e.squaredNorm(), 0.0, 1.0) * e;
  *is_moved = (y - x).norm() > kMoved * (region.size + x.norm());
  return y;
}

Vec3 lowest_across(const Vec3& axis, const Vec3& n, const Vec3& other) {
  const Vec3 low = axis.dot(n) * axis - n;
  const double length = low.norm();
  if (!(length > 1e-12)) return other;
  // Remove the round-off along the axis that is left in a short difference.
  const Vec3 unit = low / length;
  return (unit - axis.dot(unit) * axis).normalized();
}

double ramp_share(double d, double best) {
  if (!(d > 0.0)) return 1.0;
  if (!(best > 0.0)) return 0.0;
  return std::clamp((1.0 + kRampBegin + kRampWidth - d / best) / kRampWidth, 0.0, 1.0);
}

void reduce(std::size_t begin, std::size_t most, std::vector<SurfacePoint>* points) {
  const std::size_t count = points->size() - begin;
  if (count <= most) return;
  const auto first = points->begin() + static_cast<std::ptrdiff_t>(begin);
  const auto deepest =
      std::min_element(first, points->end(),
                       [](const SurfacePoint& a, const SurfacePoint& b) { return a.distance < b.distance; });
  std::iter_swap(first, deepest);
  // Depth is measured from the shallowest point: only differences between points of one manifold matter.
  double top = first->distance;
  for (auto p = first; p != points->end(); ++p) top = std::max(top, p->distance);
  const double span = std::max(top - first->distance, 1e-12 * std::abs(first->distance));
  const auto value = [top, span](const SurfacePoint& p) {
    return p.weight * (top - p.distance + 0.1 * span);
  };
  const auto last = first + static_cast<std::ptrdiff_t>(most);
  std::partial_sort(first + 1, last, points->end(), [&value](const SurfacePoint& a, const SurfacePoint& b) {
    return value(a) != value(b) ? value(a) > value(b) : a.feature < b.feature;
  });
  for (auto p = last; p != points->end(); ++p) {
    // The nearest point, with the same normal if there is one.
    const auto far = [p](const SurfacePoint& q) {
      const double same = 1.0 - p->normal.dot(q.normal) < 1e-6 ? 0.0 : 1e12;
      return (p->p - q.p).squaredNorm() + same;
    };
    std::min_element(first, last, [&far](const SurfacePoint& a, const SurfacePoint& b) {
      return far(a) < far(b);
    })->weight += p->weight;
  }
  points->erase(last, points->end());
}

namespace {

// Whether another facet lies between a point of the shape and the facet it is behind.
bool is_hidden(const MeshRegion& region, const SurfacePoint& p) {
  const Ray ray{p.p, p.normal, -p.distance - kFlatness * region.size};
  return std::any_of(region.triangles.begin(), region.triangles.end(), [&ray, &p](const RegionTriangle& t) {
    return t.facet != p.facet && hit_triangle(ray, t.corners[0], t.corners[1], t.corners[2]) >= 0.0;
  });
}

// Points that lie behind another facet with less depth lose their weight; so do points of a facet behind
// which the shape's centre lies, if another facet is in between.
void drop_points_behind(const MeshRegion& region, const Vec3& centre, std::vector<SurfacePoint>* points) {
  for (SurfacePoint& p : *points) {
    if (p.facet < 0 || p.distance >= 0.0 || region.facets[p.facet].height(centre) >= 0.0) continue;
    if (is_hidden(region, p)) p.weight = 0.0;
  }
  std::erase_if(*points, [](const SurfacePoint& p) { return p.weight == 0.0; });

  thread_local std::vector<double> depth;  // of the shape below each facet
  depth.assign(region.facets.size(), 0.0);
  double least = std::numeric_limits<double>::infinity();
  for (const SurfacePoint& p : *points)
    if (p.facet >= 0) depth[p.facet] = std::max(depth[p.facet], -p.distance);
  for (const double d : depth)
    if (d > 0.0) least = std::min(least, d);
  const double slack = kFlatness * region.size;
  for (SurfacePoint& p : *points) {
    if (p.facet < 0 || !(-p.distance > least * (1.0 + kRampBegin))) continue;
    for (std::size_t j = 0; j < region.facets.size(); ++j) {
      if (static_cast<int>(j) == p.facet || !(depth[j] > 0.0)) continue;
      const double keeps = ramp_share(-p.distance, depth[j]);
      const CoplanarFacet& facet = region.facets[j];
      if (keeps == 1.0 || facet.height(p.p) > slack || !covers(region, facet, p.p, slack)) continue;
      p.weight *= keeps;
    }
  }
}

}  // namespace

Eigen::AlignedBox3d reach_of(const CollisionShape& A, const Pose& X_WA, const Pose& X_WB, double margin) {
  const Mat3 R = X_WB.R.transpose() * X_WA.R;
  const Vec3 centre = X_WB.R.transpose() * (X_WA.p - X_WB.p) + R * A.box_centre;
  const Vec3 half = R.cwiseAbs() * A.box_half + Vec3::Constant(margin);
  return {Vec3(centre - half), Vec3(centre + half)};
}

void collide_with_region(const CollisionShape& A, const Pose& X_WA, const Pose& X_WB,
                         const MeshRegion& region, const CollideOptions& options, ContactPoints* out) {
  if (region.triangles.empty()) return;
  const Pose X_BA{X_WB.R.transpose() * X_WA.R, X_WB.R.transpose() * (X_WA.p - X_WB.p)};
  const ConvexOnSurface body{A, X_BA, options.margin, options.max_points};
  thread_local std::vector<SurfacePoint> points;
  points.clear();
  switch (A.kind) {
    case ShapeKind::box:
    case ShapeKind::hull:
      collide_flat_faces(body, region, &points);
      break;
    case ShapeKind::capsule:
      collide_segment(body, region, &points);
      break;
    case ShapeKind::cylinder:
      collide_flat_faces(body, region, &points);
      collide_segment(body, region, &points);
      break;
    case ShapeKind::sphere:
    case ShapeKind::ellipsoid:
    case ShapeKind::superellipsoid:
      collide_one_point(body, region, &points);
      break;
    case ShapeKind::half_space:
    case ShapeKind::mesh:
    case ShapeKind::height_field:
      break;
  }
  drop_points_behind(region, body.centre(), &points);
  std::erase_if(points, [&options](const SurfacePoint& p) {
    return !(p.distance <= options.margin) || !(p.weight > 0.0);
  });

  // Merge points of one feature; of two normals the deeper stays.
  std::sort(points.begin(), points.end(), [](const SurfacePoint& a, const SurfacePoint& b) {
    return a.feature != b.feature ? a.feature < b.feature : a.distance < b.distance;
  });
  std::size_t last = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].feature == points[last].feature)
      points[last].weight += points[i].weight;
    else
      points[++last] = points[i];
  }
  if (!points.empty()) points.resize(last + 1);
  reduce(0, kMaxSurfacePoints, &points);
  for (const SurfacePoint& p : points)
    out->push_back(
        {X_WB.p + X_WB.R * p.p, -(X_WB.R * p.normal), p.distance, std::min(p.weight, 1.0), p.feature});
}

}  // namespace stiction
