#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "apps/cli/certificate_file.h"
#include "apps/cli/commands.h"
#include "apps/cli/contact_arguments.h"
#include "apps/cli/energy_table.h"
#include "apps/cli/page_file.h"
#include "apps/cli/profile.h"
#include "apps/cli/progress.h"
#include "apps/cli/record.h"
#include "apps/cli/run_answer.h"
#include "apps/cli/run_statistics.h"
#include "apps/cli/scene_arguments.h"
#include "apps/cli/sensor_file.h"
#include "apps/cli/start_arguments.h"
#include "stiction/base/check.h"
#include "stiction/base/log.h"
#include "stiction/base/parallel.h"
#include "stiction/base/timer.h"
#include "stiction/simulation/contact/default_stiffness.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/saved_problem.h"
#include "stiction/simulation/world.h"

namespace stiction::cli {

namespace {

struct Arguments {
  SceneArguments scene;
  std::optional<double> time, step;
  std::string scheme, keyframe, dump_folder, certificate, sensors, trace;
  ContactArguments contact;
  StartArguments start;
  RecordArguments record;
  PageArguments page;
  std::optional<int> threads;
  std::optional<std::int64_t> seed;
  bool profile = false;
  bool energy = false;
  bool bodies = false;
  bool json = false;
  bool quiet = false;
};

std::string joint_summary(const Body& body) {
  std::string text;
  for (const Joint& joint : body.joints)
    text += std::string(text.empty() ? "" : ", ") + joint.name + ": " + name_of(joint.type);
  return text.empty() ? "fixed" : text;
}

// The bodies as a tree with their masses and where they are, m; long chains stop moving to the right.
void print_bodies(const World& world) {
  constexpr int kDeepest = 10;
  const std::vector<Body>& bodies = world.model().forest.bodies;
  // Bodies come after their parents but not always depth first.
  std::vector<std::vector<int>> children(bodies.size());
  for (size_t b = bodies.size(); b-- > 1;)
    children[static_cast<size_t>(bodies[b].parent)].push_back(static_cast<int>(b));
  std::vector<std::pair<int, int>> open;  // body, depth
  for (const int child : children[0]) open.emplace_back(child, 0);
  while (!open.empty()) {
    const auto [body, depth] = open.back();
    open.pop_back();
    const Body& b = bodies[static_cast<size_t>(body)];
    const Vec3 p = world.body_pose(b.name).p;
    const int indent = 2 * std::min(depth, kDeepest);
    std::printf("  %*s%-*s %8.3f kg  at (%8.4f, %8.4f, %8.4f) m  %s\n", indent, "", std::max(1, 24 - indent),
                b.name.c_str(), b.inertia.mass, p[0], p[1], p[2], joint_summary(b).c_str());
    for (const int child : children[static_cast<size_t>(body)]) open.emplace_back(child, depth + 1);
  }
}

void print_energies(const char* when, const Energies& e) {
  std::printf("  %-6s kinetic %10.4f J   gravity %10.4f J   springs %10.4f J", when, e.kinetic, e.gravity,
              e.springs);
  if (e.tendons != 0.0) std::printf("   tendons %10.4f J", e.tendons);
  if (e.bushings != 0.0) std::printf("   bushings %10.4f J", e.bushings);
  if (e.contacts != 0.0) std::printf("   contacts %10.4f J", e.contacts);
  std::printf("   total %10.4f J\n", e.total());
}

// Names the run that is about to start.
void print_start(const World& world, double time) {
  const Model& model = world.model();
  const Formulation& f = world.options().formulation;
  std::printf("%s: %zu bodies, %zu trees, %d velocities; %g s with %s, %s (%s), h = %g ms\n",
              model.name.c_str(), model.forest.bodies.size() - 1, model.forest.trees.size(), model.num_v(),
              time, f.scheme->name(), formulation_name(f.contact).c_str(), force_name(f.contact).c_str(),
              1e3 * world.options().h);
  std::fflush(stdout);
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

// Everything that a run writes step by step.
struct RunFiles {
  CertificateFile certificates;
  ProblemDump problems;
  ProfileTrace trace;
  SensorFile sensors;
  RunRecording recording;
  RunPage page;

  void close(World* world) {
    certificates.close();
    trace.close();
    sensors.close();
    recording.close(*world);
    page.close(world);
  }
};

// One step with its problem, also where it fails.
void take_step(double h, World* world, RunStatistics* statistics, RunFiles* files) {
  try {
    files->recording.begin_step(world);
    const Stopwatch clock;
    const StepReport report = world->step(h);
    files->trace.add(*world, report, clock.seconds());
    statistics->add(*world, report);
    files->certificates.write(*world, report);
    files->sensors.write(*world, statistics->steps());
    files->recording.write(world, h, report);
    files->page.add(world, report);
  } catch (const SimulationError& error) {
    files->recording.log(LogLevel::kError, error.what());
    const bool is_of_contact = !is_solved(world->record().report.contact.status);
    if (is_of_contact) files->problems.write(*world, statistics->steps());
    throw;
  }
  files->problems.write(*world, statistics->steps() - 1);
}

// Each output file with the program that opens it.
void print_files(const Arguments& a) {
  const auto line = [](const std::string& file, const std::string& how) {
    if (!file.empty()) std::printf("wrote %s: %s\n", file.c_str(), how.c_str());
  };
  line(a.sensors, "sensors over time, a table for any spreadsheet");
  line(a.certificate, "the errors of every step, one JSON object a line");
  line(a.dump_folder, "contact problems, for example: stiction solve " + a.dump_folder + "/step_000000.json");
  line(a.record.file, "stiction view, replay, export and plot open it, and Foxglove (https://foxglove.dev)");
  line(a.page.file, "open it in a browser");
  line(a.trace, "open it in https://ui.perfetto.dev or chrome://tracing");
}

WorldOptions options_of(const Arguments& a, const Scene& scene) {
  WorldOptions options = scene.options;
  options.h = a.step.value_or(options.h);
  if (!a.scheme.empty()) options.formulation.scheme = &find_scheme(a.scheme);
  apply(a.contact, &options.formulation);
  options.formulation.times_stages = true;
  options.formulation.certifies = !a.certificate.empty();
  STICTION_USER_CHECK(a.seed.value_or(0) >= 0, "--seed must not be negative, not {}", *a.seed);
  if (a.seed) options.sensor_noise = static_cast<std::uint64_t>(*a.seed);
  return options;
}

int run(const Arguments& a) {
  if (a.quiet) set_log_level(LogLevel::kError);
  Scene scene = load(a.scene);
  const double time = a.time.value_or(scene.time);
  STICTION_USER_CHECK(std::isfinite(time) && time >= 0.0, "--time must be finite and not negative, not {}",
                      time);
  if (!a.keyframe.empty()) scene.keyframe = a.keyframe;
  const WorldOptions options = options_of(a, scene);
  const int threads = a.threads.value_or(scene.threads);
  STICTION_USER_CHECK(threads >= 0, "--threads must not be negative, not {}", threads);
  set_thread_count(threads);
  World world(std::make_shared<const Model>(scene.model), options);
  const bool settles = std::exchange(scene.settles, false);
  start_scene(scene, &world);
  apply(a.start, &world, &scene.schedule);
  std::optional<SettleReport> settled;
  if (settles) settled = settle(&world);
  const double h = options.h, begin = world.time();
  constexpr double kMostSteps = 1e15;
  STICTION_USER_CHECK(time / h < kMostSteps, "{} s in steps of {} s are more than {} steps", time, h,
                      kMostSteps);
  RunFiles files{CertificateFile(a.certificate),
                 ProblemDump(a.dump_folder),
                 ProfileTrace(a.trace),
                 SensorFile(a.sensors, world, scene.recorded_sensors, scene.record_every),
                 RunRecording(a.record, a.scene.name, &world),
                 RunPage(a.page, a.scene.name, &world)};
  const bool talk = !a.quiet && !a.json;
  const Energies start = world.energies();
  if (talk && settled) std::printf("%s\n", settled->text().c_str());
  if (talk) print_start(world, time);

  // Count whole steps, so that the time is a product and not a sum; the rest of a step ends the run.
  const long whole = static_cast<long>(std::floor(time / h * (1.0 + 1e-12)));
  const double rest = time - static_cast<double>(whole) * h;
  RunStatistics statistics;
  EnergyTotals books;
  std::optional<SimulationError> failure;
  double wall = 0.0;
  {
    Progress progress(!a.quiet, world.model().name);
    const Stopwatch clock;
    const auto advance = [&](double length) {
      apply(scene.schedule, &world);
      const double t = world.time();
      take_step(length, &world, &statistics, &files);
      if (a.energy) books.add(world.energy_books(), t);
      progress.show(world.time() - begin, time);
    };
    try {
      files.sensors.write(world, 0);
      while (statistics.steps() < whole && !interrupted()) advance(h);
      if (!interrupted() && rest > 1e-9 * h) advance(rest);
    } catch (const SimulationError& error) {
      failure = error;
    }
    wall = clock.seconds();
  }
  files.close(&world);

  if (talk) {
    // The answer first: how far it came, how fast, and whether all of it was solved.
    if (interrupted()) std::printf("  interrupted at t = %g s\n", world.time());
    std::printf("%ld steps in %.3f s: %.0f steps/s, %.1f x real time; %s\n", statistics.steps(), wall,
                static_cast<double>(statistics.steps()) / std::max(wall, 1e-9),
                (world.time() - begin) / std::max(wall, 1e-9), statistics.verdict().c_str());
    statistics.print(world);
    print_energies("start", start);
    print_energies("end", world.energies());
    if (a.bodies) print_bodies(world);
    for (const std::string& note : stiffness_notes(world.model(), world.formulation().stiffness_step))
      std::printf("  note: %s\n", note.c_str());
    if (a.energy) print_energy_table(books);
    if (a.profile) print_profile(world.workspace().timers, statistics.steps(), wall);
    files.recording.print();
    print_files(a);
  }
  if (failure) throw *failure;
  if (a.json) {
    nlohmann::json answer = run_answer(a.scene.name, world, start, statistics, begin, wall);
    if (settled) answer["settled"] = settled_json(*settled);
    if (a.energy) answer["energy_books"] = energy_books_json(books);
    files.recording.write(&answer);
    std::printf("%s\n", answer.dump(2).c_str());
  }
  return interrupted() ? kInterrupted : kDone;
}

}  // namespace

void add_run(const Parser& app, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  const Parser command = app.add_command(
      "run",
      "Simulates a scene and prints the speed, whether every step was solved, its contacts and its "
      "energies.\nExample: stiction run clutter --time 5 --formulation icf_lagged+newton\n"
      "Example: stiction run quadruped_standing --settle");
  add_scene_options(command, &arguments->scene);
  add_settle_option(command, &arguments->scene);
  command.add_option("--time", &arguments->time, "Seconds to simulate; the scene file's without it (5)");
  command.add_option("--step", &arguments->step,
                     "Step in seconds; the model's own without it (0.002 if it has none)");
  command.add_option("--keyframe", &arguments->keyframe,
                     "Start at this keyframe of the file, by name or number");
  add_start_options(command, &arguments->start);
  command
      .add_option(
          "--scheme", &arguments->scheme,
          "Time stepping scheme (stiction list schemes), or theta:A,B with theta and theta_vq, such as "
          "theta:0.5,0.5")
      .type_name("SCHEME");
  add_contact_options(command, &arguments->contact);
  add_stiffness_step_option(command, &arguments->contact);
  add_record_options(command, &arguments->record);
  add_page_options(command, &arguments->page);
  command.add_option("--threads", &arguments->threads, "Threads; 0: one per core (1)");
  command.add_option("--seed", &arguments->seed, "Seed of the noise of sensors; none without it");
  command
      .add_option("--sensors", &arguments->sensors,
                  "Write sensors over time to this file (.csv): those that the scene file records, or all")
      .type_name("FILE");
  command
      .add_option("--dump-problems", &arguments->dump_folder,
                  "Write the contact problem of every step into this folder (stiction solve)")
      .type_name("FOLDER");
  command
      .add_option("--certificate", &arguments->certificate,
                  "Write how accurate every step is to this file, one JSON object a line")
      .type_name("FILE");
  command.add_flag("--energy", &arguments->energy,
                   "Print the energy books: every work, loss and energy by name, and what is missing");
  command.add_flag("--bodies", &arguments->bodies,
                   "Print the bodies as a tree, with their masses, and where they are at the end");
  command.add_flag("--profile", &arguments->profile, "Print where the time goes, stage by stage");
  command
      .add_option("--profile-trace", &arguments->trace,
                  "Write the stages of every step to this file (.json) for Perfetto or Chrome's tracing")
      .type_name("FILE");
  command.add_flag("--json", &arguments->json, "Print JSON alone on standard output");
  command.add_flag("--quiet", &arguments->quiet, "Print nothing but errors");
  command.callback([arguments, exit_code] { *exit_code = run(*arguments); });
}

}  // namespace stiction::cli
