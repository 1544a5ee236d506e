#pragma once
// The values of a model's sensors, as a pure function of a state and of a step.
//
// Positions and velocities are read at q and v. Accelerations and forces are those of a step: at the
// kinematics of its start, with its vdot and its forces, for which Newton's law holds exactly. When sensors
// are compared with a reference both are the same instant; in a World the first is the present state, the
// second the last step.
//
// cutoff: real numbers are clamped to +- cutoff, positive ones to at most cutoff; axes and quaternions are
// not clamped. Distance sensors use it in their own way (sensor_geometry.h), contact sensors not at all.
// Noise is not part of the values; add_sensor_noise() adds it.

#include <cstdint>
#include <span>
#include <vector>

#include "stiction/simulation/output/contact_forces.h"
#include "stiction/simulation/output/reactions.h"
#include "stiction/simulation/output/sensor_model.h"

namespace stiction {

// Empty spans read as zeros.
struct SensorInputs {
  // At the present state.
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
  const Reactions* reactions = nullptr;  // if SensorNeeds::reactions
  std::span<const ContactForce> contacts;
  std::span<const double> actuator_forces;        // N or N m, by actuator
  std::span<const double> joint_actuator_forces;  // by velocity: sum over all actuators
  std::span<const double> joint_limit_forces;     // by joint, not negative
  std::span<const double> tendon_limit_forces;    // by tendon, not negative
};

// Scratch memory.
struct SensorWork {
  std::vector<int> matches;
};

// `values` has room for the numbers of all sensors; computes one sensor, or all of them.
void compute_sensor(const SensorModel& sensors, const Model& model, const SensorInputs& inputs, int sensor,
                    SensorWork* work, double* values);
void compute_sensors(const SensorModel& sensors, const Model& model, const SensorInputs& inputs,
                     SensorWork* work, double* values);

// Adds noise of a sensor's standard deviation, a function of the seed, the time and the sensor's index only:
// normal noise on real numbers; the same on positive ones, followed by the absolute value; axes and
// quaternions are rotated about a random axis by a normally distributed angle (rad).
void add_sensor_noise(const SensorModel& sensors, std::uint64_t seed, double time, int sensor,
                      double* values);

}  // namespace stiction
