#pragma once
// One island of a geometrically implicit step as a mixed complementarity problem (G eqs. 21, 22): find the
// velocities v of its trees, the unknowns of its contacts (contact_conditions.h) and the impulses gamma of
// its scalar rows with
//
//   A (v - v_free) = sum over contacts of J(q)' impulse + sum over rows of J' gamma,       q = q0 + h v,
//   the conditions of every contact at q, v,
//   gamma = clamp(offset - slope u, lower, upper) for every row.
//
// A group of rows (contact/problem.h) has the fixed point of G eq. 7 divided by the radius r of its ball,
// like the friction of a contact (contact_conditions.h):
//
//   w = x/max(1, |x|),   x = w - rho (u + (gamma - offset)/slope),   w = gamma/r,   1/rho = r times its mean w
//
// A, v_free and the rows are those of the explicit step; all quantities of the contacts are at the end of the
// step.
//
// Unknowns and conditions are scaled to order one: lengths by the size L of the contact, velocities by one
// speed V of the island (angular velocities by V/L), impulses by V times the effective mass m of the contact,
// conditions of momentum by the diagonal of A. The tolerance of the solver is in these units.
//
// The Jacobian is block-sparse: the rows of a tree have blocks for the trees it touches, its contacts and its
// scalar rows; those of a contact for its two trees and its own unknowns.

#include "stiction/contact/complementarity/mixed_problem.h"
#include "stiction/contact/problem.h"
#include "stiction/math/aligned_vector.h"
#include "stiction/simulation/scheme/geometric/contact_jacobian.h"
#include "stiction/simulation/scheme/geometric/island_motion.h"

namespace stiction {

struct IslandContact {
  explicit IslandContact(const ContactSetup& of) : setup(of), layout(of) {}
  ContactSetup setup;
  ContactLayout layout;
  int body_A = 0, body_B = 0;  // of the island
  int pair = 0;                // in GeometricStepper::candidates_
  int begin = 0;               // its first unknown
};

class GeometricProblem final : public MixedProblem {
 public:
  IslandMotion motion;
  std::vector<IslandContact> contacts;

  // Sets the trees and rows of an island. Add the contacts and their bodies next, then call finish().
  void begin(const ContactProblem& problem, const Island& island, double speed);
  void finish();

  bool evaluate(const VecX& z, VecX* F) override;
  bool linearise(const VecX& z, VecX* F, SparseRows* jacobian) override;

  // From SI units to scaled unknowns, and back.
  void to_scaled(const VecX& physical, VecX* z) const { *z = physical.cwiseQuotient(unknown_scale_); }
  void to_physical(const VecX& z, VecX* physical) const { *physical = z.cwiseProduct(unknown_scale_); }
  int row_begin() const { return row_begin_; }  // of the row impulses
  int num_rows() const { return static_cast<int>(rows_.size()); }
  int row(int i) const { return rows_[i]; }  // of the contact problem

 private:
  // Columns of one block of unknowns in the rows of a group.
  struct Block {
    int column = 0, count = 0, offset = 0;
  };
  // Rows with the same columns: those of a tree, a contact or a scalar row.
  struct Group {
    int begin = 0, count = 0, width = 0;
    std::vector<Block> blocks;
  };
  // Row-major, of the rows of a group.
  using MatRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, kMostRowsOfGroup,
                                kMostRowsOfGroup>;
  struct RowGroup {
    int begin = 0, count = 1;  // in rows_
    double rho = 0.0;          // s/m, of groups of more than one row
  };
  void add_block(int group, int column, int count);
  void set_pattern();
  template <class Derived>
  void add_to(int group, int column, const Eigen::MatrixBase<Derived>& values);
  void add_row_group(const RowGroup& rows, int group);
  void add_contact_rows(const IslandContact& contact, int group);
  template <class Derived>
  void add_body_columns(int group, int columns_begin, const IslandBody& body,
                        const Eigen::MatrixBase<Derived>& by_motion);
  // A matrix in memory that only grows.
  static Eigen::Map<MatX> scratch(Eigen::Index rows, Eigen::Index columns, AlignedVector<double>* store);
  // The derivative of x/max(1, |x|), and that vector, at the present unknowns.
  void project_row_group(const RowGroup& group, double* projected, double* derivative) const;
  double row_velocity(int i) const;
  void compute_momentum(VecX* F);
  bool compute(VecX* F);

  const ContactProblem* problem_ = nullptr;
  double speed_ = 1.0;
  std::vector<int> rows_;
  std::vector<RowGroup> row_groups_;
  int row_begin_ = 0;
  VecX unknown_scale_, row_scale_, physical_;
  std::vector<Vec6> on_A_, on_B_;  // by contact
  std::vector<Group> groups_;      // trees, contacts, rows
  int num_groups_ = 0;
  SparseRows pattern_;
  SparseRows* out_ = nullptr;
  VecX change_in_v_, tau_;
  // Aligned, so that products have the same bits on every machine.
  AlignedVector<double> change_, pushed_;
  ContactJacobian jacobian_;
};

}  // namespace stiction
