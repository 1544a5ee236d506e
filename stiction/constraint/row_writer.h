#pragma once
// Writes the scalar rows of a contact problem one after the other: begin, entries, end.
//
// A row along which nothing can move is left out: the third direction of a planar loop, rotations of a body
// that can only slide. If a loop closure is almost of this kind (a stretched arm), the stiffness of a rigid
// row is limited to what it would be if a thousandth of the motion of its ends were along the row; otherwise
// its force would grow without bound.

#include <algorithm>
#include <cmath>
#include <vector>

#include "stiction/constraint/attached_frame.h"
#include "stiction/constraint/moment_rows.h"
#include "stiction/constraint/row_laws.h"
#include "stiction/constraint/row_owner.h"
#include "stiction/contact/problem.h"
#include "stiction/multibody/kinematics.h"
#include "stiction/multibody/mass_matrix.h"

namespace stiction {

// The inputs of rows: positions and velocities at the start of the step, inertia and the free motion. Of rows
// with StepTheta::is_iterated: positions and velocities at theta, and the present iterate of the free motion.
struct RowInputs {
  const Forest& forest;
  const Kinematics& kinematics;
  const MassMatrix& mass;      // rows of M
  const VecX& added_diagonal;  // A - M
  const VecX &q, &v, &v_free;
  double h = 0.0;  // s
  const ConstraintOptions& options;
  StepTheta theta;
  RowRecovery recovery = {};  // of rigid laws
};

class RowWriter {
 public:
  RowWriter(const RowInputs& inputs, ContactProblem* problem, std::vector<RowOwner>* owners)
      : in(inputs), problem_(*problem), owners_(*owners) {}

  const RowInputs in;

  void begin() {
    problem_.begin_row({});
    tree_ = -1;
    inverse_mass_ = reach_ = rate_ = free_rate_ = curvature_ = 0.0;
  }
  void entry(int tree, int dof, double value) { entry(tree, dof, value, std::abs(value)); }
  // Adds the motion along (rotation, direction) of the point p of an attached frame, times sign, from its
  // node up to the node `common`.
  void chain(const AttachedFrame& frame, int common, const Vec3& p, const Vec3& rotation,
             const Vec3& direction, double sign) {
    if (frame.node < 0) return;
    const Vec3 arm = p - row_vector(in.kinematics.origins.data() + 4 * frame.tree);
    const bool rotates = rotation.squaredNorm() > 0.0;
    for (int n = frame.node; n != common && n >= 0; n = in.forest.nodes[n].parent) {
      const Node& node = in.forest.nodes[n];
      for (int d = node.v_begin; d < node.v_begin + node.num_v; ++d) {
        const double* S = in.kinematics.axis(d);
        const Vec3 w = row_vector(S), v = row_vector(S + 4) + w.cross(arm);
        entry(frame.tree, d, sign * (w.dot(rotation) + v.dot(direction)), rotates ? w.norm() : v.norm());
      }
    }
  }
  // Adds the row of a tendon or actuator times `scale`, and a second one. Columns of a row must ascend, those
  // of a tree next to each other.
  void moment_row(const MomentRows& moments, int row, double scale) {
    for (int k = moments.begin[row]; k < moments.begin[row + 1]; ++k)
      entry(tree_of(moments.columns[k]), moments.columns[k], scale * moments.values[k]);
  }
  void moment_rows(const MomentRows& moments, int first, double scale1, int second, double scale2) {
    if (second < 0) {
      moment_row(moments, first, scale1);
      return;
    }
    int i = moments.begin[first], j = moments.begin[second];
    const int end_i = moments.begin[first + 1], end_j = moments.begin[second + 1];
    while (i < end_i || j < end_j) {
      const int column_i = i < end_i ? moments.columns[i] : in.forest.num_v,
                column_j = j < end_j ? moments.columns[j] : in.forest.num_v;
      const int column = std::min(column_i, column_j);
      double value = 0.0;
      if (column_i == column) value += scale1 * moments.values[i++];
      if (column_j == column) value += scale2 * moments.values[j++];
      entry(tree_of(column), column, value);
    }
  }
  void end(const RowLaw& law, RowOwner owner) {
    problem_.row_laws.back() = law;
    owners_.push_back(owner);
  }
  void end_limit(double phi, RowOwner owner, const RowCompliance& c = {}) {
    if (is_movable()) end(limit_law(in.options, in.h, state(phi), c, in.recovery), owner);
  }
  void end_equality(double phi, RowOwner owner, const RowCompliance& c = {}) {
    if (is_movable()) end(equality_law(in.options, in.h, state(phi), c, in.recovery), owner);
  }
  // A spring and damper whose compliance the model gives.
  void end_spring(double phi, RowOwner owner, const RowCompliance& c) {
    if (!is_movable()) return;
    if (!in.theta.is_iterated) return end(spring_law(in.options, in.h, state(phi), c), owner);
    ForceElement element;
    element.force = -c.stiffness * phi - c.damping * (rate_ + bias_);
    element.stiffness = c.stiffness;
    element.damping = c.damping;
    end_force(element, owner);
  }
  void end_friction(double force, RowOwner owner) {
    if (is_movable()) end(friction_law(in.options, in.h, inverse_mass(), force), owner);
  }
  // Ends a row of a group, whose law follows (close_friction_group). Whether anything can move along it.
  bool end_in_group(RowOwner owner) {
    if (!is_movable()) return false;
    RowLaw law;
    law.offset = bias_;
    law.slope = inverse_mass();
    end(law, owner);
    return true;
  }
  // Gives the last `count` rows, with entries for the same velocities, one law of dry friction (N).
  void close_friction_group(int count, double force) {
    if (count == 0) return;
    const std::size_t first = problem_.row_laws.size() - static_cast<std::size_t>(count);
    double w = 0.0;
    for (std::size_t r = first; r < problem_.row_laws.size(); ++r)
      w = std::max(w, problem_.row_laws[r].slope);
    for (std::size_t r = first; r < problem_.row_laws.size(); ++r) {
      const double bias = problem_.row_laws[r].offset;
      problem_.row_laws[r] = friction_law(in.options, in.h, w, force);
      problem_.row_laws[r].offset = -problem_.row_laws[r].slope * bias;
      problem_.row_laws[r].group = r == first ? count : 0;
    }
  }
  void end_force(const ForceElement& element, RowOwner owner) {
    end(in.theta.is_iterated ? force_law_there(element, in.theta, in.h, free_rate_)
                             : force_law(element, in.theta, in.h),
        owner);
  }
  // Sets the part of the next row's rate that comes from prescribed motions, not from J v.
  void set_bias(double bias) { bias_ = bias; }
  // Sets the curvature of the row that was begun (m/s^2 or rad/s^2): how its rate changes at constant v.
  void set_curvature(double c) { curvature_ = (1.5 - in.theta.theta_vq) * in.h * c; }
  double rate() const { return rate_; }  // J v of the row so far

  // Whether a gap that closes at `rate`, or at the rate of the free motion, can close in this step or soon
  // after.
  bool can_reach(double gap, double gap_rate, double free_rate) const {
    constexpr double kSteps = 3.0, kWithin = 1e-3;  // rad or m: possible change due to contacts
    return gap < kWithin + kSteps * in.h * std::max({-gap_rate, -free_rate, 0.0});
  }

 private:
  // `largest`: the value if the motion were exactly along the row.
  void entry(int tree, int dof, double value, double largest) {
    if (tree != tree_) problem_.begin_row_part(tree);
    tree_ = tree;
    problem_.add_row_entry(dof - in.forest.trees[tree].v_begin, value);
    const Dof& d = in.forest.dofs[dof];
    const double mass = in.mass.rows[d.row + d.depth] + in.added_diagonal[dof];
    inverse_mass_ += value * value / mass;
    reach_ += largest * largest / mass;
    rate_ += value * in.v[dof];
    free_rate_ += value * in.v_free[dof];
  }
  // Whether anything can move along the row; removes the row if not.
  bool is_movable() {
    constexpr double kRoundOff = 1e-12;  // relative to the motion
    if (inverse_mass_ > kRoundOff * kRoundOff * reach_) return true;
    problem_.drop_row();
    return false;
  }
  double inverse_mass() const {
    constexpr double kSmallestShare = 1e-3;  // relative to the motion
    return std::max(inverse_mass_, kSmallestShare * kSmallestShare * reach_);
  }
  RowState state(double phi) const { return {phi, bias_, inverse_mass(), curvature_}; }
  static Vec3 row_vector(const double* p) { return Vec3(p[0], p[1], p[2]); }
  int tree_of(int dof) const { return in.forest.nodes[in.forest.dofs[dof].node].tree; }

  ContactProblem& problem_;
  std::vector<RowOwner>& owners_;
  int tree_ = -1;
  double inverse_mass_ = 0.0, reach_ = 0.0, rate_ = 0.0, free_rate_ = 0.0, bias_ = 0.0, curvature_ = 0.0;
};

}  // namespace stiction
