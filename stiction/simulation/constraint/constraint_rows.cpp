#include "stiction/simulation/constraint/constraint_rows.h"

#include <algorithm>

namespace stiction {
namespace {

bool contains(const std::vector<int>& list, int item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

bool is_bushing(const Constraint& constraint) {
  return std::holds_alternative<BushingSprings>(constraint.what);
}

}  // namespace

void choose_implicit_drives(const ConstraintModel& constraints, const ActuationModel& model,
                            const StepTheta& theta, ActuationRecord* actuation) {
  const bool is_implicit = theta.theta > 0.0;
  for (const int t : model.elastic_tendons)
    actuation->tendons[t].is_implicit =
        is_implicit && !actuation->transmissions.tendon_rows.columns_of(t).empty();
  for (const ImplicitDrive& drive : constraints.drives)
    actuation->actuators[drive.actuator].is_implicit = is_implicit;
}

void add_force_rows(const ConstraintModel& constraints, const ConstraintSwitches& switches,
                    const ActuationModel& model, const ActuationRecord& actuation, const RowInputs& inputs,
                    ContactProblem* problem, ConstraintRecord* record) {
  RowWriter rows(inputs, problem, &record->owners);
  const TransmissionState& lengths = actuation.transmissions;
  for (std::size_t i = 0; i < constraints.constraints.size(); ++i) {
    const Constraint& constraint = constraints.constraints[i];
    if (is_bushing(constraint) && constraints.is_active(switches, i))
      write_rows(constraint, {lengths.tendon_lengths, lengths.tendon_rows}, static_cast<int>(i), &rows);
  }
  for (const int t : model.elastic_tendons) {
    const TendonRecord& tendon = actuation.tendons[t];
    const bool is_slack = tendon.stiffness == 0.0 && tendon.damping == 0.0;
    if (!tendon.is_implicit || is_slack) continue;
    const ForceElement element = {tendon.force, tendon.stiffness, tendon.damping, tendon.velocity};
    write_rows(element, lengths.tendon_rows, {RowKind::tendon_spring, t, 0}, &rows);
  }
  for (const ImplicitDrive& drive : constraints.drives) {
    const ActuatorRecord& actuator = actuation.actuators[drive.actuator];
    if (!actuator.is_implicit) continue;
    const ForceElement element = {actuator.free_force, actuator.stiffness, actuator.damping,
                                  actuator.velocity,   drive.lower,        drive.upper};
    write_rows(element, lengths.actuator_rows, {RowKind::actuator, drive.actuator, 0}, &rows);
  }
}

RowRecovery row_recovery(const ContactOptions& contact) {
  if (!is_rigid(contact.law) && !is_geometric(contact.law)) return {};
  return {contact.rigid.penetration_recovery, contact.rigid.fastest_recovery};
}

double free_impulse(const ContactProblem& problem, int row, const VecX& v_free) {
  const RowLaw& law = problem.row_laws[row];
  double u = 0.0;
  for (int p = problem.rows[row].part_begin; p < problem.rows[row].part_end; ++p) {
    const RowPart& part = problem.row_parts[p];
    for (int e = part.begin; e < part.end; ++e)
      u += problem.row_values[e] * v_free[problem.trees[part.tree].v_begin + problem.row_dofs[e]];
  }
  return std::clamp(law.offset - law.slope * u, law.lower, law.upper);
}

void add_constraint_rows(const ConstraintModel& constraints, const ConstraintSwitches& switches,
                         const ActuationModel& model, const ActuationRecord& actuation,
                         const RowInputs& inputs, const ForceRowsThere* there, LockScratch* scratch,
                         ContactProblem* problem, ConstraintRecord* record) {
  problem->clear_rows();
  record->owners.clear();
  record->in_free_motion.clear();
  RowWriter rows(inputs, problem, &record->owners);
  // Joints.
  for (const JointLimit& limit : constraints.limits)
    if (!contains(switches.unlimited_joints, limit.joint)) write_rows(limit, &rows);
  for (const JointFriction& friction : constraints.frictions) write_rows(friction, &rows);
  write_rows(switches.locks, scratch, &rows);
  // Constraints that can be switched by name.
  const TransmissionState& lengths = actuation.transmissions;
  for (std::size_t i = 0; i < constraints.constraints.size(); ++i) {
    const Constraint& constraint = constraints.constraints[i];
    if (!is_bushing(constraint) && constraints.is_active(switches, i))
      write_rows(constraint, {lengths.tendon_lengths, lengths.tendon_rows}, static_cast<int>(i), &rows);
  }
  // Tendons.
  for (const TendonLimit& limit : constraints.tendon_limits) {
    const TendonRecord& tendon = actuation.tendons[limit.tendon];
    write_rows(limit, lengths.tendon_rows, tendon.length, tendon.velocity, &rows);
  }
  for (const TendonFriction& friction : constraints.tendon_frictions)
    write_rows(friction, lengths.tendon_rows, &rows);
  // Bushings, springs of tendons, drives.
  if (there == nullptr) {
    add_force_rows(constraints, switches, model, actuation, inputs, problem, record);
    return;
  }
  // Those that are in the free motion already: what contact changes of them.
  const std::size_t first = record->owners.size();
  add_force_rows(constraints, switches, model, there->actuation, there->inputs, problem, record);
  record->in_free_motion.assign(record->owners.size(), 0.0);
  for (std::size_t i = first; i < record->owners.size(); ++i) {
    const double impulse = free_impulse(*problem, static_cast<int>(i), inputs.v_free);
    record->in_free_motion[i] = impulse;
    RowLaw& law = problem->row_laws[i];
    law.offset -= impulse;
    law.lower -= impulse;
    law.upper -= impulse;
  }
}

void report_drives(const ConstraintRecord& constraints, const std::vector<double>& row_impulses, double h,
                   ActuationRecord* actuation) {
  for (std::size_t i = 0; i < constraints.owners.size(); ++i) {
    const RowOwner& owner = constraints.owners[i];
    const double force = (constraints.free_impulse(i) + row_impulses[i]) / h;
    if (owner.kind == RowKind::actuator) actuation->actuators[owner.index].force = force;
    if (owner.kind == RowKind::tendon_spring) actuation->tendons[owner.index].force = force;
  }
}

}  // namespace stiction
