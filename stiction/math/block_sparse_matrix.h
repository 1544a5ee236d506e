#pragma once
// A symmetric matrix of dense blocks, most of them zero, laid out for its own Cholesky factorisation: the
// Hessian H = A + J' G J of a contact problem, one block row per tree (6 for a free body), one off-diagonal
// block per touching pair.
//
//   H.set_pattern(sizes, pairs);            // order and symbolic factorisation; only when the pairs change
//   H.set_zero();
//   H.add_block(i, j, B);                   // or through pair_block(k), diagonal_block(i), without a search
//   cholesky.factorise(&H);                 // see supernodal_cholesky.h; H now holds its factor
//
// Small block rows are joined into groups of up to six rows (block_groups.h); the groups are ordered and
// factorised, and callers do not see them.
//
// Numbers are assembled straight into the memory of the factor: only the lower triangle in elimination order
// is stored. A block is therefore H(i, j) where i is eliminated after j, and its transpose H(j, i) otherwise;
// BlockView says which. Setting numbers never allocates; a new pattern allocates only while it is larger than
// all patterns before it.

#include <span>
#include <vector>

#include "stiction/math/block_groups.h"
#include "stiction/math/cholesky_structure.h"
#include "stiction/math/elimination_order.h"
#include "stiction/math/matrix.h"

namespace stiction {

// A stored block, cut in tiles of at most six rows (cholesky_structure.h). A 6x6 block is six TileColumns,
// one after the other, each (angular, 0, linear, 0): a fast caller adds to columns[c].lane directly and
// leaves lanes 3 and 7 alone. Of a diagonal block only the lower triangle is read.
struct BlockView {
  TileColumn* columns;
  int rows, cols;   // of what is stored
  int first_row;    // inside its first tile
  int tile_size;    // rows of a tile
  int tile_stride;  // TileColumns from one tile row to the next
  bool transposed;  // asked for H(i, j), but what is stored is H(j, i) = H(i, j)'

  double& operator()(int r, int c) const {
    const int row = first_row + r;
    return columns[(row / tile_size) * tile_stride + c].lane[lane_of(row % tile_size)];
  }

  // The same without a division: entry(places[r], c) with the places (offsets in lanes) of all rows.
  void set_places(std::vector<int>* places) const {
    places->clear();
    for (int r = 0, tile = 0, first = first_row; r < rows; tile += tile_stride, first = 0) {
      for (int i = first; i < tile_size && r < rows; ++i, ++r) places->push_back(8 * tile + lane_of(i));
    }
  }
  // (Through a plain pointer: `place` reaches across columns.)
  double& entry(int place, int c) const { return reinterpret_cast<double*>(columns)[place + 8 * c]; }

  // Writes all of a diagonal block from n columns, `stride` numbers from one to the next; those above the
  // diagonal may be anything. Reads up to eight numbers beyond the last column.
  void write_lower_triangle(const double* numbers, int n, int stride) const;
  // Writes all of an off-diagonal block H(i, j); where `transposed` is set, its transpose is stored.
  void write(const double* numbers, int stride) const;
};

// A vector in elimination order, one TileColumn per tile: what the fast solves and products work on.
using PackedVector = std::vector<TileColumn>;

class BlockSparseMatrix {
 public:
  enum class Ordering { kMinimumDegree, kNatural };
  enum class Content { kNothing, kMatrix, kFactor };

  // sizes[i] > 0: scalar rows of block row i. pairs: which off-diagonal blocks may be non-zero; they may
  // repeat. Does nothing if all arguments equal those of the last call. The content is nothing afterwards,
  // until set_zero.
  void set_pattern(std::span<const int> sizes, std::span<const BlockPair> pairs,
                   Ordering ordering = Ordering::kMinimumDegree);

  int block_rows() const { return static_cast<int>(sizes_.size()); }
  int rows() const { return dof_start_.empty() ? 0 : dof_start_.back(); }
  int size_of(int i) const { return sizes_[i]; }
  int dof_start(int i) const { return dof_start_[i]; }
  Content content() const { return content_; }

  void set_zero();
  // The same, except that the diagonal blocks are left to the caller, who writes all of their lower
  // triangles: those of six rows as 48 numbers, others by write_lower_triangle.
  void set_zero_beside_diagonal();

  // Where to add. block(i, j) searches; the k-th pair of set_pattern and the diagonal are found directly.
  // Pointers stay valid until the next pattern.
  BlockView block(int i, int j);
  BlockView pair_block(int k);
  BlockView diagonal_block(int i);

  // H(i, j) += B and, for i != j, H(j, i) += B'. A diagonal B is symmetric.
  void add_block(int i, int j, const Eigen::Ref<const MatX, 0, Eigen::OuterStride<>>& B);

  // y = H x, in the caller's numbering (allocates) and in packed form (does not, once y has its size).
  void multiply(ConstVecRef x, VecRef y) const;
  void multiply(const PackedVector& x, PackedVector* y) const;

  MatX to_dense() const;

  // Between the caller's vectors and packed ones.
  int packed_tiles() const { return static_cast<int>(structure_.tiles().size()); }
  void pack(ConstVecRef x, PackedVector* packed) const;
  void unpack(const PackedVector& packed, VecRef x) const;

  // For the factorisation: blocks of the structure are groups of block rows. members(k): those of the group
  // that is eliminated k-th.
  const CholeskyStructure& structure() const { return structure_; }
  std::span<const int> members(int k) const { return groups_.members(order_[k]); }
  TileColumn* columns() { return columns_.data(); }
  const TileColumn* columns() const { return columns_.data(); }
  void set_content(Content content) { content_ = content; }

 private:
  struct PairLocation {
    std::uint32_t offset;
    int tile_stride;
  };
  // Position of the group of block row i in elimination order.
  int position_of(int i) const { return tree_.position()[groups_.group_of(i)]; }
  void clear(bool diagonal_too);
  PairLocation locate(int i, int j) const;
  BlockView view(int i, int j, const PairLocation& location);

  std::vector<int> sizes_, dof_start_, weights_;
  std::vector<int> order_;  // of the groups
  std::vector<BlockPair> pairs_, group_pairs_;
  Ordering ordering_ = Ordering::kMinimumDegree;
  Content content_ = Content::kNothing;
  BlockGraph graph_;
  BlockGroups groups_;
  MinimumDegree minimum_degree_;
  EliminationTree tree_;
  CholeskyStructure structure_;
  std::vector<PairLocation> pair_locations_;
  std::vector<PairLocation> diagonal_locations_;  // by group
  std::vector<TileColumn> columns_;
};

}  // namespace stiction
