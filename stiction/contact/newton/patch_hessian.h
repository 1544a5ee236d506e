#pragma once
// The 6x6 matrix of a patch, and its place in the Hessian.
//
//   K = sum over points P' G P,   P = [-[r_B], 1]: velocity of B's field at O_B to that at the point
//
// acts on the motion of B relative to A at O_B. (With torsional and rolling friction P has the further rows
// [1, 0], and G is that of law/torsional_rolling.h.) With d = O_B - O_A the velocity field of A at O_B is Phi
// V_A, Phi = [1, 0; -[d], 1], so that
//
//   H_BB += K,   H_BA -= K Phi,   H_AA += Phi' K Phi.

#include "stiction/contact/newton/point_sweeps.h"
#include "stiction/contact/problem.h"
#include "stiction/math/block_sparse_matrix.h"

namespace stiction {

// Columns as (angular, 0, linear, 0): three for the angular velocities, three for the linear ones.
struct alignas(64) PatchMatrix {
  double column[6][8];
};

// Its last three rows and columns, as three columns: for bodies that only translate.
struct alignas(32) LinearPatchMatrix {
  double column[3][4];
};

// points: arrays of the island; first: its first point.
PatchMatrix patch_matrix(const ContactProblem& problem, const Patch& patch, const PointArrays& points,
                         int first);
LinearPatchMatrix linear_patch_matrix(const ContactProblem& problem, const Patch& patch,
                                      const PointArrays& points, int first);

// K Phi, Phi' K and Phi' K Phi.
PatchMatrix shifted_right(const PatchMatrix& K, const double* d);
PatchMatrix shifted_left(const PatchMatrix& K, const double* d);

// to += sign * K, six columns one after the other.
void add_to(const PatchMatrix& K, double sign, TileColumn* to);

}  // namespace stiction
