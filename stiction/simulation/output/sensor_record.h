#pragma once
// Sensor values of a running simulation, from the present state and the record of the last step; memory is
// allocated once.

#include <memory>
#include <span>
#include <vector>

#include "stiction/simulation/actuation/actuation.h"
#include "stiction/simulation/output/sensors.h"
#include "stiction/simulation/state.h"

namespace stiction {

struct SensorRecord {
  SensorRecord(const Model& of, std::shared_ptr<const SensorModel> sensor_model,
               std::shared_ptr<const ActuationModel> actuation_model);

  std::shared_ptr<const SensorModel> model;
  std::shared_ptr<const ActuationModel> actuation;
  std::vector<double> values;  // of all sensors; ranges in SensorModel

  std::span<const double> of(int sensor) const {
    const ResolvedSensor& s = model->sensors[sensor];
    return {values.data() + s.begin, static_cast<std::size_t>(s.size)};
  }

  // Scratch memory.
  TransmissionState lengths;
  std::vector<double> tendon_velocities, actuator_velocities, actuator_forces;
  VecX joint_actuator_forces;
  std::vector<double> joint_limit_forces, tendon_limit_forces, tendon_forces;
  std::vector<ContactForce> contacts;
  std::vector<BodyWrench> wrenches;
  VecX vdot;
  Reactions reactions;
  SensorWork work;
};

constexpr int kAllSensors = -1;

// Reads one sensor or all of them at a state with its kinematics, after the step that led to it. Without a
// step (null), accelerations and forces are those of a motion with vdot = 0 and no contacts.
void read_sensors(const Model& model, const State& now, const Kinematics& kinematics, const StepRecord* step,
                  int sensor, SensorRecord* record);

// Computes the reactions of a record (stiction/simulation/output/reactions.h), and their inputs.
void compute_last_reactions(const Model& model, const Kinematics& kinematics, const StepRecord* step,
                            SensorRecord* record);

}  // namespace stiction
