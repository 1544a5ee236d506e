#include "apps/cli/scene_arguments.h"

#include <algorithm>
#include <filesystem>

#include <CLI/CLI.hpp>

#include "scenes/catalog.h"
#include "stiction/io/model_file.h"

namespace stiction::cli {

void add_scene_options(CLI::App* command, SceneArguments* arguments) {
  command->add_option("scene", arguments->name, "A scene (stiction list scenes), or an MJCF or URDF file")
      ->required();
  command->add_option("--package-path", arguments->package_paths, "Folders with packages of a URDF file");
  command->add_flag("--floating-base", arguments->floating_base, "Free the root link of a URDF file");
}

Model load(const SceneArguments& a) {
  const auto& scenes = scene_catalog();
  const bool is_scene = std::any_of(scenes.begin(), scenes.end(),
                                    [&](const SceneEntry& entry) { return entry.name == a.name; });
  const std::filesystem::path path = a.name;
  if (is_scene || !(path.has_extension() || path.has_parent_path() || std::filesystem::exists(path)))
    return make_scene(a.name);
  ModelFileOptions options;
  options.floating_base = a.floating_base;
  options.package_paths.assign(a.package_paths.begin(), a.package_paths.end());
  return load_model_file(path, options);
}

}  // namespace stiction::cli
