#pragma once
// P H P' = L L' of a BlockSparseMatrix, in place, and solves with it.
//
// Left-looking, one tile of L after the other, supernode by supernode: a tile is loaded once, receives all
// its updates in registers, is finished by its diagonal tile, and is stored once,
//
//   L_ij = ( H_ij - sum_{K left of j} L_iK L_jK' ) L_jj^-T,     L_jj L_jj' = H_jj - sum_K L_jK L_jK'.
//
// The lists of K come from CholeskyStructure, where the layout is described. Nothing here allocates, except
// the first solve with the caller's vectors (scratch). Sums are taken in a fixed order: the same input gives
// the same bits.

#include "stiction/math/block_sparse_matrix.h"

namespace stiction {

struct CholeskyResult {
  int failed_block_row = -1;  // caller's numbering; its pivot is not a positive number; -1: none

  bool is_positive_definite() const { return failed_block_row < 0; }
};

class SupernodalCholesky {
 public:
  // Overwrites H, which must hold a matrix, by its factor. A matrix that is not positive definite, or holds a
  // number that is not finite, leaves H with no content; set_zero makes it ready for the next one.
  CholeskyResult factorise(BlockSparseMatrix* H) const;

  // x := H^-1 x, both sweeps.
  void solve(const BlockSparseMatrix& L, PackedVector* x) const;

  // The same for one or several right-hand sides (the columns of X), in the caller's numbering.
  void solve(const BlockSparseMatrix& L, MatRef X);

 private:
  PackedVector packed_;
};

}  // namespace stiction
