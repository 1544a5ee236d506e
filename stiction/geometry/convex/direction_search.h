#pragma once
// The signed distance of two convex bodies as a search over directions.
//
// In the unit direction n, from A into B, the cores are separated by
//   g(n) = n . p_AB - h_A(n) - h_B(-n),            signed distance = max over n of g(n),
// whether they overlap or not: every n gives a lower bound, and the best one is the normal. With s_A, s_B the
// support points and H_A, H_B the Hessians of the support functions, on the sphere of directions
//   gradient  P (p_AB + s_B - s_A),     Hessian  -(P (H_A + H_B) P + g P),     P = 1 - n n'.
// Separated bodies have one maximum. h has kinks where a shape has edges or flat parts: the maximum then sits
// on the kink, n is across the edge (one unknown less) or the normal of the flat part (none left). So:
//   1. a first direction: from GJK if the cores are apart; if they overlap, from GJK on shrunken cores, and
//      from EPA if those overlap too; next to it the axes of both shapes if they separate better. Capsules
//      and cylinders first look across their axes, ellipsoids along ellipsoid_separation.h's guess;
//   2. for every choice of smooth, edge or flat part near that direction (convex/nonsmooth_directions.h), Newton's method
//      on what is left of the sphere (direction_climb.h); the best g(n), computed with the full support
//      functions, wins; a choice that was wrong only gives a smaller g, so it does no harm;
//   3. a place where the cores meet along n proves it (convex/witness_points.h). Where there is none, the slow method
//      (proximal_search.h) goes on from there;
//   4. overlapping bodies have other ways out too. The one found is the shortest if a point of one body is as
//      deep in the other; failing that EPA names all others worth trying. Overlaps of less than a fiftieth
//      of the thickness (a five-hundredth where one of the two has corners), and a tenth of the radii of
//      curvature of smooth bodies, are taken for what they are.

#include "stiction/geometry/narrow_phase.h"
#include "stiction/math/spatial.h"

namespace stiction {

struct Separation {
  double distance = 0.0;        // m, g(n) of the cores
  Vec3 normal = Vec3::UnitZ();  // unit, from A into B, in A
  // m, in A: a point of A's core from which g n leads to one of B's; one of many where flat parts face each
  // other.
  Vec3 on_a = Vec3::Zero();
};

// Of the cores of any two convex shapes but half-spaces. Bodies farther apart than `far_enough` (m) only get
// a direction that proves it, and no place.
Separation largest_separation(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                              double far_enough);

// Whether a direction is soon found that proves the cores farther apart than `reach` (m), by more than
// round-off: the one remembered, then a few steps of the point of the set of differences nearest to the
// origin towards it, each on a segment (M. Frank, P. Wolfe, "An algorithm for quadratic programming", 1956);
// an ellipsoid and another one or a box have a shorter way (ellipsoid_separation.h).
// The direction is then remembered. False says nothing.
bool finds_separating_direction(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                                double reach, PairMemory* memory);

// g(n).
double separation_along(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB, const Vec3& n);

}  // namespace stiction
