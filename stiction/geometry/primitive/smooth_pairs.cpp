#include "stiction/geometry/primitive/smooth_pairs.h"

#include "stiction/geometry/convex/direction_search.h"
#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/pair_frame.h"

namespace stiction {
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

}  // namespace stiction
