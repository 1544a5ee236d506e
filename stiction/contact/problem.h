#pragma once
// A contact problem, in numbers only. Find the velocities v that minimise (S eq. 24, I eq. 3)
//
//   l(v) = 1/2 (v - v_free)' A (v - v_free) + sum over points l_i(vc_i) + sum over rows,   vc = J v + bias.
//
// The optimality condition is the balance of momentum, A (v - v_free) = J' gamma. A has one symmetric
// positive definite block per tree. J is never stored: we first compute the velocities of bodies in contact,
// V = (w, velocity field at the tree's point O), V_b = J_b v_tree. A contact point reads two of them,
//
//   vc = V_B at the point - V_A at the point + bias = v_B + w_B x r_B - v_A - w_A x r_A + bias,
//
// r the arms from O to the point. All vectors are in world axes. The points of a pair of bodies form a patch;
// trees connected by patches or rows form an island, and islands are independent of each other. Patches,
// points, bodies and trees of an island are contiguous.
//
// A row is any other constraint: an equality, a limit, friction in a joint or a drive. It has a velocity u =
// J v, of a few velocities of one or more trees, and an impulse along it,
//
//   gamma = clamp(offset - slope u, lower, upper),    cost gamma (2 (offset - slope u) - gamma) / (2 slope),
//
// so that equalities (no bounds), limits (one bound) and friction or drives with a limited force (two bounds)
// are one formula. Rows of a group (friction of a body on its support) share a bound: with the vectors gamma,
// s = offset - slope u of the group,
//
//   gamma = s min(1, upper/|s|),    cost gamma . (2 s - gamma) / (2 slope).
//
// To set up a problem: set_trees, then the rows, then set_patches, which finds the islands and the index of
// every point, then fill in the numbers. Memory is allocated only if a problem is larger than all before.

#include <cmath>
#include <span>
#include <vector>

#include "stiction/contact/law/anisotropic.h"
#include "stiction/contact/law/contact_law.h"
#include "stiction/contact/law/torsional_rolling.h"
#include "stiction/math/aligned_vector.h"
#include "stiction/math/matrix.h"

namespace stiction {

struct ProblemTree {
  int v_begin = 0, num_v = 0;
  // A free body: one body whose velocity field at O is v itself, in the order (w, v). Its block of A is
  // stored as six columns of (angular, 0, linear, 0), other blocks as num_v columns of num_v numbers.
  bool is_free_body = false;
  int A_begin = 0;                       // in ContactProblem::A
  int branch_begin = 0, branch_end = 0;  // in ContactProblem::branches; none: any two velocities may couple
};

// Consecutive velocities of a tree, such as those of a limb. A couples them only with each other and with
// those of their ancestor branches; the columns of a body belong to one branch and its ancestors.
struct ProblemBranch {
  int begin = 0, end = 0;  // counted from the tree's first velocity; branches are contiguous
  int parent = -1;         // an earlier branch of the tree; -1: none
};

// A body in contact. Its Jacobian has a column (angular, 0, linear, 0) for some velocities of its tree; a
// free body has none: J = 1.
struct ProblemBody {
  int tree = -1;  // -1: static or kinematic; its velocity is in the bias of its points
  int column_begin = 0, columns = 0;
  // An ancestor of this body among the earlier bodies of the tree, all of whose columns are the last columns
  // of this one. 0: none, or not known.
  int parent = 0;
};

struct Patch {
  int a = 0, b = 0;  // bodies; n points from a into b; b has a tree, a may not
  int begin = 0, end = 0;
};

// Vectors are stored as four numbers, the last one zero.
struct alignas(32) PointFrame {
  double r_A[4];   // m, from O of A's tree
  double r_B[4];   // m, from O of B's tree
  double n[4];     // unit
  double bias[4];  // m/s
};

// The law of a row.
struct RowLaw {
  double offset = 0.0;  // N s or N m s
  double slope = 0.0;   // positive; N s per m/s
  double lower = -1e300, upper = 1e300;
  // Of a drive or a spring, which prescribes a force, and not a condition on the motion. Only the scales by
  // which solvers of impulses stop depend on it (dual/problem.h).
  bool is_drive = false;
  // The number of rows of a group, on the first of them; 0 on its other rows, which follow. They have the
  // same slope, the same bounds -upper and upper, and entries for the same velocities. 1: a row of its own.
  int group = 1;
};

inline constexpr int kMostRowsOfGroup = 3;

// The impulses of a group of n rows at s = offset - slope u. Returns its cost.
inline double group_impulses(const RowLaw& law, int n, const double* s, double* gamma) {
  double square = 0.0, cost = 0.0;
  for (int i = 0; i < n; ++i) square += s[i] * s[i];
  const double share = square > law.upper * law.upper ? law.upper / std::sqrt(square) : 1.0;
  for (int i = 0; i < n; ++i) {
    gamma[i] = share * s[i];
    cost += gamma[i] * (2.0 * s[i] - gamma[i]);
  }
  return cost / (2.0 * law.slope);
}

// The velocities of one tree in a row: entries [begin, end) of ContactProblem::row_dofs and row_values.
struct RowPart {
  int tree = 0;
  int begin = 0, end = 0;
};

struct ProblemRow {
  int part_begin = 0, part_end = 0;  // in ContactProblem::row_parts, of different trees
};

struct Island {
  int tree_begin = 0, tree_end = 0;    // in ContactProblem::island_trees
  int body_begin = 0, body_end = 0;    // in ContactProblem::island_bodies
  int patch_begin = 0, patch_end = 0;  // in ContactProblem::patches
  int point_begin = 0, point_end = 0;  // a multiple of four; points that belong to no patch are padding
  int row_begin = 0, row_end = 0;      // in ContactProblem::island_rows
};

struct PatchPlan {
  int a = 0, b = 0;  // bodies; b has a tree
  int points = 0;
};

struct ContactProblem {
  double h = 0.0;           // s
  double fall_speed = 0.0;  // m/s, |g| h; 0: not known. Only scales of errors depend on it
  LawKind law = LawKind::icf_lagged;
  Elasticity elasticity = Elasticity::linear;

  std::vector<ProblemTree> trees;
  std::vector<ProblemBranch> branches;  // tree by tree
  AlignedVector<double> A;
  VecX v_free;   // m/s or rad/s
  VecX v_start;  // initial guess of a solver: the velocities at the start of the step
  // Other initial guesses, which are tried if v_start is not good enough; may be empty.
  std::vector<VecX> v_guesses;

  std::vector<ProblemBody> bodies;  // [0] stands for all static and kinematic bodies
  AlignedVector<double> columns;    // 8 numbers each
  std::vector<int> column_dofs;     // velocity of the tree, counted from its first

  std::vector<Patch> patches;        // island by island
  std::vector<int> patch_of_plan;    // index of the k-th planned patch in `patches`
  AlignedVector<PointFrame> frames;  // by point
  std::vector<int> body_a, body_b;   // by point, so that a loop over points needs no patches
  AlignedVector<double> law_parameters[kLawParameters];  // by point; parameters_at, set_parameters
  AlignedVector<double> inverse_masses;                  // w of every point (1/kg); empty: not known
  AlignedVector<FrictionTensor> friction_tensors;        // by point; empty: friction is isotropic
  AlignedVector<FrictionLengths> friction_lengths;       // by point; empty: no torsional or rolling friction

  std::vector<ProblemRow> rows;
  std::vector<RowLaw> row_laws;  // by row
  std::vector<RowPart> row_parts;
  std::vector<int> row_dofs;  // velocity of the tree, counted from its first
  std::vector<double> row_values;

  std::vector<Island> islands;     // with at least one patch or row, by their smallest tree
  std::vector<int> island_trees;   // ascending inside an island
  std::vector<int> island_bodies;  // ascending
  std::vector<int> island_rows;    // ascending

  // The end of the columns that its parent does not have.
  int own_columns_end(const ProblemBody& body) const {
    return body.column_begin + body.columns - (body.parent > 0 ? bodies[body.parent].columns : 0);
  }
  LawParameters<double> parameters_at(int point) const {
    LawParameters<double> p;
    for (int i = 0; i < kLawParameters; ++i) p.x[i] = law_parameters[i][point];
    return p;
  }
  void set_parameters(int point, const LawParameters<double>& p) {
    for (int i = 0; i < kLawParameters; ++i) law_parameters[i][point] = p.x[i];
  }

  // Sets the trees and their branches, if they have any. A, v_free and v_start are resized and must be filled
  // in.
  void set_trees(std::span<const ProblemTree> new_trees, std::span<const ProblemBranch> new_branches = {});
  // Begin a row, then a part for each of its trees, then add the entries of that part.
  void clear_rows();
  int begin_row(const RowLaw& row_law);
  void begin_row_part(int tree);
  void add_row_entry(int dof_in_tree, double value);
  // Removes the last row.
  void drop_row();
  // `bodies` and the rows must have been filled in before. Patches without points belong to no island.
  void set_patches(std::span<const PatchPlan> plans);

  double* A_of(int tree) { return A.data() + trees[tree].A_begin; }
  const double* A_of(int tree) const { return A.data() + trees[tree].A_begin; }

 private:
  int root_of(int tree);
  std::vector<int> parent_, island_of_tree_, order_, count_;
};

// y = A x on one tree, x and y at its first velocity.
void multiply_A(const ContactProblem& problem, int tree, const double* x, double* y);

}  // namespace stiction
