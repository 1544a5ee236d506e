#include "stiction/io/mjcf/reference.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>

#include "stiction/base/check.h"
#include "stiction/simulation/actuation/reference_mass.h"

namespace stiction {
namespace {

// The actuator itself, or, for one with three directions of rotation, one of them.
std::vector<Actuator> outputs_of(const Actuator& actuator) {
  if (actuator.gain != "so3") return {actuator};
  std::vector<Actuator> outputs(3, actuator);
  const std::size_t begin = actuator.transmission == TransmissionKind::site ? 3 : 0;
  for (std::size_t i = 0; i < 3; ++i) {
    outputs[i].gear = {};
    outputs[i].gear[begin + i] = 1.0;
  }
  return outputs;
}

}  // namespace

void set_spring_dampers(const Model& model, MjcfScene* scene) {
  if (scene->spring_dampers.empty()) return;
  std::unordered_map<std::string, Joint*> joints;
  for (MjcfBody& body : scene->bodies)
    for (Joint& joint : body.body.joints) joints[joint.name] = &joint;
  const ReferenceMass mass(model);
  for (const SpringDamper& wanted : scene->spring_dampers) {
    const JointIndices& place = model.forest.joints[std::size_t(model.joint(wanted.joint))];
    double trace = 0.0;
    for (int d = place.v_begin; d < place.v_begin + place.num_v; ++d)
      trace += mass.solved(VecX::Unit(model.forest.num_v, d))[d];
    const double inertia = place.num_v / trace, T = wanted.time_constant, r = wanted.damping_ratio;
    joints.at(wanted.joint)->stiffness = per_dof(inertia / (T * T * r * r));
    joints.at(wanted.joint)->damping = per_dof(2.0 * inertia / T);
  }
}

void set_damping_ratios(Model* model) {
  std::vector<Actuator>& actuators = model->elements.actuators;
  const auto has_ratio = [](const Actuator& actuator) { return actuator.damping_ratio > 0.0; };
  if (std::none_of(actuators.begin(), actuators.end(), has_ratio)) return;

  Model outputs = *model;
  outputs.elements.actuators.clear();
  for (const Actuator& actuator : actuators)
    for (const Actuator& output : outputs_of(actuator)) outputs.elements.actuators.push_back(output);
  ReferenceMass mass(*model);
  const Transmissions transmissions(outputs);
  TransmissionState at_q0(transmissions);
  transmissions.compute(mass.kinematics(), model->q0.data(), &at_q0);
  mass.add_tendons(*model, at_q0.tendon_rows);
  int index = 0;
  for (Actuator& actuator : actuators) {
    const int count = int(outputs_of(actuator).size());
    double sum = 0.0;
    for (int i = 0; i < count; ++i, ++index) {
      if (!has_ratio(actuator)) continue;
      const VecX moment = at_q0.actuator_rows.dense(index, model->num_v());
      sum += moment.dot(mass.solved(moment));
    }
    if (!has_ratio(actuator)) continue;
    STICTION_USER_CHECK(sum > 0.0, "actuator '{}': dampratio needs something to move", actuator.name);
    const double m = count / sum, kp = -actuator.bias_parameters[1];
    actuator.bias_parameters[2] = -2.0 * actuator.damping_ratio * std::sqrt(kp * m);
    actuator.damping_ratio = 0.0;
  }
}

void set_spring_lengths(Model* model) {
  std::vector<Tendon>& tendons = model->elements.tendons;
  const auto is_open = [](const Tendon& tendon) { return tendon.spring_length[0] < 0.0; };
  if (std::none_of(tendons.begin(), tendons.end(), is_open)) return;
  VecX q = model->q0;
  for (std::size_t j = 0; j < model->forest.joints.size(); ++j)
    if (model->forest.joints[j].num_q == 1)
      q[model->forest.joints[j].q_begin] = model->forest.joint(int(j)).neutral[0];
  Kinematics kinematics(model->forest);
  compute_positions(model->forest, q.data(), &kinematics);
  const Transmissions transmissions(*model);
  TransmissionState state(transmissions);
  transmissions.compute(kinematics, q.data(), &state);
  for (std::size_t t = 0; t < tendons.size(); ++t)
    if (is_open(tendons[t])) tendons[t].spring_length = {state.tendon_lengths[t], state.tendon_lengths[t]};
}

}  // namespace stiction
