#pragma once
// The linear system of a Newton step for a dual contact problem. With s = (W + R) lambda + r + tau (lambda -
// centre), z = lambda - rho s, phi = lambda - P(z) and G = dP/dz by block (alart_curnier.h),
//
//   (1 - G + rho G (W + R + tau)) x = -phi,                                                       (1)
//
// unsymmetric under coulomb_ncp. Open blocks (G = 0) have x = -phi and are eliminated. Two forms, of which
// the cheaper one is solved:
//
//   rows         (1) itself, on the rows of closed blocks;
//   velocities   by trees: by block B = 1 - G + rho G (R + tau), C = B^-1 rho G, b = B^-1 phi, and
//                (A + J' C J) dv = -J' b,   x = -b - C J dv,
//                which costs no more in hyperstatic problems. C grows as 1/(R + tau): x has a relative error
//                of about eps W/(R + tau), which the next Newton step corrects.
//
// By trees and up to kDense unknowns the matrix is dense, and LU with row pivoting works in place, without
// allocation once the largest size has been seen. Larger ones, and explicit problems with a sparse W, use a
// sparse LU (math/supernodal_lu.h), which allocates.

#include <memory>
#include <vector>

#include "stiction/contact/dual/alart_curnier.h"
#include "stiction/contact/dual/dense_rows.h"

namespace stiction {

// P and its derivative, by block, at an iterate.
struct BlockMaps {
  std::vector<BlockPiece> pieces;
  std::vector<int> begin;        // of a block's G
  std::vector<double> G;         // row-major
  std::vector<double> rho, tau;  // kg, 1/kg; by block. rho = 0: immovable, no equation
};

class ContactNewtonSystem {
 public:
  static constexpr int kDense = 240;  // forty free bodies

  ContactNewtonSystem();
  ~ContactNewtonSystem();

  // The problem must live until the last solve.
  void begin(const DualProblem& problem);
  // Whether rows() holds this problem right after begin().
  bool has_few_rows() const { return DenseRows::fits(*problem_); }
  const DenseRows& rows() const { return rows_; }
  // x of (1). False: the matrix is singular or not finite.
  bool solve(const BlockMaps& maps, const VecX& phi, VecX* x);

 private:
  struct Sparse;

  void reduce_blocks(const BlockMaps& maps, const VecX& phi);
  bool solve_velocities(const BlockMaps& maps, VecX* x);
  bool solve_rows(const BlockMaps& maps, const VecX& phi, VecX* x);
  void fill_velocity_matrix(const BlockMaps& maps);
  void fill_velocity_entries(const BlockMaps& maps);
  void fill_row_matrix(const BlockMaps& maps);
  void fill_row_entries(const BlockMaps& maps);
  void add_row_block(const BlockMaps& maps, int block, int other, const double* W, double* out) const;
  bool solve_dense(int n);
  bool solve_sparse(int n);

  const DualProblem* problem_ = nullptr;
  bool is_sparse_ = false;  // an explicit W
  bool has_rows_ = false;   // rows_ holds this problem
  std::vector<int> place_;  // by block: first row in the system of closed rows, -1: open
  int closed_rows_ = 0;
  std::vector<double> C_;  // by block, as G
  VecX b_, moved_;
  std::vector<double> right_;  // right-hand side of the system that is solved, then its solution
  DenseRows rows_;
  AlignedVector<double> matrix_;    // row-major, stride_ numbers a row
  AlignedVector<double> combined_;  // rows of W
  int stride_ = 0;
  std::vector<int> pivots_;
  std::unique_ptr<Sparse> sparse_;
};

}  // namespace stiction
