#include "stiction/geometry/primitive/primitive_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "stiction/geometry/convex/nearest_point.h"
#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/pair_frame.h"
#include "stiction/geometry/primitive/contact_patch.h"
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

}  // namespace

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
