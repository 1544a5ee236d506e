#pragma once
// The size and the cost of the Cholesky factor of a BlockSparseMatrix, before any of it is allocated: minimum
// degree order, elimination tree, and for every block column j the rows below its diagonal. Row i of the
// factor is the subtree of the elimination tree spanned by the neighbours of i, so that walking from each
// neighbour up to a node seen before counts every entry once (J. W. H. Liu 1990).
//
//   numbers = sum_j s_j (s_j + r_j),   operations = sum_j s_j (s_j + r_j)^2,
//
// s_j scalar columns, r_j scalar rows below: a multiplication and an addition count as one operation each,
// the triangle of the outer product counts half.

#include <span>
#include <vector>

#include "stiction/math/elimination_order.h"

namespace stiction {

class FactorForecast {
 public:
  // Does nothing if the arguments equal those of the last call.
  void compute(std::span<const int> sizes, std::span<const BlockPair> pairs);
  double numbers() const { return numbers_; }
  double operations() const { return operations_; }

 private:
  std::vector<int> sizes_, weights_, order_, rows_;
  std::vector<BlockPair> pairs_;
  BlockGraph graph_;
  MinimumDegree minimum_degree_;
  EliminationTree tree_;
  double numbers_ = 0.0, operations_ = 0.0;
};

}  // namespace stiction
