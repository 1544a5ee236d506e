#include "stiction/geometry/surface/surface_distance.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "stiction/geometry/convex/gjk.h"
#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/surface/surface_contact.h"

namespace stiction {
namespace {

void gather_any(const CollisionShape& B, const Eigen::AlignedBox3d& box, MeshRegion* region) {
  if (B.kind == ShapeKind::mesh)
    gather(*B.mesh, box.min(), box.max(), region);
  else
    gather(*B.field, box.min(), box.max(), region);
}

}  // namespace

ContactPoint surface_distance(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                              const Pose& X_WB) {
  MeshRegion region;
  ContactPoints points;
  gather_any(B, reach_of(A, X_WA, X_WB, 0.0), &region);
  collide_with_region(A, X_WA, X_WB, region, {}, &points);
  const auto deeper = [](const ContactPoint& a, const ContactPoint& b) { return a.distance < b.distance; };
  if (!points.empty()) {
    ContactPoint deepest = *std::min_element(points.begin(), points.end(), deeper);
    deepest.weight = 1.0;
    return deepest;
  }

  // An upper bound: from the centre of the shape to any vertex of the surface.
  const Pose X_AB{X_WA.R.transpose() * X_WB.R, X_WA.R.transpose() * (X_WB.p - X_WA.p)};
  const Vec3 vertex = B.kind == ShapeKind::mesh ? B.mesh->mesh.vertices[0] : B.field->point(0, 0);
  double best = (X_AB * vertex - A.box_centre).norm();
  if (B.kind == ShapeKind::mesh) {
    for (const Vec3& v : B.mesh->mesh.vertices) best = std::min(best, (X_AB * v - A.box_centre).norm());
  }

  // The nearest of all triangles that could be nearer, each as a hull of three vertices.
  gather_any(B, reach_of(A, X_WA, X_WB, best), &region);
  const auto corners = std::make_shared<ConvexHull>();
  corners->vertices.resize(3);
  corners->neighbour_begin = {0, 2, 4, 6};
  corners->neighbours = {1, 2, 0, 2, 0, 1};
  CollisionShape triangle;
  triangle.kind = ShapeKind::hull;
  triangle.hull = corners;
  ContactPoint nearest;
  nearest.distance = std::numeric_limits<double>::infinity();
  const double radius = core_radius(A);
  for (const RegionTriangle& t : region.triangles) {
    Eigen::AlignedBox3d box;
    for (int i = 0; i < 3; ++i) {
      corners->vertices[i] = X_AB * t.corners[i];
      box.extend(corners->vertices[i]);
    }
    triangle.box_centre = corners->centre = box.center();
    triangle.box_half = 0.5 * box.sizes();
    triangle.ball_radius = triangle.box_half.norm();
    GjkOptions options;
    options.far_enough = nearest.distance + radius;
    const GjkResult result = gjk_distance(A, triangle, Pose{}, options);
    if (!(result.distance - radius < nearest.distance)) continue;
    nearest.distance = result.distance - radius;
    nearest.normal = X_WA.R * result.normal;
    nearest.p_A = X_WA.p + X_WA.R * (result.p_a + radius * result.normal);
    nearest.feature = pair_feature(FeatureKind::smooth, 0, FeatureKind::face, t.id);
  }
  return nearest;
}

}  // namespace stiction
