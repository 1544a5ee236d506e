#include "stiction/simulation/output/sensor_kinds.h"

#include <algorithm>
#include <utility>

#include "stiction/base/check.h"
#include "stiction/simulation/output/sensor_list.h"

namespace stiction {
namespace {

using enum SensorData;

constexpr SensorKindRow kKinds[] = {
    {"touch", SensorKind::touch, 1, positive},
    {"accelerometer", SensorKind::accelerometer, 3, real},
    {"velocimeter", SensorKind::velocimeter, 3, real},
    {"gyro", SensorKind::gyro, 3, real},
    {"force", SensorKind::force, 3, real},
    {"torque", SensorKind::torque, 3, real},
    {"magnetometer", SensorKind::magnetometer, 3, real},
    {"rangefinder", SensorKind::rangefinder, 0, real},
    {"jointpos", SensorKind::jointpos, 1, real},
    {"jointvel", SensorKind::jointvel, 1, real},
    {"tendonpos", SensorKind::tendonpos, 1, real},
    {"tendonvel", SensorKind::tendonvel, 1, real},
    {"actuatorpos", SensorKind::actuatorpos, 1, real},
    {"actuatorvel", SensorKind::actuatorvel, 1, real},
    {"actuatorfrc", SensorKind::actuatorfrc, 1, real},
    {"jointactuatorfrc", SensorKind::jointactuatorfrc, 1, real},
    {"tendonactuatorfrc", SensorKind::tendonactuatorfrc, 1, real},
    {"ballquat", SensorKind::ballquat, 4, quaternion},
    {"ballangvel", SensorKind::ballangvel, 3, real},
    {"jointlimitpos", SensorKind::jointlimitpos, 1, real},
    {"jointlimitvel", SensorKind::jointlimitvel, 1, real},
    {"jointlimitfrc", SensorKind::jointlimitfrc, 1, real},
    {"tendonlimitpos", SensorKind::tendonlimitpos, 1, real},
    {"tendonlimitvel", SensorKind::tendonlimitvel, 1, real},
    {"tendonlimitfrc", SensorKind::tendonlimitfrc, 1, real},
    {"framepos", SensorKind::framepos, 3, real},
    {"framequat", SensorKind::framequat, 4, quaternion},
    {"framexaxis", SensorKind::framexaxis, 3, axis},
    {"frameyaxis", SensorKind::frameyaxis, 3, axis},
    {"framezaxis", SensorKind::framezaxis, 3, axis},
    {"framelinvel", SensorKind::framelinvel, 3, real},
    {"frameangvel", SensorKind::frameangvel, 3, real},
    {"framelinacc", SensorKind::framelinacc, 3, real},
    {"frameangacc", SensorKind::frameangacc, 3, real},
    {"subtreecom", SensorKind::subtreecom, 3, real},
    {"subtreelinvel", SensorKind::subtreelinvel, 3, real},
    {"subtreeangmom", SensorKind::subtreeangmom, 3, real},
    {"insidesite", SensorKind::insidesite, 1, positive},
    {"distance", SensorKind::distance, 1, real},
    {"normal", SensorKind::normal, 3, axis},
    {"fromto", SensorKind::fromto, 6, real},
    {"contact", SensorKind::contact, 0, real},
    {"e_potential", SensorKind::e_potential, 1, real},
    {"e_kinetic", SensorKind::e_kinetic, 1, real},
    {"clock", SensorKind::clock, 1, real},
};

struct FieldRow {
  const char* word;
  int size;
};
constexpr FieldRow kContactFields[] = {{"found", 1},  {"force", 3},   {"torque", 3}, {"dist", 1},  {"pos", 3},
                                       {"normal", 3}, {"tangent", 3}, {"linvel", 3}, {"angvel", 3}};
constexpr FieldRow kRayFields[] = {{"dist", 1},  {"dir", 3},    {"origin", 3},
                                   {"point", 3}, {"normal", 3}, {"depth", 1}};
constexpr const char* kReductions[] = {"none", "mindist", "maxforce", "netforce"};

template <std::size_t count>
SensorFields fields(const Sensor& sensor, const FieldRow (&rows)[count]) {
  SensorFields out;
  if (sensor.data.empty()) out.bits = 1;
  for (const std::string& word : sensor.data) {
    std::size_t i = 0;
    while (i < count && word != rows[i].word) ++i;
    STICTION_USER_CHECK(i < count, "sensor '{}': '{}' is not one of the data of a {}", sensor.name, word,
                        sensor.kind);
    STICTION_USER_CHECK(out.bits >> i == 0, "sensor '{}': '{}' must come earlier in its data", sensor.name,
                        word);
    out.bits |= 1u << i;
  }
  for (std::size_t i = 0; i < count; ++i)
    if (has_field(out.bits, static_cast<int>(i))) out.size += rows[i].size;
  return out;
}

}  // namespace

std::span<const SensorKindRow> sensor_kind_list() { return kKinds; }

const SensorKindRow* find_sensor_kind(const std::string& word) {
  const auto found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                  [&](const SensorKindRow& row) { return word == row.word; });
  return found == std::end(kKinds) ? nullptr : found;
}

SensorFields contact_fields(const Sensor& sensor) { return fields(sensor, kContactFields); }
SensorFields ray_fields(const Sensor& sensor) { return fields(sensor, kRayFields); }

ContactReduction contact_reduction(const Sensor& sensor) {
  const auto found = std::find(std::begin(kReductions), std::end(kReductions), sensor.reduce);
  STICTION_USER_CHECK(found != std::end(kReductions), "sensor '{}': '{}' is not a way to reduce contacts",
                      sensor.name, sensor.reduce);
  return static_cast<ContactReduction>(found - std::begin(kReductions));
}

std::string why_not_simulated(const Sensor& sensor, const std::vector<Camera>& cameras) {
  if (sensor.kind == "plugin") return "plugins are not supported";
  if (sensor.kind == "user") return "only a program of the user knows what it reads";
  if (find_sensor_kind(sensor.kind) == nullptr) return "sensors of this kind are not simulated";
  if (sensor.kind == "insidesite" && !sensor.data.empty())
    return "whether all of a shape is inside is not simulated";
  if (sensor.kind == "rangefinder" && sensor.object_type == "camera")
    return "rangefinders at cameras are not simulated";
  for (const auto& [type, name] :
       {std::pair(sensor.object_type, sensor.object), std::pair(sensor.reference_type, sensor.reference)}) {
    if (type != "camera") continue;
    for (const Camera& camera : cameras)
      if (camera.name == name && camera.mode != "fixed")
        return "frames of cameras that follow something are not simulated";
  }
  return "";
}

}  // namespace stiction
