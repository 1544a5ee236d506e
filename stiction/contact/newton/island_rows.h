#pragma once
// The scalar rows of one island (problem.h), in the velocities of the island: joint limits, equalities, joint
// friction, drives. With s = offset - slope u and u = J v,
//
//   gamma = clamp(s, lower, upper),   l = gamma (2 s - gamma) / (2 slope),
//   G = slope where s is between the bounds, 0 beyond them:
//
// convex and once continuously differentiable, like the cost of a contact. Of a group of rows (problem.h),
// with k = slope upper/|s| beyond its bound,
//
//   G = slope 1 inside,   k (1 - s s'/|s|^2) beyond.
//
// The Hessian of all rows is a sum of one number a row, so a group has one more row, along s/|s|, with -k.

#include <vector>

#include "stiction/contact/newton/island_blocks.h"
#include "stiction/contact/newton/point_sweeps.h"
#include "stiction/contact/problem.h"
#include "stiction/math/block_sparse_matrix.h"

namespace stiction {

class IslandRows {
 public:
  // local_tree: by tree of the problem; offsets: first velocity of the island's trees.
  void begin(const ContactProblem& problem, const Island& island, const std::vector<int>& local_tree,
             const std::vector<int>& offsets);
  // Before add_hessian. Couples the blocks that share a row.
  void set_blocks(IslandBlocks* blocks);

  int size() const { return num_rows_; }  // of the problem's rows

  // Velocities and impulses at v; returns the cost. With `predicted`, rows that are marked are treated as
  // between their bounds, and counted in it.
  double evaluate(const double* v, int* predicted = nullptr);
  // Marks the rows that a step of alpha along the direction takes from one bound to the other.
  void mark_reversals(double alpha);
  // to += J' gamma.
  void add_impulses(double* to) const;
  // Rates along dv, for line().
  void set_direction(const double* dv);
  LineValue line(double alpha) const;
  // Adds J' G J at the v of the last evaluate. The part of one tree goes to the lower triangle of the tree's
  // matrix, by columns, or to its block of H where it has none; the coupling of trees to H, unless
  // is_diagonal. `trees`: by local tree.
  struct TreeMatrix {
    double* numbers;  // null: none
    int size;
  };
  void add_hessian(bool is_diagonal, std::span<const TreeMatrix> trees, BlockSparseMatrix* H) const;
  // y += J' G J x.
  void add_product(const double* x, double* y) const;
  // to += magnitudes of the terms of J' gamma, by which its round-off is estimated.
  void add_magnitudes(const double* v, double* to) const;

  double impulse(int i) const { return rows_[i].impulse; }
  double velocity(int i) const { return rows_[i].velocity; }

 private:
  struct Row {
    RowLaw law;
    int begin, end;            // entries
    int part_begin, part_end;  // its blocks
    int pair_begin;            // in pair_of_: its pairs of blocks of different trees
    double velocity, rate, impulse, stiffness;
    bool is_reversed;
  };
  struct Part {
    int block, tree;
    int offset;       // of the block's first velocity
    int tree_offset;  // of the tree's
    int begin, end;   // entries
  };
  struct GroupValue {
    double cost, k;  // k: 0 inside the bound
    double impulses[kMostRowsOfGroup], direction[kMostRowsOfGroup];
  };
  // first: the row of a group with which it begins.
  GroupValue group_value(int first, double alpha) const;
  double evaluate_group(int first);
  double along(const Row& row, const double* x) const;
  void sort_entries(int begin);

  std::vector<Row> rows_;      // those of the problem, then one more for each group
  std::vector<int> added_of_;  // by row with which a group begins: its added row
  int num_rows_ = 0;
  std::vector<Part> parts_;
  std::vector<int> indices_;  // of an entry among the island's velocities
  std::vector<double> values_;
  std::vector<int> pair_of_;
};

}  // namespace stiction
