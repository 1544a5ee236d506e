#include <algorithm>
#include <cmath>

#include "stiction/io/mjcf/export/parts.h"

namespace stiction {
namespace {

using Parameters = std::array<double, 10>;

// Trailing zeros say nothing, and neither does the default; a single 0 takes the place of the default's 1.
void set_parameters(const char* attribute, const Parameters& values, const Parameters& usual,
                    MjcfNode* node) {
  if (values == usual) return;
  std::size_t count = values.size();
  while (count > 1 && values[count - 1] == 0.0) --count;
  node->set(attribute, std::span<const double>(values.data(), count));
}

// A servo whose damping is given as a ratio, which only the shortcuts have: position, or intvelocity.
bool is_servo_with_ratio(const Actuator& actuator) {
  const bool known =
      actuator.dynamics == "none" || actuator.dynamics == "filterexact" || actuator.dynamics == "integrator";
  return actuator.damping_ratio > 0.0 && actuator.gain == "fixed" && actuator.bias == "affine" && known;
}

void write_servo(const Actuator& actuator, MjcfNode* node) {
  node->set("kp", actuator.gain_parameters[0]).set("dampratio", actuator.damping_ratio);
  if (actuator.dynamics == "filterexact") node->set("timeconst", actuator.dynamics_parameters[0]);
}

void write_law(const Actuator& actuator, MjcfExport* out, MjcfNode* node) {
  std::string gain = actuator.gain, bias = actuator.bias, dynamics = actuator.dynamics;
  Parameters gains = actuator.gain_parameters, biases = actuator.bias_parameters;
  if (gain == "pid") {
    gain = "fixed";
    dynamics = "none";
    gains = {-biases[1]};
    out->approximate("general", "gaintype", actuator.name, "only the position and velocity parts of a pid");
  } else if (gain == "so3" || gain == "dcmotor") {
    gain = "fixed";
    bias = dynamics = "none";
    gains = biases = {};
    out->ignore("general", "gaintype", actuator.name, "its law is not in the model: written without force");
  }
  if (actuator.damping_ratio > 0.0)
    out->ignore("general", "biasprm", actuator.name, "only a position servo has a damping ratio");
  node->set_unless("gaintype", gain, std::string("fixed"));
  node->set_unless("biastype", bias, std::string("none"));
  node->set_unless("dyntype", dynamics, std::string("none"));
  const Actuator usual;
  set_parameters("gainprm", gains, usual.gain_parameters, node);
  set_parameters("biasprm", biases, usual.bias_parameters, node);
  set_parameters("dynprm", actuator.dynamics_parameters, usual.dynamics_parameters, node);
  if (actuator.early_activation) node->set("actearly", true);
}

bool write_transmission(const Actuator& actuator, MjcfExport* out, MjcfNode* node) {
  const auto refer = [&](const char* attribute, const char* kind, const std::string& name) {
    return out->refer(attribute, kind, name, actuator.name, node);
  };
  switch (actuator.transmission) {
    case TransmissionKind::joint:
      return refer("joint", "joint", actuator.target);
    case TransmissionKind::joint_in_parent:
      return refer("jointinparent", "joint", actuator.target);
    case TransmissionKind::tendon:
      return refer("tendon", "tendon", actuator.target);
    case TransmissionKind::body:
      return refer("body", "body", actuator.target);
    case TransmissionKind::site:
      return refer("site", "site", actuator.target) &&
             (actuator.reference_site.empty() || refer("refsite", "site", actuator.reference_site));
    case TransmissionKind::slider_crank:
      node->set("cranklength", actuator.crank_length);
      return refer("cranksite", "site", actuator.target) && refer("slidersite", "site", actuator.slider_site);
  }
  return false;
}

bool write_actuator(const Actuator& actuator, MjcfExport* out, MjcfNode* node) {
  const Actuator usual;
  if (!write_transmission(actuator, out, node)) return false;
  out->set_name("actuator", actuator.name, node);
  node->set_unless("gear", actuator.gear, usual.gear);
  if (is_servo_with_ratio(actuator))
    write_servo(actuator, node);
  else
    write_law(actuator, out, node);
  set_range("ctrlrange", "ctrllimited", actuator.control, actuator.name, out, node);
  set_range("forcerange", "forcelimited", actuator.force, actuator.name, out, node);
  if (node->tag != "position")
    set_range("actrange", "actlimited", actuator.activation, actuator.name, out, node);
  node->set_unless("lengthrange", actuator.length_range, usual.length_range);
  node->set_unless("armature", actuator.armature, 0.0);
  node->set_unless("damping", actuator.damping, 0.0);
  node->set_unless("group", actuator.group, 0);
  if (actuator.delay > 0.0) {
    // A buffer long enough for the delay.
    const double steps = actuator.delay / out->model.elements.options.timestep;
    constexpr double kRoundOff = 1e-9;
    node->set("delay", actuator.delay).set("nsample", std::max(1, int(std::ceil(steps - kRoundOff))));
  }
  return true;
}

}  // namespace

void write_actuators(MjcfExport* out, MjcfNode* section) {
  for (const Actuator& actuator : out->model.elements.actuators) {
    const char* tag = !is_servo_with_ratio(actuator)      ? "general"
                      : actuator.dynamics == "integrator" ? "intvelocity"
                                                          : "position";
    if (!write_actuator(actuator, out, &section->add(tag)))
      section->children.pop_back();
    else if (!actuator.active)
      out->approximate("actuator", "", actuator.name, "is off; in MJCF it acts");
  }
}

}  // namespace stiction
