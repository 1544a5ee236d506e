#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "apps/cli/certificate_file.h"
#include "apps/cli/commands.h"
#include "apps/cli/contact_arguments.h"
#include "apps/cli/run_statistics.h"
#include "apps/cli/scene_arguments.h"
#include "apps/cli/start_arguments.h"
#include "scenes/catalog.h"
#include "stiction/base/check.h"
#include "stiction/base/parallel.h"
#include "stiction/base/timer.h"
#include "stiction/simulation/contact_model.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/saved_problem.h"
#include "stiction/simulation/world.h"

namespace stiction::cli {

namespace {

struct Arguments {
  SceneArguments scene;
  double time = 5.0;
  std::optional<double> step;
  std::string scheme, keyframe, dump_folder, certificate;
  ContactArguments contact;
  StartArguments start;
  int threads = 1;
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

// Numbers, or lists of them; a sensor without a name goes by its number.
nlohmann::json sensors_json(const World& world) {
  nlohmann::json list = nlohmann::json::array();
  const std::vector<Sensor>& all = world.model().elements.sensors;
  if (all.empty()) return list;
  const std::span<const double> values = world.sensors();
  for (size_t i = 0; i < all.size(); ++i) {
    const ResolvedSensor& sensor = world.sensor_model().sensors[i];
    if (!sensor.is_simulated) continue;
    const std::span<const double> own = values.subspan(sensor.begin, sensor.size);
    list.push_back({{"name", all[i].name.empty() ? std::to_string(i) : all[i].name}});
    if (own.size() == 1)
      list.back()["value"] = own[0];
    else
      list.back()["value"] = numbers(own);
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
nlohmann::json answer(const Arguments& a, const World& world, const Energies& start,
                      const RunStatistics& statistics, double begin, double wall) {
  const Formulation& f = world.options().formulation;
  nlohmann::json json = {{"scene", a.scene.name},
                         {"scheme", f.scheme->name()},
                         {"formulation", formulation_name(f.contact)},
                         {"force_law", force_name(f.contact)},
                         {"threads", thread_count()},
                         {"h", world.options().h},
                         {"steps", statistics.steps()},
                         {"simulated_s", world.time() - begin},
                         {"time", world.time()},
                         {"wall_s", wall},
                         {"nv", world.model().num_v()},
                         {"bodies", bodies_json(world)},
                         {"joints", joints_json(world)},
                         {"sensors", sensors_json(world)},
                         {"energy_start", energy_json(start)},
                         {"energy", energy_json(world.energies())},
                         {"notes", stiffness_notes(world.model())},
                         {"hash", format("{}", hash(world.state()))}};
  statistics.write(world, &json);
  return json;
}

// Writes the problems of the steps in which something touches or is held as step_000123.json.
class ProblemDump {
 public:
  explicit ProblemDump(const std::string& folder) : folder_(folder) {
    if (!folder.empty()) std::filesystem::create_directories(folder_);
  }
  void write(const World& world, long step) const {
    if (folder_.empty() || world.record().contact.problem.islands.empty()) return;
    char name[32];
    std::snprintf(name, sizeof name, "step_%06ld.json", step);
    save_problem(saved_problem(world.model(), world.record(), world.options().formulation.contact),
                 folder_ / name);
  }

 private:
  std::filesystem::path folder_;
};

// One step with its problem, also where it fails.
void take_step(double h, const ProblemDump& dump, World* world, RunStatistics* statistics,
               CertificateFile* certificates) {
  try {
    const StepReport report = world->step(h);
    statistics->add(*world, report);
    certificates->write(*world, report);
  } catch (const SimulationError&) {
    const bool is_of_contact = !is_solved(world->record().report.contact.status);
    if (is_of_contact) dump.write(*world, statistics->steps());
    throw;
  }
  dump.write(*world, statistics->steps() - 1);
}

int run(const Arguments& a) {
  STICTION_USER_CHECK(std::isfinite(a.time) && a.time >= 0.0,
                      "--time must be finite and not negative, not {}", a.time);
  const auto shared_model = std::make_shared<const Model>(load(a.scene));
  const Model& model = *shared_model;
  WorldOptions options;
  options.h = a.step.value_or(model.elements.options.timestep);
  if (!a.scheme.empty()) options.formulation.scheme = &find_scheme(a.scheme);
  apply(a.contact, &options.formulation);
  options.formulation.times_stages = true;
  CertificateFile certificates(a.certificate);
  options.formulation.certifies = certificates.is_open();
  STICTION_USER_CHECK(a.threads >= 0, "--threads must not be negative, not {}", a.threads);
  set_thread_count(a.threads);
  World world(shared_model, options);
  if (!a.keyframe.empty()) world.reset_to_keyframe(a.keyframe);
  apply(a.start, &world);
  const double h = options.h, begin = world.time();
  constexpr double kMostSteps = 1e15;
  STICTION_USER_CHECK(a.time / h < kMostSteps, "{} s in steps of {} s are more than {} steps", a.time, h,
                      kMostSteps);
  const bool talk = !a.quiet && !a.json;
  const Energies start = world.energies();
  if (talk) {
    std::printf("%s: %zu bodies, %zu trees, %d velocities, %s, %s (%s), h = %g ms\n", model.name.c_str(),
                model.forest.bodies.size() - 1, model.forest.trees.size(), model.num_v(),
                options.formulation.scheme->name(), formulation_name(options.formulation.contact).c_str(),
                force_name(options.formulation.contact).c_str(), 1e3 * h);
    print_tree(model, 0, 0);
    for (const std::string& note : stiffness_notes(model)) std::printf("  note: %s\n", note.c_str());
    print_energies("start", start);
  }

  // Count whole steps, so that the time is a product and not a sum; the rest of a step ends the run.
  const long whole = static_cast<long>(std::floor(a.time / h * (1.0 + 1e-12)));
  const double rest = a.time - static_cast<double>(whole) * h;
  Progress progress(talk);
  Stopwatch clock;
  RunStatistics statistics;
  const ProblemDump dump(a.dump_folder);
  const SceneEntry* scene = find_scene(a.scene.name);
  const auto control = [&] {
    if (scene != nullptr && scene->control != nullptr) scene->control(world.time(), &world.input().controls);
  };
  while (statistics.steps() < whole && !interrupted()) {
    control();
    take_step(h, dump, &world, &statistics, &certificates);
    progress.show(world.time() - begin, a.time);
  }
  control();
  if (!interrupted() && rest > 1e-9 * h) take_step(rest, dump, &world, &statistics, &certificates);
  const double wall = clock.seconds();
  certificates.close();
  const double rate = static_cast<double>(statistics.steps()) / std::max(wall, 1e-9);

  const Energies end = world.energies();
  if (talk) {
    print_energies("end", end);
    statistics.print(world);
    std::printf("%ld steps in %.3f s: %.0f steps/s, %.1f x real time\n", statistics.steps(), wall, rate,
                (world.time() - begin) / std::max(wall, 1e-9));
  }
  if (a.json) std::printf("%s\n", answer(a, world, start, statistics, begin, wall).dump(2).c_str());
  return interrupted() ? kInterrupted : kDone;
}

}  // namespace

void add_run(CLI::App* app, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app->add_subcommand(
      "run",
      "Simulates a scene and prints its tree, its energies, its contacts "
      "and the speed.\nExample: stiction run clutter --time 5 --formulation icf_lagged+newton");
  add_scene_options(command, &arguments->scene);
  command->add_option("--time", arguments->time, "Seconds to simulate")->capture_default_str();
  command->add_option("--step", arguments->step,
                      "Step in seconds; the model's own without it (0.002 if it has none)");
  command->add_option("--keyframe", arguments->keyframe,
                      "Start at this keyframe of the file, by name or number");
  add_start_options(command, &arguments->start);
  command->add_option("--scheme", arguments->scheme, "Time stepping scheme (stiction list schemes)");
  add_contact_options(command, &arguments->contact);
  command->add_option("--threads", arguments->threads, "Threads; 0: one per core")->capture_default_str();
  command->add_option("--dump-problems", arguments->dump_folder,
                      "Write the contact problem of every step into this folder (stiction solve)");
  command->add_option("--certificate", arguments->certificate,
                      "Write how accurate every step is to this file, one JSON object a line");
  command->add_flag("--json", arguments->json, "Print JSON alone on standard output");
  command->add_flag("--quiet", arguments->quiet, "Print nothing but errors");
  command->callback([arguments, exit_code] { *exit_code = run(*arguments); });
}

}  // namespace stiction::cli
