#pragma once
// The values of a model's sensors: a pure function of where everything is and of what a step did.
//
// Places and velocities are read at q and v, accelerations and forces in a step: at the kinematics of its
// start, under its vdot and its forces, where Newton's law holds among them exactly. In an oracle both are
// the same instant; in a World the first is now, the second the last step.
//
// cutoff: real numbers are kept within +- cutoff, positive ones below it, axes and quaternions are as they
// are; a distance has its own meaning of it (sensor_geometry.h), and contacts have none. Noise is not part of
// the values; add_sensor_noise() puts it on.

#include <cstdint>
#include <span>
#include <vector>

#include "stiction/simulation/output/contact_forces.h"
#include "stiction/simulation/output/reactions.h"
#include "stiction/simulation/output/sensor_model.h"

namespace stiction {

// Empty spans read as zeros.
struct SensorInputs {
  // Now.
  double time = 0.0;  // s
  const double* q = nullptr;
  const double* v = nullptr;
  const Kinematics* now = nullptr;  // at q, v
  std::span<const double> tendon_lengths, tendon_velocities;
  std::span<const double> actuator_lengths, actuator_velocities;
  double tendon_energy = 0.0;  // J, in the springs of tendons

  // In the step.
  const Kinematics* start = nullptr;
  const double* vdot = nullptr;
  const Reactions* reactions = nullptr;  // where SensorNeeds::reactions
  std::span<const ContactForce> contacts;
  std::span<const double> actuator_forces;        // N or N m, by actuator
  std::span<const double> joint_actuator_forces;  // by velocity: what all actuators do to it
  std::span<const double> joint_limit_forces;     // by joint, not negative
  std::span<const double> tendon_limit_forces;    // by tendon, not negative
};

// Work space.
struct SensorWork {
  std::vector<int> matches;
};

// `values` is where the numbers of all sensors are; one sensor, or all of them.
void compute_sensor(const SensorModel& sensors, const Model& model, const SensorInputs& inputs, int sensor,
                    SensorWork* work, double* values);
void compute_sensors(const SensorModel& sensors, const Model& model, const SensorInputs& inputs,
                     SensorWork* work, double* values);

// Adds to a sensor the noise it has (a standard deviation), from a seed, the time and its own number alone:
// normal numbers on real ones, the same with the result's absolute value on positive ones; axes and
// quaternions are turned about a random axis by a normal angle (rad).
void add_sensor_noise(const SensorModel& sensors, std::uint64_t seed, double time, int sensor,
                      double* values);

}  // namespace stiction
