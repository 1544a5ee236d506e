#pragma once
// Positions as points of a manifold: their reference values, integration of a velocity, difference of two.

#include "stiction/multibody/tree.h"

namespace stiction {

// All joints at their reference positions; free bodies where X_PB puts them.
VecX reference_positions(const Forest& forest);

// q1 = q0 moved along the velocities v (times a step): exponential map for balls and free bodies; the centre
// of mass of a free body moves along a straight line. q0 and q1 may be the same vector.
void integrate_positions(const Forest& forest, const double* q0, const double* v, double h, double* q1);

// The velocity v with which integrate_positions takes q0 to q1 in time h.
void position_difference(const Forest& forest, const double* q0, const double* q1, double h, double* v);

// Makes every quaternion of q a unit quaternion. Returns false, and leaves q as it is, if one of them is
// zero.
bool normalise_quaternions(const Forest& forest, double* q);

}  // namespace stiction
