#pragma once
// One island of a contact problem as a system in its own velocities: cost, gradient and Hessian of
//
//   l(v) = 1/2 (v - v_free)' A (v - v_free) + sum over points l_i,   grad l = A (v - v_free) - J' gamma,
//   H = A + J' G J.
//
// All points of a pair of bodies are summed into one 6x6 matrix about B's point O (patch_hessian.h) before
// any Jacobian product. H is either assembled for its factorisation, or only its diagonal blocks are, with
// products H x from the matrices of the patches (conjugate_gradient.h).
//
// begin() ties the system to a problem, which must stay as it is until the next begin(). Nothing allocates
// once the largest island has been seen.

#include <vector>

#include "stiction/contact/problem.h"
#include "stiction/contact/solver/patch_hessian.h"
#include "stiction/contact/solver/point_sweeps.h"
#include "stiction/math/block_sparse_matrix.h"

namespace stiction {

// What all islands share, by body and tree of the problem; each writes only to its own.
struct IslandScratch {
  AlignedVector<BodyVelocity> velocity, direction, wrench;
  std::vector<int> local_tree;  // of a tree in its island

  void resize(const ContactProblem& problem);
};

class IslandSystem {
 public:
  // Vectors over the island's velocities, all in one array: VecX would allocate each time an island grows or
  // shrinks.
  using Vector = Eigen::Map<VecX>;
  Vector v{nullptr, 0}, v_free{nullptr, 0};
  Vector momentum{nullptr, 0};  // A (v - v_free)
  Vector contact{nullptr, 0};   // J' gamma
  Vector gradient{nullptr, 0};
  Vector dv{nullptr, 0}, A_dv{nullptr, 0};  // the search direction
  Vector scale{nullptr, 0};                 // diag(A)^(-1/2): S eq. 25
  Vector work[4] = {{nullptr, 0}, {nullptr, 0}, {nullptr, 0}, {nullptr, 0}};
  PointArrays points;
  // A times this is the A of everything below: 1, except on the way of a continuation (newton.h).
  double inertia_factor = 1.0;

  // Takes v from problem.v_start.
  void begin(const ContactProblem& problem, const Island& island, IslandScratch* scratch);

  const ContactProblem& problem() const { return *problem_; }
  const Island& island() const { return *island_; }
  int num_trees() const { return static_cast<int>(sizes_.size()); }
  int num_patches() const { return island_->patch_end - island_->patch_begin; }
  int size_of(int local_tree) const { return sizes_[local_tree]; }
  int offset_of(int local_tree) const { return offset_[local_tree]; }  // of its first velocity in v
  std::span<const int> sizes() const { return sizes_; }
  std::span<const BlockPair> pairs() const { return pairs_; }  // trees that share a patch, one per such patch

  // Cost at v, momentum, contact and gradient; the law's numbers stay in `points`.
  double evaluate();
  // An estimate of |D error of the gradient|, as doubles compute it: the velocity of a point carries the
  // round-off of its bodies' velocities, which the stiffness of the law multiplies, and a sum of impulses
  // that of its terms.
  double round_off();
  // y = A x.
  void multiply_A(const Vector& x, Vector* y) const;
  // Rates of the points along dv, and A dv: what the line search reads.
  void set_direction();

  // H at the v of the last evaluate().
  void assemble(BlockSparseMatrix* H);
  // Only its diagonal blocks; keeps the matrices of the patches for multiply_H.
  void assemble_diagonal(BlockSparseMatrix* D);
  // y = H x.
  void multiply_H(const Vector& x, Vector* y);

 private:
  // A column of the Jacobian of a patch that touches a robot.
  struct Column {
    int tree;  // local
    int dof;   // in its tree
    Vec6 motion, force;
  };

  void find_body_velocities(const Vector& from, BodyVelocity* to) const;
  void clear_wrenches();
  void add_patch_wrench(const Patch& patch, const simd::Pack& moment, const simd::Pack& force);
  void project_wrenches(Vector* to) const;  // to += J_b' of every body's wrench
  void set_to_A(BlockSparseMatrix* H) const;
  void add_patch(const Patch& patch, int pair, const PatchMatrix& K, BlockSparseMatrix* H);
  void add_general_patch(const Patch& patch, int pair, const PatchMatrix& K, const double* d,
                         BlockSparseMatrix* H);

  const ContactProblem* problem_ = nullptr;
  const Island* island_ = nullptr;
  IslandScratch* scratch_ = nullptr;
  std::vector<int> sizes_, offset_;
  std::vector<BlockPair> pairs_;
  std::vector<int> pair_of_patch_;  // -1: only one tree moves, or both are the same
  AlignedVector<double> numbers_;
  std::vector<Column> columns_;
  AlignedVector<PatchMatrix> patch_matrices_;
};

}  // namespace stiction
