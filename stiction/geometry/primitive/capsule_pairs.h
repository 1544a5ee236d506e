#pragma once
// A capsule with a capsule and with a cylinder (with a box or a hull: cylinder_pairs.h).
//
// On a flat part (a face, a disc) a capsule has contacts at the two ends of its segment, or where the segment
// is cut off, with weight 1/2 each (contact_patch.h). On a round part (a capsule, the lateral surface of a
// cylinder) it touches in one point unless the axes are parallel. Let E_0, E_1 be the two ends of the
// interval where both segments run side by side: the weights of these and of the nearest point P are
//   w_i = 1/2 max(0, 1 - (phi_i - phi)/(|phi| + c)),       w_P = 1 - w_0 - w_1,
// phi_i the distance at E_i, phi that at P, c = kParallel (r_A + r_B). Parallel capsules have 1/2 at both
// ends. For nearly parallel axes P moves along the axis faster than the bodies rotate, but its weight is
// small there: the wrench F of k = 1 obeys |F(X') - F(X)| <= 10 delta, moments likewise times the size, with
// delta the largest displacement of any point between the two poses.

#include "stiction/geometry/collide_options.h"
#include "stiction/geometry/shape/collision_shape.h"

namespace stiction {

void collide_capsule_capsule(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                             const Pose& X_WB, const CollideOptions& options, PairMemory* memory,
                             ContactPoints* out);
void collide_capsule_cylinder(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                              const Pose& X_WB, const CollideOptions& options, PairMemory* memory,
                              ContactPoints* out);

inline constexpr double kParallel = 1e-4;  // of the radii

// Divides `weight` among the nearest point and the ends by the rule above; drops points without weight.
void add_round_contacts(const ContactPoint& nearest, const ContactPoint* ends, int count, double weight,
                        double radius, double margin, ContactPoints* out);

}  // namespace stiction
