#pragma once
// A capsule with a capsule and a cylinder; with a box and a hull: stiction/geometry/primitive/cylinder_pairs.h.
//
// With a flat part (a face, a disc) a capsule has the two ends of its segment, or the places where it is cut
// off, with 1/2 each (stiction/geometry/primitive/contact_patch.h). With a round one (a capsule, the mantle of a
// cylinder) it touches in one point unless the axes are parallel: the nearest point P has the weight that the
// two ends E_i of the stretch where both run side by side leave to it,
//   w_i = 1/2 max(0, 1 - (phi_i - phi)/(|phi| + c)),       w_P = 1 - w_0 - w_1,
// phi_i the distance at E_i, phi that at P, c = kParallel (r_A + r_B). Parallel capsules have 1/2 at both
// ends. P runs along the axis faster than the bodies turn where they are nearly parallel, but there it weighs
// little: the wrench F of k = 1 obeys |F(X') - F(X)| <= 10 delta, moments likewise times the size, with delta
// the largest way of any point between the two poses.

#include "stiction/geometry/narrow_phase.h"

namespace stiction {

void collide_capsule_capsule(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                             const Pose& X_WB, const CollideOptions& options, PairMemory* memory,
                             ContactPoints* out);
void collide_capsule_cylinder(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                              const Pose& X_WB, const CollideOptions& options, PairMemory* memory,
                              ContactPoints* out);

// The points of two segments c + s e, |s| <= l, nearest to each other, e unit.
struct SegmentPoints {
  double s = 0.0, t = 0.0;  // m along the axes
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();
};
SegmentPoints nearest_of_segments(const Vec3& centre_a, const Vec3& axis_a, double half_a,
                                  const Vec3& centre_b, const Vec3& axis_b, double half_b);

// The two ends of the stretch where both segments run side by side, measured along the mean of the axes:
// pairs of points level with each other. False where there is none.
bool side_by_side(const Vec3& centre_a, const Vec3& axis_a, double half_a, const Vec3& centre_b,
                  const Vec3& axis_b, double half_b, SegmentPoints* first, SegmentPoints* last);

inline constexpr double kParallel = 1e-4;

// Shares `weight` between the nearest point and the ends by the rule above; drops what has none.
void add_round_contacts(const ContactPoint& nearest, const ContactPoint* ends, int count, double weight,
                        double radius, double margin, ContactPoints* out);

}  // namespace stiction
