#include "stiction/simulation/constraint/constraint_rows.h"

#include <cmath>

#include "stiction/math/rotation.h"
#include "stiction/multibody/positions.h"
#include "stiction/simulation/constraint/row_writer.h"

namespace stiction {
namespace {

// Is a gap that closes at `rate`, or at the rate of the free motion, near enough to matter in this step?
bool can_reach(double gap, double rate, double free_rate, double h) {
  constexpr double kSteps = 3.0, kNear = 1e-3;  // rad or m: what contacts may add
  return gap < kNear + kSteps * h * std::max({-rate, -free_rate, 0.0});
}

void add_limits(const State& now, const StepRecord& r, RowWriter* rows) {
  const ConstraintRecord& c = r.constraints;
  for (const JointLimit& limit : c.model->limits) {
    bool is_off = false;
    for (const int joint : c.switches.unlimited_joints) is_off = is_off || joint == limit.joint;
    if (is_off) continue;
    if (limit.is_ball) {
      const Vec3 turn = quaternion_log<double>(now.q.segment<4>(limit.q));
      const double angle = turn.norm();
      if (angle < 1e-12) continue;
      // The velocity of a ball joint is in B's axes; the axis of the turn is the same in both.
      const Vec3 axis = turn / angle;
      const double rate = -axis.dot(now.v.segment<3>(limit.dof)),
                   free_rate = -axis.dot(r.v_free.segment<3>(limit.dof));
      if (!can_reach(limit.upper - angle, rate, free_rate, r.h)) continue;
      rows->begin();
      for (int i = 0; i < 3; ++i) rows->entry(limit.tree, limit.dof + i, -axis[i]);
      rows->end_limit(limit.upper - angle, {RowKind::limit, limit.joint, 1});
      continue;
    }
    const double q = now.q[limit.q], v = now.v[limit.dof], free = r.v_free[limit.dof];
    if (can_reach(q - limit.lower, v, free, r.h)) {
      rows->begin();
      rows->entry(limit.tree, limit.dof, 1.0);
      rows->end_limit(q - limit.lower, {RowKind::limit, limit.joint, 0});
    }
    if (can_reach(limit.upper - q, -v, -free, r.h)) {
      rows->begin();
      rows->entry(limit.tree, limit.dof, -1.0);
      rows->end_limit(limit.upper - q, {RowKind::limit, limit.joint, 1});
    }
  }
}

void add_locks(const Model& model, const State& now, StepRecord* r, RowWriter* rows) {
  if (r->constraints.switches.locks.empty()) return;
  const Forest& forest = model.forest;
  // How far every joint is from where it is held, as a velocity over one second.
  VecX& there = r->q_theta;
  there = now.q;
  for (const JointLock& lock : r->constraints.switches.locks) {
    const JointIndices& place = forest.joints[lock.joint];
    for (int i = 0; i < place.num_q; ++i) there[place.q_begin + i] = lock.q[i];
  }
  VecX& off = r->v_theta;
  position_difference(forest, there.data(), now.q.data(), 1.0, off.data());
  for (const JointLock& lock : r->constraints.switches.locks) {
    const JointIndices& place = forest.joints[lock.joint];
    if (place.num_v == 0) continue;
    const int tree = forest.nodes[place.node_begin].tree;
    for (int d = place.v_begin; d < place.v_begin + place.num_v; ++d) {
      rows->begin();
      rows->entry(tree, d, 1.0);
      rows->end_equality(off[d], {RowKind::lock, d, 0});
    }
  }
}

// Value and slope of sum c_i x^i.
std::pair<double, double> polynomial_at(const std::array<double, 5>& c, double x) {
  double value = 0.0, slope = 0.0;
  for (int i = 4; i >= 0; --i) {
    slope = slope * x + value;
    value = value * x + c[i];
  }
  return {value, slope};
}

void add_coupling(const Coupling& coupling, const State& now, const TransmissionState& tendons,
                  const RowCompliance& compliance, int index, RowWriter* rows) {
  const RowOwner owner = {RowKind::constraint, index, 0};
  if (coupling.of_tendons) {
    const double x =
        coupling.second < 0 ? 0.0 : tendons.tendon_lengths[coupling.second] - coupling.reference2;
    const auto [value, slope] = polynomial_at(coupling.polynomial, x);
    rows->begin();
    rows->moment_rows(tendons.tendon_rows, coupling.first, 1.0, coupling.second, -slope);
    rows->end_equality(tendons.tendon_lengths[coupling.first] - coupling.reference1 - value, owner,
                       compliance);
    return;
  }
  const double x = coupling.second < 0 ? 0.0 : now.q[coupling.q2] - coupling.reference2;
  const auto [value, slope] = polynomial_at(coupling.polynomial, x);
  rows->begin();
  rows->entry(coupling.tree1, coupling.first, 1.0);
  if (coupling.second >= 0) rows->entry(coupling.tree2, coupling.second, -slope);
  rows->end_equality(now.q[coupling.q1] - coupling.reference1 - value, owner, compliance);
}

// Velocity at p of a place that is not J v: of a kinematic body, or of what the place's tree hangs on.
Vec6 outside_velocity(const Forest& forest, const Kinematics& kinematics, const AttachedFrame& place,
                      const Vec3& p) {
  const int kinematic = place.node >= 0 ? forest.trees[place.tree].kinematic_base : place.kinematic;
  Vec6 V = Vec6::Zero();
  if (kinematic < 0) return V;
  const PrescribedMotion& motion = kinematics.prescribed[kinematic];
  const Vec3 w = motion.V.head<3>();
  V.head<3>() = w;
  V.tail<3>() = motion.V.tail<3>() + w.cross(p - motion.X_WB.p);
  return V;
}

void add_loop_closure(const Model& model, const LoopClosure& closure, const RowCompliance& compliance, int index,
             const StepRecord& r, RowWriter* rows) {
  const Forest& forest = model.forest;
  if (closure.a.node == closure.b.node) return;  // both fixed to the same
  const Kinematics& kinematics = r.kinematics;
  const Pose X_A = pose_of(kinematics, closure.a), X_B = pose_of(kinematics, closure.b);
  const Vec3 apart = X_A.p - X_B.p, none = Vec3::Zero();
  Vec6 outside = Vec6::Zero();  // rate of A against B
  if (!forest.kinematic_bodies.empty())
    outside = outside_velocity(forest, kinematics, closure.a, X_A.p) -
              outside_velocity(forest, kinematics, closure.b, X_B.p);
  const auto along = [&](const Vec3& axis, double sign) {
    rows->begin();
    rows->chain(closure.a, closure.common, X_A.p, none, axis, sign);
    rows->chain(closure.b, closure.common, X_B.p, none, axis, -sign);
    rows->set_bias(sign * axis.dot(outside.tail<3>()));
  };
  const auto about = [&](const Vec3& axis, double sign) {
    rows->begin();
    rows->chain(closure.a, closure.common, X_A.p, axis, none, sign);
    rows->chain(closure.b, closure.common, X_B.p, axis, none, -sign);
    rows->set_bias(sign * axis.dot(outside.head<3>()));
  };
  const auto owner = [&](int component) { return RowOwner{RowKind::constraint, index, component}; };
  switch (closure.kind) {
    case LoopClosureKind::point:
    case LoopClosureKind::pose: {
      for (int i = 0; i < 3; ++i) {
        along(Vec3::Unit(i), 1.0);
        rows->end_equality(apart[i], owner(i), compliance);
      }
      if (closure.kind == LoopClosureKind::point) break;
      const Vec3 turned = quaternion_log<double>(quaternion_from_rotation(X_A.R * X_B.R.transpose()));
      for (int i = 0; i < 3; ++i) {
        about(Vec3::Unit(i), 1.0);
        rows->end_equality(turned[i], owner(3 + i), compliance);
      }
      break;
    }
    case LoopClosureKind::distance: {
      const double length = apart.norm();
      const Vec3 axis = length > 1e-12 ? Vec3(apart / length) : Vec3::UnitX();
      if (closure.lower == closure.upper) {
        along(axis, 1.0);
        rows->end_equality(length - closure.upper, owner(0), compliance);
        break;
      }
      // One row a side; the one that is far away costs little and pushes nothing.
      along(axis, -1.0);
      rows->end_limit(closure.upper - length, owner(0), compliance);
      if (closure.lower > 0.0) {
        along(axis, 1.0);
        rows->end_limit(length - closure.lower, owner(1), compliance);
      }
      break;
    }
    case LoopClosureKind::bushing: {
      const Vec3 turned = X_A.R * quaternion_log<double>(quaternion_from_rotation(X_A.R.transpose() * X_B.R));
      for (int i = 0; i < 6; ++i) {
        if (closure.springs[i].is_rigid()) continue;  // free that way
        const Vec3 axis = X_A.R.col(i % 3);
        if (i < 3)
          along(axis, -1.0);
        else
          about(axis, -1.0);
        rows->end_equality(i < 3 ? -axis.dot(apart) : axis.dot(turned), owner(i), closure.springs[i]);
      }
      break;
    }
  }
  rows->set_bias(0.0);
}

void add_tendons(const StepRecord& r, RowWriter* rows) {
  const ActuationRecord& actuation = r.actuation;
  const MomentRows& moments = actuation.transmissions.tendon_rows;
  for (const TendonLimit& limit : r.constraints.model->tendon_limits) {
    const int t = limit.tendon;
    if (moments.columns_of(t).empty()) continue;
    const double length = actuation.tendons[t].length, rate = actuation.tendons[t].velocity;
    const double free_rate = moments.dot(t, r.v_free.data());
    if (can_reach(length - limit.lower, rate, free_rate, r.h)) {
      rows->begin();
      rows->moment_row(moments, t, 1.0);
      rows->end_limit(length - limit.lower, {RowKind::tendon_limit, t, 0}, limit.compliance);
    }
    if (can_reach(limit.upper - length, -rate, -free_rate, r.h)) {
      rows->begin();
      rows->moment_row(moments, t, -1.0);
      rows->end_limit(limit.upper - length, {RowKind::tendon_limit, t, 1}, limit.compliance);
    }
  }
  for (const TendonFriction& friction : r.constraints.model->tendon_frictions) {
    if (moments.columns_of(friction.tendon).empty()) continue;
    rows->begin();
    rows->moment_row(moments, friction.tendon, 1.0);
    rows->end_friction(friction.force, {RowKind::tendon_friction, friction.tendon, 0});
  }
}

void add_drives(const StepTheta& theta, const StepRecord& r, RowWriter* rows) {
  const ActuationRecord& actuation = r.actuation;
  for (const int t : actuation.model->elastic_tendons) {
    const TendonRecord& tendon = actuation.tendons[t];
    const bool is_slack = tendon.stiffness == 0.0 && tendon.damping == 0.0;
    if (!tendon.is_implicit || is_slack) continue;
    rows->begin();
    rows->moment_row(actuation.transmissions.tendon_rows, t, 1.0);
    const ForceElement element = {tendon.force, tendon.stiffness, tendon.damping, tendon.velocity};
    rows->end(force_law(element, theta, r.h), {RowKind::tendon_spring, t, 0});
  }
  for (const ImplicitDrive& drive : r.constraints.model->drives) {
    const ActuatorRecord& actuator = actuation.actuators[drive.actuator];
    if (!actuator.is_implicit) continue;
    rows->begin();
    rows->moment_row(actuation.transmissions.actuator_rows, drive.actuator, 1.0);
    const ForceElement element = {actuator.free_force, actuator.stiffness, actuator.damping,
                                  actuator.velocity,   drive.lower,        drive.upper};
    rows->end(force_law(element, theta, r.h), {RowKind::actuator, drive.actuator, 0});
  }
}

}  // namespace

void choose_implicit_drives(const StepTheta& theta, StepRecord* r) {
  ActuationRecord& actuation = r->actuation;
  const bool is_implicit = theta.theta > 0.0;
  for (const int t : actuation.model->elastic_tendons)
    actuation.tendons[t].is_implicit =
        is_implicit && !actuation.transmissions.tendon_rows.columns_of(t).empty();
  for (const ImplicitDrive& drive : r->constraints.model->drives)
    actuation.actuators[drive.actuator].is_implicit = is_implicit;
}

void report_drives(StepRecord* r) {
  for (std::size_t i = 0; i < r->constraints.owners.size(); ++i) {
    const RowOwner& owner = r->constraints.owners[i];
    const double force = row_force(*r, static_cast<int>(i));
    if (owner.kind == RowKind::actuator) r->actuation.actuators[owner.index].force = force;
    if (owner.kind == RowKind::tendon_spring) r->actuation.tendons[owner.index].force = force;
  }
}

void add_constraint_rows(const Model& model, const State& now, const ConstraintOptions& options,
                         const StepTheta& theta, StepRecord* r) {
  r->contact.problem.clear_rows();
  ConstraintRecord& c = r->constraints;
  c.owners.clear();
  RowWriter rows(model, now, options, r);
  add_limits(now, *r, &rows);
  for (const DryFriction& f : c.model->frictions) {
    rows.begin();
    rows.entry(f.tree, f.dof, 1.0);
    rows.end_friction(f.force, {RowKind::friction, f.dof, 0});
  }
  add_locks(model, now, r, &rows);
  for (std::size_t i = 0; i < c.model->constraints.size(); ++i) {
    const Constraint& constraint = c.model->constraints[i];
    const bool active = c.switches.active.empty() ? constraint.active : c.switches.active[i] != 0;
    if (!active) continue;
    const int index = static_cast<int>(i);
    if (constraint.is_loop_closure) {
      add_loop_closure(model, c.model->loop_closures[constraint.index], constraint.compliance, index, *r, &rows);
    } else {
      add_coupling(c.model->couplings[constraint.index], now, r->actuation.transmissions,
                   constraint.compliance, index, &rows);
    }
  }
  add_tendons(*r, &rows);
  add_drives(theta, *r, &rows);
}

double row_force(const StepRecord& r, int row) { return r.contact.solution.row_impulses[row] / r.h; }

Vec6 constraint_force(const StepRecord& r, RowKind kind, int index) {
  Vec6 force = Vec6::Zero();
  for (std::size_t i = 0; i < r.constraints.owners.size(); ++i) {
    const RowOwner& owner = r.constraints.owners[i];
    if (owner.kind == kind && owner.index == index)
      force[owner.component] += row_force(r, static_cast<int>(i));
  }
  return force;
}

Vec6 row_joint_forces(const StepRecord& r, RowKind kind, int v_begin, int num_v) {
  const ContactProblem& problem = r.contact.problem;
  Vec6 tau = Vec6::Zero();
  for (std::size_t i = 0; i < r.constraints.owners.size(); ++i) {
    if (r.constraints.owners[i].kind != kind) continue;
    const RowPart& part = problem.row_parts[problem.rows[i].part_begin];
    for (int e = part.begin; e < part.end; ++e) {
      const int d = problem.trees[part.tree].v_begin + problem.row_dofs[e] - v_begin;
      if (d >= 0 && d < num_v) tau[d] += problem.row_values[e] * row_force(r, static_cast<int>(i));
    }
  }
  return tau;
}

void row_joint_forces(const StepRecord& r, VecX* tau) {
  const ContactProblem& problem = r.contact.problem;
  tau->setZero(problem.v_free.size());
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    const double force = row_force(r, static_cast<int>(i));
    for (int p = problem.rows[i].part_begin; p < problem.rows[i].part_end; ++p) {
      const RowPart& part = problem.row_parts[p];
      for (int e = part.begin; e < part.end; ++e)
        (*tau)[problem.trees[part.tree].v_begin + problem.row_dofs[e]] += problem.row_values[e] * force;
    }
  }
}

}  // namespace stiction
