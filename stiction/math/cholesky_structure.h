#pragma once
// The symbolic side of the block Cholesky factorisation P H P' = L L': where every number of L lies, and the
// list of products that make it. Computed once per pattern; the numeric factorisation only follows the lists.
//
// - A block row of size s (6 for a free body) is cut into ceil(s / 6) *tiles* of nearly equal size. All
//   numeric work is done on tiles, so a tree of 30 dofs runs through the kernels of five free bodies.
// - A *supernode* is a run of block columns with the same rows below them. All its columns of one tile row
//   lie side by side: a panel row of (at most 6) x (columns of the supernode), one TileColumn after the
//   other. An update L_ij -= L_iK L_jK' (i, j tile rows, K a supernode to the left) is thus one product of
//   two contiguous arrays, whatever the width of K.
// - Rows below a supernode are *outer*, rows of its own triangle *inner*. An inner row ends with its block.
// - Entries that are zero in H but not in L are *fill*: they hold no numbers before the factorisation.
//
// Reference for elimination trees and supernodes: T. A. Davis, S. Rajamanickam, W. M. Sid-Lakhdar, "A survey
// of direct methods for sparse linear systems", Acta Numerica 25, 2016, sections 4 and 9.

#include <cstdint>
#include <span>
#include <vector>

#include "stiction/math/elimination_order.h"

namespace stiction {

inline constexpr int kTileSize = 6;

// One column of a tile: the rows (0, 1, 2) in lanes 0 to 2 and (3, 4, 5) in lanes 4 to 6, that is (angular,
// 0, linear, 0) for a free body; lanes beyond the tile's size are zero. It fills one cache line.
struct alignas(64) TileColumn {
  double lane[8];
};

inline constexpr int lane_of(int row) { return row < 3 ? row : row + 1; }

class CholeskyStructure {
 public:
  struct Block {            // a block row and column
    int size;               // scalar rows
    int tile_size;          // rows of each of its tiles, except the last, which may be smaller
    int first_tile, tiles;  // tiles are numbered in elimination order
    int supernode;
    int column;  // its first scalar column inside the supernode
  };
  struct Tile {
    int size;
    int column;  // its first scalar column inside the supernode
    int block;   // position in elimination order
  };
  struct PanelRow {
    std::uint32_t offset;  // of its first TileColumn
    std::uint32_t tile;    // the tile row
  };
  struct Supernode {
    int first_tile, tiles;
    int columns;    // scalar columns
    int first_row;  // in panel_rows(): the inner rows in order, then the outer ones in ascending order
    int rows;       // inner and outer
    int first_entry;
  };
  // An entry is one tile L_ij. Entries are numbered supernode by supernode, panel row by panel row, column
  // tile by column tile. The first one is entry 1.
  struct Entry {
    std::uint32_t updates_end;  // its updates start where those of the entry before end
    std::uint32_t is_fill;
  };
  struct Update {  // subtract (columns of row i) (columns of row j)'
    std::uint32_t row_i, row_j, columns;
  };

  // The block at (row, col), which are positions in elimination order, row >= col.
  struct Location {
    bool is_in_factor = false;
    bool is_fill = false;
    std::uint32_t offset = 0;  // of its first TileColumn
    int tile_stride = 0;       // TileColumns from one of its tile rows to the next
  };
  struct StoredBlock {  // a block of H, in L's lower triangle
    int row, col;       // positions in elimination order
    std::uint32_t offset;
    int tile_stride;
  };

  // order and parent: postordered (EliminationTree). sizes: by block, in the caller's numbering.
  void build(const BlockGraph& graph, std::span<const int> sizes, std::span<const int> order,
             std::span<const int> position, std::span<const int> parent);

  Location locate(int row, int col) const;
  int entry_of(const Supernode& s, int panel_row, int column_tile) const {
    const int inner_rows = panel_row < s.tiles ? panel_row : s.tiles;
    return s.first_entry + inner_rows * (inner_rows + 1) / 2 + (panel_row - inner_rows) * s.tiles +
           column_tile;
  }

  std::span<const Block> blocks() const { return blocks_; }  // by position in elimination order
  std::span<const Tile> tiles() const { return tiles_; }
  std::span<const Supernode> supernodes() const { return supernodes_; }
  std::span<const PanelRow> panel_rows() const { return panel_rows_; }
  std::span<const Entry> entries() const { return entries_; }
  std::span<const Update> updates() const { return updates_; }
  std::span<const StoredBlock> stored_blocks() const { return stored_blocks_; }
  std::size_t columns_stored() const { return columns_stored_; }  // TileColumns of L
  bool all_tiles_are_full() const { return all_tiles_are_full_; }

 private:
  void cut_tiles(std::span<const int> sizes, std::span<const int> order);
  void find_supernodes(const BlockGraph& graph, std::span<const int> order, std::span<const int> position,
                       std::span<const int> parent);
  void find_outer_rows(const BlockGraph& graph, std::span<const int> order, std::span<const int> position,
                       std::span<const int> parent);
  void place_panels();
  void list_entries(const BlockGraph& graph, std::span<const int> order, std::span<const int> position);
  void list_stored_blocks(int J, const BlockGraph& graph, std::span<const int> order,
                          std::span<const int> position);
  void add_stored_block(int J, int row, int col);
  void list_updates(int J);
  void wait_for_next(int K, int passed_tiles);

  std::vector<Block> blocks_;
  std::vector<Tile> tiles_;
  std::vector<Supernode> supernodes_;
  std::vector<PanelRow> panel_rows_;
  std::vector<Entry> entries_;
  std::vector<Update> updates_;
  std::vector<StoredBlock> stored_blocks_;
  std::size_t columns_stored_ = 0;
  bool all_tiles_are_full_ = true;

  std::vector<int> last_block_;                // of a supernode
  std::vector<int> outer_start_, outer_rows_;  // outer block rows of a supernode, ascending
  std::vector<int> outer_panel_row_;           // their first panel rows, counted inside the supernode
  std::vector<int> count_, marked_by_, cursor_, waiting_head_, waiting_next_;
  std::vector<int> panel_row_of_tile_, entry_base_of_tile_;  // in the supernode at hand
};

}  // namespace stiction
