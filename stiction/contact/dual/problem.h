#pragma once
// The dual of a contact problem, one island of it: impulses lambda, by blocks of rows, and the velocities
// that go with them,
//
//   s = (W + R) lambda + r,    W = J A^-1 J',    r = J v_free + bias - c*,
//
// which the laws of law/rigid_laws.h relate. sap has this dual too, with the R and c* of S eqs. 29 and 30 (S
// eq. 22): that of convex_cone, and always with R > 0. A contact is a block of rows (t1, t2, [about n, about
// t1, about t2], n) in the variables in which its friction cone is circular (law/anisotropic.h,
// law/torsional_rolling.h): lambda_t = S^-1 gamma_t and L^-1 m. A scalar row of the contact problem is a
// block of one row with compliance R = 1/slope and r = J v_free - offset/slope.
//
// A group of rows whose impulses stay in a ball (RowLaw::group) is written as a contact with mu = 1. Its rows
// are the tangents. The normal row is added: it moves no body, and s_n = R_n (lambda_n - upper) = 0 makes
// lambda_n the radius of the ball. Any R_n > 0 would do; it is the mean inverse mass of the rows. Under
// convex_cone, where what slides separates, s_n would be |s_t| instead, so that such a block follows
// coulomb_ncp there (DualBlock::law_under).
//
// W is held in one of two ways:
//   by trees    J and Y = J A^-1 by block and tree. Products with W go by way of the velocities of the
//               trees; W itself is assembled only on request;
//   explicit    blocks of a sparse W, for problems from files without A and J. It may be slightly unsymmetric
//               and is not symmetrised.
//
// Nothing allocates once the largest island has been seen.

#include <span>
#include <vector>

#include "stiction/contact/law/rigid_laws.h"
#include "stiction/contact/problem.h"

namespace stiction {

struct DualBlock {
  int begin = 0;  // first of its rows
  // Rows of friction before the normal one: 0, 2 or 5 of a contact, 2 or 3 of a group of rows; -1: a scalar
  // row.
  int tangents = -1;
  bool is_group = false;                 // of scalar rows, from `source` on
  double friction = 0.0;                 // mu
  double lower = -1e300, upper = 1e300;  // of a scalar row
  // kg: the number of rows over the trace of the block of W + R. 0: no impulse moves the block along its
  // normal, and no law is asked of it.
  double rho = 1.0;
  // m/s of a contact that an error of 1 of this block (m/s or rad/s) counts as.
  double weight = 1.0;
  bool is_drive = false;             // of a scalar row
  int part_begin = 0, part_end = 0;  // by trees: where its Jacobian is
  int source = -1;                   // point or row of the contact problem

  bool is_contact() const { return tangents >= 0; }  // or a group
  // The law of the block in a problem under `law`.
  LawKind law_under(LawKind law) const {
    law = dual_law(law);
    return is_group && law == LawKind::convex_cone ? LawKind::coulomb_ncp : law;
  }
  int size() const { return is_contact() ? tangents + 1 : 1; }
};

// The Jacobian of a block in the velocities of one tree: `size` rows of `columns` numbers from `begin` in
// DualProblem::J, and J A^-1 likewise in DualProblem::Y.
struct DualPart {
  int tree = 0;    // of the island
  int offset = 0;  // of its first velocity
  int columns = 0;
  int begin = 0;
};

// Blocks of W by block row, diagonal blocks included; every block row-major.
struct DualMatrix {
  std::vector<int> row_begin;  // by block, and one more: in columns
  std::vector<int> columns;    // ascending in a row
  std::vector<int> begin;      // of a block's numbers in values
  std::vector<double> values;
};

// What a solver calls its error: the natural map error relative to velocity_scale(), or C's absolute
// criterion (law/rigid_laws.h).
struct ErrorMeasure {
  LawKind law = LawKind::coulomb_ncp;
  Pyramid pyramid;
  bool is_absolute = false;
};

class DualProblem {
 public:
  double h = 1.0;  // s, by which C's criterion turns impulses into forces; explicit problems: 1
  // rho that ADMM starts from, in its own units: that which it ended with in the step before; 0: none.
  double penalty = 0.0;
  std::vector<DualBlock> blocks;
  VecX r;  // m/s
  VecX R;  // 1/kg, by row, >= 0

  // By trees: number of velocities, first velocity, A (dense, column-major, at A_begin), J and Y.
  std::vector<int> tree_sizes, tree_offsets, A_begin;
  AlignedVector<double> A;
  VecX v_free;
  std::vector<DualPart> parts;
  AlignedVector<double> J, Y;
  // By row of a contact: the impulse and the moment of lambda = 1 on B in world axes (zero for scalar rows;
  // empty if explicit).
  std::vector<Vec3> linear, angular;
  // Explicit.
  DualMatrix W;

  // By trees: the dual of an island of a problem under a rigid law.
  void begin(const ContactProblem& problem, const Island& island);
  // From blocks (friction, tangents or bounds; begin and rho are set here), W, r and R.
  void begin_explicit(std::span<const DualBlock> new_blocks, const DualMatrix& matrix, const VecX& new_r,
                      const VecX& new_R);

  bool is_explicit() const { return tree_sizes.empty(); }
  int num_blocks() const { return static_cast<int>(blocks.size()); }
  int num_rows() const { return static_cast<int>(r.size()); }
  int num_velocities() const { return tree_offsets.empty() ? 0 : static_cast<int>(v_free.size()); }

  // The diagonal block of W (without R): size x size numbers, row-major.
  const double* diagonal_block(int block) const { return diagonal_.data() + diagonal_begin_[block]; }
  // y = W x.
  void multiply(const VecX& x, VecX* y) const;
  // v += A^-1 J' of the rows of one block times x. By trees.
  void add_velocity(int block, const double* x, double* v) const;
  // J v of the rows of one block. By trees.
  void row_velocity(int block, const double* v, double* out) const;
  // All blocks of W that are not zero.
  void assemble(DualMatrix* out) const;
  MatX dense() const;  // W without R

  // The largest natural map error of a law at lambda, s = (W + R) lambda + r, in m/s of a contact: errors of
  // scalar rows by their weights.
  double natural_error(LawKind law, const Pyramid& pyramid, const VecX& lambda, const VecX& s) const;
  // The largest error of a block by a measure, and that of one block at its impulses x and velocities.
  double error(const ErrorMeasure& measure, const VecX& lambda, const VecX& s) const;
  double block_error(const ErrorMeasure& measure, int block, const double* x, const double* s) const;
  // What an error of `velocity` (m/s or rad/s) of a block amounts to by a measure, at impulses of size x.
  double error_of_velocity(const ErrorMeasure& measure, const DualBlock& block, double velocity,
                           double x) const;
  // The error that the round-off of s explains at lambda, 16 eps |lambda_b| / rho_b of block b: the largest of all
  // blocks. Zero where it is more than kMostRoundOff of the velocities that errors are relative to: impulses that
  // run away have a round-off above any error, and are no answer.
  double round_off(const ErrorMeasure& measure, const VecX& lambda) const;
  static constexpr double kMostRoundOff = 1e-6;
  // Sums of squares ((N s)^2), over the blocks that can move, of the natural map lambda - P_K(lambda - rho
  // s~) and of lambda; s~ with de Saxce's correction, except under convex_cone.
  struct NaturalMap {
    double map = 0.0, lambda = 0.0;
  };
  NaturalMap natural_map(LawKind law, const VecX& lambda, const VecX& s) const;
  // s of all rows.
  void velocities(const VecX& lambda, VecX* s) const;
  // m/s, by which errors are divided. Every kind of row has a scale of its own, so that fast drives do not
  // hide errors of slow contacts:
  //   contacts     |g| h, or the largest velocity of a contact in the free motion or that it is asked for
  //                (recovery, restitution; not the gap that may close). Torsion and rolling count as L w;
  //   drives       the largest |r| of a drive;
  //   joints       limits, equalities, dry friction: the largest velocity of the free motion along such a row
  //                or that it is asked for.
  // Velocities of scalar rows, in rad/s or m/s, are multiplied by a length l to be compared with those of
  // contacts: at the distance l the row has the inertia of a mean contact, l^2 = rho times the mean 1/rho of
  // the contacts (l = 1 where nothing touches). No scale is below
  // |g| h or kLeastScale of the largest. A block's weight is velocity_scale() times l over the scale of its
  // kind.
  double velocity_scale() const { return velocity_scale_; }
  // sqrt(J): the root of |v_free|_A^2 + sum over the blocks of rho (V/l)^2, V the largest scale of a kind.
  double motion_scale() const;
  // Whether lambda proves that no motion, or no reasonable one, satisfies all rows. Weak duality: for lambda
  // in the cones and any change of velocity x with s in the dual cones, 0 <= lambda' (r + J x), so that
  //
  //   |x|_A >= -lambda' r / sqrt(lambda' (W + R) lambda).
  //
  // Penetration recovery on both sides of a body that is stuck in between needs an infinite x. A bound above
  // kMostDemand times motion_scale() counts as a contradiction. By trees only.
  bool is_contradicted_by(const VecX& lambda) const;

 private:
  static constexpr double kMostDemand = 30.0;
  // Of the largest scale of a kind of row: smaller motions are lost in the round-off of the larger ones.
  static constexpr double kLeastScale = 1e-4;

  void add_tree(const ContactProblem& problem, int tree);
  void add_contact(const ContactProblem& problem, int point, const std::vector<int>& local_tree);
  void add_row(const ContactProblem& problem, int row, const std::vector<int>& local_tree);
  void set_group_normal(const DualBlock& block);
  void add_row_group(const ContactProblem& problem, int first, const std::vector<int>& local_tree);
  // J of row i of the block that is being added.
  void add_row_entries(const ContactProblem& problem, int row, const std::vector<int>& local_tree, int i,
                       const DualBlock& block);
  void add_part_rows(const ContactProblem& problem, int body, const Vec3& arm, double sign, int part,
                     int begin, int rows);
  int find_part(int block_part_begin, int tree, int rows);
  void finish();
  void set_scales(const ContactProblem* problem);

  double velocity_scale_ = 1.0;
  AlignedVector<double> factors_;  // Cholesky factors of A, by tree as A
  std::vector<int> local_tree_;
  int filled_ = 0;  // rows added so far
  std::vector<int> diagonal_begin_;
  std::vector<double> diagonal_;
  mutable VecX velocity_;
};

}  // namespace stiction
