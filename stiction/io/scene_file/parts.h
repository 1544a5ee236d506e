#pragma once
// The parts that a scene file is read in; each reads its own sections.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "stiction/io/scene_file/scene_file.h"
#include "stiction/io/scene_file/table.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction {

struct SceneSource {
  std::string file;              // its name in errors
  std::filesystem::path folder;  // where other files are looked for
  SceneFileOptions options;
  TomlValue root;
  CompatibilityReport* report = nullptr;  // may be null
  std::map<std::string, ContactMaterial> materials;

  // The tables of [[section]], in their order; none where there are none.
  std::vector<SceneTable> list(const char* section) const;
  // [section]; none where there is none.
  std::optional<SceneTable> table(const char* section) const;
  std::filesystem::path path_of(const SceneTable& table, const char* key) const;
};

// scene_file/settings.cpp: [simulation], [contact]
void read_simulation(const SceneSource& source, Scene* scene);
void read_contact(const SceneSource& source, Scene* scene);

// scene_file/materials.cpp: [material.NAME], [[assign]], [[pair]]
std::map<std::string, ContactMaterial> read_materials(const SceneSource& source);
const ContactMaterial& find_material(const SceneSource& source, const SceneTable& table);
void assign_materials(const SceneSource& source, Model* model);
void read_pairs(const SceneSource& source, Scene* scene);

// scene_file/models.cpp: [[model]] and, by scene_file/objects.cpp, [[ground]] and [[object]]
void read_bodies(const SceneSource& source, Scene* scene);
void add_grounds(const SceneSource& source, ModelBuilder* builder);
void add_objects(const SceneSource& source, ModelBuilder* builder);

// scene_file/inputs.cpp: [[drive]], [[setpoint]], [[disturbance]], [start]
void add_drives(const SceneSource& source, Model* model);
void read_inputs(const SceneSource& source, Scene* scene);
void read_start(const SceneSource& source, Scene* scene);

// scene_file/sensors.cpp: [[sensor]], [record]
void add_sensors(const SceneSource& source, Model* model);
void read_record(const SceneSource& source, Scene* scene);

// Places in `names` of all patterns of a key, each once. Throws UserError, with the closest name, for a
// pattern that matches none of them.
std::vector<int> chosen(const SceneTable& table, const char* key, const char* kind,
                        const std::vector<std::string>& names);

}  // namespace stiction
