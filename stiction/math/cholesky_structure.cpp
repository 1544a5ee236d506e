#include "stiction/math/cholesky_structure.h"

#include <algorithm>
#include <limits>

#include "stiction/base/check.h"

namespace stiction {

void CholeskyStructure::build(const BlockGraph& graph, std::span<const int> sizes, std::span<const int> order,
                              std::span<const int> position, std::span<const int> parent) {
  cut_tiles(sizes, order);
  find_supernodes(graph, order, position, parent);
  find_outer_rows(graph, order, position, parent);
  place_panels();
  list_entries(graph, order, position);
}

void CholeskyStructure::cut_tiles(std::span<const int> sizes, std::span<const int> order) {
  const int n = static_cast<int>(order.size());
  blocks_.resize(n);
  tiles_.clear();
  all_tiles_are_full_ = true;
  for (int k = 0; k < n; ++k) {
    const int size = sizes[order[k]];
    STICTION_ASSERT(size > 0);
    const int count = (size + kTileSize - 1) / kTileSize;
    const int tile_size = (size + count - 1) / count;
    blocks_[k] = {size, tile_size, static_cast<int>(tiles_.size()), count, 0, 0};
    for (int t = 0; t < count; ++t) {
      const int rows = std::min(tile_size, size - t * tile_size);
      tiles_.push_back({rows, 0, k});
      all_tiles_are_full_ = all_tiles_are_full_ && rows == kTileSize;
    }
  }
}

// Block column k + 1 joins the supernode of k when k's rows are k + 1 and the rows of k + 1.
void CholeskyStructure::find_supernodes(const BlockGraph& graph, std::span<const int> order,
                                        std::span<const int> position, std::span<const int> parent) {
  // Row i of L holds the columns on the paths from its entries in H up to i: count them per column.
  const int n = static_cast<int>(order.size());
  count_.assign(n, 0);
  marked_by_.assign(n, -1);
  for (int i = 0; i < n; ++i) {
    marked_by_[i] = i;
    for (int neighbour : graph.of(order[i])) {
      for (int j = position[neighbour]; j < i && marked_by_[j] != i; j = parent[j]) {
        marked_by_[j] = i;
        ++count_[j];
      }
    }
  }

  supernodes_.clear();
  last_block_.clear();
  for (int k = 0; k < n; ++k) {
    if (k == 0 || parent[k - 1] != k || count_[k - 1] != count_[k] + 1) {
      supernodes_.push_back({blocks_[k].first_tile, 0, 0, 0, 0, 0});
      last_block_.push_back(k);
    }
    Supernode& s = supernodes_.back();
    last_block_.back() = k;
    blocks_[k].supernode = static_cast<int>(supernodes_.size()) - 1;
    blocks_[k].column = s.columns;
    for (int t = blocks_[k].first_tile; t < blocks_[k].first_tile + blocks_[k].tiles; ++t) {
      tiles_[t].column = s.columns;
      s.columns += tiles_[t].size;
      ++s.tiles;
    }
  }
}

// The same walk up the tree, from supernode to supernode; rows come out in ascending order.
void CholeskyStructure::find_outer_rows(const BlockGraph& graph, std::span<const int> order,
                                        std::span<const int> position, std::span<const int> parent) {
  const int n = static_cast<int>(order.size()), supernodes = static_cast<int>(supernodes_.size());
  outer_start_.resize(supernodes + 1);
  outer_start_[0] = 0;
  for (int s = 0; s < supernodes; ++s) outer_start_[s + 1] = outer_start_[s] + count_[last_block_[s]];
  outer_rows_.resize(outer_start_[supernodes]);
  cursor_.assign(outer_start_.begin(), outer_start_.end() - 1);
  marked_by_.assign(supernodes, -1);
  for (int i = 0; i < n; ++i) {
    marked_by_[blocks_[i].supernode] = i;
    for (int neighbour : graph.of(order[i])) {
      int j = position[neighbour];
      if (j >= i) continue;
      int s = blocks_[j].supernode;
      while (marked_by_[s] != i) {
        marked_by_[s] = i;
        outer_rows_[cursor_[s]++] = i;
        s = blocks_[parent[last_block_[s]]].supernode;
      }
    }
  }
}

void CholeskyStructure::place_panels() {
  panel_rows_.clear();
  outer_panel_row_.resize(outer_rows_.size());
  std::size_t offset = 0, entries = 1;
  for (std::size_t k = 0; k < supernodes_.size(); ++k) {
    Supernode& s = supernodes_[k];
    s.first_row = static_cast<int>(panel_rows_.size());
    s.first_entry = static_cast<int>(entries);
    for (int t = s.first_tile; t < s.first_tile + s.tiles; ++t) {
      panel_rows_.push_back({static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(t)});
      offset += blocks_[tiles_[t].block].column + blocks_[tiles_[t].block].size;
    }
    for (int r = outer_start_[k]; r < outer_start_[k + 1]; ++r) {
      const Block& row = blocks_[outer_rows_[r]];
      outer_panel_row_[r] = static_cast<int>(panel_rows_.size()) - s.first_row;
      for (int t = row.first_tile; t < row.first_tile + row.tiles; ++t) {
        panel_rows_.push_back({static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(t)});
        offset += s.columns;
      }
    }
    s.rows = static_cast<int>(panel_rows_.size()) - s.first_row;
    entries += static_cast<std::size_t>(s.tiles) * (s.tiles + 1) / 2;
    entries += static_cast<std::size_t>(s.rows - s.tiles) * s.tiles;
  }
  STICTION_ASSERT(offset < std::numeric_limits<std::uint32_t>::max());
  columns_stored_ = offset;
  entries_.assign(entries, {0, 1});
}

CholeskyStructure::Location CholeskyStructure::locate(int row, int col) const {
  const int k = blocks_[col].supernode;
  const Supernode& s = supernodes_[k];
  const int column_tile = blocks_[col].first_tile - s.first_tile;
  int panel_row = blocks_[row].first_tile - s.first_tile;
  int stride = blocks_[row].column + blocks_[row].size;
  if (blocks_[row].supernode != k) {
    const auto begin = outer_rows_.begin() + outer_start_[k], end = outer_rows_.begin() + outer_start_[k + 1];
    const auto found = std::lower_bound(begin, end, row);
    if (found == end || *found != row) return {};
    panel_row = outer_panel_row_[found - outer_rows_.begin()];
    stride = s.columns;
  }
  const int entry = entry_of(s, panel_row, column_tile);
  const std::uint32_t offset = panel_rows_[s.first_row + panel_row].offset + blocks_[col].column;
  return {true, entries_[entry].is_fill != 0, offset, stride};
}

// Supernode K updates every supernode J that one of its outer rows belongs to. K waits in the list of the
// next such J; its cursor is the first panel row not yet passed.
void CholeskyStructure::list_entries(const BlockGraph& graph, std::span<const int> order,
                                     std::span<const int> position) {
  const int supernodes = static_cast<int>(supernodes_.size());
  updates_.clear();
  stored_blocks_.clear();
  cursor_.resize(supernodes);
  waiting_head_.assign(supernodes, -1);
  waiting_next_.resize(supernodes);
  panel_row_of_tile_.resize(tiles_.size());
  entry_base_of_tile_.resize(tiles_.size());
  for (int J = 0; J < supernodes; ++J) {
    const Supernode& s = supernodes_[J];
    for (int r = 0; r < s.rows; ++r) {
      const int tile = panel_rows_[s.first_row + r].tile;
      panel_row_of_tile_[tile] = r;
      entry_base_of_tile_[tile] = entry_of(s, r, 0) - s.first_tile;
    }
    list_stored_blocks(J, graph, order, position);
    list_updates(J);

    // The supernodes that waited for J, and J itself, move on.
    for (int K = waiting_head_[J]; K >= 0;) {
      const int next = waiting_next_[K];
      wait_for_next(K, s.first_tile + s.tiles);
      K = next;
    }
    cursor_[J] = s.tiles;
    wait_for_next(J, s.first_tile + s.tiles);
  }
}

void CholeskyStructure::wait_for_next(int K, int passed_tiles) {
  const Supernode& s = supernodes_[K];
  const PanelRow* rows = panel_rows_.data() + s.first_row;
  while (cursor_[K] < s.rows && static_cast<int>(rows[cursor_[K]].tile) < passed_tiles) ++cursor_[K];
  if (cursor_[K] == s.rows) return;
  const int next = blocks_[tiles_[rows[cursor_[K]].tile].block].supernode;
  waiting_next_[K] = waiting_head_[next];
  waiting_head_[next] = K;
}

void CholeskyStructure::list_stored_blocks(int J, const BlockGraph& graph, std::span<const int> order,
                                           std::span<const int> position) {
  const int first_block = J == 0 ? 0 : last_block_[J - 1] + 1;
  for (int k = first_block; k <= last_block_[J]; ++k) {
    add_stored_block(J, k, k);
    for (int neighbour : graph.of(order[k]))
      if (position[neighbour] > k) add_stored_block(J, position[neighbour], k);
  }
}

void CholeskyStructure::add_stored_block(int J, int row, int col) {
  const Supernode& s = supernodes_[J];
  const Block &row_block = blocks_[row], &col_block = blocks_[col];
  const int first_row = panel_row_of_tile_[row_block.first_tile];
  stored_blocks_.push_back({row, col, panel_rows_[s.first_row + first_row].offset + col_block.column,
                            row_block.supernode == J ? row_block.column + row_block.size : s.columns});
  for (int t = row_block.first_tile; t < row_block.first_tile + row_block.tiles; ++t) {
    // Of a diagonal block only the tiles up to the diagonal are entries.
    const int last = row == col ? t : col_block.first_tile + col_block.tiles - 1;
    for (int u = col_block.first_tile; u <= last; ++u) entries_[entry_base_of_tile_[t] + u].is_fill = 0;
  }
}

// Counts the updates of each entry of J, turns the counts into starts, then writes the updates.
void CholeskyStructure::list_updates(int J) {
  const Supernode& s = supernodes_[J];
  const std::uint32_t end_tile = s.first_tile + s.tiles;
  const auto for_each_update = [&](const auto& visit) {
    for (int K = waiting_head_[J]; K >= 0; K = waiting_next_[K]) {
      const Supernode& from = supernodes_[K];
      const PanelRow* begin = panel_rows_.data() + from.first_row + cursor_[K];
      const PanelRow* end = panel_rows_.data() + from.first_row + from.rows;
      for (const PanelRow* i = begin; i != end; ++i) {
        Entry* row_entries = entries_.data() + entry_base_of_tile_[i->tile];
        for (const PanelRow* j = begin; j <= i && j->tile < end_tile; ++j)
          visit(row_entries + j->tile, *i, *j, from.columns);
      }
    }
  };
  for_each_update([](Entry* entry, const PanelRow&, const PanelRow&, int) { ++entry->updates_end; });
  std::uint32_t sum = static_cast<std::uint32_t>(updates_.size());
  for (int e = s.first_entry, end = entry_of(s, s.rows, 0); e < end; ++e) {
    const std::uint32_t count = entries_[e].updates_end;
    entries_[e].updates_end = sum;
    sum += count;
  }
  updates_.resize(sum);
  for_each_update([this](Entry* entry, const PanelRow& i, const PanelRow& j, int columns) {
    updates_[entry->updates_end++] = {i.offset, j.offset, static_cast<std::uint32_t>(columns)};
  });
}

}  // namespace stiction
