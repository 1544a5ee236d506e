#include "stiction/io/scene_file/parts.h"
#include "stiction/simulation/model/name_lookup.h"
#include "stiction/simulation/output/sensor_list.h"
#include "stiction/simulation/output/sensor_model.h"

namespace stiction {
namespace {

// What a sensor is on where the file does not say: joints, tendons and actuators by their words, sites
// otherwise.
std::string usual_object_type(const std::string& kind) {
  for (const char* type : {"joint", "tendon", "actuator"})
    if (kind.starts_with(type)) return type;
  if (kind.starts_with("ball")) return "joint";
  if (kind.starts_with("frame")) return "xbody";
  if (kind.starts_with("subtree")) return "body";
  return "site";
}

std::vector<std::string> sensor_names(const Model& model) {
  std::vector<std::string> names;
  for (const Sensor& sensor : model.elements.sensors) names.push_back(sensor.name);
  return names;
}

}  // namespace

void add_sensors(const SceneSource& source, Model* model) {
  for (const SceneTable& table : source.list("sensor")) {
    Sensor sensor;
    sensor.name = table.needed_text("name");
    for (const std::string& other : sensor_names(*model))
      if (other == sensor.name) table.fail("name", format("there is already a sensor '{}'", other));
    sensor.kind = table.needed_text("kind");
    if (find_sensor_kind(sensor.kind) == nullptr) {
      std::vector<std::string> words;
      for (const SensorKindRow& row : sensor_kind_list()) words.push_back(row.word);
      table.fail("kind", unknown_word_message("kind of sensor", sensor.kind, words));
    }
    const auto object = table.text("object");
    if (object) {
      sensor.object = *object;
      sensor.object_type = table.text("object_type").value_or(usual_object_type(sensor.kind));
    } else if (table.has("object_type")) {
      table.fail("object_type", "'object_type' needs the name of an 'object'");
    }
    sensor.reference = table.text("reference").value_or("");
    sensor.reference_type = table.text("reference_type").value_or(sensor.reference.empty() ? "" : "xbody");
    sensor.cutoff = table.not_negative("cutoff").value_or(0.0);
    sensor.noise = table.not_negative("noise").value_or(0.0);
    model->elements.sensors.push_back(std::move(sensor));
    // What it names must be there: the sensors are looked up once.
    table.located("object", [&] { SensorModel{*model}; });
  }
}

void read_record(const SceneSource& source, Scene* scene) {
  const std::optional<SceneTable> table = source.table("record");
  if (!table) return;
  scene->recorded_sensors = chosen(*table, "sensors", "sensor", sensor_names(scene->model));
  constexpr int kMostSteps = 1'000'000'000;
  scene->record_every = table->whole("every", 1, kMostSteps).value_or(1);
}

}  // namespace stiction
