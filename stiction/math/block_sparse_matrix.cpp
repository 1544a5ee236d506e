#include "stiction/math/block_sparse_matrix.h"

#include <algorithm>
#include <numeric>

#include "stiction/base/check.h"
#include "stiction/math/cholesky_kernels.h"
#include "stiction/math/simd.h"

namespace stiction {

namespace {

constexpr TileColumn kZeroColumn = {};

}  // namespace

void BlockView::write_lower_triangle(const double* numbers, int n, int stride) const {
  if (first_row > 0 || n < tile_size) {
    // Other block rows share the tile.
    for (int c = 0; c < n; ++c)
      for (int r = c; r < n; ++r) columns[c].lane[lane_of(first_row + r)] = numbers[c * stride + r];
    return;
  }
  for (int first = 0, tile = 0; first < n; first += tile_size, tile += tile_stride) {
    const int size = std::min(tile_size, n - first);
    // 1 for rows of the tile, 0 beyond.
    simd::Pack upper, lower;
    for (int l = 0; l < 4; ++l) {
      upper[l] = l < std::min(size, 3) ? 1.0 : 0.0;
      lower[l] = l < size - 3 ? 1.0 : 0.0;
    }
    const simd::Pack none = simd::zero();
    for (int c = 0; c < first + size; ++c) {
      const double* from = numbers + c * stride + first;
      double* to = columns[tile + c].lane;
      simd::store(to, upper > none ? simd::load_unaligned(from) : none);
      simd::store(to + 4, lower > none ? simd::load_unaligned(from + 3) : none);
    }
  }
}

void BlockView::write(const double* numbers, int stride) const {
  const int right = transposed ? 1 : stride, down = transposed ? stride : 1;
  for (int r = 0, tile = 0, first = first_row; r < rows; tile += tile_stride, first = 0) {
    for (int i = first; i < tile_size && r < rows; ++i, ++r) {
      double* to = columns[tile].lane + lane_of(i);
      const double* from = numbers + r * down;
      for (int c = 0; c < cols; ++c) to[8 * c] = from[c * right];
    }
  }
}

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

  // Work is proportional to tiles: the weight of a block is its number of tiles.
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
  if (ordering == Ordering::kMinimumDegree)
    groups_.build(sizes_, graph_, order_, &tree_);
  else
    groups_.build_single(sizes_);
  if (groups_.is_joined()) {
    group_pairs_.clear();
    for (const BlockPair& pair : pairs_)
      group_pairs_.push_back({groups_.group_of(pair.row), groups_.group_of(pair.col)});
    const int joined = static_cast<int>(groups_.sizes().size());
    graph_.build(joined, group_pairs_);
    order_.resize(joined);
    std::iota(order_.begin(), order_.end(), 0);  // as they are numbered
    tree_.build(graph_, &order_);
  }
  const int groups = static_cast<int>(groups_.sizes().size());
  structure_.build(graph_, groups_.sizes(), order_, tree_.position(), tree_.parent());
  if (columns_.size() < structure_.columns_stored()) columns_.resize(structure_.columns_stored());

  diagonal_locations_.resize(groups);
  for (const CholeskyStructure::StoredBlock& block : structure_.stored_blocks())
    if (block.row == block.col) diagonal_locations_[order_[block.row]] = {block.offset, block.tile_stride};
  pair_locations_.resize(pairs_.size());
  for (std::size_t k = 0; k < pairs_.size(); ++k) pair_locations_[k] = locate(pairs_[k].row, pairs_[k].col);
}

// The location of the block of their groups.
BlockSparseMatrix::PairLocation BlockSparseMatrix::locate(int i, int j) const {
  if (groups_.group_of(i) == groups_.group_of(j)) return diagonal_locations_[groups_.group_of(i)];
  const int position_i = position_of(i), position_j = position_of(j);
  const CholeskyStructure::Location location =
      structure_.locate(std::max(position_i, position_j), std::min(position_i, position_j));
  STICTION_ASSERT(location.is_in_factor && !location.is_fill);  // (i, j) is one of the pairs
  return {location.offset, location.tile_stride};
}

void BlockSparseMatrix::set_zero() { clear(true); }
void BlockSparseMatrix::set_zero_beside_diagonal() { clear(false); }

void BlockSparseMatrix::clear(bool diagonal_too) {
  const std::span<const CholeskyStructure::Block> blocks = structure_.blocks();
  for (const CholeskyStructure::StoredBlock& block : structure_.stored_blocks()) {
    // The diagonal block of a group holds off-diagonal blocks of its members too.
    if (!diagonal_too && block.row == block.col && members(block.row).size() == 1) continue;
    TileColumn* tile = columns_.data() + block.offset;
    for (int t = 0; t < blocks[block.row].tiles; ++t, tile += block.tile_stride)
      std::fill_n(tile, blocks[block.col].size, kZeroColumn);
  }
  content_ = Content::kMatrix;
}

BlockView BlockSparseMatrix::view(int i, int j, const PairLocation& location) {
  const int position_i = position_of(i), position_j = position_of(j);
  const bool transposed =
      position_i != position_j ? position_i < position_j : groups_.first_row(i) < groups_.first_row(j);
  const int row = transposed ? j : i, col = transposed ? i : j;
  return {columns_.data() + location.offset + groups_.first_row(col),
          sizes_[row],
          sizes_[col],
          groups_.first_row(row),
          structure_.blocks()[std::max(position_i, position_j)].tile_size,
          location.tile_stride,
          transposed};
}

BlockView BlockSparseMatrix::block(int i, int j) {
  STICTION_ASSERT(0 <= i && i < block_rows() && 0 <= j && j < block_rows());
  return view(i, j, locate(i, j));
}

BlockView BlockSparseMatrix::pair_block(int k) {
  return view(pairs_[k].row, pairs_[k].col, pair_locations_[k]);
}

BlockView BlockSparseMatrix::diagonal_block(int i) {
  return view(i, i, diagonal_locations_[groups_.group_of(i)]);
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
    // A group of several members has one tile.
    const CholeskyStructure::Block& block = structure_.blocks()[k];
    TileColumn* tile = packed->data() + block.first_tile;
    for (const int i : groups_.members(order_[k])) {
      const double* source = x.data() + dof_start_[i];
      for (int row = groups_.first_row(i), left = sizes_[i]; left > 0; --left, ++row) {
        if (row == block.tile_size) {
          row = 0;
          ++tile;
        }
        tile->lane[lane_of(row)] = *source++;
      }
    }
  }
}

void BlockSparseMatrix::unpack(const PackedVector& packed, VecRef x) const {
  STICTION_ASSERT(x.size() == rows() && static_cast<int>(packed.size()) == packed_tiles());
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const CholeskyStructure::Block& block = structure_.blocks()[k];
    const TileColumn* tile = packed.data() + block.first_tile;
    for (const int i : groups_.members(order_[k])) {
      double* target = x.data() + dof_start_[i];
      for (int row = groups_.first_row(i), left = sizes_[i]; left > 0; --left, ++row) {
        if (row == block.tile_size) {
          row = 0;
          ++tile;
        }
        *target++ = tile->lane[lane_of(row)];
      }
    }
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
  // The velocity of row r of a group.
  const auto dof_of = [&](int group, int r) {
    for (const int i : groups_.members(group))
      if (r < groups_.first_row(i) + sizes_[i]) return dof_start_[i] + r - groups_.first_row(i);
    return -1;
  };
  MatX dense = MatX::Zero(rows(), rows());
  for (const CholeskyStructure::StoredBlock& stored : structure_.stored_blocks()) {
    const CholeskyStructure::Block &row = structure_.blocks()[stored.row],
                                   &col = structure_.blocks()[stored.col];
    for (int r = 0; r < row.size; ++r) {
      const int i = dof_of(order_[stored.row], r);
      for (int c = 0; c < (stored.row == stored.col ? r + 1 : col.size); ++c) {
        const TileColumn& column = columns_[stored.offset + (r / row.tile_size) * stored.tile_stride + c];
        const int j = dof_of(order_[stored.col], c);
        dense(i, j) = dense(j, i) = column.lane[lane_of(r % row.tile_size)];
      }
    }
  }
  return dense;
}

}  // namespace stiction
