#include "stiction/math/supernodal_cholesky.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/check.h"
#include "stiction/math/cholesky_kernels.h"

namespace stiction {

namespace {

using cholesky::TileRegisters;
using cholesky::unroll;
using simd::Pack;
using Supernode = CholeskyStructure::Supernode;
using PanelRow = CholeskyStructure::PanelRow;
using Tile = CholeskyStructure::Tile;
using Entry = CholeskyStructure::Entry;
using Update = CholeskyStructure::Update;

constexpr TileColumn kZeroTile[kTileSize] = {};

// This many panel rows pass through the columns of a supernode together, so that the rows of those columns,
// which of a wide supernode do not fit into the cache, are read once for all of them.
constexpr int kRowsTogether = 8;

// The listed updates of one entry.
struct UpdateList {
  const Update *begin, *end;
};

// The tile in the columns of tile j of a panel row, with the listed updates and those of the columns before
// it in the row.
template <int N>
[[gnu::always_inline]] inline void finish_entry(TileColumn* columns, TileColumn* row, const TileColumn* row_j,
                                                int column, bool is_fill, UpdateList updates) {
  TileRegisters<N> c;
  cholesky::load_tile<N>(is_fill ? kZeroTile : row + column, &c);
  for (const Update* u = updates.begin; u != updates.end; ++u)
    cholesky::update<N>(columns + u->row_i, columns + u->row_j, u->columns, &c);
  cholesky::update<N>(row, row_j, column, &c);
  cholesky::solve_row<N>(row_j + column, &c);
  cholesky::store_tile<N>(c, row + column);
}

template <int N>
[[gnu::always_inline]] inline bool finish_diagonal_entry(TileColumn* columns, TileColumn* row, int column,
                                                         UpdateList updates) {
  TileRegisters<N> c;
  cholesky::load_triangle<N>(row + column, &c);
  for (const Update* u = updates.begin; u != updates.end; ++u)
    cholesky::update_diagonal<N>(columns + u->row_i, u->columns, &c);
  cholesky::update_diagonal<N>(row, column, &c);
  const bool is_positive = cholesky::factorise_diagonal<N>(&c);
  cholesky::store_triangle<N>(c, row + column);
  return is_positive;
}

// Returns the tile whose pivot failed, or -1.
template <bool kAllTilesAreFull>
[[gnu::flatten]] int factorise_tiles(const CholeskyStructure& structure, TileColumn* columns) {
  const auto with_size_of = [](const Tile& tile, const auto& f) {
    if constexpr (kAllTilesAreFull)
      return f(std::integral_constant<int, kTileSize>());
    else
      return cholesky::with_size(tile.size, f);
  };
  const Entry* entries = structure.entries().data();
  const Update* all_updates = structure.updates().data();
  for (const Supernode& s : structure.supernodes()) {
    const PanelRow* rows = structure.panel_rows().data() + s.first_row;
    const Tile* tiles = structure.tiles().data() + s.first_tile;
    for (int first = 0; first < s.rows; first += kRowsTogether) {
      const int end = std::min(first + kRowsTogether, s.rows);
      for (int j = 0; j < std::min(end, s.tiles); ++j) {
        const Entry* entry = entries + structure.entry_of(s, std::max(first, j), j);
        for (int r = std::max(first, j); r < end; entry += std::min(r + 1, s.tiles), ++r) {
          TileColumn* row = columns + rows[r].offset;
          const UpdateList updates{all_updates + entry[-1].updates_end, all_updates + entry->updates_end};
          const bool is_positive = with_size_of(tiles[j], [&](auto size) {
            if (r == j) return finish_diagonal_entry<size>(columns, row, tiles[j].column, updates);
            finish_entry<size>(columns, row, columns + rows[j].offset, tiles[j].column, entry->is_fill,
                               updates);
            return true;
          });
          if (!is_positive) return s.first_tile + j;
        }
      }
    }
  }
  return -1;
}

// x_i -= L_ij x_j
template <int N>
[[gnu::always_inline]] inline void subtract_product(const TileColumn* l, const double* x_j, Pack* angular,
                                                    Pack* linear) {
  unroll<N>([&](auto k) {
    *angular -= simd::load(l[k].lane) * x_j[lane_of(k)];
    *linear -= simd::load(l[k].lane + 4) * x_j[lane_of(k)];
  });
}

// x := L^-1 x
[[gnu::flatten]] void sweep_forward(const CholeskyStructure& structure, const TileColumn* columns,
                                    TileColumn* x) {
  for (const Supernode& s : structure.supernodes()) {
    const PanelRow* rows = structure.panel_rows().data() + s.first_row;
    const Tile* tiles = structure.tiles().data() + s.first_tile;
    const TileColumn* x_own = x + s.first_tile;
    for (int r = 0; r < s.rows; ++r) {
      const TileColumn* row = columns + rows[r].offset;
      double* x_row = x[rows[r].tile].lane;
      const int before_diagonal = r < s.tiles ? r : s.tiles;
      Pack angular = simd::load(x_row), linear = simd::load(x_row + 4);
      for (int j = 0; j < before_diagonal; ++j) {
        cholesky::with_size(tiles[j].size, [&](auto size) {
          subtract_product<size>(row + tiles[j].column, x_own[j].lane, &angular, &linear);
        });
      }
      simd::store(x_row, angular);
      simd::store(x_row + 4, linear);
      if (r >= s.tiles) continue;
      cholesky::with_size(tiles[r].size,
                          [&](auto size) { cholesky::solve_forward<size>(row + tiles[r].column, x_row); });
    }
  }
}

// x_j := L_jj^-T (x_j - sum_i L_ij' x_i) over all rows i below j
template <int N>
[[gnu::always_inline]] inline void finish_backward(const TileColumn* columns, const PanelRow* rows, int j,
                                                   int row_count, int column, TileColumn* x) {
  Pack sum[kTileSize] = {};
  for (int r = j + 1; r < row_count; ++r) {
    const TileColumn* tile = columns + rows[r].offset + column;
    const double* x_row = x[rows[r].tile].lane;
    const Pack angular = simd::load(x_row), linear = simd::load(x_row + 4);
    unroll<N>([&](auto k) {
      sum[k] += simd::load(tile[k].lane) * angular;
      sum[k] += simd::load(tile[k].lane + 4) * linear;
    });
  }
  double* x_j = x[rows[j].tile].lane;
  simd::store(x_j, simd::load(x_j) - cholesky::sums(sum[0], sum[1], sum[2]));
  simd::store(x_j + 4, simd::load(x_j + 4) - cholesky::sums(sum[3], sum[4], sum[5]));
  cholesky::solve_backward<N>(columns + rows[j].offset + column, x_j);
}

// x := L^-T x
[[gnu::flatten]] void sweep_backward(const CholeskyStructure& structure, const TileColumn* columns,
                                     TileColumn* x) {
  for (std::size_t k = structure.supernodes().size(); k-- > 0;) {
    const Supernode& s = structure.supernodes()[k];
    const PanelRow* rows = structure.panel_rows().data() + s.first_row;
    for (int j = s.tiles - 1; j >= 0; --j) {
      const Tile& tile = structure.tiles()[s.first_tile + j];
      cholesky::with_size(
          tile.size, [&](auto size) { finish_backward<size>(columns, rows, j, s.rows, tile.column, x); });
    }
  }
}

// The member of a group whose pivot failed: the first one on the diagonal of the tile that is not the inverse
// of a positive number.
int failed_member(const BlockSparseMatrix& H, int failed_tile) {
  const CholeskyStructure& structure = H.structure();
  const Tile& tile = structure.tiles()[failed_tile];
  const std::span<const int> members = H.members(tile.block);
  if (members.size() == 1) return members.front();
  const Supernode& s = structure.supernodes()[structure.blocks()[tile.block].supernode];
  const TileColumn* row =
      H.columns() + structure.panel_rows()[s.first_row + failed_tile - s.first_tile].offset;
  int c = 0;
  for (const int i : members) {
    for (const int end = c + H.size_of(i); c < end; ++c) {
      const double pivot = row[tile.column + c].lane[lane_of(c)];
      if (!(pivot > 0.0 && std::isfinite(pivot))) return i;
    }
  }
  return members.back();
}

}  // namespace

CholeskyResult SupernodalCholesky::factorise(BlockSparseMatrix* H) const {
  STICTION_ASSERT(H->content() == BlockSparseMatrix::Content::kMatrix);
  const CholeskyStructure& structure = H->structure();
  const int failed_tile = structure.all_tiles_are_full() ? factorise_tiles<true>(structure, H->columns())
                                                         : factorise_tiles<false>(structure, H->columns());
  if (failed_tile >= 0) {
    H->set_content(BlockSparseMatrix::Content::kNothing);
    return {failed_member(*H, failed_tile)};
  }
  H->set_content(BlockSparseMatrix::Content::kFactor);
  return {};
}

void SupernodalCholesky::solve(const BlockSparseMatrix& L, PackedVector* x) const {
  STICTION_ASSERT(L.content() == BlockSparseMatrix::Content::kFactor);
  STICTION_ASSERT(static_cast<int>(x->size()) == L.packed_tiles());
  sweep_forward(L.structure(), L.columns(), x->data());
  sweep_backward(L.structure(), L.columns(), x->data());
}

void SupernodalCholesky::solve(const BlockSparseMatrix& L, MatRef X) {
  for (int c = 0; c < X.cols(); ++c) {
    L.pack(X.col(c), &packed_);
    solve(L, &packed_);
    L.unpack(packed_, X.col(c));
  }
}

}  // namespace stiction
