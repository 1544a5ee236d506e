#pragma once
// Scenes from TOML files: models, objects, materials, drives, disturbances, how to solve and what to record.
//
//   Scene scene = load_scene_file("table.toml");
//   World world = make_world(scene);
//   while (world.time() < scene.time) {
//     apply(scene.schedule, &world);
//     world.step();
//   }
//
// docs/scene_files.md has every key. Reading is strict: a key that is not known, a value of the wrong type, a
// pattern that matches nothing or a number out of range is a UserError with file, line and column, and with
// the closest name where a name is wrong. A file describes one scene completely, so that
//
//   save_scene_file(scene, "copy.toml")
//
// and reading the copy gives a scene that moves with the same bits. Models that are made of objects alone are
// written as such, others as a JSON file beside the TOML (stiction/io/model_json.h).

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/io/compatibility_report.h"
#include "stiction/simulation/input_schedule.h"
#include "stiction/simulation/model/model.h"
#include "stiction/simulation/settle.h"
#include "stiction/simulation/world.h"

namespace stiction {

// Numbers of two shapes in place of those that their materials give (World::set_pair_friction).
struct ScenePair {
  std::string shape1, shape2;
  std::optional<double> friction;
  std::optional<double> stiffness;  // N/m
};

struct JointValues {
  std::string joint;
  std::vector<double> values;
};

struct Scene {
  Model model;
  WorldOptions options;
  double time = 5.0;  // s, to simulate
  int threads = 1;
  // The start: the keyframe, if there is one, then these joints.
  std::string keyframe;
  std::vector<JointValues> positions, velocities;
  bool settles = false;  // then overlaps, violated limits and open loops are removed (simulation/settle.h)
  std::vector<ScenePair> pairs;
  InputSchedule schedule;
  std::vector<int> recorded_sensors;  // of Elements::sensors
  int record_every = 1;               // steps
};

// A model alone, with its own step.
Scene scene_of_model(Model model);

// A world at the start of the scene.
World make_world(const Scene& scene);
// Takes a world of the scene's model to the start: keyframe, joints, pairs, first inputs. The report is that of
// a scene that settles.
std::optional<SettleReport> start_scene(const Scene& scene, World* world);

struct SceneFileOptions {
  // Off: models and meshes from files are refused. For text from strangers.
  bool allow_files = true;
  int max_objects = 100'000;  // with the copies of a grid
};

// The report has the entries of the model files, what of them a scene of several models cannot keep, and keys
// of the scene file that have their old name.
Scene load_scene_file(const std::filesystem::path& file, const SceneFileOptions& options = {},
                      CompatibilityReport* report = nullptr);
// From memory. `file` is its name in errors; other files are looked for beside it.
Scene parse_scene(std::string_view text, const std::filesystem::path& file = "scene.toml",
                  const SceneFileOptions& options = {}, CompatibilityReport* report = nullptr);

// The text of a scene; empty `model_file`: the model as objects. Throws UserError where objects cannot
// describe the model.
std::string write_scene(const Scene& scene, const std::string& model_file);
// Writes the file and, where objects cannot describe the model, `<stem>.model.json` beside it, whose path it
// returns (otherwise an empty one).
std::filesystem::path save_scene_file(const Scene& scene, const std::filesystem::path& file);

}  // namespace stiction
