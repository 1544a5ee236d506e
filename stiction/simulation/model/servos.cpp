#include "stiction/simulation/model/servos.h"

#include <cmath>

#include "stiction/base/check.h"

namespace stiction {
namespace {

void check_gain(const std::string& name, const char* what, double gain) {
  STICTION_USER_CHECK(std::isfinite(gain) && gain >= 0.0,
                      "actuator '{}': its {} {} must be finite and not negative", name, what, gain);
}

}  // namespace

Actuator motor(const std::string& name, const std::string& joint, double effort) {
  check_gain(name, "effort", effort);
  Actuator actuator;
  actuator.name = name;
  actuator.target = joint;
  if (effort > 0.0) actuator.force = {true, -effort, effort};
  return actuator;
}

Actuator position_servo(const std::string& name, const std::string& joint, double kp, double kv,
                        double effort) {
  check_gain(name, "gain", kp);
  check_gain(name, "damping", kv);
  Actuator actuator = motor(name, joint, effort);
  actuator.gain_parameters = {kp};
  actuator.bias = "affine";
  actuator.bias_parameters = {0.0, -kp, -kv};
  return actuator;
}

Actuator velocity_servo(const std::string& name, const std::string& joint, double kv, double effort) {
  check_gain(name, "gain", kv);
  Actuator actuator = motor(name, joint, effort);
  actuator.gain_parameters = {kv};
  actuator.bias = "affine";
  actuator.bias_parameters = {0.0, 0.0, -kv};
  return actuator;
}

}  // namespace stiction
