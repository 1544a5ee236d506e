// The energy books close in every scene and shared robot, under every scheme and formulation.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "stiction/base/shared_files.h"
#include "stiction/io/model_file.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/world.h"
#include "test/base/fewer.h"

namespace stiction {
namespace {

// Round-off of the sums and of the integrals, relative to the largest entry of the step.
constexpr double kExact = 1e-10;

// All schemes by name, and two pairs of S eq. 6 that have none.
std::vector<std::string> scheme_names() {
  std::vector<std::string> names;
  for (const Scheme* scheme : scheme_list())
    if (std::string(scheme->name()) != "geometrically_implicit") names.emplace_back(scheme->name());
  names.emplace_back("theta:0.6,0.9");
  names.emplace_back("theta:0,0.5");
  return names;
}

// In `make soak`, every scene with every scheme and formulation; here, every pair of them.
bool takes_product() { return std::getenv("STICTION_ENERGY_PRODUCT") != nullptr; }

// Islands of more contact points take minutes with the geometric laws and the pivoting solvers, which have one dense
// matrix for each.
constexpr std::size_t kMostDensePoints = 100;

bool is_dense(const ContactOptions& options) {
  const std::string solver = solver_of(options);
  return is_geometric(options.law) || solver == "lemke" || solver == "dantzig";
}

struct Worst {
  double error = 0.0;
  std::string where;
  int steps = 0;
};

// A few steps from the state of a world, under another formulation.
void audit_steps(World& from, const std::string& scheme, const std::string& formulation, Worst* worst) {
  const int steps = takes_product() ? 5 : 2;
  WorldOptions options = from.options();
  options.formulation.scheme = &find_scheme(scheme);
  set_formulation(formulation, &options.formulation.contact);
  const bool is_large = from.record().contact.problem.frames.size() > kMostDensePoints;
  if (is_large && is_dense(options.formulation.contact)) return;
  // The books do not ask for the solution of the contact problem: what a solver leaves is an entry of theirs. The
  // geometric laws have none for that.
  if (is_geometric(options.formulation.contact.law))
    options.formulation.geometric.most_halvings = 1;
  else
    set_max_iterations(takes_product() ? 50 : 4, &options.formulation);
  World world(std::make_shared<const Model>(from.model()), options);
  State start = from.state();
  start.memory = {};
  if (start.v.isZero(0.0)) start.v.setConstant(0.5);
  world.set_state(start);
  world.input() = from.input();
  try {
    for (int i = 0; i < steps; ++i) {
      world.step();
      const double error = world.energy_books().relative_error();
      ++worst->steps;
      if (error <= worst->error) continue;
      worst->error = error;
      worst->where = scheme + " " + formulation + " step " + std::to_string(i);
    }
  } catch (const SimulationError&) {
    // explicit_euler is unstable in some scenes: its steps until then count.
  }
}

// number: of the scene; under it every formulation meets another scheme.
void audit_scene(const std::string& name, World& world, int number, double bound) {
  const std::vector<std::string> schemes = scheme_names();
  const int count = static_cast<int>(schemes.size());
  Worst worst;
  // Under the sanitizers every eighth formulation, another eighth in every scene.
  constexpr int kEvery = kSanitized ? 8 : 1;
  for (int f = number % kEvery; f < static_cast<int>(catalog().size()); f += kEvery) {
    for (int s = 0; s < count; ++s)
      if (takes_product() || s == (number + f) % count)
        audit_steps(world, schemes[s], catalog()[f].name(), &worst);
  }
  std::printf("[ energy   ] %-36s %5d steps, largest error %.2e  %s\n", name.c_str(), worst.steps,
              worst.error, worst.where.c_str());
  EXPECT_GT(worst.steps, 0) << name;
  EXPECT_LE(worst.error, bound) << name << ": " << worst.where;
}

TEST(EnergyCover, BooksCloseInEveryScene) {
  int number = 0;
  for (const SceneEntry& entry : scene_catalog()) {
    WorldOptions options;
    World world(entry.make(), options);
    world.simulate(20 * options.h);
    audit_scene(entry.name, world, number++, kExact);
  }
}

TEST(EnergyCover, BooksCloseForEverySharedRobot) {
  int number = 0;
  for (const char* robot :
       {"franka_emika_panda/scene.xml", "kuka_iiwa_14/scene.xml", "kinova_gen3/scene.xml",
        "robotiq_2f85/scene.xml", "wonik_allegro/scene_left.xml", "shadow_hand/scene_left.xml",
        "google_barkour_vb/scene.xml", "agility_cassie/scene.xml", "pal_talos/scene_position.xml",
        "mujoco/humanoid/humanoid.xml", "mujoco/car/car.xml", "mujoco/replicate/tendon.xml"}) {
    const std::string name = std::string("models/") + robot;
    const auto file = shared_file(name);
    if (!file) GTEST_SKIP() << missing_shared_file(name);
    Model model = load_model_file(*file);
    WorldOptions options;
    options.h = model.elements.options.timestep;
    World world(std::move(model), options);
    if (!world.model().elements.keyframes.empty()) world.reset_to_keyframe("0");
    world.simulate(20 * options.h);
    audit_scene(robot, world, number++, kExact);
  }
}

}  // namespace
}  // namespace stiction
