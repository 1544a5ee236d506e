#pragma once
// Random block patterns and positive definite matrices on them, for the tests of the block-sparse algebra.

#include <vector>

#include "stiction/base/random.h"
#include "stiction/math/block_sparse_matrix.h"
#include "stiction/math/matrix.h"

namespace stiction {

struct BlockPattern {
  std::vector<int> sizes;
  std::vector<BlockPair> pairs;
};

// A chain through all blocks (so that there is fill to make) and `extra` pairs anywhere, some of them
// repeated.
inline BlockPattern random_pattern(Random* random, std::vector<int> sizes, int extra) {
  const int n = static_cast<int>(sizes.size());
  BlockPattern pattern{std::move(sizes), {}};
  for (int i = 0; i + 1 < n; ++i)
    if (random->uniform() < 0.7) pattern.pairs.push_back({i + 1, i});
  for (int k = 0; k < extra; ++k)
    pattern.pairs.push_back({random->uniform_int(0, n - 1), random->uniform_int(0, n - 1)});
  return pattern;
}

inline std::vector<int> random_sizes(Random* random, int count, int largest) {
  std::vector<int> sizes(count);
  for (int& size : sizes) size = random->uniform_int(1, largest);
  return sizes;
}

inline MatX random_matrix(Random* random, int rows, int cols) {
  MatX matrix(rows, cols);
  for (int c = 0; c < cols; ++c)
    for (int r = 0; r < rows; ++r) matrix(r, c) = random->uniform(-1.0, 1.0);
  return matrix;
}

// Fills *H (its pattern is set) with random off-diagonal blocks and diagonal blocks that dominate them: the
// smallest eigenvalue is above 1, the largest is of the order of the largest row sum. Returns the same
// matrix, assembled densely and independently.
inline MatX fill_with_dominant_matrix(Random* random, const BlockPattern& pattern, BlockSparseMatrix* H) {
  std::vector<int> start(pattern.sizes.size() + 1, 0);
  for (std::size_t i = 0; i < pattern.sizes.size(); ++i) start[i + 1] = start[i] + pattern.sizes[i];
  MatX dense = MatX::Zero(start.back(), start.back());
  H->set_zero();
  for (const auto& [i, j] : pattern.pairs) {
    if (i == j) continue;
    const MatX block = random_matrix(random, pattern.sizes[i], pattern.sizes[j]);
    H->add_block(i, j, block);
    dense.block(start[i], start[j], pattern.sizes[i], pattern.sizes[j]) += block;
    dense.block(start[j], start[i], pattern.sizes[j], pattern.sizes[i]) += block.transpose();
  }
  for (std::size_t i = 0; i < pattern.sizes.size(); ++i) {
    const int size = pattern.sizes[i];
    const MatX root = random_matrix(random, size, size);
    MatX block = root + root.transpose();
    for (int r = 0; r < size; ++r)
      block(r, r) = 1.0 + block.row(r).lpNorm<1>() + dense.row(start[i] + r).lpNorm<1>();
    H->add_block(static_cast<int>(i), static_cast<int>(i), block);
    dense.block(start[i], start[i], size, size) += block;
  }
  return dense;
}

}  // namespace stiction
