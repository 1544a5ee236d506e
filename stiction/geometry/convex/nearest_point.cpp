#include "stiction/geometry/convex/nearest_point.h"

#include "stiction/geometry/convex/direction_search.h"
#include "stiction/geometry/convex/gjk.h"
#include "stiction/geometry/convex/implicit.h"
#include "stiction/geometry/convex/segment_pair.h"
#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/shape/convex_hull.h"

namespace stiction {
namespace {

using namespace segment_pair;

// Whether a face of the hull contains the projection of p.
bool is_above(const ConvexHull& hull, const HullFace& face, const Vec3& p) {
  for (int k = face.begin; k < face.end; ++k) {
    const Vec3& a = hull.vertices[hull.corners[k].vertex];
    const Vec3& b = hull.vertices[hull.corners[k + 1 < face.end ? k + 1 : face.begin].vertex];
    if ((b - a).cross(p - a).dot(face.normal) < 0.0) return false;
  }
  return true;
}

// The search over directions finds the normal only to the square root of round-off. The point x of the
// surface f = 0 nearest to p obeys x + t grad f = p: Newton's method on x and t. The result is used only if
// it converges to round-off and stays near.
NearestPoint polished(const CollisionShape& shape, const Vec3& p, const NearestPoint& start) {
  constexpr int kMaxSteps = 5;
  constexpr double kRoundOff = 1e-15, kElsewhere = 1e-12;  // of the size
  const double size = core_extent(shape) + p.norm();
  Vec3 x = start.p;
  ImplicitValue f = implicit_of_core(shape, x);
  double t = start.distance / f.gradient.norm();
  for (int k = 0; k < kMaxSteps; ++k) {
    const Vec3 r = p - x - t * f.gradient;
    const double slope = f.gradient.norm(), residual = r.norm() + std::abs(f.f) / slope;
    if (!std::isfinite(residual)) break;
    const Vec3 n = f.gradient / slope;
    if (residual <= kRoundOff * size) {
      const NearestPoint found{n.dot(p - x), n, x};
      return std::abs(found.distance - start.distance) <= kElsewhere * size ? found : start;
    }
    // Back to the surface along n, then tangentially on it.
    const Mat3 stiffness = Mat3::Identity() + t * f.hessian;
    const Vec3 back = -f.f / slope * n;
    const Eigen::Matrix<double, 3, 2> across = frame_with_z(n).leftCols<2>();
    const Eigen::Matrix2d M = across.transpose() * stiffness * across;
    const Eigen::Vector2d b = across.transpose() * (r - stiffness * back);
    const double det = M(0, 0) * M(1, 1) - M(0, 1) * M(1, 0);
    if (det == 0.0) break;
    const Eigen::Vector2d y(M(1, 1) * b[0] - M(0, 1) * b[1], M(0, 0) * b[1] - M(1, 0) * b[0]);
    const Vec3 step = back + across * (y / det);
    x += step;
    t += n.dot(r - stiffness * step) / slope;
    f = implicit_of_core(shape, x);
  }
  return start;
}

}  // namespace

NearestPoint nearest_on_box(const Vec3& half_extents, const Vec3& p) {
  const NearOnBox found = near_on_box(simd::pack_of(half_extents), simd::pack_of(p));
  NearestPoint near;
  near.distance = found.distance;
  near.p = p.cwiseMax(-half_extents).cwiseMin(half_extents);
  for (int k = 0; k < 3; ++k) {
    near.normal[k] = found.normal[k];
    if (std::abs(near.normal[k]) == 1.0) near.p[k] = near.normal[k] * half_extents[k];
  }
  return near;
}

// The nearest point is x_i = r_i^2 p_i/(t + r_i^2) with the largest t for which F(t) = sum of (x_i/r_i)^2 is
// 1, and the distance is t |x_i/r_i^2|. Newton's method on 1/sqrt(F) - 1, which is concave and increasing,
// climbs from where the first term alone reaches 1 (D. Eberly, "Distance from a point to an ellipse, an
// ellipsoid, or a hyperellipsoid", 2013; the iteration is that of More and Sorensen, 1983).
// The unknown is t + r_least^2, which loses no digits where the point is almost in the plane perpendicular to
// the shortest axis.
NearestPoint nearest_on_ellipsoid(const Vec3& radii, const Vec3& p) {
  constexpr int kMaxIterations = 60;
  const Vec3 r2 = radii.cwiseAbs2(), rp = radii.cwiseProduct(p.cwiseAbs());
  int least = 0;
  r2.minCoeff(&least);
  const Vec3 beyond = r2.array() - r2[least];
  double from_end = (rp - beyond).maxCoeff();
  Vec3 u;  // x_i/r_i, without signs
  if (from_end <= 0.0) {
    // In the plane perpendicular to the shortest axis both sides are equally near: the upper one is taken.
    from_end = 0.0;
    double rest = 1.0;
    for (int i = 0; i < 3; ++i) {
      u[i] = beyond[i] > 0.0 ? rp[i] / beyond[i] : 0.0;
      rest -= u[i] * u[i];
    }
    if (rest >= 0.0) {
      u[least] = std::sqrt(rest);
      Vec3 x = radii.cwiseProduct(u);
      for (int i = 0; i < 3; ++i) x[i] = std::copysign(x[i], i == least ? 1.0 : p[i]);
      const Vec3 g = x.cwiseQuotient(r2);
      return {-r2[least] * g.norm(), g.normalized(), x};
    }
  }
  for (int k = 0; k < kMaxIterations; ++k) {
    const Vec3 s = beyond.array() + from_end;
    for (int i = 0; i < 3; ++i) u[i] = rp[i] > 0.0 ? rp[i] / s[i] : 0.0;  // not 0/0 at the end of the range
    const double F = u.squaredNorm(), root = std::sqrt(F);
    double bend = 0.0;
    for (int i = 0; i < 3; ++i) bend += u[i] > 0.0 ? u[i] * u[i] / s[i] : 0.0;
    const double next = from_end + (root - 1.0) * F / bend;
    if (!(next > from_end)) break;  // round-off: the iteration is monotone
    from_end = next;
  }
  u.normalize();
  Vec3 x = radii.cwiseProduct(u);
  for (int i = 0; i < 3; ++i) x[i] = std::copysign(x[i], p[i]);
  const Vec3 g = x.cwiseQuotient(r2);
  return {(from_end - r2[least]) * g.norm(), g.normalized(), x};
}

NearestPoint nearest_on_hull(const CollisionShape& shape, const Vec3& p) {
  const ConvexHull& hull = *shape.hull;
  int best = 0;
  double most = -1e300;
  for (int f = 0; f < static_cast<int>(hull.faces.size()); ++f) {
    const double s = hull.faces[f].normal.dot(p) - hull.faces[f].offset;
    if (s > most) most = s, best = f;
  }
  const HullFace& face = hull.faces[best];
  NearestPoint near{most, face.normal, p - most * face.normal};
  if (most <= 0.0 || is_above(hull, face, p)) return near;
  CollisionShape point;
  const GjkResult gjk = gjk_distance(shape, point, translation(p));
  if (gjk.overlap) return near;  // on the surface to round-off
  return {gjk.distance, gjk.normal, gjk.p_a};
}

NearestPoint nearest_on_core(const CollisionShape& shape, const Vec3& p) {
  switch (shape.kind) {
    case ShapeKind::capsule:
      return nearest_on_segment(shape.size[1], p);
    case ShapeKind::box:
      return nearest_on_box(shape.size, p);
    case ShapeKind::cylinder:
      return nearest_on_cylinder(shape.size[0], shape.size[1], p);
    case ShapeKind::ellipsoid:
      return nearest_on_ellipsoid(shape.size, p);
    case ShapeKind::hull:
      return nearest_on_hull(shape, p);
    case ShapeKind::superellipsoid:
      return nearest_on_superellipsoid(shape, p);
    case ShapeKind::sphere:
    case ShapeKind::half_space:
    case ShapeKind::mesh:
    case ShapeKind::height_field:
      break;
  }
  return nearest_on_segment(0.0, p);
}

NearestPoint nearest_on_superellipsoid(const CollisionShape& shape, const Vec3& p) {
  const CollisionShape point;
  const Separation found = largest_separation(shape, point, translation(p), 1e300);
  return polished(shape, p, {found.distance, found.normal, found.on_a});
}

SegmentPoints nearest_of_segments(const Vec3& centre_a, const Vec3& axis_a, double half_a,
                                  const Vec3& centre_b, const Vec3& axis_b, double half_b) {
  const Segments x{centre_b - centre_a, axis_a, axis_b, half_a, half_b};
  const Products products = products_of(x);
  const Places at =
      products.sine2 > kLeastSine2 ? nearest_places(x, products) : nearest_places_of_parallel(x, products);
  return {at.s, at.t, centre_a + at.s * axis_a, centre_b + at.t * axis_b};
}

bool side_by_side(const Vec3& centre_a, const Vec3& axis_a, double half_a, const Vec3& centre_b,
                  const Vec3& axis_b, double half_b, SegmentPoints* first, SegmentPoints* last) {
  const Segments x{centre_b - centre_a, axis_a, axis_b, half_a, half_b};
  const Stretch ends = stretch_of(x, products_of(x));
  if (!ends.exists()) return false;
  const auto points = [&](const Places& at) {
    return SegmentPoints{at.s, at.t, centre_a + at.s * axis_a, centre_b + at.t * axis_b};
  };
  *first = points(ends.first), *last = points(ends.last);
  return true;
}

}  // namespace stiction
