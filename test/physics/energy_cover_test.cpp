// The energy books close in every scene and shared robot, under every scheme, formulation, elasticity and dissipation.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
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

// A law with its solver, where it takes them an elasticity and a dissipation, and of a rigid one the springs of materials.
struct Posed {
  std::string formulation;
  Elasticity elasticity = Elasticity::linear;
  Dissipation dissipation = Dissipation::hunt_crossley;
  bool material_compliance = false;
  std::string name() const {
    constexpr const char* kElastic[] = {"linear", "hertz", "log_barrier", "ipc_barrier"};
    constexpr const char* kDamping[] = {"none", "kelvin_voigt", "hunt_crossley"};
    if (!law_row(law_of()).takes_elasticity())
      return formulation + (material_compliance ? " with material springs" : "");
    return formulation + " " + kElastic[static_cast<int>(elasticity)] + " " +
           kDamping[static_cast<int>(dissipation)];
  }
  LawKind law_of() const {
    ContactOptions options;
    set_formulation(formulation, &options);
    return options.law;
  }
};
constexpr Elasticity kElasticities[] = {Elasticity::linear, Elasticity::hertz, Elasticity::log_barrier,
                                        Elasticity::ipc_barrier};
constexpr Dissipation kDissipations[] = {Dissipation::none, Dissipation::kelvin_voigt,
                                         Dissipation::hunt_crossley};

// In `make soak`, every scene with every scheme and formulation; here, every pair of them.
bool takes_product() { return std::getenv("STICTION_ENERGY_PRODUCT") != nullptr; }

// Islands of more contact points take minutes with the geometric laws and the pivoting solvers, which have one dense
// matrix for each.
constexpr std::size_t kMostDensePoints = 100;

constexpr const char* kLiteral = "pgs_plain";

bool is_dense(const ContactOptions& options) {
  const std::string solver = solver_of(options);
  return is_geometric(options.law) || solver == "lemke" || solver == "dantzig";
}

struct Worst {
  double error = 0.0;
  std::string where;
  int steps = 0, converged = 0;
  int excused = 0;  // steps whose books close to kExact only beside the round-off of their impulses
  int ended = 0;    // motions that grew beyond all bounds, where they may
  // Once NaN it stays NaN.
  void take(double other, const std::string& place) {
    if (std::isnan(error) || other <= error) return;
    error = other;
    where = place;
  }
};

// Solvers that are cut short may leave impulses of bodies that nothing can move, far above all momenta; they do no
// work but by the round-off of the velocities that they are multiplied with: eps |gamma| v in J, with a few operations
// for each.
double round_off_of_impulses(const World& world) {
  const StepRecord& r = world.record();
  double impulses = 0.0;
  for (const double impulse : r.contact.solution.impulses) impulses += std::abs(impulse);
  const double fastest = std::max(r.v_start.lpNorm<Eigen::Infinity>(), r.v_next.lpNorm<Eigen::Infinity>());
  return 8.0 * std::numeric_limits<double>::epsilon() * impulses * fastest;
}

enum class Solve { cut_short, to_the_end };

// A few steps from the state of a world, under another formulation.
void audit_steps(World& from, const std::string& scheme, const Posed& posed, Solve solve, Worst* worst) {
  const int steps = takes_product() ? 5 : 2;
  WorldOptions options = from.options();
  options.formulation.scheme = &find_scheme(scheme);
  ContactOptions& contact = options.formulation.contact;
  set_formulation(posed.formulation, &contact);
  contact.elasticity = posed.elasticity;
  contact.dissipation = posed.dissipation;
  contact.rigid.material_compliance = posed.material_compliance;
  const bool is_large = from.record().contact.problem.frames.size() > kMostDensePoints;
  if (is_large && is_dense(contact)) return;
  // The books do not ask for the solution of the contact problem: what a solver leaves is an entry of theirs. The
  // geometric laws have none for that.
  if (is_geometric(contact.law))
    options.formulation.geometric.most_halvings = 1;
  else if (solve == Solve::cut_short)
    set_max_iterations(takes_product() ? 50 : 4, &options.formulation);
  World world(std::make_shared<const Model>(from.model()), options);
  State start = from.state();
  start.memory = {};
  if (start.v.isZero(0.0)) start.v.setConstant(0.5);
  world.set_state(start);
  world.input() = from.input();
  for (int i = 0; i < steps; ++i) {
    const std::string place = scheme + " " + posed.name() + " step " + std::to_string(i);
    try {
      world.step();
    } catch (const SimulationError& error) {
      // Steps until then count. Explicit schemes are unstable in some scenes, and the literal Algorithms of C take
      // steps beyond 2 over the largest eigenvalue of some robots' contacts, which diverge (dual/pgs_plain.cpp).
      const bool may_diverge = find_scheme(scheme).theta().theta == 0.0 || solver_of(contact) == kLiteral;
      if (may_diverge)
        ++worst->ended;
      else
        worst->take(std::numeric_limits<double>::quiet_NaN(), place + ": " + error.what());
      return;
    }
    // Gauss's six points integrate the forces along turns of up to a radian to round-off.
    constexpr double kLargestTurn = 1.0;
    if ((options.h * world.state().v).lpNorm<Eigen::Infinity>() > kLargestTurn) break;
    const EnergyBooks books = world.energy_books();
    const double missing = std::abs(books.error());
    const bool is_converged = is_solved(world.record().contact.solution.report.status);
    ++worst->steps;
    worst->converged += is_converged;
    double error = books.relative_error();
    // What has converged has no such impulses.
    if (error > kExact && !is_converged) {
      ++worst->excused;
      error = std::max(0.0, missing - round_off_of_impulses(world)) / books.turnover();
    }
    worst->take(error, place);
  }
}

// make: a world that has contacts under that elasticity. number: of the scene; under it every formulation meets
// another scheme, and the laws that take them another elasticity and dissipation: 7, 4 and 3 have no common factor,
// so that all pairs are met.
template <class Make>
void audit_scene(const std::string& name, const Make& make, int number, double bound) {
  const std::vector<std::string> schemes = scheme_names();
  const int count = static_cast<int>(schemes.size());
  Worst worst;
  for (int e = 0; e < 4; ++e) {
    const bool is_chosen = e == number % 4;
    // Other laws from the linear one.
    if (!takes_product() && !is_chosen && e > 0) continue;
    World world = make(kElasticities[e]);
    // Under the sanitizers every eighth formulation, another eighth in every scene.
    constexpr int kEvery = kSanitized ? 8 : 1;
    for (int f = number % kEvery; f < static_cast<int>(catalog().size()); f += kEvery) {
      const CatalogEntry& entry = catalog()[static_cast<std::size_t>(f)];
      const bool takes = takes_elasticity(entry.law);
      if (takes ? !takes_product() && !is_chosen : e > 0) continue;
      for (int s = 0; s < count; ++s) {
        if (!takes_product() && s != (number + f) % count) continue;
        for (int d = 0; d < (takes ? 3 : 1); ++d) {
          if (takes && !takes_product() && d != number % 3) continue;
          for (const bool springs : {false, true}) {
            const bool is_meant = takes_product() || (number + f) % 2 == 0;
            if (springs && !(is_rigid(entry.law) && is_meant)) continue;
            const Posed posed{entry.name(), kElasticities[e], kDissipations[takes ? d : 2], springs};
            audit_steps(world, schemes[static_cast<std::size_t>(s)], posed, Solve::cut_short, &worst);
          }
        }
        // One in seven to the end of its iterations, others in every scene.
        constexpr int kOften = 7;
        if ((number + f) % kOften != 0 || s != (number + f) % count) continue;
        const Posed posed{entry.name(), kElasticities[e], kDissipations[takes ? number % 3 : 2],
                          is_rigid(entry.law) && number % 2 == 0};
        audit_steps(world, schemes[static_cast<std::size_t>(s)], posed, Solve::to_the_end, &worst);
      }
    }
  }
  std::printf("[ energy   ] %-36s %5d steps, %5d converged, %d excused, %d ended, largest error %.2e  %s\n",
              name.c_str(), worst.steps, worst.converged, worst.excused, worst.ended, worst.error,
              worst.where.c_str());
  std::fflush(stdout);
  // An eighth of the formulations may be dense ones alone.
  EXPECT_GE(worst.steps, kSanitized ? 0 : 1) << name;
  EXPECT_LE(worst.error, bound) << name << ": " << worst.where;
  // No step needs the excuse here; of the product, with five times as many steps of everything, one in a hundred may.
  EXPECT_LE(worst.excused, takes_product() ? worst.steps / 100 : 0) << name;
}

TEST(EnergyCover, BooksCloseInEveryScene) {
  int number = 0;
  for (const SceneEntry& entry : scene_catalog()) {
    const auto make = [&](Elasticity elasticity) {
      WorldOptions options;
      options.formulation.contact.elasticity = elasticity;
      World world(entry.make(), options);
      world.simulate(20 * options.h);
      return world;
    };
    audit_scene(entry.name, make, number++, kExact);
  }
}

// One file of every robot and of every kind of scene among the shared models.
const char* const kRobots[] = {
    "agility_cassie/scene.xml",
    "anybotics_anymal_c/scene.xml",
    "example-robot-data/robots/allegro_hand_description/urdf/allegro_left_hand.urdf",
    "example-robot-data/robots/solo_description/robots/solo.urdf",
    "example-robot-data/robots/solo_description/robots/solo12.urdf",
    "franka_emika_panda/scene.xml",
    "google_barkour_vb/scene.xml",
    "google_robot/scene.xml",
    "kinova_gen3/scene.xml",
    "kuka_iiwa_14/scene.xml",
    "mujoco/car/car.xml",
    "mujoco/cards/cards.xml",
    "mujoco/humanoid/humanoid.xml",
    "mujoco/replicate/newton_cradle.xml",
    "mujoco/replicate/tendon.xml",
    "pal_talos/scene_position.xml",
    "robotiq_2f85/scene.xml",
    "shadow_dexee/scene.xml",
    "shadow_hand/scene_left.xml",
    "unitree_go1/scene.xml",
    "wonik_allegro/scene_left.xml"};

// All of them, but for files that are a part of others.
std::vector<std::string> every_robot(const std::filesystem::path& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if ((extension == ".xml" || extension == ".urdf") && entry.path().filename() != "keyframes.xml")
      files.push_back(std::filesystem::relative(entry.path(), folder).string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(EnergyCover, BooksCloseForEverySharedRobot) {
  const auto folder = shared_file("models");
  if (!folder) GTEST_SKIP() << missing_shared_file("models");
  std::vector<std::string> robots(std::begin(kRobots), std::end(kRobots));
  if (takes_product()) robots = every_robot(*folder);
  int number = 0;
  for (const std::string& robot : robots) {
    if (kSanitized && number % 7 != 0) {
      ++number;
      continue;
    }
    const Model model = load_model_file(*folder / robot);
    const auto make = [&](Elasticity elasticity) {
      WorldOptions options;
      options.h = model.elements.options.timestep;
      options.formulation.contact.elasticity = elasticity;
      World world(Model(model), options);
      if (!world.model().elements.keyframes.empty()) world.reset_to_keyframe("0");
      world.simulate(20 * options.h);
      return world;
    };
    audit_scene(robot, make, number++, kExact);
  }
}

}  // namespace
}  // namespace stiction
