#pragma once
// The sensors of a model with their names looked up, once per model: what each of them reads, how many
// numbers it returns, and where these are among the values of all sensors.
//
// Kinds have the names and meanings of MJCF (docs/sensors.md). Sensors that are not simulated keep their
// index and return no numbers.

#include <string_view>
#include <vector>

#include "stiction/geometry/shape/collision_shape.h"
#include "stiction/simulation/model/model.h"
#include "stiction/simulation/output/sensor_kinds.h"

namespace stiction {

// A frame on a body.
struct SensorFrame {
  int body = 0;
  Pose X_BF;
  Vec4 turn = Vec4(1, 0, 0, 0);  // orientation of the frame in what moves the body (BodyPlace::X_NB)
};

// A shape that a ray, a distance or a zone refers to.
struct SensorShape {
  int shape = -1;  // in Model::shapes, -1: of a site
  int body = 0;
  Pose X_BS;
  CollisionShape geometry;
};

// The part of a subtree that is fixed to one moving body: its mass properties in the axes of that body.
struct SubtreePart {
  int body = 0;
  Inertia inertia;
};

// A range of entries of one of SensorModel's lists.
struct SensorRange {
  int begin = 0, end = 0;
};

struct ResolvedSensor {
  SensorKind kind = SensorKind::clock;
  SensorData data = SensorData::real;
  bool is_simulated = false;
  int begin = 0, size = 0;           // of its numbers among all values
  double cutoff = 0.0, noise = 0.0;  // 0: none
  int index = -1;                    // joint, tendon or actuator
  SensorFrame object, reference;     // for sensors of frames or sites
  bool has_reference = false;
  SensorRange parts;             // subtree: in SensorModel::parts
  SensorRange actuators;         // tendonactuatorfrc: in SensorModel::actuators
  SensorRange shapes1, shapes2;  // distance: in SensorModel::distance_shapes; rangefinder: 1 in ray_shapes
  int zone = -1;                 // touch, insidesite, contact: in SensorModel::zones
  SensorRange bodies1, bodies2;  // contact: in SensorModel::bodies; empty: any
  int shape1 = -1, shape2 = -1;  // contact: in Model::shapes, -1: any
  unsigned fields = 0;           // contact, rangefinder
  int count = 1;                 // contact: slots
  ContactReduction reduction = ContactReduction::none;
};

// What has to be computed before sensors can be read.
struct SensorNeeds {
  bool tendons = false, actuators = false;  // lengths and velocities now
  bool reactions = false, contacts = false;
};

struct SensorModel {
  // Throws UserError, which names the sensor, if a name does not exist or does not fit.
  explicit SensorModel(const Model& model);

  std::vector<ResolvedSensor> sensors;  // one for each of Elements::sensors
  int num_values = 0;
  SensorNeeds needs;
  bool is_disabled = false;  // MJCF's flag: all values stay zero

  std::vector<SubtreePart> parts;
  std::vector<SensorShape> distance_shapes, ray_shapes, zones;
  std::vector<int> bodies, actuators;
  std::vector<Vec4> node_turns;   // by node: quaternion of NodeConstants::R
  double rest_mass_energy = 0.0;  // J, potential energy of gravity of static bodies

  // Index by name, or by number from 0. Throws UserError.
  int find(const Model& model, std::string_view name) const;
};

}  // namespace stiction
