#pragma once
// Loop closures: constraints between two frames on bodies. This is what ball, weld, distance, slot,
// bushing and support have in common.
//
// Rows are along or about axes in the world, of A's motion relative to B's. The common ancestors of both
// frames are left out of J: they move both frames, and the violation, as one rigid body.
//
// The curvature of a row (row_laws.h) comes from the accelerations of both frames at constant v: along a fixed
// axis e it is e . (a_A - a_B), about it e . (alpha_A - alpha_B).

#include "stiction/constraint/row_writer.h"

namespace stiction {

struct LoopClosure {
  AttachedFrame a, b;
  int common = -1;  // the last common ancestor of both nodes, -1: none
  // Whether the forces on B act at the origin of A, wherever that is on B, and not at the origin of B.
  bool acts_at_first = false;
  // Whether the forces on A act at the origin of B, wherever that is on A, and not at the origin of A.
  bool acts_at_second = false;
  // Both ends have the forces at one point.
  bool acts_at_one_point() const { return acts_at_first || acts_at_second; }

  bool is_within_one_node() const { return a.node == b.node; }
};

// Motion of A relative to B: in W, at the origins of both frames, at constant v.
struct RelativeMotion {
  Vec3 velocity = Vec3::Zero();                     // m/s
  Vec3 acceleration = Vec3::Zero();                 // m/s^2
  Vec3 angular_acceleration = Vec3::Zero();         // rad/s^2
  Vec3 w_B = Vec3::Zero(), alpha_B = Vec3::Zero();  // of B itself
};

// Writes the rows of one loop closure.
class LoopClosureRows {
 public:
  LoopClosureRows(const LoopClosure& closure, int index, RowWriter* rows);
  ~LoopClosureRows() { rows_.set_bias(0.0); }
  LoopClosureRows(const LoopClosureRows&) = delete;
  LoopClosureRows& operator=(const LoopClosureRows&) = delete;

  const Pose X_A, X_B;  // of the two frames, in W
  const Vec3 apart;     // m, from B to A
  const Vec3 p_A, p_B;  // where the forces act, in W

  // Begins a row: the velocity of A relative to B along an axis, or about it, times sign.
  void along(const Vec3& axis, double sign);
  void about(const Vec3& axis, double sign);
  // Of the row that was begun. Without it a row is straight.
  void set_curvature(double c) { rows_.set_curvature(c); }
  // At the start of the step.
  RelativeMotion relative_motion() const;
  // Ends the row, as the given component of the constraint.
  void end_equality(double phi, int component, const RowCompliance& c) {
    rows_.end_equality(phi, {RowKind::constraint, index_, component}, c);
  }
  // The same for a spring whose compliance the model gives.
  void end_spring(double phi, int component, const RowCompliance& c) {
    rows_.end_spring(phi, {RowKind::constraint, index_, component}, c);
  }
  void end_limit(double phi, int component, const RowCompliance& c) {
    rows_.end_limit(phi, {RowKind::constraint, index_, component}, c);
  }
  bool end_in_group(int component) { return rows_.end_in_group({RowKind::constraint, index_, component}); }

 private:
  const LoopClosure& closure_;
  int index_;
  RowWriter& rows_;
  Vec6 outside_ = Vec6::Zero();  // prescribed velocity of A relative to B, which is not in J v
};

// (moment, force) of a row along (component < 3) or about an axis.
inline Vec6 axis_wrench(const Vec3& axis, int component, double force) {
  const Vec3 along = force * axis, none = Vec3::Zero();
  return component < 3 ? stack<double>(none, along) : stack<double>(along, none);
}

}  // namespace stiction
