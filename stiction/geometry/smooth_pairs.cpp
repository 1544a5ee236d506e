#include "stiction/geometry/smooth_pairs.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stiction/geometry/direction_search.h"
#include "stiction/geometry/implicit.h"
#include "stiction/geometry/pair_frame.h"
#include "stiction/geometry/support.h"

namespace stiction {
namespace {

constexpr int kMaxRounds = 200;  // of a compass search

bool is_strictly_convex(const CollisionShape& shape) {
  return shape.kind == ShapeKind::ellipsoid || shape.kind == ShapeKind::superellipsoid;
}

// How far x lies outside the core, m; to first order for a superellipsoid.
double outside_core(const CollisionShape& shape, const Vec3& x) {
  return shape.kind == ShapeKind::superellipsoid ? implicit_of_core(shape, x).f
                                                 : nearest_on_core(shape, x).distance;
}

// A nearly flat side of a superellipsoid has its support point anywhere on it for normals that agree to
// round-off, and the partner's may be far from it although every place between is as near: a place across the
// normal that is least outside either body, by a compass search on the larger of the two convex functions.
Vec3 common_place(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB, const Vec3& on_a,
                  const Separation& found) {
  const Vec3 step = found.distance * found.normal;
  const Vec3 from_b = X_AB * core_support(B, -(X_AB.R.transpose() * found.normal)).p - step;
  const double size = core_extent(A) + core_extent(B), good_enough = 1e-14 * size;
  const auto outside = [&](const Vec3& x) {
    return std::max(outside_core(A, x), outside_core(B, X_AB.R.transpose() * (x + step - X_AB.p)));
  };
  Vec3 best = on_a;
  double least = outside(on_a);
  const auto look = [&](const Vec3& x) {
    const double f = outside(x);
    if (!(f < least)) return false;
    least = f, best = x;
    return true;
  };
  look(from_b);
  look(0.5 * (on_a + from_b));
  const Mat3 frame = frame_with_z(found.normal);
  const Vec3 t1 = frame.col(0), t2 = frame.col(1);
  double way = 0.25 * (from_b - on_a).norm();
  for (int round = 0; round < kMaxRounds && way > 1e-13 * size && least > good_enough; ++round) {
    const Vec3 from = best;
    bool improves = false;
    for (int k = 0; k < 8; ++k) {
      const double angle = 0.25 * std::numbers::pi * k;
      improves = look(from + way * (std::cos(angle) * t1 + std::sin(angle) * t2)) || improves;
    }
    if (!improves) way *= 0.5;
  }
  return best;
}

}  // namespace

void collide_smooth(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB,
                    const CollideOptions& options, PairMemory* memory, ContactPoints* out) {
  const PairFrame frame(X_WA, X_WB);
  const double radius_a = core_radius(A), radius_b = core_radius(B),
               reach = options.margin + radius_a + radius_b;
  if (is_soon_separated(A, B, frame.X_AB, reach, memory)) return;
  const Separation found = largest_separation(A, B, frame.X_AB, reach);
  if (found.distance > reach) return;
  const Vec3& n = found.normal;
  // The point of the strictly convex one is known best, except on the nearly flat sides of a superellipsoid:
  // there a corner or an edge of the partner knows the place across the normal better.
  const CollisionShape& smooth = is_strictly_convex(A) ? A : B;
  const CollisionShape& other = is_strictly_convex(A) ? B : A;
  const bool smooth_is_a = &smooth == &A;
  const Pose X_AO = smooth_is_a ? frame.X_AB : Pose{};
  Vec3 on_smooth = smooth_is_a ? core_support(A, n).p
                               : Vec3(frame.X_AB * core_support(B, -(frame.X_AB.R.transpose() * n)).p);
  const Vec3 way = (smooth_is_a ? found.distance : -found.distance) * n;
  if (smooth.kind == ShapeKind::superellipsoid && other.kind != ShapeKind::superellipsoid) {
    const SupportSet set = support_set(other, (smooth_is_a ? -1.0 : 1.0) * (X_AO.R.transpose() * n));
    const Vec3 place = X_AO.R.transpose() * (on_smooth + way - X_AO.p);
    on_smooth =
        X_AO * (set.kind == SupportSet::Kind::point ? set.centre : nearest_on_core(other, place).p) - way;
  }
  Vec3 on_a = smooth_is_a ? on_smooth : Vec3(on_smooth + way);
  if (smooth.kind == ShapeKind::superellipsoid || other.kind == ShapeKind::superellipsoid)
    on_a = common_place(A, B, frame.X_AB, on_a, found);
  out->push_back(frame.point(on_a + radius_a * n, n, found.distance - radius_a - radius_b, 1.0, 0));
}

NearestPoint nearest_on_superellipsoid(const CollisionShape& shape, const Vec3& p) {
  const CollisionShape point;
  const Separation found = largest_separation(shape, point, translation(p), 1e300);
  return {found.distance, found.normal, p - found.distance * found.normal};
}

}  // namespace stiction
