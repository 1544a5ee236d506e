#pragma once
// One island of a contact problem as a system in its own velocities: cost, gradient and Hessian of
//
//   l(v) = 1/2 (v - v_free)' A (v - v_free) + sum over points and rows l_i,
//   grad l = A (v - v_free) - J' gamma,
//   H = A + J' G J.
//
// Under a law without a cost (contact/law/icf_coupled.h) l is that of the normal impulses only, and
//
//   H = A + J' G J + sum over points J_i' (vt f n') J_i,
//
// the last sum not being symmetric; it is never assembled (add_coupling). evaluate() then gives the residual
// r of the balance of momentum as the gradient.
//
// All points of a pair of bodies are summed into one 6x6 matrix about B's point O (patch_hessian.h) before
// any Jacobian product. H is assembled completely, for a factorisation, or only its diagonal blocks are, with
// products H x from the matrices of the patches (conjugate_gradient.h).
//
// begin() refers to a problem, which must not change until the next begin(). Nothing allocates once the
// largest island has been seen.

#include <vector>

#include "stiction/contact/law/law_list.h"
#include "stiction/contact/newton/island_blocks.h"
#include "stiction/contact/newton/island_rows.h"
#include "stiction/contact/newton/patch_hessian.h"
#include "stiction/contact/newton/point_sweeps.h"
#include "stiction/contact/problem.h"
#include "stiction/math/block_sparse_matrix.h"
#include "stiction/math/factor_forecast.h"
#include "stiction/math/simd.h"
#include "stiction/math/swept_system.h"

namespace stiction {

// Arrays by body and by tree of the problem that all islands share; each island writes only to its own
// entries.
struct IslandScratch {
  AlignedVector<BodyVelocity> velocity, direction, wrench;
  AlignedVector<PatchMatrix> stiffness;               // sum over the patches of a body of a robot
  AlignedVector<LinearPatchMatrix> linear_stiffness;  // of a body that only translates
  std::vector<int> local_tree;                        // of a tree in its island
  // Where an island keeps the Jacobian of a body of a robot: index of its first number, of its first
  // velocity, number of columns, the ancestor whose columns are its first ones (0: none), and whether the
  // body only translates.
  struct ColumnsPlace {
    int motions, dofs, count, parent;
    bool only_translates;
  };
  std::vector<ColumnsPlace> columns;

  void resize(const ContactProblem& problem);
};

class IslandSystem {
 public:
  // Vectors over the island's velocities, all in one array: a VecX would allocate whenever the size changes.
  using Vector = Eigen::Map<VecX>;
  Vector v{nullptr, 0}, v_free{nullptr, 0};
  Vector momentum{nullptr, 0};  // A (v - v_free)
  Vector contact{nullptr, 0};   // J' gamma
  Vector gradient{nullptr, 0};
  Vector dv{nullptr, 0}, A_dv{nullptr, 0};  // the search direction
  Vector scale{nullptr, 0};                 // diag(A)^(-1/2): S eq. 25
  Vector work[4] = {{nullptr, 0}, {nullptr, 0}, {nullptr, 0}, {nullptr, 0}};
  PointArrays points;
  IslandRows rows;
  // Factor of A in everything below: 1, except during a continuation (newton.h).
  double inertia_factor = 1.0;

  // v := problem.v_start.
  void begin(const ContactProblem& problem, const Island& island, IslandScratch* scratch);
  // v from the velocities of all trees of the problem.
  void set_v(const VecX& all);
  // Where v would take points through a barrier, shortens it to where each keeps some of its distance; after
  // begin(). Nothing under laws without a barrier.
  void make_start_feasible();

  const ContactProblem& problem() const { return *problem_; }
  const Island& island() const { return *island_; }
  const std::vector<int>& local_tree() const { return scratch_->local_tree; }
  int num_trees() const { return static_cast<int>(sizes_.size()); }
  int num_patches() const { return island_->patch_end - island_->patch_begin; }
  int offset_of(int local_tree) const { return offset_[local_tree]; }  // of its first velocity in v
  // Block rows of the matrix that was assembled last.
  std::span<const int> block_sizes() const { return blocks_.sizes(); }
  // Predicts the size and the work of the factor of H.
  void forecast(FactorForecast* forecast);

  // Cost at v, momentum, contact and gradient; results of the law by point stay in `points`.
  double evaluate();
  double cost() const { return cost_; }  // of the last evaluate()
  // After a step of alpha dv, before the next evaluate(): evaluate() will treat points whose slip the step
  // has reversed as sticking, points that it has driven deep as coming to rest, and rows that it has taken
  // from one bound to the other as between them (newton.h).
  void mark_reversals(double alpha);
  // The same for points alone, where points.mark says so and points.expected has the impulses: for velocities
  // that no step led to.
  void use_marks();
  // Whether the last evaluate() treated any so; its cost is that of the law in any case.
  bool is_predicted() const { return predicted_ > 0; }
  // Back to evaluating the law itself.
  void forget_reversals();
  // Whether the law is evaluated as one without a cost.
  bool is_coupled() const { return !points.f.empty() && points.friction != FrictionMode::lagged; }
  // y := sum over points of J' (vt f n') J x, the part of H that assemble() leaves out.
  void multiply_coupling(const Vector& x, Vector* y);
  // dvn of the points along dv alone; set_direction() gives it too.
  void set_normal_direction();
  // An estimate of the round-off of the gradient, |D error|: the velocity of a point has the round-off of its
  // bodies' velocities, multiplied by the stiffness of the law, and a sum of impulses that of its terms.
  double round_off();
  // y = A x.
  void multiply_A(const Vector& x, Vector* y) const;
  // |D A v| at the v of the last evaluate().
  double momentum_size();
  // A dv and the rates of the points along it, for a line search.
  void set_direction();
  // Whether points may not go to a distance of zero (contact/law/normal_force.h).
  bool has_barrier() const { return uses_barrier(problem_->law, problem_->elasticity); }
  // After set_direction(): the longest step, a little before the first point reaches its barrier; infinite
  // where there is none.
  double longest_step() const;
  // Cost of points and rows and its derivatives at v + alpha dv.
  LineValue line(double alpha) const;

  // H at the v of the last evaluate(). The same matrix object must be passed from one begin() to the next.
  void assemble(BlockSparseMatrix* H);
  // Only its diagonal blocks; keeps the matrices of the patches for multiply_H.
  void assemble_diagonal(BlockSparseMatrix* D);
  // y = H x.
  void multiply_H(const Vector& x, Vector* y);
  // Whether H consists of blocks of at most three rows: no body rotates, and only contact points couple
  // trees.
  bool is_of_particles();
  void assemble(SweptSystem* H);
  // For such islands: stiffness of the contacts relative to inertia, the mean of (H - A) / A over the
  // velocities of a tree, at the v of the last evaluate().
  double stiffness() const;

 private:
  // The Jacobian of a body: six rows of `stride` numbers, and the velocities of its columns, ascending.
  struct BodyColumns {
    const double* motions;
    const int* dofs;
    int count, stride;
  };
  // BlockView::write_lower_triangle reads a little beyond the end of its source.
  static std::size_t dense_size(int n) { return static_cast<std::size_t>(simd::padded(n * n + 8)); }

  void find_body_velocities(const Vector& from, BodyVelocity* to) const;
  void clear_wrenches();
  void add_patch_wrench(const Patch& patch, const simd::Pack& moment, const simd::Pack& force);
  // to += J_b' of every body's wrench. Afterwards the wrench of a body includes those of its descendants.
  void project_wrenches(Vector* to) const;
  void set_to_A(BlockSparseMatrix* H);
  void gather_columns();
  BodyColumns columns_of(int body) const;
  void clear_stiffness();
  void add_patch(const Patch& patch, const int* pairs, const PatchMatrix& K, BlockSparseMatrix* H);
  void add_cross(const Patch& patch, const int* pairs, const PatchMatrix& K_Phi, BlockSparseMatrix* H);
  // The columns of a body that belong to one branch.
  struct BranchColumns {
    int first;  // velocity of the branch in its tree
    int begin, end;
  };
  void find_branch_columns(int body, const BodyColumns& J, std::vector<BranchColumns>* branches) const;
  void add_own_patch(const Patch& patch, const PatchMatrix& K);
  static int common_columns(const BodyColumns& J_a, const BodyColumns& J_b);
  static void add_to_dense(const BodyColumns& J, const PatchMatrix& K, const BodyColumns& J_beside, int first,
                           bool is_symmetric, double sign, int n, double* dense);
  void add_body_stiffness(int index, const PatchMatrix& K, int done);
  void sum_stiffness(const PatchMatrix& K, int body);
  bool only_translates(int body) const;
  static void add_projected(const LinearPatchMatrix& K, const BodyColumns& J, const BodyColumns& J_beside,
                            double sign, SweptSystem::Block* to);
  void sum_linear_stiffness(const Patch& patch, const LinearPatchMatrix& K);
  void add_linear_patch(const Patch& patch, const int* pairs, const LinearPatchMatrix& K,
                        BlockSparseMatrix* H);
  void add_linear_stiffness(int index, const PatchMatrix& K);
  void add_stiffness_of_robots();
  void write_dense(BlockSparseMatrix* H);
  void use_blocks(IslandBlocks::Kind kind);

  const ContactProblem* problem_ = nullptr;
  const Island* island_ = nullptr;
  IslandScratch* scratch_ = nullptr;
  double cost_ = 0.0;
  bool has_reversals_ = false, has_marks_ = false;  // of a step; given
  int predicted_ = 0;
  std::vector<int> sizes_, offset_;
  bool has_branches_ = false;
  IslandBlocks blocks_;
  AlignedVector<double> numbers_;
  // Without inertia_factor; computed when it is first asked for.
  bool has_A_v_free_ = false;
  Vector A_v_free_{nullptr, 0};
  bool has_pattern_ = false;        // in the matrix given to assemble()
  bool has_swept_pattern_ = false;  // in the SweptSystem
  // Jacobians of all bodies of robots, gathered when the first Hessian is assembled.
  bool has_columns_ = false;
  AlignedVector<double> motions_;
  std::vector<int> column_dofs_;
  AlignedVector<double> dense_;  // blocks of robots while H is assembled, lower triangles by columns
  std::vector<IslandRows::TreeMatrix> tree_matrices_;  // by local tree, none for free bodies
  std::vector<int> places_;
  std::vector<BranchColumns> branches_a_, branches_b_;
  std::vector<double> forces_a_, forces_b_;  // K_Phi J_a and (K_Phi)' J_b of a patch, six numbers a column
  AlignedVector<PatchMatrix> patch_matrices_;
};

}  // namespace stiction
