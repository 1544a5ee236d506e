#include "stiction/contact/newton/island_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stiction {
namespace {

struct RowValue {
  double cost, impulse, stiffness;
};

RowValue value_at(const RowLaw& law, double u) {
  const double s = law.offset - law.slope * u;
  const double impulse = std::clamp(s, law.lower, law.upper);
  return {impulse * (2.0 * s - impulse) / (2.0 * law.slope), impulse, impulse == s ? law.slope : 0.0};
}

}  // namespace

void IslandRows::begin(const ContactProblem& problem, const Island& island,
                       const std::vector<int>& local_tree, const std::vector<int>& offsets) {
  rows_.clear();
  added_of_.clear();
  indices_.clear();
  values_.clear();
  for (int i = island.row_begin; i < island.row_end; ++i) {
    const int index = problem.island_rows[i];
    Row row = {};
    row.law = problem.row_laws[index];
    row.begin = static_cast<int>(indices_.size());
    const ProblemRow& given = problem.rows[index];
    for (int p = given.part_begin; p < given.part_end; ++p) {
      const RowPart& part = problem.row_parts[p];
      const int offset = offsets[local_tree[part.tree]], begin = static_cast<int>(indices_.size());
      for (int e = part.begin; e < part.end; ++e) {
        indices_.push_back(offset + problem.row_dofs[e]);
        values_.push_back(problem.row_values[e]);
      }
      sort_entries(begin);
    }
    row.end = static_cast<int>(indices_.size());
    rows_.push_back(row);
  }
  num_rows_ = static_cast<int>(rows_.size());
  added_of_.assign(rows_.size(), -1);
  for (int i = 0; i < num_rows_; ++i) {
    if (rows_[i].law.group < 2) continue;
    added_of_[i] = static_cast<int>(rows_.size());
    Row added = rows_[i];
    added.begin = static_cast<int>(indices_.size());
    for (int e = rows_[i].begin; e < rows_[i].end; ++e) {
      const int index = indices_[e];
      indices_.push_back(index);
    }
    added.end = static_cast<int>(indices_.size());
    values_.resize(indices_.size(), 0.0);
    rows_.push_back(added);
  }
}

// Sorts the entries from `begin` on by velocity, so that those of a branch are contiguous, and sums those of
// the same velocity.
void IslandRows::sort_entries(int begin) {
  const auto first = static_cast<std::size_t>(begin);
  bool is_sorted = true;
  for (std::size_t e = first + 1; e < indices_.size(); ++e) is_sorted &= indices_[e - 1] < indices_[e];
  if (is_sorted) return;
  for (std::size_t e = first + 1; e < indices_.size(); ++e) {
    for (std::size_t k = e; k > first && indices_[k] < indices_[k - 1]; --k) {
      std::swap(indices_[k], indices_[k - 1]);
      std::swap(values_[k], values_[k - 1]);
    }
  }
  std::size_t last = first;
  for (std::size_t e = first + 1; e < indices_.size(); ++e) {
    if (indices_[e] == indices_[last]) {
      values_[last] += values_[e];
    } else {
      indices_[++last] = indices_[e];
      values_[last] = values_[e];
    }
  }
  indices_.resize(last + 1);
  values_.resize(last + 1);
}

void IslandRows::set_blocks(IslandBlocks* blocks) {
  parts_.clear();
  pair_of_.clear();
  for (Row& row : rows_) {
    row.part_begin = static_cast<int>(parts_.size());
    row.pair_begin = static_cast<int>(pair_of_.size());
    for (int e = row.begin; e < row.end; ++e) {
      const int block = blocks->block_of(indices_[e]);
      if (e == row.begin || parts_.back().block != block) {
        const int tree = blocks->tree_of(block);
        for (std::size_t q = static_cast<std::size_t>(row.part_begin); q < parts_.size(); ++q) {
          if (parts_[q].tree == tree)
            blocks->couple_inside(tree, block, parts_[q].block);
          else
            pair_of_.push_back(blocks->couple(block, parts_[q].block));
        }
        const int tree_offset = blocks->first_of(blocks->begin_of_tree(tree));
        parts_.push_back({block, tree, blocks->first_of(block), tree_offset, e, e});
      }
      parts_.back().end = e + 1;
    }
    row.part_end = static_cast<int>(parts_.size());
  }
}

double IslandRows::along(const Row& row, const double* x) const {
  double u = 0.0;
  for (int e = row.begin; e < row.end; ++e) u += values_[e] * x[indices_[e]];
  return u;
}

IslandRows::GroupValue IslandRows::group_value(int first, double alpha) const {
  const RowLaw& law = rows_[first].law;
  double s[kMostRowsOfGroup], square = 0.0;
  for (int i = 0; i < law.group; ++i) {
    const Row& row = rows_[first + i];
    s[i] = row.law.offset - law.slope * (row.velocity + alpha * row.rate);
    square += s[i] * s[i];
  }
  GroupValue value = {};
  value.cost = group_impulses(law, law.group, s, value.impulses);
  if (square <= law.upper * law.upper) return value;
  const double length = std::sqrt(square);
  value.k = law.slope * law.upper / length;
  for (int i = 0; i < law.group; ++i) value.direction[i] = s[i] / length;
  return value;
}

double IslandRows::evaluate_group(int first) {
  const int count = rows_[first].law.group;
  const GroupValue value = group_value(first, 0.0);
  const bool is_inside = value.k == 0.0;
  for (int i = 0; i < count; ++i) {
    rows_[first + i].impulse = value.impulses[i];
    rows_[first + i].stiffness = is_inside ? rows_[first].law.slope : value.k;
  }
  Row& added = rows_[added_of_[first]];
  added.stiffness = -value.k;
  for (int e = added.begin; e < added.end && !is_inside; ++e) {
    values_[e] = 0.0;
    for (int i = 0; i < count; ++i)
      values_[e] += value.direction[i] * values_[rows_[first + i].begin + e - added.begin];
  }
  return value.cost;
}

double IslandRows::evaluate(const double* v, int* predicted) {
  double cost = 0.0;
  for (int i = 0; i < num_rows_; ++i) {
    Row& row = rows_[i];
    row.velocity = along(row, v);
    if (row.law.group != 1) continue;
    const RowValue value = value_at(row.law, row.velocity);
    row.impulse = value.impulse;
    row.stiffness = value.stiffness;
    cost += value.cost;
    if (predicted && row.is_reversed && row.stiffness == 0.0) {
      row.impulse = row.law.offset - row.law.slope * row.velocity;
      row.stiffness = row.law.slope;
      ++*predicted;
    }
  }
  for (int i = 0; i < num_rows_; ++i)
    if (rows_[i].law.group > 1) cost += evaluate_group(i);
  return cost;
}

void IslandRows::add_impulses(double* to) const {
  for (const Row& row : rows_) {
    for (int e = row.begin; e < row.end; ++e) to[indices_[e]] += values_[e] * row.impulse;
  }
}

void IslandRows::set_direction(const double* dv) {
  for (Row& row : rows_) row.rate = along(row, dv);
}

void IslandRows::mark_reversals(double alpha) {
  for (Row& row : rows_) {
    const double before = row.law.offset - row.law.slope * row.velocity;
    const double after = before - alpha * row.law.slope * row.rate;
    row.is_reversed = row.law.group == 1 && std::min(before, after) < row.law.lower &&
                      std::max(before, after) > row.law.upper;
  }
}

LineValue IslandRows::line(double alpha) const {
  LineValue sum;
  for (int i = 0; i < num_rows_; ++i) {
    const Row& row = rows_[i];
    if (row.law.group != 1) continue;
    const RowValue value = value_at(row.law, row.velocity + alpha * row.rate);
    sum.cost += value.cost;
    sum.slope -= value.impulse * row.rate;
    sum.curvature += value.stiffness * row.rate * row.rate;
  }
  for (int first = 0; first < num_rows_; ++first) {
    if (rows_[first].law.group < 2) continue;
    const GroupValue value = group_value(first, alpha);
    const double k = value.k == 0.0 ? rows_[first].law.slope : value.k;
    double along = 0.0;
    for (int i = 0; i < rows_[first].law.group; ++i) {
      const double rate = rows_[first + i].rate;
      sum.slope -= value.impulses[i] * rate;
      sum.curvature += k * rate * rate;
      along += value.direction[i] * rate;
    }
    sum.cost += value.cost;
    sum.curvature -= k * along * along;
  }
  return sum;
}

void IslandRows::add_hessian(bool is_diagonal, std::span<const TreeMatrix> trees,
                             BlockSparseMatrix* H) const {
  for (const Row& row : rows_) {
    if (row.stiffness == 0.0) continue;
    const int* pair = pair_of_.data() + row.pair_begin;
    for (int p = row.part_begin; p < row.part_end; ++p) {
      const Part& part = parts_[p];
      const TreeMatrix& matrix = trees[part.tree];
      int q = row.part_begin;
      for (; q < p && parts_[q].tree != part.tree; ++q, ++pair) {
        if (is_diagonal) continue;
        const Part& other = parts_[q];
        const BlockView block = H->pair_block(*pair);
        for (int x = part.begin; x < part.end; ++x) {
          const int r = indices_[x] - part.offset;
          for (int y = other.begin; y < other.end; ++y) {
            const int c = indices_[y] - other.offset;
            (block.transposed ? block(c, r) : block(r, c)) += row.stiffness * values_[x] * values_[y];
          }
        }
      }
      // The parts of one tree are contiguous and ascending, and so are their entries.
      const int begin = parts_[q].begin;
      if (matrix.numbers == nullptr) {  // a free body: six columns of one tile
        TileColumn* columns = H->diagonal_block(part.block).columns;
        for (int y = begin; y < part.end; ++y) {
          double* to = columns[indices_[y] - part.offset].lane;
          const double force = row.stiffness * values_[y];
          for (int x = y; x < part.end; ++x) to[lane_of(indices_[x] - part.offset)] += force * values_[x];
        }
        continue;
      }
      for (int x = part.begin; x < part.end; ++x) {
        const double force = row.stiffness * values_[x];
        double* to = matrix.numbers + (indices_[x] - part.tree_offset);
        for (int y = begin; y <= x; ++y)
          to[(indices_[y] - part.tree_offset) * matrix.size] += force * values_[y];
      }
    }
  }
}

void IslandRows::add_product(const double* x, double* y) const {
  for (const Row& row : rows_) {
    if (row.stiffness == 0.0) continue;
    const double force = row.stiffness * along(row, x);
    for (int e = row.begin; e < row.end; ++e) y[indices_[e]] += values_[e] * force;
  }
}

void IslandRows::add_magnitudes(const double* v, double* to) const {
  for (const Row& row : rows_) {
    double speed = 0.0;
    for (int e = row.begin; e < row.end; ++e) speed += std::abs(values_[e] * v[indices_[e]]);
    const double force = std::abs(row.impulse) + std::abs(row.stiffness) * speed;
    for (int e = row.begin; e < row.end; ++e) to[indices_[e]] += std::abs(values_[e]) * force;
  }
}

}  // namespace stiction
