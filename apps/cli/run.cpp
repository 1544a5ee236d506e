#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "apps/cli/commands.h"
#include "scenes/catalog.h"
#include "stiction/base/check.h"
#include "stiction/base/timer.h"
#include "stiction/io/model_file.h"
#include "stiction/simulation/world.h"

namespace stiction::cli {

namespace {

struct Arguments {
  std::string scene;
  double time = 5.0;
  std::optional<double> step;
  std::string scheme, keyframe;
  std::vector<std::string> package_paths;
  bool floating_base = false;
  bool json = false;
  bool quiet = false;
};

std::string joint_summary(const Body& body) {
  std::string text;
  for (const Joint& joint : body.joints)
    text += std::string(text.empty() ? "" : ", ") + joint.name + ": " + name_of(joint.type);
  return text.empty() ? "fixed" : text;
}

// The bodies as a tree with their joints and masses; long chains stop moving to the right.
void print_tree(const Model& model, int body, int depth) {
  constexpr int kDeepest = 10;
  const Body& b = model.forest.bodies[body];
  if (body > 0)
    std::printf("  %*s%-*s %8.3f kg  %s\n", 2 * depth, "", std::max(1, 24 - 2 * depth), b.name.c_str(),
                b.inertia.mass, joint_summary(b).c_str());
  for (size_t child = body + 1; child < model.forest.bodies.size(); ++child)
    if (model.forest.bodies[child].parent == body)
      print_tree(model, static_cast<int>(child), body > 0 ? std::min(depth + 1, kDeepest) : 0);
}

void print_energies(const char* when, const Energies& e) {
  std::printf("  %-6s kinetic %10.4f J   gravity %10.4f J   springs %10.4f J   total %10.4f J\n", when,
              e.kinetic, e.gravity, e.springs, e.total());
}

// One line that is rewritten, on a terminal only, a few times a second.
class Progress {
 public:
  explicit Progress(bool wanted) : wanted_(wanted && isatty(STDERR_FILENO)) {}
  ~Progress() {
    if (printed_) std::fprintf(stderr, "\r\033[K");
  }
  void show(double done, double total) {
    const double wall = clock_.seconds();
    if (!wanted_ || wall < next_) return;
    next_ = wall + 0.2;
    const double rate = done / wall;
    std::fprintf(stderr, "\r\033[K  t = %.2f of %.2f s   %.1f x real time   %.0f s left", done, total, rate,
                 (total - done) / std::max(rate, 1e-9));
    printed_ = true;
  }

 private:
  bool wanted_ = false, printed_ = false;
  double next_ = 0.5;
  Stopwatch clock_;
};

std::vector<double> numbers(const auto& vector) { return {vector.begin(), vector.end()}; }

nlohmann::json bodies_json(const World& world) {
  nlohmann::json list = nlohmann::json::array();
  const Forest& forest = world.model().forest;
  for (size_t b = 1; b < forest.bodies.size(); ++b) {
    const std::string& name = forest.bodies[b].name;
    const Pose X = world.body_pose(name);
    const Vec6 V = world.body_velocity(name);
    list.push_back({{"name", name},
                    {"position", numbers(X.p)},
                    {"quaternion", numbers(quaternion_from_rotation(X.R))},
                    {"angular_velocity", numbers(V.head<3>())},
                    {"velocity", numbers(V.tail<3>())}});
  }
  return list;
}

nlohmann::json joints_json(const World& world) {
  nlohmann::json list = nlohmann::json::array();
  const Forest& forest = world.model().forest;
  for (size_t j = 0; j < forest.joints.size(); ++j) {
    const JointPlace& place = forest.joints[j];
    list.push_back({{"name", forest.joint(static_cast<int>(j)).name},
                    {"q", numbers(world.state().q.segment(place.q_begin, place.num_q))},
                    {"v", numbers(world.state().v.segment(place.v_begin, place.num_v))}});
  }
  return list;
}

nlohmann::json energy_json(const Energies& e) {
  return {{"kinetic", e.kinetic},
          {"potential", e.gravity + e.springs},
          {"gravity", e.gravity},
          {"springs", e.springs}};
}

// The end of the run; fields are added over time, never renamed.
nlohmann::json answer(const Arguments& a, const World& world, const Energies& start, double begin, long steps,
                      double wall) {
  return {{"scene", a.scene},
          {"scheme", world.options().formulation.scheme->name()},
          {"h", world.options().h},
          {"steps", steps},
          {"simulated_s", world.time() - begin},
          {"time", world.time()},
          {"wall_s", wall},
          {"nv", world.model().num_v()},
          {"bodies", bodies_json(world)},
          {"joints", joints_json(world)},
          {"energy_start", energy_json(start)},
          {"energy", energy_json(world.energies())},
          {"hash", format("{}", hash(world.state()))}};
}

// A scene of the catalog, or a file: what is not a scene's name and looks like a path, or is one.
Model load(const Arguments& a) {
  const auto& scenes = scene_catalog();
  const bool is_scene = std::any_of(scenes.begin(), scenes.end(),
                                    [&](const SceneEntry& entry) { return entry.name == a.scene; });
  const std::filesystem::path path = a.scene;
  if (is_scene || !(path.has_extension() || path.has_parent_path() || std::filesystem::exists(path)))
    return make_scene(a.scene);
  ModelFileOptions options;
  options.floating_base = a.floating_base;
  options.package_paths.assign(a.package_paths.begin(), a.package_paths.end());
  return load_model_file(path, options);
}

// By name, or by number from 0.
void start_at_keyframe(const std::string& wanted, World* world) {
  const std::vector<Keyframe>& keys = world->model().elements.keyframes;
  std::string names;
  for (size_t k = 0; k < keys.size(); ++k) {
    names += (k == 0 ? "" : ", ") + (keys[k].name.empty() ? std::to_string(k) : keys[k].name);
    if (keys[k].name != wanted && std::to_string(k) != wanted) continue;
    State state = world->state();
    state.time = keys[k].time;
    if (keys[k].q.size() > 0) state.q = keys[k].q;
    if (keys[k].v.size() > 0) state.v = keys[k].v;
    world->set_state(state);
    return;
  }
  throw_user_error(format("model '{}' has no keyframe '{}'; it has {}", world->model().name, wanted,
                          names.empty() ? "none" : names));
}

int run(const Arguments& a) {
  STICTION_USER_CHECK(std::isfinite(a.time) && a.time >= 0.0,
                      "--time must be finite and not negative, not {}", a.time);
  const auto shared_model = std::make_shared<const Model>(load(a));
  const Model& model = *shared_model;
  WorldOptions options;
  options.h = a.step.value_or(model.elements.options.timestep);
  if (!a.scheme.empty()) options.formulation.scheme = &find_scheme(a.scheme);
  World world(shared_model, options);
  if (!a.keyframe.empty()) start_at_keyframe(a.keyframe, &world);
  const double h = options.h, begin = world.time();
  constexpr double kMostSteps = 1e15;
  STICTION_USER_CHECK(a.time / h < kMostSteps, "{} s in steps of {} s are more than {} steps", a.time, h,
                      kMostSteps);
  const bool talk = !a.quiet && !a.json;
  const Energies start = world.energies();
  if (talk) {
    std::printf("%s: %zu bodies, %zu trees, %d velocities, %s, h = %g ms\n", model.name.c_str(),
                model.forest.bodies.size() - 1, model.forest.trees.size(), model.num_v(),
                options.formulation.scheme->name(), 1e3 * h);
    print_tree(model, 0, 0);
    print_energies("start", start);
  }

  // Count whole steps, so that the time is a product and not a sum; the rest of a step ends the run.
  const long whole = static_cast<long>(std::floor(a.time / h * (1.0 + 1e-12)));
  const double rest = a.time - static_cast<double>(whole) * h;
  Progress progress(talk);
  Stopwatch clock;
  long steps = 0;
  for (; steps < whole && !interrupted(); ++steps) {
    world.step();
    progress.show(world.time() - begin, a.time);
  }
  if (!interrupted() && rest > 1e-9 * h) {
    world.step(rest);
    ++steps;
  }
  const double wall = clock.seconds();
  const double rate = static_cast<double>(steps) / std::max(wall, 1e-9);

  const Energies end = world.energies();
  if (talk) {
    print_energies("end", end);
    std::printf("%ld steps in %.3f s: %.0f steps/s, %.0f x real time\n", steps, wall, rate,
                (world.time() - begin) / std::max(wall, 1e-9));
  }
  if (a.json) std::printf("%s\n", answer(a, world, start, begin, steps, wall).dump(2).c_str());
  return interrupted() ? kInterrupted : kDone;
}

}  // namespace

void add_run(CLI::App* app, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app->add_subcommand("run",
                                          "Simulates a scene and prints its tree, its energies and the "
                                          "speed.\nExample: stiction run arm --time 5 --step 0.002");
  command->add_option("scene", arguments->scene, "A scene (stiction list scenes), or an MJCF or URDF file")
      ->required();
  command->add_option("--time", arguments->time, "Seconds to simulate")->capture_default_str();
  command->add_option("--step", arguments->step,
                      "Step in seconds; the model's own without it (0.002 if it has none)");
  command->add_option("--keyframe", arguments->keyframe,
                      "Start at this keyframe of the file, by name or number");
  command->add_option("--package-path", arguments->package_paths, "Folders with packages of a URDF file");
  command->add_flag("--floating-base", arguments->floating_base, "Free the root link of a URDF file");
  command->add_option("--scheme", arguments->scheme, "Time stepping scheme (stiction list schemes)");
  command->add_flag("--json", arguments->json, "Print JSON alone on standard output");
  command->add_flag("--quiet", arguments->quiet, "Print nothing but errors");
  command->callback([arguments, exit_code] { *exit_code = run(*arguments); });
}

}  // namespace stiction::cli
