#include "stiction/geometry/primitive/primitive_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "stiction/geometry/convex/gjk.h"
#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/pair_frame.h"
#include "stiction/geometry/primitive/contact_patch.h"
#include "stiction/geometry/primitive/smooth_pairs.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/simd/pose_packs.h"

namespace stiction {
namespace {

using simd::Pack;

// The single contact of a sphere A, whose centre has the nearest point `near` on the core of B, in B's axes.
void add_sphere_contact(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB,
                        const NearestPoint& near, double margin, ContactPoints* out) {
  const double radius = core_radius(A), distance = near.distance - radius - core_radius(B);
  if (distance > margin) return;
  const Vec3 n = -(X_WB.R * near.normal);
  out->push_back({X_WA.p + radius * n, n, distance, 1.0, 0});
}

Vec3 in_frame_of(const Pose& X_WB, const Vec3& p_W) { return X_WB.R.transpose() * (p_W - X_WB.p); }

// The contact of the half-space B with the point of A's core at r from A's origin, in W.
void add_plane_contact(const CollisionShape& A, const Pose& X_WA, const Pose& X_WB, const Vec3& r,
                       double weight, std::uint64_t feature, double margin, ContactPoints* out) {
  const Vec3 up = X_WB.R.col(2);
  const double radius = core_radius(A), distance = up.dot(X_WA.p - X_WB.p) + up.dot(r) - radius;
  if (distance > margin) return;
  out->push_back({X_WA.p + (r - radius * up), -up, distance, weight, feature});
}

struct NearOnBox {
  double distance;
  Pack normal;
};
inline NearOnBox near_on_box(Pack half_extents, Pack p) {
  const Pack beyond = p - simd::smaller(simd::larger(p, -half_extents), half_extents);
  const double beyond2 = simd::dot(beyond, beyond);
  if (beyond2 > 0.0) {
    const double distance = std::sqrt(beyond2);
    return {distance, beyond / distance};
  }
  // Inside, or outside by so little that its square underflows: along the axis of the nearest face.
  const Pack outside = simd::absolute(p) - half_extents;
  int axis = outside[1] > outside[0] ? 1 : 0;
  if (outside[2] > outside[axis]) axis = 2;
  Pack normal = simd::zero();
  normal[axis] = p[axis] < 0.0 ? -1.0 : 1.0;
  return {outside[axis], normal};
}

// The case that a face of the hull contains the projection of p.
bool is_above(const ConvexHull& hull, const HullFace& face, const Vec3& p) {
  for (int k = face.begin; k < face.end; ++k) {
    const Vec3& a = hull.vertices[hull.corners[k].vertex];
    const Vec3& b = hull.vertices[hull.corners[k + 1 < face.end ? k + 1 : face.begin].vertex];
    if ((b - a).cross(p - a).dot(face.normal) < 0.0) return false;
  }
  return true;
}

}  // namespace

NearestPoint nearest_on_segment(double half_length, const Vec3& p) {
  NearestPoint near;
  near.p = Vec3(0.0, 0.0, std::clamp(p.z(), -half_length, half_length));
  const Vec3 d = p - near.p;
  near.distance = d.norm();
  near.normal = near.distance > 0.0 ? Vec3(d / near.distance) : Vec3::UnitX();
  return near;
}

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

NearestPoint nearest_on_cylinder(double radius, double half_length, const Vec3& p) {
  const double across = std::sqrt(p.x() * p.x() + p.y() * p.y());
  const Vec3 radial = across > 0.0 ? Vec3(p.x() / across, p.y() / across, 0.0) : Vec3::UnitX();
  const Vec3 axial(0.0, 0.0, p.z() < 0.0 ? -1.0 : 1.0);
  const double dr = across - radius, dz = std::abs(p.z()) - half_length;
  NearestPoint near;
  if (dr > 0.0 && dz > 0.0) {  // the rim
    near.distance = std::sqrt(dr * dr + dz * dz);
    near.normal = (dr * radial + dz * axial) / near.distance;
    near.p = radius * radial + half_length * axial;
  } else if (dr > dz) {
    near.distance = dr;
    near.normal = radial;
    near.p = radius * radial + Vec3(0.0, 0.0, p.z());
  } else {
    near.distance = dz;
    near.normal = axial;
    near.p = Vec3(p.x(), p.y(), 0.0) + half_length * axial;
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
    default:
      return nearest_on_segment(0.0, p);
  }
}

void collide_sphere_sphere(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                           const Pose& X_WB, const CollideOptions& options, PairMemory*, ContactPoints* out) {
  const Pack p = simd::position(X_WA), d = simd::position(X_WB) - p;
  const double a = A.size[0] + A.rounding, length = std::sqrt(simd::dot(d, d));
  const double distance = length - a - (B.size[0] + B.rounding);
  if (distance > options.margin) return;
  const Pack n = length > 0.0 ? d * (1.0 / length) : Pack{1.0, 0.0, 0.0, 0.0};
  simd::add_point(p + a * n, n, distance, 1.0, 0, out);
}

void collide_sphere_capsule(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                            const Pose& X_WB, const CollideOptions& options, PairMemory*,
                            ContactPoints* out) {
  const NearestPoint near = nearest_on_segment(B.size[1], in_frame_of(X_WB, X_WA.p));
  add_sphere_contact(A, X_WA, B, X_WB, near, options.margin, out);
}

void collide_sphere_ellipsoid(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                              const Pose& X_WB, const CollideOptions& options, PairMemory*,
                              ContactPoints* out) {
  const Vec3 p = in_frame_of(X_WB, X_WA.p);
  // Outside the ball around B: nothing to solve.
  const double reach = B.ball_radius + core_radius(A) + options.margin;
  if (p.squaredNorm() > reach * reach) return;
  add_sphere_contact(A, X_WA, B, X_WB, nearest_on_ellipsoid(B.size, p), options.margin, out);
}

void collide_sphere_superellipsoid(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                                   const Pose& X_WB, const CollideOptions& options, PairMemory*,
                                   ContactPoints* out) {
  const Vec3 p = in_frame_of(X_WB, X_WA.p);
  const double reach = B.ball_radius + core_radius(A) + options.margin;
  if (p.squaredNorm() > reach * reach) return;
  add_sphere_contact(A, X_WA, B, X_WB, nearest_on_superellipsoid(B, p), options.margin, out);
}

void collide_sphere_cylinder(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                             const Pose& X_WB, const CollideOptions& options, PairMemory*,
                             ContactPoints* out) {
  const NearestPoint near = nearest_on_cylinder(B.size[0], B.size[1], in_frame_of(X_WB, X_WA.p));
  add_sphere_contact(A, X_WA, B, X_WB, near, options.margin, out);
}

void collide_sphere_box(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB,
                        const CollideOptions& options, PairMemory*, ContactPoints* out) {
  const Pack p = simd::position(X_WA);
  const NearOnBox near =
      near_on_box(simd::pack_of(B.size), simd::rotated_back(X_WB, p - simd::position(X_WB)));
  const double radius = A.size[0] + A.rounding, distance = near.distance - radius - B.rounding;
  if (distance > options.margin) return;
  const Pack n = -simd::rotated(X_WB, near.normal);
  simd::add_point(p + radius * n, n, distance, 1.0, 0, out);
}

void collide_sphere_hull(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB,
                         const CollideOptions& options, PairMemory*, ContactPoints* out) {
  const NearestPoint near = nearest_on_hull(B, in_frame_of(X_WB, X_WA.p));
  add_sphere_contact(A, X_WA, B, X_WB, near, options.margin, out);
}

void collide_sphere_half_space(const CollisionShape& A, const Pose& X_WA, const CollisionShape&,
                               const Pose& X_WB, const CollideOptions& options, PairMemory*,
                               ContactPoints* out) {
  add_plane_contact(A, X_WA, X_WB, Vec3::Zero(), 1.0, 0, options.margin, out);
}

void collide_capsule_half_space(const CollisionShape& A, const Pose& X_WA, const CollisionShape&,
                                const Pose& X_WB, const CollideOptions& options, PairMemory*,
                                ContactPoints* out) {
  const Vec3 axis = X_WA.R.col(2), up = X_WB.R.col(2);
  const double height = up.dot(X_WA.p - X_WB.p), half = A.size[1];
  for (int i = 0; i < 2; ++i) {
    // Below the higher end it is the lateral surface.
    const Vec3 end = (i == 0 ? -half : half) * axis;
    const double way = capsule_exit_distance(axis, half, core_radius(A), end, -up);
    const double distance = height + up.dot(end) - way;
    if (distance > options.margin) continue;
    out->push_back({X_WA.p + (end - way * up), -up, distance, 0.5,
                    pair_feature(FeatureKind::vertex, i, FeatureKind::smooth, 0)});
  }
}

void collide_ellipsoid_half_space(const CollisionShape& A, const Pose& X_WA, const CollisionShape&,
                                  const Pose& X_WB, const CollideOptions& options, PairMemory*,
                                  ContactPoints* out) {
  const SupportPoint s = core_support(A, -(X_WA.R.transpose() * X_WB.R.col(2)));
  add_plane_contact(A, X_WA, X_WB, X_WA.R * s.p, 1.0, 0, options.margin, out);
}

void collide_superellipsoid_half_space(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                                       const Pose& X_WB, const CollideOptions& options, PairMemory* memory,
                                       ContactPoints* out) {
  collide_ellipsoid_half_space(A, X_WA, B, X_WB, options, memory, out);
}

void collide_cylinder_half_space(const CollisionShape& A, const Pose& X_WA, const CollisionShape&,
                                 const Pose& X_WB, const CollideOptions& options, PairMemory*,
                                 ContactPoints* out) {
  const Vec3 up = X_WA.R.transpose() * X_WB.R.col(2);  // in A
  const double across = std::sqrt(up.x() * up.x() + up.y() * up.y());
  const Vec3 low = across > 0.0 ? Vec3(-up.x() / across, -up.y() / across, 0.0) : Vec3::UnitX();
  const Vec3 t1 = A.size[0] * (X_WA.R * low), t2 = A.size[0] * (X_WA.R * Vec3(-low.y(), low.x(), 0.0));
  const Vec3 axis = A.size[1] * X_WA.R.col(2);
  // The lower disc first: with room for four points only, they are all on it unless the cylinder lies.
  const int lower = up.z() > 0.0 ? 0 : 1;
  const std::size_t begin = out->size();
  for (const int disc : {lower, 1 - lower}) {
    const Vec3 centre = disc == 0 ? Vec3(-axis) : axis;
    const std::array<Vec3, 4> rim{centre + t1, centre + t2, centre - t2, centre - t1};
    for (int i = 0; i < 4; ++i) {
      const auto feature = pair_feature(FeatureKind::edge, 4 * disc + i, FeatureKind::smooth, 0);
      add_plane_contact(A, X_WA, X_WB, rim[i], 0.25, feature, options.margin, out);
    }
  }
  if (out->size() > begin + static_cast<std::size_t>(options.max_points)) {
    const auto first = out->begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(first, out->end(), [](const ContactPoint& a, const ContactPoint& b) {
      return a.distance < b.distance || (a.distance == b.distance && a.feature < b.feature);
    });
    out->resize(begin + static_cast<std::size_t>(options.max_points));
  }
}

}  // namespace stiction
