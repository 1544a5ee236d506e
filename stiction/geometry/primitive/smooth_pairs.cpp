#include "stiction/geometry/primitive/smooth_pairs.h"

#include <cmath>

#include "stiction/geometry/convex/direction_search.h"
#include "stiction/geometry/convex/implicit.h"
#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/pair_frame.h"

namespace stiction {
namespace {

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

void collide_smooth(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB,
                    const CollideOptions& options, PairMemory* memory, ContactPoints* out) {
  const PairFrame frame(X_WA, X_WB);
  const double radius_a = core_radius(A), radius_b = core_radius(B),
               reach = options.margin + radius_a + radius_b;
  if (finds_separating_direction(A, B, frame.X_AB, reach, memory)) return;
  const Separation found = largest_separation(A, B, frame.X_AB, reach);
  if (found.distance > reach) return;
  const Vec3& n = found.normal;
  out->push_back(frame.point(found.on_a + radius_a * n, n, found.distance - radius_a - radius_b, 1.0, 0));
}

ContactPoint separation_point(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                              const Pose& X_WB) {
  const PairFrame frame(X_WA, X_WB);
  const Separation found = largest_separation(A, B, frame.X_AB, 1e300);
  const double radius_a = core_radius(A);
  return frame.point(found.on_a + radius_a * found.normal, found.normal,
                     found.distance - radius_a - core_radius(B), 1.0, 0);
}

NearestPoint nearest_on_superellipsoid(const CollisionShape& shape, const Vec3& p) {
  const CollisionShape point;
  const Separation found = largest_separation(shape, point, translation(p), 1e300);
  return polished(shape, p, {found.distance, found.normal, found.on_a});
}

}  // namespace stiction
