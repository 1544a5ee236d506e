#include "stiction/io/model_file.h"
#include "stiction/io/scene_file/parts.h"
#include "stiction/simulation/model/name_lookup.h"

namespace stiction {
namespace {

struct LoadedModel {
  const SceneTable* table = nullptr;
  Model model;
  std::string prefix, parent;
  Pose X_PA;
  bool is_in_place() const {
    return parent == "world" && X_PA.R == Mat3::Identity() && X_PA.p == Vec3::Zero();
  }
};

LoadedModel load(const SceneSource& source, const SceneTable& table) {
  LoadedModel loaded;
  loaded.table = &table;
  ModelFileOptions options;
  options.floating_base = table.flag("floating_base").value_or(false);
  for (const std::string& path : table.texts("package_paths"))
    options.package_paths.push_back(source.folder / path);
  const std::filesystem::path file = source.path_of(table, "file");
  loaded.model = table.located("file", [&] { return load_model_file(file, options, source.report); });
  if (const auto name = table.text("name")) loaded.prefix = *name + "/";
  loaded.parent = table.text("parent").value_or("world");
  loaded.X_PA = table.pose();
  return loaded;
}

const Keyframe& find_keyframe(const LoadedModel& loaded, const std::string& name) {
  std::vector<std::string> names;
  for (const Keyframe& key : loaded.model.elements.keyframes) {
    if (key.name == name) return key;
    names.push_back(key.name);
  }
  loaded.table->fail("keyframe", unknown_name_message("keyframe", name, names));
}

void note(const SceneSource& source, const LoadedModel& loaded, const char* element, const char* why) {
  if (source.report == nullptr) return;
  source.report->entries.push_back({element, "", loaded.table->needed_text("file"),
                                    loaded.table->place().line, Compatibility::ignored, why});
}

// Starts one of several models at its keyframe.
void start_at_keyframe(const SceneSource& source, LoadedModel* loaded) {
  const auto name = loaded->table->text("keyframe");
  if (!name) return;
  const Keyframe& key = find_keyframe(*loaded, *name);
  if (key.q.size() > 0) loaded->model.q0 = key.q;
  if (key.v.size() > 0) loaded->model.v0 = key.v;
  if (!key.activations.empty() || !key.mocap_positions.empty() || key.time != 0.0)
    note(source, *loaded, "key", "its activations, mocap poses and time do not come along to other models");
}

// The controls of the keyframe, as set-points; `actuators` are those that were there before the model's.
void add_keyframe_controls(const LoadedModel& loaded, std::size_t actuators, Scene* scene) {
  const auto name = loaded.table->text("keyframe");
  if (!name) return;
  const std::vector<double>& controls = find_keyframe(loaded, *name).controls;
  for (std::size_t i = 0; i < controls.size(); ++i)
    scene->schedule.controls.push_back({static_cast<int>(actuators + i), constant_signal(controls[i])});
}

void note_what_stays_behind(const SceneSource& source, const LoadedModel& loaded) {
  const SimulationOptions& own = loaded.model.elements.options;
  const SimulationOptions standard;
  const bool has_fluid = own.density != 0.0 || own.viscosity != 0.0 || own.wind != Vec3::Zero();
  if (own.timestep != standard.timestep || has_fluid || loaded.model.forest.gravity != Vec3(0.0, 0.0, -9.81))
    note(source, loaded, "option",
         "several models stand side by side: step, gravity and fluid are those of the scene");
}

}  // namespace

void read_bodies(const SceneSource& source, Scene* scene) {
  const std::vector<SceneTable> tables = source.list("model");
  std::vector<LoadedModel> models;
  for (const SceneTable& table : tables) models.push_back(load(source, table));
  const bool has_objects = find(source.root, "ground") != nullptr || find(source.root, "object") != nullptr;

  // A model alone stays as it is, bit for bit.
  if (models.size() == 1 && !has_objects && models[0].is_in_place() && models[0].prefix.empty()) {
    if (const auto name = models[0].table->text("keyframe")) {
      find_keyframe(models[0], *name);
      scene->keyframe = *name;
    }
    scene->model = std::move(models[0].model);
    return;
  }

  ModelBuilder builder("scene");
  std::size_t actuators = 0;
  for (LoadedModel& loaded : models) {
    start_at_keyframe(source, &loaded);
    loaded.table->located("parent",
                          [&] { builder.attach(loaded.model, loaded.parent, loaded.X_PA, loaded.prefix); });
    add_keyframe_controls(loaded, actuators, scene);
    actuators += loaded.model.elements.actuators.size();
  }
  add_grounds(source, &builder);
  add_objects(source, &builder);
  if (models.size() == 1) builder.set_gravity(models[0].model.forest.gravity);
  scene->model = builder.build();
  if (models.size() == 1) {
    scene->model.elements.options = models[0].model.elements.options;
  } else {
    for (const LoadedModel& loaded : models) note_what_stays_behind(source, loaded);
  }
}

}  // namespace stiction
