#pragma once
// Eigenvalues of symmetric matrices, the smallest first. Only the lower triangles are read.

#include "stiction/math/matrix.h"

namespace stiction {

Vec3 principal_moments(const Mat3& A);

struct PrincipalAxes {
  Vec3 moments = Vec3::Zero();
  Mat3 R = Mat3::Identity();  // A = R diag(moments) R'; a rotation
};
PrincipalAxes principal_axes(const Mat3& A);

// NaN where they are not found.
VecX eigenvalues(const MatX& A);

}  // namespace stiction
