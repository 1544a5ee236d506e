#include <cstdio>
#include <filesystem>
#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/scene_arguments.h"
#include "stiction/base/check.h"
#include "stiction/base/file_bytes.h"
#include "stiction/io/mjcf/export/export.h"
#include "stiction/io/model_json.h"

namespace stiction::cli {

namespace {

struct Arguments {
  SceneArguments scene;
  std::string out, out_option;
  bool mesh_files = false;
  bool quiet = false;
};

// What a scene says that a model alone cannot.
void print_what_is_lost(const Scene& scene) {
  const auto line = [](std::size_t count, const char* what) {
    if (count > 0) std::printf("ignored: %zu %s of the scene: a model file has none\n", count, what);
  };
  line(scene.schedule.controls.size(), "set-points");
  line(scene.schedule.wrenches.size(), "disturbances");
  line(scene.pairs.size(), "pairs with numbers of their own");
  line(scene.positions.size() + scene.velocities.size(), "values of joints at the start");
  line(scene.recorded_sensors.size(), "sensors to record");
}

int convert(const Arguments& a) {
  STICTION_USER_CHECK(a.out.empty() != a.out_option.empty(), "say once which file to write: --out FILE");
  const std::filesystem::path out = a.out.empty() ? a.out_option : a.out;
  const std::string ending = lower_case_ending(out.string());
  STICTION_USER_CHECK(ending == "xml" || ending == "json" || ending == "toml",
                      "'{}' must end with .xml (MJCF), .json (all of the model) or .toml (scene)",
                      out.string());
  const Scene scene = load(a.scene);
  MjcfExportReport report;
  std::filesystem::path model_file;
  if (ending == "toml") {
    model_file = save_scene_file(scene, out);
  } else if (ending == "json") {
    save_model_json(scene.model, out);
  } else {
    MjcfExportOptions options;
    options.mesh_files = a.mesh_files;
    save_mjcf(scene.model, out, options, &report);
  }
  if (a.quiet) return kDone;
  std::printf("%s: %s, %zu bodies, %d velocities\n%s", out.c_str(), scene.model.name.c_str(),
              scene.model.forest.bodies.size() - 1, scene.model.num_v(), to_text(report).c_str());
  if (!model_file.empty()) std::printf("%s: its model, which the scene names\n", model_file.c_str());
  if (ending != "toml") print_what_is_lost(scene);
  return kDone;
}

}  // namespace

void add_convert(const Parser& app, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  const Parser command = app.add_command(
      "convert",
      "Writes a scene or model in another format and tells what that format cannot say.\nExample: stiction "
      "convert humanoid -o humanoid.xml");
  add_scene_options(command, &arguments->scene);
  command.add_option("out", &arguments->out, "File to write, or --out").type_name("FILE");
  command
      .add_option("-o,--out", &arguments->out_option,
                  "File to write: MJCF (.xml), all of the model (.json) or a scene file (.toml)")
      .type_name("FILE");
  command.add_flag("--mesh-files", &arguments->mesh_files,
                   "Write meshes as OBJ files beside the MJCF instead of into it");
  command.add_flag("--quiet", &arguments->quiet, "Print nothing but errors");
  command.callback([arguments, exit_code] { *exit_code = convert(*arguments); });
}

}  // namespace stiction::cli
