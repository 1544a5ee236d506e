// Actuators and tendons of a model with all names looked up.

#include <algorithm>
#include <string_view>

#include "stiction/base/check.h"
#include "stiction/simulation/actuation/actuation.h"
#include "stiction/simulation/actuation/reference_mass.h"

namespace stiction {
namespace {

bool is_off(const Model& model, std::string_view flag) {
  const std::vector<std::string>& off = model.elements.options.disabled;
  return std::find(off.begin(), off.end(), flag) != off.end();
}

ActivationKind activation_kind(const std::string& dynamics) {
  if (dynamics == "integrator") return ActivationKind::integrator;
  if (dynamics == "filter") return ActivationKind::filter;
  if (dynamics == "filterexact") return ActivationKind::filter_exact;
  if (dynamics == "muscle") return ActivationKind::muscle;
  return ActivationKind::none;
}

void set_bounds(const Range& range, double* lower, double* upper) {
  if (!range.limited) return;
  *lower = range.lower;
  *upper = range.upper;
}

TendonLaw tendon_law(const Model& model, const Tendon& tendon) {
  TendonLaw law;
  law.stiffness = is_off(model, "spring") ? 0.0 : tendon.stiffness;
  law.damping = tendon.damping;
  for (const Actuator& actuator : model.elements.actuators)
    if (actuator.transmission == TransmissionKind::tendon && actuator.target == tendon.name)
      law.damping += actuator.gear[0] * actuator.gear[0] * actuator.damping;
  if (is_off(model, "damper")) law.damping = 0.0;
  law.shortest = tendon.spring_length[0];
  law.longest = tendon.spring_length[1];
  law.bounds_force = tendon.force_range.limited;
  set_bounds(tendon.force_range, &law.lowest_force, &law.highest_force);
  return law;
}

ActuatorLaw actuator_law(const Model& model, const Actuator& actuator, bool clamps_controls) {
  const std::vector<int>& groups = model.elements.options.disabled_actuator_groups;
  ActuatorLaw law;
  law.acts = actuator.active && missing_part(actuator).empty() && !is_off(model, "actuation") &&
             std::find(groups.begin(), groups.end(), actuator.group) == groups.end();
  law.is_early = actuator.early_activation;
  law.dynamics = activation_kind(actuator.dynamics);
  std::copy_n(actuator.dynamics_parameters.begin(), 3, law.dynamics_parameters.begin());
  law.gain[0] = actuator.gain_parameters[0];
  if (actuator.gain == "affine") std::copy_n(actuator.gain_parameters.begin(), 3, law.gain.begin());
  if (actuator.bias == "affine") std::copy_n(actuator.bias_parameters.begin(), 3, law.bias.begin());
  if (clamps_controls) set_bounds(actuator.control, &law.lowest_control, &law.highest_control);
  set_bounds(actuator.force, &law.lowest_force, &law.highest_force);
  set_bounds(actuator.activation, &law.lowest_activation, &law.highest_activation);
  return law;
}

bool is_servo(const Actuator& actuator) {
  return actuator.gain == "fixed" && actuator.bias == "affine" &&
         actuator.gain_parameters[0] == -actuator.bias_parameters[1];
}

}  // namespace

std::string missing_part(const Actuator& actuator) {
  const auto is_one_of = [](const std::string& word, std::initializer_list<const char*> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (!is_one_of(actuator.gain, {"fixed", "affine", "muscle"})) return "the gain '" + actuator.gain + "'";
  if (!is_one_of(actuator.bias, {"none", "affine", "muscle"})) return "the bias '" + actuator.bias + "'";
  if (!is_one_of(actuator.dynamics, {"none", "integrator", "filter", "filterexact", "muscle"}))
    return "the dynamics '" + actuator.dynamics + "'";
  const bool gains_as_muscle = actuator.gain == "muscle", is_biased_as_muscle = actuator.bias == "muscle";
  if (gains_as_muscle != is_biased_as_muscle) return "half a muscle: either its gain or its bias";
  if (gains_as_muscle && !(actuator.length_range[0] < actuator.length_range[1]))
    return "a muscle without the range of its lengths";
  return {};
}

ActuationModel::ActuationModel(const Model& model) : transmissions(model) {
  for (const Tendon& tendon : model.elements.tendons) {
    const int index = static_cast<int>(tendons.size());
    tendons.push_back(tendon_law(model, tendon));
    if (tendons.back().stiffness != 0.0 || tendons.back().damping != 0.0) elastic_tendons.push_back(index);
    if (tendons.back().bounds_force) bounded_tendons.push_back(index);
  }
  const bool clamps_controls = !is_off(model, "clampctrl");
  std::vector<double> accelerations;  // by unit forces of the actuators
  for (std::size_t i = 0; i < model.elements.actuators.size(); ++i) {
    const Actuator& actuator = model.elements.actuators[i];
    ActuatorLaw law = actuator_law(model, actuator, clamps_controls);
    if (has_activation(actuator)) law.activation = num_activations++;
    if (law.acts && actuator.transmission == TransmissionKind::body)
      adhesive_bodies.push_back({static_cast<int>(i), model.body(actuator.target)});
    if (is_servo(actuator)) law.period = transmissions.period(static_cast<int>(i));
    if (law.acts && actuator.gain == "muscle") {
      if (accelerations.empty()) accelerations = reference_accelerations(model, transmissions);
      law.muscle = static_cast<int>(muscles.size());
      muscles.push_back(make_muscle(actuator.gain_parameters, actuator.length_range, accelerations[i]));
    }
    actuators.push_back(law);
  }
  for (const JointActuation& item : model.elements.joint_actuation) {
    const JointIndices& place = model.forest.joints[model.joint(item.joint)];
    if (item.force.limited && place.num_v == 1)
      joint_bounds.push_back({place.v_begin, item.force.lower, item.force.upper});
    for (int d = 0; item.compensates_gravity && d < place.num_v; ++d)
      compensating_dofs.push_back(place.v_begin + d);
  }
  // The effort limit of a joint bounds its actuators if the model file gives them no range.
  for (std::size_t j = 0; j < model.forest.joints.size(); ++j) {
    const JointIndices& place = model.forest.joints[j];
    const double effort = model.forest.joint(static_cast<int>(j)).effort_limit;
    const bool is_bounded = std::any_of(joint_bounds.begin(), joint_bounds.end(),
                                        [&](const auto& bounds) { return bounds.dof == place.v_begin; });
    if (effort > 0.0 && place.num_v == 1 && !is_bounded)
      joint_bounds.push_back({place.v_begin, -effort, effort});
  }
}

}  // namespace stiction
