#pragma once
// A direction that proves an ellipsoid A to be apart from another one or from a box B, without a search over
// directions.
//
// Scaled by E = diag(1/radii) the ellipsoid is the unit ball, and the point q of B with the least |E q| is
// the nearest to its centre. If it is outside, n = E^2 q separates the two:
//   h_A(n) = |E q|,       n . x >= n . q = |E q|^2     for all x of B.
// For a box, q is the solution of a quadratic programme in three bounded unknowns, the coordinates in the
// box, solved one at a time (C. W. Cryer, "The solution of a quadratic programming problem using systematic
// overrelaxation", 1971). Between two ellipsoids
//   n = (D_A^2 + R D_B^2 R')^-1 p,      D = diag(radii),
// is the direction that would be exact for small bodies with the shape of their sum.

#include "stiction/geometry/shape/collision_shape.h"
#include "stiction/math/spatial.h"

namespace stiction {

// The guess for two ellipsoids, unit, in A.
Vec3 direction_between_ellipsoids(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB);

// Whether a unit vector n is found along which the cores are farther apart than `enough` (m). A is an
// ellipsoid, B an ellipsoid or a box. False proves nothing.
bool separate_ellipsoid(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB, double enough,
                        Vec3* n);

}  // namespace stiction
