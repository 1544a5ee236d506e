#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "apps/cli/commands.h"
#include "scenes/catalog.h"
#include "stiction/base/check.h"
#include "stiction/base/timer.h"
#include "stiction/simulation/world.h"

namespace stiction::cli {

namespace {

struct Arguments {
  std::string scene;
  double time = 5.0;
  double step = 2e-3;
  std::string scheme;
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

int run(const Arguments& a) {
  STICTION_USER_CHECK(std::isfinite(a.time) && a.time >= 0.0,
                      "--time must be finite and not negative, not {}", a.time);
  WorldOptions options;
  options.h = a.step;
  if (!a.scheme.empty()) options.formulation.scheme = &find_scheme(a.scheme);
  World world(make_scene(a.scene), options);
  constexpr double kMostSteps = 1e15;
  STICTION_USER_CHECK(a.time / a.step < kMostSteps, "{} s in steps of {} s are more than {} steps", a.time,
                      a.step, kMostSteps);
  const Model& model = world.model();
  const bool talk = !a.quiet && !a.json;
  const Energies start = world.energies();
  if (talk) {
    std::printf("%s: %zu bodies, %zu trees, %d velocities, %s, h = %g ms\n", model.name.c_str(),
                model.forest.bodies.size() - 1, model.forest.trees.size(), model.num_v(),
                options.formulation.scheme->name(), 1e3 * a.step);
    print_tree(model, 0, 0);
    print_energies("start", start);
  }

  // Count whole steps, so that the time is a product and not a sum; the rest of a step ends the run.
  const long whole = static_cast<long>(std::floor(a.time / a.step * (1.0 + 1e-12)));
  const double rest = a.time - static_cast<double>(whole) * a.step;
  Progress progress(talk);
  Stopwatch clock;
  long steps = 0;
  for (; steps < whole && !interrupted(); ++steps) {
    world.step();
    progress.show(world.time(), a.time);
  }
  if (!interrupted() && rest > 1e-9 * a.step) {
    world.step(rest);
    ++steps;
  }
  const double wall = clock.seconds();
  const double rate = static_cast<double>(steps) / std::max(wall, 1e-9);

  const Energies end = world.energies();
  if (talk) {
    print_energies("end", end);
    std::printf("%ld steps in %.3f s: %.0f steps/s, %.0f x real time\n", steps, wall, rate,
                world.time() / std::max(wall, 1e-9));
  }
  if (a.json) {
    const auto energy = [](const Energies& e) {
      return nlohmann::json{
          {"kinetic", e.kinetic}, {"gravity", e.gravity}, {"springs", e.springs}, {"total", e.total()}};
    };
    const State& s = world.state();
    nlohmann::json json = {{"scene", a.scene},
                           {"scheme", world.options().formulation.scheme->name()},
                           {"step", a.step},
                           {"time", s.time},
                           {"steps", steps},
                           {"wall_s", wall},
                           {"steps_per_second", rate},
                           {"energy_start", energy(start)},
                           {"energy_end", energy(end)},
                           {"q", std::vector<double>(s.q.begin(), s.q.end())},
                           {"v", std::vector<double>(s.v.begin(), s.v.end())},
                           {"hash", format("{}", hash(s))}};
    std::printf("%s\n", json.dump(2).c_str());
  }
  return interrupted() ? kInterrupted : kDone;
}

}  // namespace

void add_run(CLI::App* app, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app->add_subcommand("run",
                                          "Simulates a scene and prints its tree, its energies and the "
                                          "speed.\nExample: stiction run arm --time 5 --step 0.002");
  command->add_option("scene", arguments->scene, "Name of a scene (stiction list scenes)")->required();
  command->add_option("--time", arguments->time, "Seconds to simulate")->capture_default_str();
  command->add_option("--step", arguments->step, "Step in seconds")->capture_default_str();
  command->add_option("--scheme", arguments->scheme, "Time stepping scheme (stiction list schemes)");
  command->add_flag("--json", arguments->json, "Print JSON alone on standard output");
  command->add_flag("--quiet", arguments->quiet, "Print nothing but errors");
  command->callback([arguments, exit_code] { *exit_code = run(*arguments); });
}

}  // namespace stiction::cli
