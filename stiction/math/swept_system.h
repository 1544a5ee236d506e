#pragma once
// A symmetric positive definite system H x = b of many small blocks, at most three rows each, solved by
// conjugate gradients with a symmetric Gauss-Seidel preconditioner: for piles of particles, whose Cholesky
// factor would be far larger than H.
//
//   H.set_pattern(sizes, pairs);
//   H.set_zero();
//   ... H.diagonal(i), H.pair(k) ...        // add the numbers
//   if (H.prepare()) H.solve(b, scale, tolerance, most, x);
//
// With H = L + D + L', D = C C' of the diagonal blocks, and everything scaled by C,
//
//   Lh = C^-1 L C^-T,   M = (1 + Lh)(1 + Lh)',
//
// M is one forward and one backward sweep. With one half of M on each side of H, a product costs no more than
// one with H itself (Eisenstat 1981, "Efficient implementation of a class of preconditioned conjugate
// gradient methods"):
//
//   (1 + Lh)^-1 C^-1 H C^-T (1 + Lh)^-T p = t + (1 + Lh)^-1 (p - t),   t = (1 + Lh)^-T p.
//
// Sums are taken in a fixed order: the same numbers give the same bits.

#include <span>
#include <vector>

#include "stiction/math/aligned_vector.h"
#include "stiction/math/elimination_order.h"
#include "stiction/math/matrix.h"

namespace stiction {

class SweptSystem {
 public:
  static constexpr int kMostRows = 3;  // of a block

  // Three columns of four numbers, of which the fourth is zero.
  struct alignas(32) Block {
    double column[3][4];
  };
  // H(i, j) of a pair (i, j), or its transpose.
  struct PairView {
    Block* block;
    bool transposed;
  };

  // pairs: of different block rows; they may repeat.
  void set_pattern(std::span<const int> sizes, std::span<const BlockPair> pairs);
  void set_zero();
  Block& diagonal(int i) { return diagonal_[i]; }  // all of it, not a triangle
  PairView pair(int k) { return {&lower_[pair_entry_[k]], pair_is_transposed_[k] != 0}; }

  // Splits and scales what was added. False: a diagonal block is not positive definite.
  bool prepare();
  // x from b, both in the caller's numbering, until |scale (b - H x)| <= tolerance |scale b| or `most`
  // iterations are done; returns how many. x is then a direction of descent of 1/2 x' H x - b' x in any case.
  int solve(ConstVecRef b, ConstVecRef scale, double tolerance, int most, VecRef x);

 private:
  using Numbers = AlignedVector<double>;
  void pack(ConstVecRef from, Numbers* to) const;
  void sweep_forth(double* x) const;  // x <- (1 + Lh)^-1 x
  void sweep_back(double* x) const;   // x <- (1 + Lh)^-T x
  double true_residual(const Numbers& r);

  std::vector<int> sizes_, first_;  // rows of a block, and where they begin in the caller's vectors
  // Blocks of H: on the diagonal, and left of it row by row.
  AlignedVector<Block> diagonal_, lower_;
  std::vector<int> row_begin_, column_;
  std::vector<int> order_, pair_entry_, last_in_row_;
  std::vector<char> pair_is_transposed_;
  // C, its inverse, and those blocks of Lh that are not zero, with their transposes.
  AlignedVector<Block> C_, C_inverse_, scaled_, scaled_transposed_;
  std::vector<int> scaled_begin_, scaled_column_;
  Numbers x_, r_, p_, t_, q_, scale_;
};

}  // namespace stiction
