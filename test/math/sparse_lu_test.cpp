#include "stiction/math/sparse_lu.h"

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "test/base/allocation_counter.h"

namespace stiction {
namespace {

constexpr double kDependent = 1e-13;

struct Rows {
  std::vector<int> begin, columns;
  std::vector<double> values;
};

Rows rows_of(const MatX& A) {
  Rows rows;
  rows.begin.push_back(0);
  for (int i = 0; i < A.rows(); ++i) {
    for (int j = 0; j < A.cols(); ++j) {
      if (A(i, j) == 0.0) continue;
      rows.columns.push_back(j);
      rows.values.push_back(A(i, j));
    }
    rows.begin.push_back(static_cast<int>(rows.columns.size()));
  }
  return rows;
}

// Some numbers per row, none of them on the diagonal by intent.
MatX random_matrix(int n, int per_row, unsigned seed) {
  Random random(seed);
  MatX A = MatX::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    A(i, (7 * i + 3) % n) = 2.0;  // a permutation where n has no factor 7: not singular by structure
    for (int k = 0; k < per_row; ++k) A(i, random.uniform_int(0, n - 1)) += random.uniform(-1.0, 1.0);
  }
  return A;
}

TEST(SparseLu, SolvesRandomSystemsWithoutADiagonal) {
  for (const int n : {1, 2, 10, 100, 300}) {
    const MatX A = random_matrix(n, 3, 1);
    const Rows rows = rows_of(A);
    SparseLu lu;
    lu.analyse(n, rows.begin, rows.columns);
    EXPECT_EQ(lu.factorise(rows.begin, rows.columns, rows.values, kDependent), n);
    const VecX expected = VecX::LinSpaced(n, -1.0, 2.0);
    const VecX b = A * expected;
    VecX x(n);
    lu.solve(b.data(), x.data());
    // Round-off times the condition, which is some hundreds here.
    EXPECT_LE((x - expected).cwiseAbs().maxCoeff(), 1e-10) << n;
  }
}

TEST(SparseLu, LeavesOutRowsThatDependOnOthersAndStillSolvesTheRest) {
  const int n = 30;
  MatX A = random_matrix(n, 3, 2);
  A.row(4) = A.row(11) - 2.0 * A.row(20);
  A.row(5).setZero();
  const Rows rows = rows_of(A);
  SparseLu lu;
  lu.analyse(n, rows.begin, rows.columns);
  EXPECT_EQ(lu.factorise(rows.begin, rows.columns, rows.values, kDependent), n - 2);
  const VecX b = A * VecX::LinSpaced(n, 1.0, 2.0);
  VecX x(n);
  lu.solve(b.data(), x.data());
  EXPECT_LE((A * x - b).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(SparseLu, TakesMatricesWithFewerNumbersThanThePattern) {
  const int n = 40;
  MatX A = random_matrix(n, 4, 3);
  const Rows pattern = rows_of(A);
  SparseLu lu;
  lu.analyse(n, pattern.begin, pattern.columns);
  A.row(7).setZero();
  A(7, 7) = 1.0;
  const Rows rows = rows_of(A);
  ASSERT_EQ(lu.factorise(rows.begin, rows.columns, rows.values, kDependent), n);
  const VecX expected = VecX::Ones(n);
  const VecX b = A * expected;
  VecX x(n);
  lu.solve(b.data(), x.data());
  EXPECT_LE((x - expected).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(SparseLu, AllocatesNothingTheSecondTime) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  const int n = 100;
  const Rows rows = rows_of(random_matrix(n, 3, 4));
  SparseLu lu;
  lu.analyse(n, rows.begin, rows.columns);
  VecX b = VecX::Ones(n), x(n);
  lu.factorise(rows.begin, rows.columns, rows.values, kDependent);
  lu.solve(b.data(), x.data());
  const AllocationCounter counter;
  lu.factorise(rows.begin, rows.columns, rows.values, kDependent);
  lu.solve(b.data(), x.data());
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace stiction
