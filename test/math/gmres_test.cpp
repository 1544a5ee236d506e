#include "stiction/math/gmres.h"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "stiction/base/random.h"

namespace stiction {
namespace {

MatX random_matrix(int rows, int cols, Random* random) {
  MatX A(rows, cols);
  for (int j = 0; j < cols; ++j)
    for (int i = 0; i < rows; ++i) A(i, j) = random->normal();
  return A;
}

TEST(Gmres, SolvesUnsymmetricSystemsAsLuDoes) {
  Random random(1);
  for (const int n : {1, 2, 7, 30, 90}) {
    const MatX A = random_matrix(n, n, &random) / std::sqrt(double(n)) + 2.0 * MatX::Identity(n, n);
    const VecX b = random_matrix(n, 1, &random), expected = A.partialPivLu().solve(b);
    VecX x(n);
    Gmres gmres;
    const auto apply = [&](const auto& p, auto* y) { *y = A * p; };
    const Gmres::Result result = gmres.solve(apply, b, 1e-12, 2000, &x);
    EXPECT_LE(result.residual, 1e-12);
    // The condition of such a matrix is some ten.
    EXPECT_LT((x - expected).norm(), 1e-10 * expected.norm()) << n;
  }
}

TEST(Gmres, NeedsOneProductMoreThanTheRankBesideTheUnitMatrix) {
  Random random(2);
  for (const int rank : {0, 1, 3, 6}) {
    const MatX A =
        MatX::Identity(50, 50) + 0.3 * random_matrix(50, rank, &random) * random_matrix(rank, 50, &random);
    const VecX b = random_matrix(50, 1, &random);
    VecX x(50);
    Gmres gmres;
    const auto apply = [&](const auto& p, auto* y) { *y = A * p; };
    const Gmres::Result result = gmres.solve(apply, b, 1e-9, 100, &x);
    EXPECT_LE(result.products, rank + 1);
    EXPECT_LT((b - A * x).norm(), 1e-8 * b.norm());
  }
}

TEST(Gmres, GivesUpWithTheBestOfItsProducts) {
  // A rotation by a right angle: one product lowers nothing.
  MatX A(2, 2);
  A << 0.0, -1.0, 1.0, 0.0;
  const VecX b = VecX::Unit(2, 0);
  VecX x(2);
  Gmres gmres;
  const auto apply = [&](const auto& p, auto* y) { *y = A * p; };
  const Gmres::Result result = gmres.solve(apply, b, 1e-12, 1, &x);
  EXPECT_EQ(result.products, 1);
  EXPECT_NEAR(result.residual, 1.0, 1e-14);
  EXPECT_LT(x.norm(), 1e-14);
}

}  // namespace
}  // namespace stiction
