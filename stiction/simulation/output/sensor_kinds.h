#pragma once
// The one list of sensor kinds, by their MJCF names: what they read, how many numbers they return and of
// which type.

#include <cstdint>
#include <string>
#include <vector>

#include "stiction/simulation/model/elements.h"

namespace stiction {

enum class SensorKind : std::uint8_t {
  touch,
  accelerometer,
  velocimeter,
  gyro,
  force,
  torque,
  magnetometer,
  rangefinder,
  jointpos,
  jointvel,
  tendonpos,
  tendonvel,
  actuatorpos,
  actuatorvel,
  actuatorfrc,
  jointactuatorfrc,
  tendonactuatorfrc,
  ballquat,
  ballangvel,
  jointlimitpos,
  jointlimitvel,
  jointlimitfrc,
  tendonlimitpos,
  tendonlimitvel,
  tendonlimitfrc,
  framepos,
  framequat,
  framexaxis,
  frameyaxis,
  framezaxis,
  framelinvel,
  frameangvel,
  framelinacc,
  frameangacc,
  subtreecom,
  subtreelinvel,
  subtreeangmom,
  insidesite,
  distance,
  normal,
  fromto,
  contact,
  e_potential,
  e_kinetic,
  clock,
};

// The type of the numbers, which determines how cutoff and noise apply.
enum class SensorData : std::uint8_t { real, positive, axis, quaternion };

struct SensorKindRow {
  const char* word;
  SensorKind kind;
  int size;  // 0: depends on its fields
  SensorData data;
};

// nullptr: this kind is not simulated.
const SensorKindRow* find_sensor_kind(const std::string& word);

// The fields of a contact or of a ray, in MJCF's order; bits of ResolvedSensor::fields.
enum ContactField {
  kContactFound,
  kContactForce,
  kContactTorque,
  kContactDist,
  kContactPos,
  kContactNormal,
  kContactTangent,
  kContactLinvel,
  kContactAngvel
};
enum RayField { kRayDist, kRayDir, kRayOrigin, kRayPoint, kRayNormal, kRayDepth };
enum class ContactReduction : std::uint8_t { none, mindist, maxforce, netforce };

// The bits of the fields in a sensor's data (the first field if none is given), and the number of values.
// Throws UserError for an unknown field or one out of order.
struct SensorFields {
  unsigned bits = 0;
  int size = 0;
};
SensorFields contact_fields(const Sensor& sensor);
SensorFields ray_fields(const Sensor& sensor);
ContactReduction contact_reduction(const Sensor& sensor);

inline bool has_field(unsigned bits, int field) { return (bits >> field & 1u) != 0; }

// Why a sensor is not simulated; empty: it is. `cameras`: those of the model.
std::string why_not_simulated(const Sensor& sensor, const std::vector<Camera>& cameras);

}  // namespace stiction
