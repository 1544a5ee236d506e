#pragma once
// Actuators of one joint in one line each. Efforts (N or N m) bound the force; 0: no bound.
//
//   motor             f = control
//   position servo    f = kp (control - q) - kv v
//   velocity servo    f = kv (control - v)
//
// Servos act at the end of the step, within their effort, so that they are stable at any gain.

#include <string>

#include "stiction/simulation/model/elements.h"

namespace stiction {

Actuator motor(const std::string& name, const std::string& joint, double effort = 0.0);
Actuator position_servo(const std::string& name, const std::string& joint, double kp, double kv,
                        double effort = 0.0);
Actuator velocity_servo(const std::string& name, const std::string& joint, double kv, double effort = 0.0);

}  // namespace stiction
