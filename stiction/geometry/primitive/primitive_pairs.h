#pragma once
// Pairs with a closed form: the sphere with everything, and the half-space with every smooth shape.
//
// A sphere is a point + radius, so its contact with any shape is at the nearest point of the surface: one
// point of weight 1, feature 0. A half-space z < 0 touches a convex body with normal m (in the body's axes)
// at the support point s(-m); its contacts have the weights
//   sphere, ellipsoid, superellipsoid   1 in one point;
//   capsule    1/2 in the lowest point of either end;
//   cylinder   1/4 in each of eight rim points: on either disc the lowest one, its opposite and the two at
//              right angles. Standing, four are in contact and give k whatever the direction of the lowest
//              one, because sum x x' is the same for every square; on its rim 1/4; lying 2 x 1/4.
// These weights are constant and the points Lipschitz while they have force, so the wrench F of k = 1 obeys
//   |F(X') - F(X)| <= 4 delta, moments likewise times the size,
// with delta the largest displacement of any point of the body between the two poses.

#include "stiction/geometry/collide_options.h"
#include "stiction/geometry/shape/collision_shape.h"

namespace stiction {

#define STICTION_PAIR(name)                                                                       \
  void name(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB, \
            const CollideOptions& options, PairMemory* memory, ContactPoints* out)

STICTION_PAIR(collide_sphere_sphere);
STICTION_PAIR(collide_sphere_capsule);
STICTION_PAIR(collide_sphere_ellipsoid);
STICTION_PAIR(collide_sphere_superellipsoid);
STICTION_PAIR(collide_sphere_cylinder);
STICTION_PAIR(collide_sphere_box);
STICTION_PAIR(collide_sphere_hull);

// B is the half-space.
STICTION_PAIR(collide_sphere_half_space);
STICTION_PAIR(collide_capsule_half_space);
STICTION_PAIR(collide_ellipsoid_half_space);
STICTION_PAIR(collide_superellipsoid_half_space);
STICTION_PAIR(collide_cylinder_half_space);

#undef STICTION_PAIR

}  // namespace stiction
