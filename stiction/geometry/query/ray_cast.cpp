#include "stiction/geometry/query/ray_cast.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/geometry/convex/nearest_point.h"
#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/narrow_phase.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/geometry/surface/ray_mesh.h"

namespace stiction {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The interval of a ray inside a convex body, clipped constraint by constraint.
struct Span {
  double enter = -kInfinity, leave = kInfinity;
  Vec3 normal = Vec3::Zero();  // where it enters

  // Behind the plane n . x <= offset.
  void cut_plane(const Ray& ray, const Vec3& n, double offset) {
    const double gap = n.dot(ray.origin) - offset, rate = n.dot(ray.direction);
    if (rate < 0.0) {
      if (-gap / rate > enter) enter = -gap / rate, normal = n;
    } else if (rate > 0.0) {
      leave = std::min(leave, -gap / rate);
    } else if (gap > 0.0) {
      enter = kInfinity;
    }
  }

  // Where a t^2 + 2 b t + c <= 0, a >= 0; the normal at t is left to the caller.
  bool cut_quadric(double a, double b, double c) {
    if (!(a > 0.0)) {
      if (c > 0.0) enter = kInfinity;
      return false;
    }
    const double det = b * b - a * c;
    if (!(det >= 0.0)) {
      enter = kInfinity;
      return false;
    }
    // Both roots without cancellation.
    const double q = -(b + std::copysign(std::sqrt(det), b));
    double t0 = q / a, t1 = q != 0.0 ? c / q : t0;
    if (t0 > t1) std::swap(t0, t1);
    leave = std::min(leave, t1);
    if (!(t0 > enter)) return false;
    enter = t0;
    return true;
  }
};

RayHit hit_of(const Span& span, const Ray& ray) {
  RayHit hit;
  if (!(span.enter <= span.leave) || span.leave < 0.0 || span.enter > ray.length) return hit;
  hit.hit = true;
  hit.t = std::max(span.enter, 0.0);
  hit.normal = span.enter > 0.0 ? span.normal : Vec3(-ray.direction.normalized());
  return hit;
}

RayHit cast_ellipsoid(const Vec3& radii, const Ray& ray) {
  const Vec3 o = ray.origin.cwiseQuotient(radii), d = ray.direction.cwiseQuotient(radii);
  Span span;
  if (span.cut_quadric(d.squaredNorm(), o.dot(d), o.squaredNorm() - 1.0))
    span.normal = Vec3(o + span.enter * d).cwiseQuotient(radii).normalized();
  return hit_of(span, ray);
}

RayHit cast_cylinder(double radius, double half, const Ray& ray) {
  Span span;
  span.cut_plane(ray, Vec3::UnitZ(), half);
  span.cut_plane(ray, -Vec3::UnitZ(), half);
  const Eigen::Vector2d o = ray.origin.head<2>(), d = ray.direction.head<2>();
  if (span.cut_quadric(d.squaredNorm(), o.dot(d), o.squaredNorm() - radius * radius)) {
    const Eigen::Vector2d x = (o + span.enter * d).normalized();
    span.normal = Vec3(x.x(), x.y(), 0.0);
  }
  return hit_of(span, ray);
}

RayHit cast_box(const Vec3& half, const Ray& ray) {
  Span span;
  for (int axis = 0; axis < 3; ++axis) {
    span.cut_plane(ray, Vec3::Unit(axis), half[axis]);
    span.cut_plane(ray, -Vec3::Unit(axis), half[axis]);
  }
  return hit_of(span, ray);
}

RayHit cast_hull(const ConvexHull& hull, const Ray& ray) {
  Span span;
  for (const HullFace& face : hull.faces) span.cut_plane(ray, face.normal, face.offset);
  return hit_of(span, ray);
}

// Any convex core + radius. All of the body lies behind its tangent plane at the point nearest to the current
// point of the ray: advancing to that plane never passes the surface, and near it is a Newton step.
RayHit cast_rounded(const CollisionShape& shape, const Ray& ray) {
  constexpr int kMaxSteps = 200;  // a grazing ray takes most of them
  const double radius = core_radius(shape);
  const double enough = 1e-13 * std::max(core_extent(shape) + radius, ray.origin.norm());
  RayHit hit;
  double t = 0.0;
  for (int step = 0; step < kMaxSteps; ++step) {
    const NearestPoint nearest = nearest_on_core(shape, ray.origin + t * ray.direction);
    const double distance = nearest.distance - radius;
    hit.normal = nearest.normal;
    if (distance <= enough) {
      hit.hit = true;
      hit.t = t;
      if (step == 0 && distance < -enough) hit.normal = -ray.direction.normalized();
      return hit;
    }
    const double rate = -nearest.normal.dot(ray.direction);
    if (!(rate > 0.0)) return {};
    t += distance / rate;
    if (!(t <= ray.length)) return {};
  }
  return {};
}

RayHit cast_half_space(const Ray& ray) {
  Span span;
  span.cut_plane(ray, Vec3::UnitZ(), 0.0);
  return hit_of(span, ray);
}

RayHit cast_mesh(const MeshTree& mesh, const Ray& ray) {
  const MeshHit found = first_hit(mesh, ray);
  RayHit hit;
  if (found.triangle < 0) return hit;
  hit.hit = true;
  hit.t = found.t;
  hit.triangle = found.triangle;
  hit.normal = doubled_area(mesh.mesh, mesh.mesh.triangles[found.triangle]).normalized();
  if (hit.normal.dot(ray.direction) > 0.0) hit.normal = -hit.normal;
  return hit;
}

// The height of the terrain at a point inside the grid.
double height_at(const HeightField& field, double x, double y) {
  const double dx = 2.0 * field.size.radius_x / (field.cols - 1),
               dy = 2.0 * field.size.radius_y / (field.rows - 1);
  const double u = (x + field.size.radius_x) / dx, v = (y + field.size.radius_y) / dy;
  const int c = std::clamp(static_cast<int>(u), 0, field.cols - 2),
            r = std::clamp(static_cast<int>(v), 0, field.rows - 2);
  const double a = u - c, b = v - r;
  const double z00 = field.height(r, c), z11 = field.height(r + 1, c + 1);
  return a >= b ? z00 + a * (field.height(r, c + 1) - z00) + b * (z11 - field.height(r, c + 1))
                : z00 + b * (field.height(r + 1, c) - z00) + a * (z11 - field.height(r + 1, c));
}

// Enters the bounding box of the field, whose walls it hits where the solid reaches them, and walks from cell
// to cell along the ray (J. Amanatides, A. Woo, "A fast voxel traversal algorithm for ray tracing", 1987).
RayHit cast_height_field(const HeightField& field, const Ray& ray) {
  const HeightFieldSize& size = field.size;
  const Eigen::AlignedBox3d box(Vec3(-size.radius_x, -size.radius_y, -size.base),
                                Vec3(size.radius_x, size.radius_y, size.elevation));
  Span span;
  for (int axis = 0; axis < 3; ++axis) {
    span.cut_plane(ray, Vec3::Unit(axis), box.max()[axis]);
    span.cut_plane(ray, -Vec3::Unit(axis), -box.min()[axis]);
  }
  RayHit hit = hit_of(span, ray);
  if (!hit.hit) return hit;
  const Vec3 entry = ray.origin + hit.t * ray.direction;
  if (entry.z() <= height_at(field, entry.x(), entry.y())) return hit;

  const double steps[2] = {2.0 * field.size.radius_x / (field.cols - 1),
                           2.0 * field.size.radius_y / (field.rows - 1)};
  const double radii[2] = {field.size.radius_x, field.size.radius_y};
  const int counts[2] = {field.cols - 1, field.rows - 1};
  int cell[2], stride[2];
  double next[2], per_cell[2];
  for (int axis = 0; axis < 2; ++axis) {
    cell[axis] = std::clamp(static_cast<int>((entry[axis] + radii[axis]) / steps[axis]), 0, counts[axis] - 1);
    const double d = ray.direction[axis];
    stride[axis] = d > 0.0 ? 1 : -1;
    const double border = -radii[axis] + steps[axis] * (cell[axis] + (d > 0.0 ? 1 : 0));
    next[axis] = d != 0.0 ? (border - ray.origin[axis]) / d : kInfinity;
    per_cell[axis] = d != 0.0 ? steps[axis] / std::abs(d) : kInfinity;
  }
  while (true) {
    const int c = cell[0], r = cell[1];
    const Vec3 p00 = field.point(r, c), p01 = field.point(r, c + 1), p10 = field.point(r + 1, c),
               p11 = field.point(r + 1, c + 1);
    const double t[2] = {hit_triangle(ray, p00, p01, p11), hit_triangle(ray, p00, p11, p10)};
    const int k = t[0] >= 0.0 && (t[1] < 0.0 || t[0] <= t[1]) ? 0 : 1;
    if (t[k] >= 0.0) {
      hit.t = t[k];
      hit.triangle = 2 * (r * (field.cols - 1) + c) + k;
      hit.normal =
          k == 0 ? (p01 - p00).cross(p11 - p00).normalized() : (p11 - p00).cross(p10 - p00).normalized();
      return hit;
    }
    const int axis = next[0] <= next[1] ? 0 : 1;
    cell[axis] += stride[axis];
    if (!(next[axis] <= std::min(span.leave, ray.length)) || cell[axis] < 0 || cell[axis] >= counts[axis])
      return {};
    next[axis] += per_cell[axis];
  }
}

RayHit cast_in_frame(const CollisionShape& shape, const Ray& ray) {
  const bool is_rounded = shape.rounding != 0.0;
  switch (shape.kind) {
    case ShapeKind::sphere:
      return cast_ellipsoid(Vec3::Constant(shape.size[0]), ray);
    case ShapeKind::ellipsoid:
      return is_rounded ? cast_rounded(shape, ray) : cast_ellipsoid(shape.size, ray);
    case ShapeKind::cylinder:
      return is_rounded ? cast_rounded(shape, ray) : cast_cylinder(shape.size[0], shape.size[1], ray);
    case ShapeKind::box:
      return is_rounded ? cast_rounded(shape, ray) : cast_box(shape.size, ray);
    case ShapeKind::hull:
      return is_rounded ? cast_rounded(shape, ray) : cast_hull(*shape.hull, ray);
    case ShapeKind::half_space:
      return cast_half_space(ray);
    case ShapeKind::mesh:
      return cast_mesh(*shape.mesh, ray);
    case ShapeKind::height_field:
      return cast_height_field(*shape.field, ray);
    case ShapeKind::capsule:
    case ShapeKind::superellipsoid:
      break;
  }
  return cast_rounded(shape, ray);
}

}  // namespace

RayHit cast_ray(const CollisionShape& shape, const Pose& X_WS, const Ray& ray_W) {
  const Mat3 R = X_WS.R.transpose();
  RayHit hit = cast_in_frame(shape, {R * (ray_W.origin - X_WS.p), R * ray_W.direction, ray_W.length});
  hit.normal = X_WS.R * hit.normal;
  return hit;
}

bool overlap(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB) {
  thread_local ContactPoints points;
  points.clear();
  collide(A, X_WA, B, X_WB, {}, nullptr, &points);
  return std::any_of(points.begin(), points.end(), [](const ContactPoint& p) { return p.distance <= 0.0; });
}

}  // namespace stiction
