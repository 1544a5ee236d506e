#include "stiction/math/eigenvalues.h"

#include <cmath>
#include <limits>

#include <Eigen/QR>
#include <gtest/gtest.h>

#include "stiction/base/random.h"

namespace stiction {
namespace {

MatX random_symmetric(int n, Random* random) {
  MatX A(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) A(i, j) = A(j, i) = random->uniform(-1.0, 1.0);
  return A;
}

TEST(Eigenvalues, OfARotatedDiagonalAreItsNumbersAndAxes) {
  // diag(1, 2, 3) rotated by 90 degrees about z.
  Mat3 A;
  A << 2.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 3.0;
  EXPECT_LT((principal_moments(A) - Vec3(1.0, 2.0, 3.0)).norm(), 1e-14);
  const PrincipalAxes axes = principal_axes(A);
  EXPECT_LT((axes.moments - Vec3(1.0, 2.0, 3.0)).norm(), 1e-14);
  EXPECT_NEAR(std::abs(axes.R(1, 0)), 1.0, 1e-14);
  EXPECT_NEAR(std::abs(axes.R(0, 1)), 1.0, 1e-14);
}

TEST(Eigenvalues, PrincipalAxesAreARotationThatGivesTheMatrixBack) {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const Mat3 A = random_symmetric(3, &random);
    const PrincipalAxes axes = principal_axes(A);
    EXPECT_NEAR(axes.R.determinant(), 1.0, 1e-12);
    EXPECT_LT((axes.R * axes.moments.asDiagonal() * axes.R.transpose() - A).norm(), 1e-12);
    EXPECT_LT((principal_moments(A) - axes.moments).norm(), 1e-12);
    EXPECT_TRUE(axes.moments[0] <= axes.moments[1] && axes.moments[1] <= axes.moments[2]);
  }
}

TEST(Eigenvalues, AreThoseOfTheMatrixTheyWereMadeFor) {
  Random random(4);
  for (const int n : {1, 2, 7, 30}) {
    // V diag(1 .. n) V' with V orthonormal.
    const MatX V = Eigen::HouseholderQR<MatX>(random_symmetric(n, &random)).householderQ();
    const VecX values = VecX::LinSpaced(n, 1.0, n);
    EXPECT_LT((eigenvalues(V * values.asDiagonal() * V.transpose()) - values).norm(), 1e-12 * n);
  }
}

TEST(Eigenvalues, AreNotFoundInWhatIsNotFinite) {
  MatX A = MatX::Identity(4, 4);
  A(2, 1) = A(1, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(eigenvalues(A).allFinite());
}

}  // namespace
}  // namespace stiction
