#pragma once
// Solves (W + R + D) x = b for a dual problem, D a positive diagonal: the linear system of proximal methods.
//
// By trees, with E = R + D and W = J A^-1 J',
//
//   (W + E)^-1 = E^-1 - E^-1 J (A + J' E^-1 J)^-1 J' E^-1,
//
// and the matrix in the middle has the pattern of the primal Newton solver's Hessian: one block per tree and
// one off-diagonal block per pair of trees that share a block of rows. It is factorised by the same
// supernodal Cholesky (math/supernodal_cholesky.h). W is never formed, hyperstatic problems (more rows than
// velocities) cost no more, and nothing allocates once the largest pattern has been seen. The two terms
// nearly cancel where E is small beside W: x has a relative error of about eps W/E. Callers solve for
// corrections, not for impulses.
//
// An explicit W, which may be slightly unsymmetric, is factorised by a sparse LU, which allocates.
//
// A row with infinite D is left out of the system, and its x is zero.
//
// In place of the diagonal R + D there may be a symmetric positive definite matrix for every block of rows:
// the linear system of interior point methods.

#include <limits>
#include <memory>

#include "stiction/contact/dual/problem.h"
#include "stiction/math/supernodal_cholesky.h"

namespace stiction {

class DualFactor {
 public:
  static constexpr double kLeftOut = std::numeric_limits<double>::infinity();

  DualFactor();
  ~DualFactor();

  // Sets the pattern. The problem must live until the last solve.
  void begin(const DualProblem& problem);
  // D by row, positive or kLeftOut. False: the matrix is singular or not finite.
  bool factorise(const VecX& D);
  // The same with (W + E) in place of (W + R + D), E of a matrix for every block: size x size numbers,
  // row-major, block after block. inverses: of its matrices, in the same order; a row of zeros in it leaves
  // that row out.
  bool factorise(const std::vector<double>& E, const std::vector<double>& inverses);
  // x := (W + R + D)^-1 x, or (W + E)^-1 x.
  void solve(VecX* x);
  // y := J (A + J' E^-1 J)^-1 J' x. By trees.
  void push_velocities(const VecX& x, VecX* y);

 private:
  struct ExplicitMatrix;

  bool factorise_trees();
  bool factorise_explicit(const VecX* D, const std::vector<double>* E);
  void apply_weights(VecX* x) const;
  void solve_velocity(const VecX& x);
  void add_product_of_matrix(const DualBlock& block, const double* inverse, int part_k, int part_l,
                             const BlockView& to);
  void add_product(const DualBlock& block, int part_k, int part_l, const BlockView& to);

  const DualProblem* problem_ = nullptr;
  // 1 / E, 0 where left out; with a matrix for every block its diagonal, to say what is left out.
  VecX weights_;
  const std::vector<double>* inverses_ = nullptr;  // of the last factorise(), null: diagonal
  // By trees.
  std::vector<BlockPair> pairs_;  // by block, part after part
  BlockSparseMatrix H_;
  SupernodalCholesky cholesky_;
  PackedVector packed_;
  VecX velocity_;
  std::vector<int> places_;
  // Explicit.
  std::unique_ptr<ExplicitMatrix> explicit_;
};

}  // namespace stiction
