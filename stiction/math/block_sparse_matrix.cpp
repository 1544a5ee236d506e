#include "stiction/math/block_sparse_matrix.h"

#include <algorithm>
#include <numeric>

#include "stiction/base/check.h"
#include "stiction/math/cholesky_kernels.h"

namespace stiction {

namespace {

constexpr TileColumn kZeroColumn = {};

}  // namespace

void BlockSparseMatrix::set_pattern(std::span<const int> sizes, std::span<const BlockPair> pairs,
                                    Ordering ordering) {
  content_ = Content::kNothing;
  if (ordering == ordering_ && std::ranges::equal(sizes, sizes_) && std::ranges::equal(pairs, pairs_)) return;
  ordering_ = ordering;
  sizes_.assign(sizes.begin(), sizes.end());
  pairs_.assign(pairs.begin(), pairs.end());

  const int n = block_rows();
  dof_start_.resize(n + 1);
  dof_start_[0] = 0;
  for (int i = 0; i < n; ++i) dof_start_[i + 1] = dof_start_[i] + sizes_[i];

  // The work goes with tiles, so a block weighs as many nodes of the graph as it has tiles.
  graph_.build(n, pairs_);
  if (ordering == Ordering::kMinimumDegree) {
    weights_.resize(n);
    for (int i = 0; i < n; ++i) weights_[i] = (sizes_[i] + kTileSize - 1) / kTileSize;
    minimum_degree_.compute(graph_, weights_, &order_);
  } else {
    order_.resize(n);
    std::iota(order_.begin(), order_.end(), 0);
  }
  tree_.build(graph_, &order_);
  structure_.build(graph_, sizes_, order_, tree_.position(), tree_.parent());
  if (columns_.size() < structure_.columns_stored()) columns_.resize(structure_.columns_stored());

  pair_locations_.resize(pairs_.size());
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const auto [col, row] = std::minmax(tree_.position()[pairs_[k].row], tree_.position()[pairs_[k].col]);
    const CholeskyStructure::Location location = structure_.locate(row, col);
    pair_locations_[k] = {location.offset, location.tile_stride};
  }
  diagonal_locations_.resize(n);
  for (const CholeskyStructure::StoredBlock& block : structure_.stored_blocks())
    if (block.row == block.col) diagonal_locations_[order_[block.row]] = {block.offset, block.tile_stride};
}

void BlockSparseMatrix::set_zero() {
  const std::span<const CholeskyStructure::Block> blocks = structure_.blocks();
  for (const CholeskyStructure::StoredBlock& block : structure_.stored_blocks()) {
    TileColumn* tile = columns_.data() + block.offset;
    for (int t = 0; t < blocks[block.row].tiles; ++t, tile += block.tile_stride)
      std::fill_n(tile, blocks[block.col].size, kZeroColumn);
  }
  content_ = Content::kMatrix;
}

BlockView BlockSparseMatrix::view(int i, int j, std::uint32_t offset, int tile_stride) {
  const bool transposed = tree_.position()[i] < tree_.position()[j];
  const CholeskyStructure::Block& row = structure_.blocks()[tree_.position()[transposed ? j : i]];
  return {
      columns_.data() + offset, row.size, sizes_[transposed ? i : j], row.tile_size, tile_stride, transposed};
}

BlockView BlockSparseMatrix::block(int i, int j) {
  STICTION_ASSERT(0 <= i && i < block_rows() && 0 <= j && j < block_rows());
  const auto [col, row] = std::minmax(tree_.position()[i], tree_.position()[j]);
  const CholeskyStructure::Location location = structure_.locate(row, col);
  STICTION_ASSERT(location.is_in_factor && !location.is_fill);  // (i, j) is one of the pairs
  return view(i, j, location.offset, location.tile_stride);
}

BlockView BlockSparseMatrix::pair_block(int k) {
  return view(pairs_[k].row, pairs_[k].col, pair_locations_[k].offset, pair_locations_[k].tile_stride);
}

BlockView BlockSparseMatrix::diagonal_block(int i) {
  return view(i, i, diagonal_locations_[i].offset, diagonal_locations_[i].tile_stride);
}

void BlockSparseMatrix::add_block(int i, int j, const Eigen::Ref<const MatX, 0, Eigen::OuterStride<>>& B) {
  STICTION_ASSERT(content_ == Content::kMatrix);
  const BlockView stored = i == j ? diagonal_block(i) : block(i, j);
  STICTION_ASSERT(B.rows() == sizes_[i] && B.cols() == sizes_[j]);
  for (int c = 0; c < stored.cols; ++c)
    for (int r = 0; r < stored.rows; ++r) stored(r, c) += stored.transposed ? B(c, r) : B(r, c);
}

void BlockSparseMatrix::pack(ConstVecRef x, PackedVector* packed) const {
  STICTION_ASSERT(x.size() == rows());
  packed->assign(packed_tiles(), kZeroColumn);
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const CholeskyStructure::Block& block = structure_.blocks()[k];
    const double* source = x.data() + dof_start_[order_[k]];
    for (int t = block.first_tile; t < block.first_tile + block.tiles; ++t)
      for (int r = 0; r < structure_.tiles()[t].size; ++r) (*packed)[t].lane[lane_of(r)] = *source++;
  }
}

void BlockSparseMatrix::unpack(const PackedVector& packed, VecRef x) const {
  STICTION_ASSERT(x.size() == rows() && static_cast<int>(packed.size()) == packed_tiles());
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const CholeskyStructure::Block& block = structure_.blocks()[k];
    double* target = x.data() + dof_start_[order_[k]];
    for (int t = block.first_tile; t < block.first_tile + block.tiles; ++t)
      for (int r = 0; r < structure_.tiles()[t].size; ++r) *target++ = packed[t].lane[lane_of(r)];
  }
}

[[gnu::flatten]] void BlockSparseMatrix::multiply(const PackedVector& x, PackedVector* y) const {
  STICTION_ASSERT(content_ == Content::kMatrix && static_cast<int>(x.size()) == packed_tiles());
  y->assign(packed_tiles(), kZeroColumn);
  const std::span<const CholeskyStructure::Block> blocks = structure_.blocks();
  const std::span<const CholeskyStructure::Tile> tiles = structure_.tiles();
  for (const CholeskyStructure::StoredBlock& stored : structure_.stored_blocks()) {
    const CholeskyStructure::Block &row = blocks[stored.row], &col = blocks[stored.col];
    for (int t = 0; t < row.tiles; ++t) {
      const TileColumn* tile = columns_.data() + stored.offset + t * stored.tile_stride;
      const int i = row.first_tile + t;
      for (int j = col.first_tile; j < col.first_tile + col.tiles; tile += tiles[j].size, ++j) {
        if (i < j) break;
        cholesky::with_size(tiles[j].size, [&](auto size) {
          if (i > j)
            cholesky::multiply<size>(tile, x[i].lane, x[j].lane, (*y)[i].lane, (*y)[j].lane);
          else
            cholesky::multiply_symmetric<size>(tile, x[i].lane, (*y)[i].lane);
        });
      }
    }
  }
}

void BlockSparseMatrix::multiply(ConstVecRef x, VecRef y) const {
  PackedVector packed_x, packed_y;
  pack(x, &packed_x);
  multiply(packed_x, &packed_y);
  unpack(packed_y, y);
}

MatX BlockSparseMatrix::to_dense() const {
  STICTION_ASSERT(content_ == Content::kMatrix);
  MatX dense = MatX::Zero(rows(), rows());
  for (const CholeskyStructure::StoredBlock& stored : structure_.stored_blocks()) {
    const CholeskyStructure::Block& row = structure_.blocks()[stored.row];
    const int i = order_[stored.row], j = order_[stored.col];
    for (int r = 0; r < sizes_[i]; ++r) {
      for (int c = 0; c < (i == j ? r + 1 : sizes_[j]); ++c) {
        const TileColumn& column = columns_[stored.offset + (r / row.tile_size) * stored.tile_stride + c];
        const double value = column.lane[lane_of(r % row.tile_size)];
        dense(dof_start_[i] + r, dof_start_[j] + c) = value;
        dense(dof_start_[j] + c, dof_start_[i] + r) = value;
      }
    }
  }
  return dense;
}

}  // namespace stiction
