#include "stiction/io/scene_file/scene_file.h"

#include <algorithm>
#include <set>

#include "stiction/base/check.h"
#include "stiction/base/file_bytes.h"
#include "stiction/io/name_pattern.h"
#include "stiction/io/scene_file/parts.h"
#include "stiction/io/scene_file/schema.h"
#include "stiction/simulation/model/name_lookup.h"

namespace stiction {

std::vector<SceneTable> SceneSource::list(const char* section) const {
  std::vector<SceneTable> tables;
  const TomlEntry* found = find(root, section);
  if (found == nullptr) return tables;
  if (found->value.kind != TomlValue::Kind::list)
    fail_at(file, found->place, format("there may be several of these: write [[{}]]", section));
  for (const TomlValue& item : found->value.items) tables.emplace_back(item, section, file);
  return tables;
}

std::optional<SceneTable> SceneSource::table(const char* section) const {
  const TomlEntry* found = find(root, section);
  if (found == nullptr) return std::nullopt;
  if (found->value.kind == TomlValue::Kind::list)
    fail_at(file, found->place, format("there is only one of these: write [{}]", section));
  return SceneTable(found->value, section, file);
}

std::filesystem::path SceneSource::path_of(const SceneTable& table, const char* key) const {
  const std::filesystem::path path = table.needed_text(key);
  if (!options.allow_files) table.fail(key, "files are not allowed here");
  return path.is_absolute() ? path : folder / path;
}

std::vector<int> chosen(const SceneTable& table, const char* key, const char* kind,
                        const std::vector<std::string>& names) {
  std::set<int> places;
  for (const std::string& pattern : table.texts(key)) {
    const std::vector<int> found = matching(pattern, names);
    if (found.empty()) table.fail(key, unknown_name_message(kind, pattern, names));
    places.insert(found.begin(), found.end());
  }
  return {places.begin(), places.end()};
}

Scene scene_of_model(Model model) {
  Scene scene;
  scene.options.h = model.elements.options.timestep;
  scene.model = std::move(model);
  return scene;
}

std::optional<SettleReport> start_scene(const Scene& scene, World* world) {
  if (!scene.keyframe.empty()) world->reset_to_keyframe(scene.keyframe);
  const Model& model = world->model();
  State state = world->state();
  const auto set = [&](const JointValues& given, VecX* all, int begin, int count) {
    STICTION_USER_CHECK(int(given.values.size()) == count, "joint '{}' has {} numbers here, not {}",
                        given.joint, count, given.values.size());
    all->segment(begin, count) = Eigen::Map<const VecX>(given.values.data(), count);
  };
  for (const JointValues& given : scene.positions) {
    const JointIndices& place = model.forest.joints[std::size_t(model.joint(given.joint))];
    set(given, &state.q, place.q_begin, place.num_q);
  }
  for (const JointValues& given : scene.velocities) {
    const JointIndices& place = model.forest.joints[std::size_t(model.joint(given.joint))];
    set(given, &state.v, place.v_begin, place.num_v);
  }
  if (!scene.positions.empty() || !scene.velocities.empty()) world->set_state(state);
  for (const ScenePair& pair : scene.pairs) {
    if (pair.friction) world->set_pair_friction(pair.shape1, pair.shape2, *pair.friction);
    if (pair.stiffness) world->set_pair_stiffness(pair.shape1, pair.shape2, *pair.stiffness);
  }
  apply(scene.schedule, world);
  if (!scene.settles) return std::nullopt;
  return settle(world);
}

World make_world(const Scene& scene) {
  World world(scene.model, scene.options);
  start_scene(scene, &world);
  return world;
}

namespace {

// Replaces the old keys of one table by the new ones, and notes them.
void rename_old_keys(const char* section, const std::string& file, TomlValue* table, OldKeys* old_keys,
                     CompatibilityReport* report) {
  for (TomlEntry& entry : table->entries) {
    const RenamedKey* renamed = old_keys->find(section, entry.key);
    if (renamed == nullptr) continue;
    old_keys->note(*renamed, format("{}:{}:{}", file, entry.place.line, entry.place.column),
                   find(*table, renamed->key) != nullptr);
    if (report != nullptr)
      report->entries.push_back({section, entry.key, file, entry.place.line, Compatibility::honoured,
                                 format("is now called '{}'", renamed->key)});
    entry.key = renamed->key;
  }
}

void rename_old_keys(const std::string& file, TomlValue* root, CompatibilityReport* report) {
  OldKeys old_keys(renamed_scene_keys());
  for (TomlEntry& entry : root->entries) {
    if (entry.key == "contact") rename_old_keys("contact", file, &entry.value, &old_keys, report);
    if (entry.key == "material")
      for (TomlEntry& material : entry.value.entries)
        rename_old_keys("material", file, &material.value, &old_keys, report);
  }
}

}  // namespace

Scene parse_scene(std::string_view text, const std::filesystem::path& file, const SceneFileOptions& options,
                  CompatibilityReport* report) {
  SceneSource source{file.string(), file.parent_path(), options, parse_toml(text, file.string()), report, {}};
  rename_old_keys(source.file, &source.root, report);
  const SceneTable root(source.root, "", source.file);
  Scene scene;
  source.materials = read_materials(source);
  read_bodies(source, &scene);
  scene.model.name = root.text("name").value_or(file.stem().string());
  assign_materials(source, &scene.model);
  add_drives(source, &scene.model);
  add_sensors(source, &scene.model);
  read_simulation(source, &scene);
  read_contact(source, &scene);
  read_pairs(source, &scene);
  read_inputs(source, &scene);
  read_start(source, &scene);
  read_record(source, &scene);
  return scene;
}

Scene load_scene_file(const std::filesystem::path& file, const SceneFileOptions& options,
                      CompatibilityReport* report) {
  return parse_scene(read_file_bytes(file), file, options, report);
}

}  // namespace stiction
