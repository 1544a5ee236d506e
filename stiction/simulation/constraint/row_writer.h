#pragma once
// Writes the scalar rows of a step's contact problem one after the other: begin, entries, end.
//
// A row that nothing can move along is left out: the third direction of a loop in a plane, the turns of what
// slides. Where a tie is almost so (a stretched arm), a rigid row is no stiffer than if a thousandth of the
// motion of its ends went along it; its force would grow without bound otherwise.

#include <algorithm>
#include <cmath>

#include "stiction/simulation/actuation/moment_rows.h"
#include "stiction/simulation/state.h"
#include "stiction/simulation/step_record.h"

namespace stiction {

class RowWriter {
 public:
  RowWriter(const Model& model, const State& now, const ConstraintOptions& options, StepRecord* r)
      : forest_(model.forest), now_(now), options_(options), r_(*r), problem_(r->contact.problem) {}

  void begin() {
    problem_.begin_row({});
    tree_ = -1;
    inverse_mass_ = reach_ = rate_ = 0.0;
  }
  void entry(int tree, int dof, double value) { entry(tree, dof, value, std::abs(value)); }
  // The motion along (turn, direction) of the point p of a place, times sign, up to the node `common`.
  void chain(const AttachedFrame& place, int common, const Vec3& p, const Vec3& turn, const Vec3& direction,
             double sign) {
    if (place.node < 0) return;
    const Vec3 arm = p - row_vector(r_.kinematics.origins.data() + 4 * place.tree);
    const bool turns = turn.squaredNorm() > 0.0;
    for (int n = place.node; n != common && n >= 0; n = forest_.nodes[n].parent) {
      const Node& node = forest_.nodes[n];
      for (int d = node.v_begin; d < node.v_begin + node.num_v; ++d) {
        const double* S = r_.kinematics.axis(d);
        const Vec3 w = row_vector(S), v = row_vector(S + 4) + w.cross(arm);
        entry(place.tree, d, sign * (w.dot(turn) + v.dot(direction)), turns ? w.norm() : v.norm());
      }
    }
  }
  // The row of a tendon or actuator times `scale`, and a second one. A row has its columns in ascending
  // order, those of a tree beside each other.
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
      const int column_i = i < end_i ? moments.columns[i] : forest_.num_v,
                column_j = j < end_j ? moments.columns[j] : forest_.num_v;
      const int column = std::min(column_i, column_j);
      double value = 0.0;
      if (column_i == column) value += scale1 * moments.values[i++];
      if (column_j == column) value += scale2 * moments.values[j++];
      entry(tree_of(column), column, value);
    }
  }
  void end(const RowLaw& law, RowOwner owner) {
    problem_.row_laws.back() = law;
    r_.constraints.owners.push_back(owner);
  }
  void end_limit(double phi, RowOwner owner, const RowCompliance& c = {}) {
    if (is_movable()) end(limit_law(options_, r_.h, {phi, bias_, inverse_mass()}, c), owner);
  }
  void end_equality(double phi, RowOwner owner, const RowCompliance& c = {}) {
    if (is_movable()) end(equality_law(options_, r_.h, {phi, bias_, inverse_mass()}, c), owner);
  }
  void end_friction(double force, RowOwner owner) {
    if (is_movable()) end(friction_law(options_, r_.h, inverse_mass(), force), owner);
  }
  // The rate of the next row that comes from outside, not from J v.
  void set_bias(double bias) { bias_ = bias; }
  double rate() const { return rate_; }  // J v of the row so far

 private:
  // `largest`: what the value would be if the motion went straight along the row.
  void entry(int tree, int dof, double value, double largest) {
    if (tree != tree_) problem_.begin_row_part(tree);
    tree_ = tree;
    problem_.add_row_entry(dof - forest_.trees[tree].v_begin, value);
    const Dof& d = forest_.dofs[dof];
    const double mass = r_.mass.rows[d.row + d.depth] + r_.added_diagonal[dof];
    inverse_mass_ += value * value / mass;
    reach_ += largest * largest / mass;
    rate_ += value * now_.v[dof];
  }
  // Whether anything moves along the row; takes the row back if not.
  bool is_movable() {
    constexpr double kRoundOff = 1e-12;  // of the motion
    if (inverse_mass_ > kRoundOff * kRoundOff * reach_) return true;
    problem_.drop_row();
    return false;
  }
  double inverse_mass() const {
    constexpr double kSmallestShare = 1e-3;  // of the motion
    return std::max(inverse_mass_, kSmallestShare * kSmallestShare * reach_);
  }
  static Vec3 row_vector(const double* p) { return Vec3(p[0], p[1], p[2]); }
  int tree_of(int dof) const { return forest_.nodes[forest_.dofs[dof].node].tree; }

  const Forest& forest_;
  const State& now_;
  const ConstraintOptions& options_;
  StepRecord& r_;
  ContactProblem& problem_;
  int tree_ = -1;
  double inverse_mass_ = 0.0, reach_ = 0.0, rate_ = 0.0, bias_ = 0.0;
};

}  // namespace stiction
