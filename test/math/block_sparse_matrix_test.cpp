#include "stiction/math/block_sparse_matrix.h"

#include <limits>

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/math/supernodal_cholesky.h"
#include "test/base/allocation_counter.h"
#include "test/math/random_block_pattern.h"

namespace stiction {
namespace {

// Sums of at most a few hundred products of numbers of order 1 to 100.
constexpr double kRoundOff = 1e-12;

TEST(BlockSparseMatrix, HoldsTheSumOfItsBlocksOnBothSidesOfTheDiagonal) {
  Random random(1);
  for (int trial = 0; trial < 100; ++trial) {
    const BlockPattern pattern =
        random_pattern(&random, random_sizes(&random, random.uniform_int(1, 12), 15), 10);
    BlockSparseMatrix H;
    H.set_pattern(pattern.sizes, pattern.pairs);
    const MatX dense = fill_with_dominant_matrix(&random, pattern, &H);
    EXPECT_EQ(H.to_dense(), dense);
  }
}

TEST(BlockSparseMatrix, MultipliesLikeTheDenseMatrix) {
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const BlockPattern pattern =
        random_pattern(&random, random_sizes(&random, random.uniform_int(1, 12), 15), 10);
    BlockSparseMatrix H;
    H.set_pattern(pattern.sizes, pattern.pairs);
    const MatX dense = fill_with_dominant_matrix(&random, pattern, &H);
    const VecX x = random_matrix(&random, H.rows(), 1), expected = dense * x;
    VecX y(H.rows());
    H.multiply(x, y);
    EXPECT_LT((y - expected).norm(), kRoundOff * expected.norm());
  }
}

// Block rows of up to five rows share tiles; products and pair blocks must not be affected.
TEST(BlockSparseMatrix, SmallBlocksThatShareATileAreStillTheirOwn) {
  Random random(8);
  for (int trial = 0; trial < 200; ++trial) {
    const int largest = random.uniform_int(1, 8);
    const BlockPattern pattern =
        random_pattern(&random, random_sizes(&random, random.uniform_int(2, 40), largest), 60);
    BlockSparseMatrix H;
    H.set_pattern(pattern.sizes, pattern.pairs);
    MatX dense = fill_with_dominant_matrix(&random, pattern, &H);
    EXPECT_EQ(H.to_dense(), dense);
    for (int k = 0; k < static_cast<int>(pattern.pairs.size()); ++k) {
      const auto& [i, j] = pattern.pairs[k];
      const BlockView block = H.pair_block(k);
      std::vector<int> places;
      block.set_places(&places);
      ASSERT_EQ(static_cast<int>(places.size()), block.rows);
      for (int r = 0; r < block.rows; ++r) {
        for (int c = 0; c < (i == j ? r + 1 : block.cols); ++c) {
          const int row = H.dof_start(block.transposed ? j : i) + r;
          const int col = H.dof_start(block.transposed ? i : j) + c;
          EXPECT_EQ(block(r, c), dense(row, col));
          EXPECT_EQ(&block.entry(places[r], c), &block(r, c));
        }
      }
    }
    const VecX x = random_matrix(&random, H.rows(), 1), expected = dense * x;
    VecX y(H.rows());
    H.multiply(x, y);
    EXPECT_LT((y - expected).norm(), kRoundOff * expected.norm());
    PackedVector packed;
    H.pack(x, &packed);
    VecX back = VecX::Zero(H.rows());
    H.unpack(packed, back);
    EXPECT_EQ(back, x);
  }
}

TEST(BlockSparseMatrix, PairBlockIsTheSameMemoryAsTheBlockOfItsRows) {
  Random random(3);
  const BlockPattern pattern = random_pattern(&random, random_sizes(&random, 20, 30), 30);
  BlockSparseMatrix H;
  H.set_pattern(pattern.sizes, pattern.pairs);
  for (int k = 0; k < static_cast<int>(pattern.pairs.size()); ++k) {
    const auto& [i, j] = pattern.pairs[k];
    const BlockView by_pair = H.pair_block(k), by_rows = H.block(i, j);
    EXPECT_EQ(by_pair.columns, by_rows.columns);
    EXPECT_EQ(by_pair.transposed, by_rows.transposed);
    EXPECT_EQ(by_pair.rows, H.size_of(by_pair.transposed ? j : i));
    EXPECT_EQ(by_pair.cols, H.size_of(by_pair.transposed ? i : j));
    if (i != j) {
      EXPECT_NE(by_pair.transposed, H.block(j, i).transposed);
    }
  }
}

TEST(BlockSparseMatrix, FreeBodyBlockIsSixColumnsOfPaddedAngularAndLinearRows) {
  BlockSparseMatrix H;
  H.set_pattern(std::vector<int>{6, 6}, std::vector<BlockPair>{{0, 1}});
  H.set_zero();
  Mat6 block;
  for (int c = 0; c < 6; ++c)
    for (int r = 0; r < 6; ++r) block(r, c) = 10 * r + c + 1;
  const BlockView view = H.pair_block(0);
  H.add_block(0, 1, block);
  for (int c = 0; c < 6; ++c) {
    for (int r = 0; r < 6; ++r) {
      const double expected = view.transposed ? block(c, r) : block(r, c);
      EXPECT_EQ(view.columns[c].lane[r < 3 ? r : r + 1], expected);
    }
    EXPECT_EQ(view.columns[c].lane[3], 0.0);
    EXPECT_EQ(view.columns[c].lane[7], 0.0);
  }
}

TEST(BlockSparseMatrix, ReadsOnlyTheLowerTriangleOfADiagonalBlock) {
  Random random(4);
  const BlockPattern pattern = random_pattern(&random, {6, 1, 14, 6, 30}, 4);
  BlockSparseMatrix H;
  H.set_pattern(pattern.sizes, pattern.pairs);
  const MatX dense = fill_with_dominant_matrix(&random, pattern, &H);
  for (int i = 0; i < H.block_rows(); ++i) {
    const BlockView diagonal = H.diagonal_block(i);
    for (int r = 0; r < diagonal.rows; ++r)
      for (int c = r + 1; c < diagonal.cols; ++c) diagonal(r, c) = std::numeric_limits<double>::quiet_NaN();
  }
  EXPECT_EQ(H.to_dense(), dense);
  const VecX x = random_matrix(&random, H.rows(), 1), expected = dense * x;
  VecX y(H.rows());
  H.multiply(x, y);
  EXPECT_LT((y - expected).norm(), kRoundOff * expected.norm());
}

TEST(BlockSparseMatrix, PackingAndUnpackingGivesTheVectorBack) {
  Random random(5);
  const BlockPattern pattern = random_pattern(&random, {6, 1, 7, 13, 6, 29}, 6);
  BlockSparseMatrix H;
  H.set_pattern(pattern.sizes, pattern.pairs);
  const VecX x = random_matrix(&random, H.rows(), 1);
  PackedVector packed;
  H.pack(x, &packed);
  VecX back = VecX::Zero(H.rows());
  H.unpack(packed, back);
  EXPECT_EQ(back, x);
}

TEST(BlockSparseMatrix, NaturalOrderEliminatesAChainFromItsFirstBlock) {
  BlockSparseMatrix H;
  H.set_pattern(std::vector<int>{6, 6, 6}, std::vector<BlockPair>{{0, 1}, {1, 2}},
                BlockSparseMatrix::Ordering::kNatural);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(H.members(i).front(), i);
  EXPECT_TRUE(H.block(0, 1).transposed);  // stored is the row eliminated later
  EXPECT_FALSE(H.block(1, 0).transposed);
}

TEST(BlockSparseMatrix, SetZeroClearsWhatWasThere) {
  Random random(6);
  const BlockPattern pattern = random_pattern(&random, random_sizes(&random, 10, 20), 10);
  BlockSparseMatrix H;
  H.set_pattern(pattern.sizes, pattern.pairs);
  fill_with_dominant_matrix(&random, pattern, &H);
  H.set_zero();
  EXPECT_EQ(H.to_dense(), MatX::Zero(H.rows(), H.rows()));
}

TEST(BlockSparseMatrix, DiagonalBlocksWrittenInFullNeedNoZeros) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  Random random(9);
  for (int trial = 0; trial < 50; ++trial) {
    const BlockPattern pattern =
        random_pattern(&random, random_sizes(&random, random.uniform_int(1, 20), 30), 20);
    BlockSparseMatrix H;
    H.set_pattern(pattern.sizes, pattern.pairs);
    H.set_zero();
    for (int i = 0; i < H.block_rows(); ++i)
      H.add_block(i, i, MatX::Constant(H.size_of(i), H.size_of(i), 7.0));
    H.set_zero_beside_diagonal();
    MatX expected = MatX::Zero(H.rows(), H.rows());
    for (int i = 0; i < H.block_rows(); ++i) {
      const int n = H.size_of(i);
      MatX block = random_matrix(&random, n, n);
      block = MatX(block + block.transpose());
      block.diagonal().array() += 4.0 * n;
      expected.block(H.dof_start(i), H.dof_start(i), n, n) = block;
      std::vector<double> numbers(static_cast<std::size_t>(n * n + 8), kNan);
      for (int c = 0; c < n; ++c)
        for (int r = c; r < n; ++r) numbers[static_cast<std::size_t>(c * n + r)] = block(r, c);
      H.diagonal_block(i).write_lower_triangle(numbers.data(), n, n);
    }
    EXPECT_EQ(H.to_dense(), expected);
    // Lanes that belong to no row are zero, too.
    const VecX x = random_matrix(&random, H.rows(), 1), product = expected * x;
    VecX y(H.rows());
    H.multiply(x, y);
    EXPECT_LT((y - product).norm(), kRoundOff * product.norm());
    EXPECT_TRUE(SupernodalCholesky().factorise(&H).is_positive_definite());
  }
}

TEST(BlockSparseMatrix, BlocksAreWrittenAsTheyWereAskedForWhicheverWayTheyAreStored) {
  Random random(9);
  int transposed = 0, straight = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const BlockPattern pattern =
        random_pattern(&random, random_sizes(&random, random.uniform_int(2, 12), 15), 10);
    BlockSparseMatrix H;
    H.set_pattern(pattern.sizes, pattern.pairs);
    H.set_zero();
    MatX expected = MatX::Zero(H.rows(), H.rows());
    for (std::size_t k = 0; k < pattern.pairs.size(); ++k) {
      const int i = pattern.pairs[k].row, j = pattern.pairs[k].col;
      if (i == j) continue;
      // A part of a larger matrix.
      const MatX B = random_matrix(&random, H.size_of(i) + 3, H.size_of(j) + 1);
      const BlockView view = H.pair_block(static_cast<int>(k));
      view.write(B.data() + 2, static_cast<int>(B.rows()));
      (view.transposed ? transposed : straight) += 1;
      const MatX part = B.block(2, 0, H.size_of(i), H.size_of(j));
      expected.block(H.dof_start(i), H.dof_start(j), part.rows(), part.cols()) = part;
      expected.block(H.dof_start(j), H.dof_start(i), part.cols(), part.rows()) = part.transpose();
    }
    EXPECT_EQ(H.to_dense(), expected);
  }
  EXPECT_GT(transposed, 50);
  EXPECT_GT(straight, 50);
}

TEST(BlockSparseMatrix, NewPatternOfTheSameOrASmallerSizeDoesNotAllocate) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  Random random(7);
  const BlockPattern large = random_pattern(&random, random_sizes(&random, 100, 20), 150);
  BlockPattern small = large;
  small.pairs.resize(100);
  BlockSparseMatrix H;
  H.set_pattern(large.sizes, large.pairs);
  H.set_pattern(small.sizes, small.pairs);
  const AllocationCounter counter;
  H.set_pattern(large.sizes, large.pairs);
  H.set_zero();
  H.set_pattern(small.sizes, small.pairs);
  H.set_zero();
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace stiction
