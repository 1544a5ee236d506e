#include "stiction/simulation/output/sensor_record.h"

#include <algorithm>
#include <utility>

#include "stiction/simulation/output/row_forces.h"

namespace stiction {
namespace {

// The springs of tendons store 1/2 k d^2, d the distance outside the band in which they are slack.
double tendon_energy(const ActuationModel& actuation, const std::vector<double>& lengths) {
  double energy = 0.0;
  for (const int i : actuation.elastic_tendons) {
    const TendonLaw& law = actuation.tendons[i];
    const double out = std::max({lengths[i] - law.longest, law.shortest - lengths[i], 0.0});
    energy += 0.5 * law.stiffness * out * out;
  }
  return energy;
}

void read_lengths(const Kinematics& kinematics, const State& now, SensorRecord* r, SensorInputs* in) {
  const SensorNeeds& needs = r->model->needs;
  if (!needs.tendons && !needs.actuators) return;
  r->actuation->transmissions.compute(kinematics, now.q.data(), &r->lengths);
  for (std::size_t i = 0; i < r->tendon_velocities.size(); ++i)
    r->tendon_velocities[i] = r->lengths.tendon_rows.dot(static_cast<int>(i), now.v.data());
  for (std::size_t i = 0; i < r->actuator_velocities.size(); ++i)
    r->actuator_velocities[i] = r->lengths.actuator_rows.dot(static_cast<int>(i), now.v.data());
  in->tendon_lengths = r->lengths.tendon_lengths;
  in->tendon_velocities = r->tendon_velocities;
  in->actuator_lengths = r->lengths.actuator_lengths;
  in->actuator_velocities = r->actuator_velocities;
  in->tendon_energy = tendon_energy(*r->actuation, r->lengths.tendon_lengths);
}

// Forces of actuators and of limits, along one row each.
void read_joint_forces(const StepRecord& step, SensorRecord* r, SensorInputs* in) {
  r->joint_actuator_forces = step.actuation.joint_forces;
  for (std::size_t i = 0; i < r->actuator_forces.size(); ++i) {
    const ActuatorRecord& actuator = step.actuation.actuators[i];
    r->actuator_forces[i] = actuator.force;
    if (actuator.is_implicit)
      step.actuation.transmissions.actuator_rows.add(static_cast<int>(i), actuator.force,
                                                     r->joint_actuator_forces.data());
  }
  std::fill(r->joint_limit_forces.begin(), r->joint_limit_forces.end(), 0.0);
  std::fill(r->tendon_limit_forces.begin(), r->tendon_limit_forces.end(), 0.0);
  for_each_row_force(step, [r](const RowOwner& owner, double force, const StepRecord&, int) {
    if (owner.kind == RowKind::limit) r->joint_limit_forces[owner.index] += force;
    if (owner.kind == RowKind::tendon_limit) r->tendon_limit_forces[owner.index] += force;
  });
  in->actuator_forces = r->actuator_forces;
  in->joint_actuator_forces = {r->joint_actuator_forces.data(),
                               static_cast<std::size_t>(r->joint_actuator_forces.size())};
  in->joint_limit_forces = r->joint_limit_forces;
  in->tendon_limit_forces = r->tendon_limit_forces;
}

// Mean acceleration over a step, or over a part of one.
void set_motion(const StepRecord* step, SensorRecord* r) {
  if (step != nullptr)
    r->vdot = (step->v_next - step->v_start) / step->h;
  else
    r->vdot.setZero();
}

void set_contacts(const StepRecord* step, SensorRecord* r) {
  if (step != nullptr)
    contact_forces(*step, &r->contacts);
  else
    r->contacts.clear();
}

// The reactions of one part of a step, or of a motion with vdot = 0 and no contacts.
void set_reactions(const Model& model, const Kinematics& kinematics, const StepRecord* part,
                   SensorRecord* r) {
  set_motion(part, r);
  set_contacts(part, r);
  r->wrenches.clear();
  if (part != nullptr) outside_wrenches(model, *part, r->contacts, &r->tendon_forces, &r->wrenches);
  compute_reactions(model.forest, part != nullptr ? part->kinematics : kinematics, r->vdot.data(),
                    r->wrenches, &r->reactions);
}

}  // namespace

SensorRecord::SensorRecord(const Model& of, std::shared_ptr<const SensorModel> sensor_model,
                           std::shared_ptr<const ActuationModel> actuation_model)
    : model(std::move(sensor_model)),
      actuation(std::move(actuation_model)),
      values(model->num_values, 0.0),
      lengths(actuation->transmissions),
      tendon_velocities(of.elements.tendons.size(), 0.0),
      actuator_velocities(of.elements.actuators.size(), 0.0),
      actuator_forces(of.elements.actuators.size(), 0.0),
      joint_actuator_forces(VecX::Zero(of.num_v())),
      joint_limit_forces(of.forest.joints.size(), 0.0),
      tendon_limit_forces(of.elements.tendons.size(), 0.0),
      vdot(VecX::Zero(of.num_v())),
      reactions(of.forest) {}

void read_sensors(const Model& model, const State& now, const Kinematics& kinematics, const StepRecord* step,
                  int sensor, SensorRecord* record) {
  SensorRecord& r = *record;
  const SensorNeeds& needs = r.model->needs;
  SensorInputs in;
  in.time = now.time;
  in.q = now.q.data();
  in.v = now.v.data();
  in.now = &kinematics;
  read_lengths(kinematics, now, &r, &in);

  if (needs.reactions)
    compute_last_reactions(model, kinematics, step, &r);
  else
    set_motion(step, &r);
  in.start = step != nullptr ? &step->kinematics : &kinematics;
  in.vdot = r.vdot.data();
  if (needs.contacts && !needs.reactions) set_contacts(step, &r);
  in.reactions = &r.reactions;
  in.contacts = r.contacts;
  if (step != nullptr) read_joint_forces(*step, &r, &in);

  if (sensor == kAllSensors)
    compute_sensors(*r.model, model, in, &r.work, r.values.data());
  else
    compute_sensor(*r.model, model, in, sensor, &r.work, r.values.data());
}

void compute_last_reactions(const Model& model, const Kinematics& kinematics, const StepRecord* step,
                            SensorRecord* r) {
  if (step == nullptr || step->parts.empty()) return set_reactions(model, kinematics, step, r);
  // The mean over the parts.
  std::vector<Vec6> mean(r->reactions.of_bodies.size(), Vec6::Zero());
  for_each_part(*step, [&](const StepRecord& part, double share) {
    set_reactions(model, kinematics, &part, r);
    for (std::size_t b = 0; b < mean.size(); ++b) mean[b] += share * r->reactions.of_bodies[b];
  });
  r->reactions.of_bodies = mean;
  set_motion(step, r);
  set_contacts(step, r);
}

}  // namespace stiction
