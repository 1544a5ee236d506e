#include "stiction/math/supernodal_cholesky.h"

#include <cstring>
#include <limits>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "test/base/allocation_counter.h"
#include "test/math/random_block_pattern.h"

namespace stiction {
namespace {

// The matrices have condition numbers below 1e3, so two backward stable solutions differ by less than
// 1e3 x 2^-52.
constexpr double kSolutionTolerance = 1e-12;

// One of the thousand: up to 40 blocks, from no pairs to three times as many as blocks.
void expect_agreement_with_dense_cholesky(Random* random, std::vector<int> sizes) {
  const BlockPattern pattern =
      random_pattern(random, sizes, random->uniform_int(0, 2 * static_cast<int>(sizes.size())));
  BlockSparseMatrix H;
  H.set_pattern(pattern.sizes, pattern.pairs,
                random->uniform() < 0.2 ? BlockSparseMatrix::Ordering::kNatural
                                        : BlockSparseMatrix::Ordering::kMinimumDegree);
  const MatX dense = fill_with_dominant_matrix(random, pattern, &H);
  const VecX b = random_matrix(random, H.rows(), 1), expected = dense.llt().solve(b);
  SupernodalCholesky cholesky;
  ASSERT_TRUE(cholesky.factorise(&H).is_positive_definite());
  VecX x = b;
  cholesky.solve(H, x);
  EXPECT_LT((x - expected).norm(), kSolutionTolerance * expected.norm());
}

TEST(SupernodalCholesky, AgreesWithDenseCholeskyOnFiveHundredPatternsOfFreeBodies) {
  Random random(1);
  for (int trial = 0; trial < 500; ++trial)
    expect_agreement_with_dense_cholesky(&random, std::vector<int>(random.uniform_int(1, 40), 6));
}

TEST(SupernodalCholesky, AgreesWithDenseCholeskyOnFiveHundredPatternsOfMixedSizes) {
  Random random(2);
  for (int trial = 0; trial < 500; ++trial)
    expect_agreement_with_dense_cholesky(&random, random_sizes(&random, random.uniform_int(1, 40), 13));
}

TEST(SupernodalCholesky, AgreesWithDenseCholeskyOnRobotsAmongFreeBodies) {
  Random random(3);
  for (int trial = 0; trial < 10; ++trial) {
    std::vector<int> sizes(60, 6);
    sizes[random.uniform_int(0, 59)] = 30;
    sizes[random.uniform_int(0, 59)] = 97;
    expect_agreement_with_dense_cholesky(&random, sizes);
  }
}

// -x'' = 1 on a grid: x_i = i (n + 1 - i) / 2.
TEST(SupernodalCholesky, SolvesTheStringUnderUniformLoadForEveryBlockSize) {
  constexpr int kBlocks = 30;
  for (int size : {1, 2, 3, 4, 5, 6, 7, 12, 30}) {
    std::vector<BlockPair> pairs;
    for (int i = 0; i + 1 < kBlocks; ++i) pairs.push_back({i, i + 1});
    BlockSparseMatrix H;
    H.set_pattern(std::vector<int>(kBlocks, size), pairs);
    H.set_zero();
    const MatX identity = MatX::Identity(size, size);
    for (int i = 0; i < kBlocks; ++i) H.add_block(i, i, 2.0 * identity);
    for (const auto& [i, j] : pairs) H.add_block(i, j, -identity);
    SupernodalCholesky cholesky;
    ASSERT_TRUE(cholesky.factorise(&H).is_positive_definite());
    VecX x = VecX::Ones(H.rows());
    cholesky.solve(H, x);
    for (int i = 0; i < H.rows(); ++i) {
      const int node = i / size + 1;
      EXPECT_NEAR(x[i], 0.5 * node * (kBlocks + 1 - node), 1e-11);  // condition 400, solution up to 120
    }
  }
}

// Stiff contacts between light bodies: the condition number is 1e10, the backward error stays at round-off.
TEST(SupernodalCholesky, ResidualIsAtRoundOffForStiffContacts) {
  Random random(4);
  const BlockPattern pattern = random_pattern(&random, std::vector<int>(40, 6), 60);
  BlockSparseMatrix H;
  H.set_pattern(pattern.sizes, pattern.pairs);
  H.set_zero();
  for (int i = 0; i < 40; ++i) H.add_block(i, i, Mat6::Identity());
  for (const auto& [i, j] : pattern.pairs) {
    if (i == j) continue;
    const MatX J_i = random_matrix(&random, 3, 6), J_j = random_matrix(&random, 3, 6);
    H.add_block(i, i, 1e9 * J_i.transpose() * J_i);
    H.add_block(j, j, 1e9 * J_j.transpose() * J_j);
    H.add_block(i, j, 1e9 * J_i.transpose() * J_j);
  }
  const MatX dense = H.to_dense();
  const VecX b = random_matrix(&random, H.rows(), 1);
  SupernodalCholesky cholesky;
  ASSERT_TRUE(cholesky.factorise(&H).is_positive_definite());
  VecX x = b;
  cholesky.solve(H, x);
  EXPECT_LT((dense * x - b).norm(), 1e-14 * dense.norm() * x.norm());
}

TEST(SupernodalCholesky, SolvesSeveralRightHandSidesLikeEachAlone) {
  Random random(5);
  const BlockPattern pattern = random_pattern(&random, random_sizes(&random, 25, 13), 30);
  BlockSparseMatrix H;
  H.set_pattern(pattern.sizes, pattern.pairs);
  fill_with_dominant_matrix(&random, pattern, &H);
  SupernodalCholesky cholesky;
  ASSERT_TRUE(cholesky.factorise(&H).is_positive_definite());
  const MatX B = random_matrix(&random, H.rows(), 7);
  MatX X = B;
  cholesky.solve(H, X);
  for (int c = 0; c < B.cols(); ++c) {
    VecX x = B.col(c);
    cholesky.solve(H, x);
    EXPECT_EQ(X.col(c), x);
  }
}

// Every pivot in turn is made invalid.
void expect_every_failure_to_be_named(BlockSparseMatrix* H) {
  for (int bad_row = 0; bad_row < H->block_rows(); ++bad_row) {
    for (double bad :
         {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      for (int bad_dof = 0; bad_dof < H->size_of(bad_row); ++bad_dof) {
        H->set_zero();
        for (int i = 0; i < H->block_rows(); ++i) {
          MatX diagonal = MatX::Identity(H->size_of(i), H->size_of(i));
          if (i == bad_row) diagonal(bad_dof, bad_dof) = bad;
          H->add_block(i, i, diagonal);
        }
        EXPECT_EQ(SupernodalCholesky().factorise(H).failed_block_row, bad_row);
      }
    }
  }
}

TEST(SupernodalCholesky, NamesTheBlockRowThatIsNotPositiveDefinite) {
  BlockSparseMatrix H;
  H.set_pattern(std::vector<int>{6, 3, 20, 6, 6}, std::vector<BlockPair>{{0, 3}});
  expect_every_failure_to_be_named(&H);
}

TEST(SupernodalCholesky, NamesTheFailedOneOfBlockRowsThatShareATile) {
  BlockSparseMatrix H;
  const std::vector<int> sizes{3, 3, 2, 1, 1, 1, 1};
  H.set_pattern(sizes, std::vector<BlockPair>{{0, 1}, {2, 3}, {3, 4}, {4, 5}, {5, 6}});
  EXPECT_LT(H.structure().blocks().size(), sizes.size());
  expect_every_failure_to_be_named(&H);
}

TEST(SupernodalCholesky, SolvesWithManySmallBlocksLikeTheDenseMatrix) {
  Random random(10);
  for (int trial = 0; trial < 100; ++trial) {
    const BlockPattern pattern =
        random_pattern(&random, random_sizes(&random, random.uniform_int(2, 60), random.uniform_int(1, 7)),
                       random.uniform_int(0, 150));
    BlockSparseMatrix H;
    H.set_pattern(pattern.sizes, pattern.pairs);
    const MatX dense = fill_with_dominant_matrix(&random, pattern, &H);
    SupernodalCholesky cholesky;
    ASSERT_TRUE(cholesky.factorise(&H).is_positive_definite());
    const VecX b = random_matrix(&random, H.rows(), 1), expected = dense.llt().solve(b);
    VecX x = b;
    cholesky.solve(H, x);
    EXPECT_LT((x - expected).norm(), kSolutionTolerance * expected.norm());
  }
}

TEST(SupernodalCholesky, NamesOneOfTheRowsOfABlockThatIsNotANumber) {
  BlockSparseMatrix H;
  const std::vector<BlockPair> pairs{{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  H.set_pattern(std::vector<int>(4, 6), pairs);
  for (const auto& [i, j] : pairs) {
    H.set_zero();
    for (int k = 0; k < 4; ++k) H.add_block(k, k, Mat6::Identity());
    H.add_block(i, j, Mat6::Constant(std::numeric_limits<double>::quiet_NaN()));
    const int row = SupernodalCholesky().factorise(&H).failed_block_row;
    EXPECT_TRUE(row == i || row == j);
  }
}

TEST(SupernodalCholesky, WorksAgainAfterAFailure) {
  Random random(6);
  const BlockPattern pattern = random_pattern(&random, random_sizes(&random, 25, 13), 30);
  BlockSparseMatrix H;
  H.set_pattern(pattern.sizes, pattern.pairs);
  SupernodalCholesky cholesky;
  H.set_zero();
  for (int i = 0; i < H.block_rows(); ++i)
    H.add_block(i, i, MatX::Constant(H.size_of(i), H.size_of(i), std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(cholesky.factorise(&H).is_positive_definite());
  EXPECT_EQ(H.content(), BlockSparseMatrix::Content::kNothing);

  const MatX dense = fill_with_dominant_matrix(&random, pattern, &H);
  ASSERT_TRUE(cholesky.factorise(&H).is_positive_definite());
  const VecX b = random_matrix(&random, H.rows(), 1), expected = dense.llt().solve(b);
  VecX x = b;
  cholesky.solve(H, x);
  EXPECT_LT((x - expected).norm(), kSolutionTolerance * expected.norm());
}

TEST(SupernodalCholesky, SameInputGivesTheSameBitsWhateverWasInMemory) {
  Random random(7);
  const BlockPattern pattern = random_pattern(&random, random_sizes(&random, 30, 13), 60);
  const BlockPattern other = random_pattern(&random, random_sizes(&random, 35, 13), 70);
  const VecX b = random_matrix(&random, 30 * 13, 1);
  const auto solution = [&](BlockSparseMatrix* H) {
    Random same(8);
    H->set_pattern(pattern.sizes, pattern.pairs);
    fill_with_dominant_matrix(&same, pattern, H);
    SupernodalCholesky cholesky;
    EXPECT_TRUE(cholesky.factorise(H).is_positive_definite());
    VecX x = b.head(H->rows());
    cholesky.solve(*H, x);
    return x;
  };
  BlockSparseMatrix fresh, used;
  used.set_pattern(other.sizes, other.pairs);
  fill_with_dominant_matrix(&random, other, &used);
  SupernodalCholesky().factorise(&used);
  EXPECT_EQ(solution(&fresh), solution(&used));
  EXPECT_EQ(solution(&fresh), solution(&fresh));
}

TEST(SupernodalCholesky, MatrixWithoutBlocksHasAnEmptySolution) {
  BlockSparseMatrix H;
  H.set_pattern({}, {});
  H.set_zero();
  SupernodalCholesky cholesky;
  EXPECT_TRUE(cholesky.factorise(&H).is_positive_definite());
  VecX x(0);
  cholesky.solve(H, x);
  EXPECT_EQ(x.size(), 0);
}

TEST(SupernodalCholesky, FactorisingAndSolvingDoesNotAllocate) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  Random random(9);
  const BlockPattern pattern = random_pattern(&random, random_sizes(&random, 60, 20), 80);
  BlockSparseMatrix H;
  H.set_pattern(pattern.sizes, pattern.pairs);
  fill_with_dominant_matrix(&random, pattern, &H);
  SupernodalCholesky cholesky;
  cholesky.factorise(&H);
  VecX x = random_matrix(&random, H.rows(), 1);
  cholesky.solve(H, x);

  H.set_zero();
  std::vector<MatX> identities;
  for (int i = 0; i < H.block_rows(); ++i) identities.push_back(MatX::Identity(H.size_of(i), H.size_of(i)));
  const AllocationCounter counter;
  for (int i = 0; i < H.block_rows(); ++i) H.add_block(i, i, identities[i]);
  cholesky.factorise(&H);
  cholesky.solve(H, x);
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace stiction
