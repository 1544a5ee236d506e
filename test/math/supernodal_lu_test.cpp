#include "stiction/math/supernodal_lu.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

Eigen::SparseMatrix<double> arrow() {
  Eigen::SparseMatrix<double> A(4, 4);
  for (int i = 0; i < 3; ++i) {
    A.insert(i, i) = 2.0 + i;
    A.insert(3, i) = 1.0;
    A.insert(i, 3) = -1.0 - i;
  }
  A.insert(3, 3) = 5.0;
  A.makeCompressed();
  return A;
}

TEST(SupernodalLu, SolvesWhatItHasFactorised) {
  const Eigen::SparseMatrix<double> A = arrow();
  const VecX x{{1.0, -2.0, 3.0, -4.0}};
  SupernodalLu lu;
  ASSERT_TRUE(lu.factorise(A));
  EXPECT_LT((lu.solve(A * x) - x).norm(), 1e-13);  // round-off of a few operations on numbers up to 30
}

TEST(SupernodalLu, RefusesASingularMatrix) {
  Eigen::SparseMatrix<double> A(2, 2);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) A.insert(i, j) = (1.0 + i) * (1.0 + j);
  A.makeCompressed();
  SupernodalLu lu;
  EXPECT_FALSE(lu.factorise(A));
}

}  // namespace
}  // namespace stiction
