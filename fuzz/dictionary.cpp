// Prints the names of a format as a dictionary of libFuzzer. Usage: fuzz_dictionary mjcf|urdf|scene_file

#include <cstdio>
#include <cstring>
#include <set>
#include <string>

#include "stiction/io/mjcf/schema.h"
#include "stiction/io/scene_file/schema.h"
#include "stiction/io/urdf/schema.h"

namespace {

void add_names(const stiction::XmlSchema& schema, const std::string& type_name, std::set<std::string>* types,
               std::set<std::string>* names) {
  if (!types->insert(type_name).second) return;
  const stiction::XmlSchema::Type& type = schema.type(type_name);
  for (const std::string& attribute : type.attributes) names->insert(attribute + "=");
  for (const std::string& tag : type.tags) names->insert("<" + tag);
  for (const std::string& child : type.types) add_names(schema, child, types, names);
}

void print_scene_words() {
  for (const stiction::SceneSection& section : stiction::scene_sections())
    if (section.header[0] == '[') std::printf("\"%s\"\n", section.header);
  for (const stiction::SceneKey& key : stiction::scene_keys()) std::printf("\"%s = \"\n", key.key);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "scene_file") == 0) {
    print_scene_words();
    return 0;
  }
  const bool is_urdf = argc > 1 && std::strcmp(argv[1], "urdf") == 0;
  std::set<std::string> types, names;
  add_names(is_urdf ? stiction::urdf_schema() : stiction::mjcf_schema(), is_urdf ? "robot" : "mujoco", &types,
            &names);
  for (const std::string& name : names) std::printf("\"%s\"\n", name.c_str());
}
