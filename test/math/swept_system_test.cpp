#include "stiction/math/swept_system.h"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "test/base/allocation_counter.h"
#include "test/math/random_block_pattern.h"

namespace stiction {
namespace {

// Springs of random stiffness, 1 to 100, between random block rows of masses from 1 to 2, into H; returns the
// same as a dense matrix. Every fourth pair stays zero.
MatX fill_with_springs(Random* random, const BlockPattern& pattern, SweptSystem* H) {
  std::vector<int> first = {0};
  for (const int size : pattern.sizes) first.push_back(first.back() + size);
  MatX dense = MatX::Zero(first.back(), first.back());
  H->set_pattern(pattern.sizes, pattern.pairs);
  H->set_zero();
  const auto add = [&](int i, int j, const MatX& B, SweptSystem::Block* to) {
    for (int c = 0; c < B.cols(); ++c) {
      for (int r = 0; r < B.rows(); ++r) to->column[c][r] += B(r, c);
    }
    dense.block(first[i], first[j], B.rows(), B.cols()) += B;
  };
  for (std::size_t i = 0; i < pattern.sizes.size(); ++i)
    add(static_cast<int>(i), static_cast<int>(i),
        random->uniform(1.0, 2.0) * MatX::Identity(pattern.sizes[i], pattern.sizes[i]),
        &H->diagonal(static_cast<int>(i)));
  for (int k = 0; k < static_cast<int>(pattern.pairs.size()); ++k) {
    const auto [i, j] = pattern.pairs[k];
    if (k % 4 == 3) continue;
    const double stiffness = random->uniform(1.0, 100.0);
    const MatX J_i = random_matrix(random, 1, pattern.sizes[i]),
               J_j = random_matrix(random, 1, pattern.sizes[j]);
    add(i, i, stiffness * J_i.transpose() * J_i, &H->diagonal(i));
    add(j, j, stiffness * J_j.transpose() * J_j, &H->diagonal(j));
    const MatX cross = -stiffness * J_i.transpose() * J_j;
    const auto [block, is_transposed] = H->pair(k);
    const MatX stored = is_transposed ? MatX(cross.transpose()) : cross;
    add(is_transposed ? j : i, is_transposed ? i : j, stored, block);
    dense.block(first[is_transposed ? i : j], first[is_transposed ? j : i], stored.cols(), stored.rows()) +=
        stored.transpose();
  }
  return dense;
}

BlockPattern random_springs(Random* random, int count, int pairs) {
  BlockPattern pattern;
  pattern.sizes = random_sizes(random, count, SweptSystem::kMostRows);
  while (static_cast<int>(pattern.pairs.size()) < pairs) {
    const int i = random->uniform_int(0, count - 1), j = random->uniform_int(0, count - 1);
    if (i != j) pattern.pairs.push_back({i, j});
  }
  return pattern;
}

TEST(SweptSystem, SolvesLikeTheDenseMatrix) {
  Random random(1);
  for (int trial = 0; trial < 100; ++trial) {
    const int count = random.uniform_int(2, 40);
    const BlockPattern pattern = random_springs(&random, count, random.uniform_int(0, 3 * count));
    SweptSystem H;
    const MatX dense = fill_with_springs(&random, pattern, &H);
    const VecX b = random_matrix(&random, static_cast<int>(dense.rows()), 1);
    const VecX scale = dense.diagonal().cwiseSqrt().cwiseInverse();
    ASSERT_TRUE(H.prepare());
    VecX x = VecX::Zero(b.size());
    const int iterations = H.solve(b, scale, 1e-12, 1000, x);
    EXPECT_LT(iterations, 1000);
    const VecX expected = dense.llt().solve(b);
    // Masses are at least 1: x is as exact as the residual.
    EXPECT_LT((x - expected).norm(), 1e-9 * expected.norm()) << "trial " << trial;
  }
}

TEST(SweptSystem, StopsWhereTheResidualIsWhatWasAskedFor) {
  Random random(2);
  const BlockPattern pattern = random_springs(&random, 200, 600);
  SweptSystem H;
  const MatX dense = fill_with_springs(&random, pattern, &H);
  const VecX b = random_matrix(&random, static_cast<int>(dense.rows()), 1);
  const VecX scale = VecX::LinSpaced(b.size(), 0.5, 2.0);
  ASSERT_TRUE(H.prepare());
  int last = 0;
  for (const double tolerance : {0.1, 1e-3, 1e-6}) {
    VecX x(b.size());
    const int iterations = H.solve(b, scale, tolerance, 1000, x);
    EXPECT_LE((b - dense * x).cwiseProduct(scale).norm(), 1.0001 * tolerance * b.cwiseProduct(scale).norm());
    EXPECT_GT(iterations, last);
    last = iterations;
  }
}

TEST(SweptSystem, DescendsHoweverFewIterationsItMayTake) {
  Random random(3);
  const BlockPattern pattern = random_springs(&random, 50, 150);
  SweptSystem H;
  const MatX dense = fill_with_springs(&random, pattern, &H);
  const VecX b = random_matrix(&random, static_cast<int>(dense.rows()), 1), scale = VecX::Ones(b.size());
  ASSERT_TRUE(H.prepare());
  for (int most = 1; most < 10; ++most) {
    VecX x(b.size());
    EXPECT_EQ(H.solve(b, scale, 1e-15, most, x), most);
    EXPECT_GT(b.dot(x), 0.0);
  }
}

TEST(SweptSystem, SaysSoWhereABlockIsNotPositiveDefinite) {
  SweptSystem H;
  const int sizes[] = {3, 2};
  H.set_pattern(sizes, {});
  H.set_zero();
  for (int r = 0; r < 3; ++r) H.diagonal(0).column[r][r] = 1.0;
  H.diagonal(1).column[0][0] = 1.0;
  H.diagonal(1).column[1][1] = -1.0;
  EXPECT_FALSE(H.prepare());
}

TEST(SweptSystem, DoesNotAllocateForAPatternNoLargerThanThoseBefore) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  Random random(4);
  const BlockPattern pattern = random_springs(&random, 60, 200);
  SweptSystem H;
  VecX b, x, scale;
  for (int turn = 0; turn < 2; ++turn) {
    const MatX dense = fill_with_springs(&random, pattern, &H);
    b = random_matrix(&random, static_cast<int>(dense.rows()), 1);
    x = VecX::Zero(b.size());
    scale = VecX::Ones(b.size());
    const AllocationCounter counter;
    ASSERT_TRUE(H.prepare());
    EXPECT_GT(H.solve(b, scale, 1e-6, 100, x), 1);
    H.set_pattern(pattern.sizes, pattern.pairs);
    H.set_zero();
    if (turn == 1) {
      EXPECT_EQ(counter.count(), 0);
    }
  }
}

}  // namespace
}  // namespace stiction
