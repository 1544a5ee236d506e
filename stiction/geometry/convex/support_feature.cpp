#include "stiction/geometry/convex/support_feature.h"

#include <cmath>

#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/shape/convex_hull.h"

namespace stiction {

void support_feature(const CollisionShape& shape, const Pose& X_AS, const Vec3& n, SupportFeature* part) {
  const Vec3 d = X_AS.R.transpose() * n;
  switch (shape.kind) {
    case ShapeKind::cylinder: {
      const double across = std::sqrt(d.x() * d.x() + d.y() * d.y());
      if (std::abs(d.z()) >= across) {
        part->kind = SupportFeature::Kind::disc;
        part->index = d.z() > 0.0 ? 1 : 0;
        part->normal = (d.z() > 0.0 ? 1.0 : -1.0) * X_AS.R.col(2);
        part->centre = X_AS.p + shape.size[1] * part->normal;
        part->radius = shape.size[0];
      } else {
        part->kind = SupportFeature::Kind::segment;
        part->centre = X_AS * Vec3(shape.size[0] * d.x() / across, shape.size[0] * d.y() / across, 0.0);
        part->half = shape.size[1] * X_AS.R.col(2);
        part->end_weight = 0.25;
      }
      return;
    }
    case ShapeKind::box: {
      int axis = 0;
      d.cwiseAbs().maxCoeff(&axis);
      const double sign = d[axis] < 0.0 ? -1.0 : 1.0;
      part->kind = SupportFeature::Kind::polygon;
      part->index = 2 * axis + (sign > 0.0 ? 1 : 0);
      part->normal = sign * X_AS.R.col(axis);
      part->centre = X_AS.p + shape.size[axis] * part->normal;
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      const Vec3 eu = shape.size[u] * X_AS.R.col(u), ev = sign * shape.size[v] * X_AS.R.col(v);
      part->corners[0] = part->centre - eu - ev;
      part->corners[1] = part->centre + eu - ev;
      part->corners[2] = part->centre + eu + ev;
      part->corners[3] = part->centre - eu + ev;
      // Numbered by the signs of their coordinates.
      const int on = sign > 0.0 ? 1 << axis : 0, bu = 1 << u, bv = 1 << v;
      const int low = sign > 0.0 ? 0 : bv, high = sign > 0.0 ? bv : 0;
      part->vertices[0] = on | low, part->vertices[1] = on | low | bu;
      part->vertices[2] = on | high | bu, part->vertices[3] = on | high;
      part->count = 4;
      return;
    }
    case ShapeKind::hull: {
      const ConvexHull& hull = *shape.hull;
      int best = 0;
      double most = -2.0;
      for (int f = 0; f < static_cast<int>(hull.faces.size()); ++f) {
        const double c = hull.faces[f].normal.dot(d);
        if (c > most) most = c, best = f;
      }
      const HullFace& face = hull.faces[best];
      part->kind = SupportFeature::Kind::polygon;
      part->index = best;
      part->normal = X_AS.R * face.normal;
      part->centre = X_AS * (face.offset * face.normal);
      part->count = std::min(face.end - face.begin, SupportFeature::kMaxCorners);
      for (int k = 0; k < part->count; ++k) {
        part->vertices[k] = hull.corners[face.begin + k].vertex;
        part->corners[k] = X_AS * hull.vertices[part->vertices[k]];
      }
      return;
    }
    case ShapeKind::capsule:
    case ShapeKind::sphere:
    case ShapeKind::ellipsoid:
    case ShapeKind::superellipsoid:
    case ShapeKind::half_space:
    case ShapeKind::mesh:
    case ShapeKind::height_field:
      part->kind = SupportFeature::Kind::segment;
      part->centre = X_AS.p;
      part->half = shape.size[1] * X_AS.R.col(2);
      part->end_weight = 0.5;
      return;
  }
}

bool support_features(const CollisionShape& A, const CollisionShape& B, const PairFrame& frame, double margin,
                      PairMemory* memory, Separation* found, SupportFeature* a, SupportFeature* b) {
  const double reach = margin + core_radius(A) + core_radius(B);
  if (finds_separating_direction(A, B, frame.X_AB, reach, memory)) return false;
  *found = largest_separation(A, B, frame.X_AB, reach);
  if (found->distance > reach) return false;
  support_feature(A, {}, found->normal, a);
  support_feature(B, frame.X_AB, -found->normal, b);
  return true;
}

}  // namespace stiction
