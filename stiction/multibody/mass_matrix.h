#pragma once
// The mass matrix of every tree, and its factor.
//
// Composite inertias I^c are summed from the leaves to the root; row i of M has an entry for every ancestor j
// of i (composite-rigid-body algorithm; Featherstone, chapter 6):
//
//   M_ij = F_i . S_j,   F_i = I_i^c S_i;        M = L' D L,   L unit lower triangular.
//
// The factor has no fill: row i of L is non-zero only at the ancestors of i (Featherstone, 6.5).
//
// Storage, for both: row i is the depth(i) + 1 numbers of its ancestors in order, root first, its diagonal
// last, at Dof::row. The row of a velocity's parent is then a prefix of the same ancestors, and every update
// in the factorisation runs over contiguous numbers.

#include "stiction/multibody/kinematics.h"

namespace stiction {

// Velocities with up to this many ancestors are eliminated from registers.
inline constexpr int kShortRow = 16;

struct MassMatrix {
  explicit MassMatrix(const Forest& forest);

  AlignedVector<double> rows;              // M
  AlignedVector<double> factor;            // rows of L, below its unit diagonal
  AlignedVector<double> inverse_diagonal;  // of D, by velocity
  AlignedVector<double> composite;         // J of every node and its descendants, 16 numbers each

  double at(const Forest& forest, int dof, int depth) const { return rows[forest.dofs[dof].row + depth]; }
};

// M at the positions of `kinematics`; armature on the diagonal.
void compute_mass_matrix(const Forest& forest, const Kinematics& kinematics, MassMatrix* M);

// Only the composite inertias of one tree; 16 numbers per node of the forest.
void sum_composites(const Forest& forest, const Kinematics& kinematics, const Tree& tree, double* composite);

// Factors M + diag(extra) (extra may be null). Returns the first velocity whose pivot is not positive, or -1.
int factorise(const Forest& forest, const double* extra, MassMatrix* M);

// x <- (M + diag(extra))^-1 x by the factor.
void solve(const Forest& forest, const MassMatrix& M, double* x);
void solve_tree(const Forest& forest, const MassMatrix& M, int tree, double* x);
// The same for n right-hand sides of one tree, stored by rows: x[i * stride + k] is number i (from the tree's
// first velocity) of side k. The stride must be a multiple of four and hold n.
void solve_tree_rows(const Forest& forest, const MassMatrix& M, int tree, int n, int stride, double* x);

// y = M x.
void multiply(const Forest& forest, const MassMatrix& M, const double* x, double* y);

// The tree's block as a dense symmetric matrix.
MatX dense_mass_matrix(const Forest& forest, const MassMatrix& M, int tree);

}  // namespace stiction
