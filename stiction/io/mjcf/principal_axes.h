#pragma once
// Principal axes of an inertia as MuJoCo chooses them. URDF files with a <mujoco> block need them too, so
// this header depends on nothing else of MJCF.

#include "stiction/math/matrix.h"

namespace stiction {

// Principal moments, the largest first, and their axes as the columns of a rotation. Axes have no direction
// of their own: as in MuJoCo, they are the given axes rotated by Jacobi's method and then, to sort them, by
// quarter turns.
struct MjcfPrincipalAxes {
  Vec3 moments = Vec3::Zero();
  Mat3 R = Mat3::Identity();
};
MjcfPrincipalAxes mjcf_principal_axes(const Mat3& I);

}  // namespace stiction
