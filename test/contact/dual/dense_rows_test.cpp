#include "stiction/contact/dual/dense_rows.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "test/base/allocation_counter.h"
#include "test/contact/dual/samples.h"

namespace stiction {
namespace {

VecX random_vector(int n, std::uint64_t seed) {
  Random random(seed);
  VecX x(n);
  for (double& number : x) number = random.normal();
  return x;
}

// Problems of 3 to 45 rows, with blocks of one, three and six rows, by trees; every second one with R.
std::vector<DualProblem> samples() {
  std::vector<DualProblem> list;
  for (int k = 1; k <= 6; ++k) {
    BodiesSpec spec;
    spec.patches = k;
    spec.rows = k % 3;
    spec.turns = k % 2 == 0;
    spec.R = k % 2 == 0 ? 1e-2 : 0.0;
    list.push_back(random_bodies(spec, static_cast<std::uint64_t>(k)));
  }
  return list;
}

// W with all its numbers, and not symmetric.
DualProblem written_out(const DualProblem& problem) {
  MatX W = problem.dense();
  for (int i = 0; i < W.rows(); ++i)
    for (int j = 0; j < i; ++j) W(i, j) *= 1.01;
  return dense_problem(problem.blocks, W, problem.r, problem.R);
}

TEST(DenseRows, VelocitiesAreThoseByWayOfTheTreesAndTheBlocks) {
  for (const DualProblem& by_trees : samples()) {
    for (const DualProblem& problem : {by_trees, written_out(by_trees)}) {
      DenseRows rows;
      rows.begin(problem);
      const VecX lambda = random_vector(problem.num_rows(), 5);
      VecX s, expected;
      rows.velocities(lambda, &s);
      problem.velocities(lambda, &expected);
      // Sums of at most 64 products.
      EXPECT_LT((s - expected).norm(), 1e-13 * expected.norm());
    }
  }
}

TEST(DenseRows, AProductIsTheVelocityLessTheFreeOne) {
  for (const DualProblem& problem : samples()) {
    DenseRows rows;
    rows.begin(problem);
    const VecX x = random_vector(problem.num_rows(), 6);
    VecX y, s;
    rows.multiply(x, &y);
    problem.velocities(x, &s);
    EXPECT_LT((s - problem.r - y).norm(), 1e-13 * s.norm());  // sums of at most 64 products
  }
}

TEST(DenseRows, TheVelocityOfABlockIsThatOfItsRows) {
  for (const DualProblem& problem : samples()) {
    DenseRows rows;
    rows.begin(problem);
    const VecX lambda = random_vector(problem.num_rows(), 7);
    AlignedVector<double> padded(static_cast<std::size_t>(rows.stride()), 0.0);
    std::copy(lambda.begin(), lambda.end(), padded.begin());
    VecX expected, s = VecX::Zero(problem.num_rows());
    problem.velocities(lambda, &expected);
    for (const DualBlock& block : problem.blocks)
      rows.block_velocity(block, padded.data(), s.data() + block.begin);
    EXPECT_LT((s - expected).norm(), 1e-13 * expected.norm());
  }
}

TEST(DenseRows, RowsEndInZeros) {
  const DualProblem problem = random_bodies({.patches = 3, .points = 1}, 2);
  DenseRows rows;
  rows.begin(problem);
  ASSERT_EQ(rows.stride(), 12);
  for (int i = 0; i < problem.num_rows(); ++i)
    for (int j = problem.num_rows(); j < rows.stride(); ++j) EXPECT_EQ(rows.row(i)[j], 0.0);
}

TEST(DenseRows, AllocatesNothingOnceItIsWarm) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  const DualProblem large = random_bodies({.patches = 5}, 3), small = random_bodies({.patches = 2}, 3);
  DenseRows rows;
  rows.begin(large);
  const AllocationCounter counter;
  rows.begin(small);
  rows.begin(large);
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace stiction
