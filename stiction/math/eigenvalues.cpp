#include "stiction/math/eigenvalues.h"

#include <limits>

#include <Eigen/Eigenvalues>

namespace stiction {

Vec3 principal_moments(const Mat3& A) {
  return Eigen::SelfAdjointEigenSolver<Mat3>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

PrincipalAxes principal_axes(const Mat3& A) {
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(A);
  PrincipalAxes out{solver.eigenvalues(), solver.eigenvectors()};
  if (out.R.determinant() < 0.0) out.R.col(2) *= -1.0;
  return out;
}

VecX eigenvalues(const MatX& A) {
  const Eigen::SelfAdjointEigenSolver<MatX> solver(A, Eigen::EigenvaluesOnly);
  if (solver.info() != Eigen::Success)
    return VecX::Constant(A.rows(), std::numeric_limits<double>::quiet_NaN());
  return solver.eigenvalues();
}

}  // namespace stiction
