#pragma once
// The signed distance of two convex bodies as a search over directions.
//
// In the unit direction n, from A into B, the cores are separated by
//   g(n) = n . p_AB - h_A(n) - h_B(-n),            signed distance = max over n of g(n),
// whether they overlap or not: every n gives a lower bound, and the best one is the normal. With s_A, s_B the
// support points and H_A, H_B the Hessians of the support functions, on the sphere of directions
//   gradient  P (p_AB + s_B - s_A),     Hessian  -(P (H_A + H_B) P + g P),     P = 1 - n n'.
// Separated bodies have one maximum. h is not smooth in directions that belong to edges or flat parts of a
// shape; a maximum there has n perpendicular to the edge (one unknown less) or along the normal of the flat
// part (none left). So:
//   1. a first direction: from GJK if the cores are apart; if they overlap, from GJK on shrunken cores, and
//      from EPA if those overlap too; also the axes of both shapes, if they separate better. Capsules and
//      cylinders first try the common perpendicular of their axes, ellipsoids the guess of
//      ellipsoid_separation.h;
//   2. for every choice of smooth, edge or flat part near that direction (nonsmooth_directions.h), Newton's
//      method on the remaining unknowns (direction_climb.h); the best g(n), computed with the full support
//      functions, wins; a wrong choice only gives a smaller g, so it does no harm;
//   3. witness points along n prove it (witness_points.h). Without a proof, the slower method
//      (proximal_search.h) continues from there;
//   4. overlapping bodies have several local maxima. The one found is the largest if some point of one body
//      is as deep in the other; failing that, EPA lists all other directions worth trying. Overlaps of less
//      than a fiftieth of the thickness (a five-hundredth if one of the two has corners), and less than a
//      tenth of the radii of curvature of smooth bodies, skip this check.

#include "stiction/geometry/collide_options.h"
#include "stiction/geometry/shape/collision_shape.h"
#include "stiction/math/spatial.h"

namespace stiction {

struct Separation {
  double distance = 0.0;        // m, g(n) of the cores
  Vec3 normal = Vec3::UnitZ();  // unit, from A into B, in A
  // m, in A: a point x of A's core such that x + g n is in B's; not unique where flat parts face each other.
  Vec3 on_a = Vec3::Zero();
};

// Of the cores of any two convex shapes except half-spaces. For bodies farther apart than `far_enough` (m)
// only a direction that proves it is returned, no witness point.
Separation largest_separation(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                              double far_enough);

// A quick test that the cores are farther apart than `reach` (m), by more than round-off: first along the
// direction in `memory`, then a few Frank-Wolfe steps on the Minkowski difference towards the origin (M.
// Frank, P. Wolfe, "An algorithm for quadratic programming", 1956); an ellipsoid with another one or a box
// uses ellipsoid_separation.h instead. If true, the direction is stored in `memory`; false proves nothing.
bool finds_separating_direction(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                                double reach, PairMemory* memory);

// g(n).
double separation_along(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB, const Vec3& n);

}  // namespace stiction
