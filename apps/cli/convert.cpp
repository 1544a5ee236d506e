#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>

#include "apps/cli/commands.h"
#include "scenes/catalog.h"
#include "stiction/base/check.h"
#include "stiction/io/mjcf_export.h"
#include "stiction/io/model_file.h"
#include "stiction/io/model_json.h"

namespace stiction::cli {

namespace {

struct Arguments {
  std::string in, out;
  std::vector<std::string> package_paths;
  bool floating_base = false;
  bool mesh_files = false;
  bool quiet = false;
};

// A scene of the catalog, or a file in one of the formats that we read.
Model load(const Arguments& a) {
  const auto& scenes = scene_catalog();
  const bool is_scene =
      std::any_of(scenes.begin(), scenes.end(), [&](const SceneEntry& entry) { return entry.name == a.in; });
  const std::filesystem::path path = a.in;
  if (is_scene || !(path.has_extension() || path.has_parent_path() || std::filesystem::exists(path)))
    return make_scene(a.in);
  ModelFileOptions options;
  options.floating_base = a.floating_base;
  options.package_paths.assign(a.package_paths.begin(), a.package_paths.end());
  return load_model_file(path, options);
}

int convert(const Arguments& a) {
  const std::filesystem::path out = a.out;
  const std::string ending = out.extension().string();
  STICTION_USER_CHECK(ending == ".xml" || ending == ".json",
                      "'{}' must end with .xml (MJCF) or .json (all of the model)", a.out);
  const Model model = load(a);
  MjcfExportReport report;
  if (ending == ".json") {
    save_model_json(model, out);
  } else {
    MjcfExportOptions options;
    options.mesh_files = a.mesh_files;
    save_mjcf(model, out, options, &report);
  }
  if (!a.quiet)
    std::printf("%s: %s, %zu bodies, %d velocities\n%s", a.out.c_str(), model.name.c_str(),
                model.forest.bodies.size() - 1, model.num_v(), to_text(report).c_str());
  return kDone;
}

}  // namespace

void add_convert(CLI::App* app, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app->add_subcommand(
      "convert",
      "Writes a model in another format and tells what that format cannot say.\nExample: stiction convert "
      "humanoid humanoid.xml");
  command
      ->add_option("in", arguments->in,
                   "A scene (stiction list scenes), or an MJCF, URDF or JSON (.json) file")
      ->required();
  command->add_option("out", arguments->out, "File to write: MJCF (.xml) or all of the model (.json)")
      ->required();
  command->add_flag("--mesh-files", arguments->mesh_files,
                    "Write meshes as OBJ files beside the MJCF instead of into it");
  command->add_option("--package-path", arguments->package_paths, "Folders with packages of a URDF file");
  command->add_flag("--floating-base", arguments->floating_base, "Free the root link of a URDF file");
  command->add_flag("--quiet", arguments->quiet, "Print nothing but errors");
  command->callback([arguments, exit_code] { *exit_code = convert(*arguments); });
}

}  // namespace stiction::cli
