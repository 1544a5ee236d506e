#include "apps/cli/scene_arguments.h"

#include <filesystem>

#include "scenes/catalog.h"
#include "stiction/base/check.h"
#include "stiction/base/file_bytes.h"
#include "stiction/io/model_file.h"

namespace stiction::cli {

ParserOption add_scene_options(const Parser& command, SceneArguments* arguments) {
  const ParserOption scene =
      command
          .add_option(
              "scene", &arguments->name,
              "A scene (stiction list scenes), a scene file (.toml), or an MJCF, URDF or JSON model file")
          .required()
          .type_name("SCENE");
  command
      .add_option(
          "--package-path", &arguments->package_paths,
          "Folder that holds packages of a URDF file (package://name/...); may be given several times")
      .allow_extra_args(false)
      .type_name("FOLDER");
  command.add_flag("--floating-base", &arguments->floating_base, "Free the root link of a URDF file");
  return scene;
}

void add_settle_option(const Parser& command, SceneArguments* arguments) {
  command.add_flag(
      "--settle", &arguments->settle,
      "Before time begins, part shapes that overlap, return joints to their limits and close loops, "
      "without a speed");
}

bool is_scene_file(const SceneArguments& a) {
  return find_scene(a.name) == nullptr && lower_case_ending(a.name) == "toml";
}

namespace {

Scene load_as_it_is(const SceneArguments& a, CompatibilityReport* report) {
  const std::filesystem::path path = a.name;
  const SceneEntry* entry = find_scene(a.name);
  if (entry != nullptr ||
      !(path.has_extension() || path.has_parent_path() || std::filesystem::exists(path))) {
    Scene scene = scene_of_model(make_scene(a.name));
    if (entry != nullptr && entry->schedule != nullptr) scene.schedule = entry->schedule(scene.model);
    return scene;
  }
  if (is_scene_file(a)) {
    STICTION_USER_CHECK(!a.floating_base && a.package_paths.empty(),
                        "{}: a scene file says floating_base and package_paths itself, in its [[model]]",
                        a.name);
    return load_scene_file(path, {}, report);
  }
  ModelFileOptions options;
  options.floating_base = a.floating_base;
  options.package_paths.assign(a.package_paths.begin(), a.package_paths.end());
  return scene_of_model(load_model_file(path, options, report));
}

}  // namespace

Scene load(const SceneArguments& a, CompatibilityReport* report) {
  Scene scene = load_as_it_is(a, report);
  scene.settles = scene.settles || a.settle;
  return scene;
}

}  // namespace stiction::cli
