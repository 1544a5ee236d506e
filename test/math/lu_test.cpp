#include "stiction/math/lu.h"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/math/aligned_vector.h"
#include "stiction/math/matrix.h"
#include "stiction/math/simd.h"

namespace stiction {
namespace {

TEST(Lu, SolvesWhatEigenSolves) {
  Random random(3);
  for (int n = 1; n <= 23; ++n) {
    const int stride = simd::padded(n);
    AlignedVector<double> A(n * stride);
    MatX dense(n, n);
    VecX b(n);
    for (int i = 0; i < n; ++i) {
      b[i] = random.normal();
      for (int j = 0; j < n; ++j) A[i * stride + j] = dense(i, j) = random.normal();
    }
    std::vector<int> pivots(n);
    ASSERT_EQ(lu_factorise(n, stride, A.data(), pivots.data()), -1);
    VecX x = b;
    lu_solve(n, stride, A.data(), pivots.data(), x.data());
    const VecX expected = dense.partialPivLu().solve(b);
    EXPECT_LT((x - expected).norm(), 1e-10 * expected.norm());  // condition numbers up to a few thousand
  }
}

TEST(Lu, NamesTheColumnOfASingularMatrix) {
  alignas(32) double A[] = {1, 2, 0, 0, 2, 4, 0, 0};
  int pivots[2];
  EXPECT_EQ(lu_factorise(2, 4, A, pivots), 1);
}

}  // namespace
}  // namespace stiction
