#pragma once
// The scalar rows of one island (problem.h) in its own velocities: joint limits, equalities, friction in
// joints, drives. With s = offset - slope u and u = J v,
//
//   gamma = clamp(s, lower, upper),   l = gamma (2 s - gamma) / (2 slope),   G = slope between the bounds,
//
// 0 beyond them: convex and once differentiable, as the cost of a contact is.

#include <vector>

#include "stiction/contact/problem.h"
#include "stiction/contact/newton/island_blocks.h"
#include "stiction/contact/newton/point_sweeps.h"
#include "stiction/math/block_sparse_matrix.h"

namespace stiction {

class IslandRows {
 public:
  // local_tree: by tree of the problem; offsets: first velocity of the island's trees.
  void begin(const ContactProblem& problem, const Island& island, const std::vector<int>& local_tree,
             const std::vector<int>& offsets);
  // Before add_hessian. Couples the blocks that are in a row together.
  void set_blocks(IslandBlocks* blocks);

  int size() const { return static_cast<int>(rows_.size()); }

  // Velocities and impulses at v; returns the cost. With a place to count them, rows that were marked lie
  // between their bounds.
  double evaluate(const double* v, int* predicted = nullptr);
  // Those that a step of alpha along the direction takes from one bound to the other.
  void mark_reversals(double alpha);
  // to += J' gamma.
  void add_impulses(double* to) const;
  // Rates along dv, for line().
  void set_direction(const double* dv);
  LineValue line(double alpha) const;
  // J' G J at the v of the last evaluate: what falls on one tree, into the lower triangle of its matrix, by
  // columns, or into its block of H where it has none; unless is_diagonal, the rest into H. `trees`: by local
  // tree.
  struct TreeMatrix {
    double* numbers;  // null: none
    int size;
  };
  void add_hessian(bool is_diagonal, std::span<const TreeMatrix> trees, BlockSparseMatrix* H) const;
  // y += J' G J x.
  void add_product(const double* x, double* y) const;
  // to += sizes of what J' gamma is summed from: what its round-off is measured by.
  void add_magnitudes(const double* v, double* to) const;

  double impulse(int i) const { return rows_[i].impulse; }
  double velocity(int i) const { return rows_[i].velocity; }

 private:
  struct Row {
    RowLaw law;
    int begin, end;            // entries
    int part_begin, part_end;  // its blocks
    int pair_begin;            // in pair_of_: its blocks of different trees, the second against the first ...
    double velocity, rate, impulse, stiffness;
    bool is_reversed;
  };
  struct Part {
    int block, tree;
    int offset;       // of the block's first velocity
    int tree_offset;  // of the tree's
    int begin, end;   // entries
  };
  double along(const Row& row, const double* x) const;
  void sort_entries(int begin);

  std::vector<Row> rows_;
  std::vector<Part> parts_;
  std::vector<int> indices_;  // of an entry among the island's velocities
  std::vector<double> values_;
  std::vector<int> pair_of_;
};

}  // namespace stiction
