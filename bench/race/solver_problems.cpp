#include "bench/race/solver_problems.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "scenes/catalog.h"
#include "stiction/base/check.h"
#include "stiction/constraint/apply_law.h"
#include "stiction/contact/catalog.h"
#include "stiction/contact/dual/rigid_solver.h"
#include "stiction/contact/file/fc3d_conversion.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/saved_problem.h"
#include "stiction/simulation/world.h"

namespace stiction::race {
namespace {

constexpr double kStep = 2e-3;  // s
constexpr int kSteps = 4;       // problems of a set

struct Source {
  const char *name, *scene;
  double first_s, every_s;  // of simulated time: when the first problem is taken, and every how often
};

const Source kSources[] = {
    {"clutter_40", "clutter", 0.6, 0.3},
    {"clutter_160", "clutter_160", 1.0, 0.4},
    {"quadruped", "quadruped_trotting", 0.5, 0.13},
    {"humanoid", "humanoid_standing", 0.2, 0.3},
    {"hand", "hand_with_ball", 0.4, 0.3},
};

// Rows that the peers cannot have, decided by a solution.
void decide_rows(ContactProblem* problem) {
  if (problem->rows.empty()) return;
  DualOptions options;
  options.tolerance = 1e-10;
  options.max_iterations = 5000;
  ContactSolution solution;
  const ContactOptions coulomb = [] {
    ContactOptions chosen;
    set_formulation("coulomb_ncp+admm", &chosen);
    return chosen;
  }();
  RigidSolver().solve(*problem, solver_of(coulomb), options, {}, &solution);
  for (std::size_t i = 0; i < problem->rows.size(); ++i) {
    RowLaw& law = problem->row_laws[i];
    const double impulse = solution.row_impulses[i];
    const double near = 1e-7 * (std::abs(impulse) + 1e-9);
    if (impulse <= law.lower + near)
      law.upper = law.lower;
    else if (impulse >= law.upper - near)
      law.lower = law.upper;
    else
      law.lower = -1e300, law.upper = 1e300;
  }
}

int contacts_of(const DualProblem& dual) {
  return static_cast<int>(std::count_if(dual.blocks.begin(), dual.blocks.end(),
                                        [](const DualBlock& block) { return block.is_contact(); }));
}

StoredProblem stored(const Fc3dProblem& problem) {
  StoredProblem out;
  out.name = problem.name;
  out.contacts = problem.num_contacts();
  out.q.assign(problem.q.begin(), problem.q.end());
  out.mu = problem.friction;
  const std::size_t n = out.q.size();
  out.W.assign(n * n, 0.0);
  for (const SparseEntries::Entry& e : problem.W.entries)
    out.W[static_cast<std::size_t>(e.column) * n + static_cast<std::size_t>(e.row)] += e.value;
  return out;
}

// The island with the most contacts.
bool add_problem(const World& world, const std::string& name, SolverSet* set) {
  const ContactOptions& posed = world.options().formulation.contact;
  SavedProblem saved = saved_problem(world.model(), world.record(), posed);
  ContactOptions options = posed;
  set_formulation(name_of(LawKind::coulomb_ncp), &options);
  apply_law(options, &saved);
  // Recovering all penetration in one step may be contradictory, and then there is no solution: no solver found
  // one for three of four problems of clutter_160. Without recovery, rest satisfies all contacts.
  for (double& reference : saved.problem.law_parameters[kReference]) reference = std::min(reference, 0.0);
  decide_rows(&saved.problem);
  SolverProblem best;
  for (const Island& island : saved.problem.islands) {
    DualProblem dual;
    dual.begin(saved.problem, island);
    if (contacts_of(dual) > contacts_of(best.trees)) best.trees = std::move(dual);
  }
  if (contacts_of(best.trees) == 0) return false;
  const Fc3dProblem fc = fc3d_of(best.trees, name);
  best.stored = stored(fc);
  best.matrix = dual_of(fc);
  set->problems.push_back(std::move(best));
  return true;
}

}  // namespace

std::vector<double> SolverProblem::contacts_of(const VecX& lambda) const {
  std::vector<double> r;
  for (const DualBlock& block : trees.blocks) {
    if (!block.is_contact()) continue;
    const double* at = lambda.data() + block.begin;
    r.push_back(at[block.tangents]);
    for (int i = 0; i < 2; ++i) r.push_back(block.tangents == 2 ? at[i] : 0.0);
  }
  return r;
}

std::string SolverSet::size() const {
  int least = problems.front().stored.contacts, most = least;
  for (const SolverProblem& problem : problems) {
    least = std::min(least, problem.stored.contacts);
    most = std::max(most, problem.stored.contacts);
  }
  return fmt::format("{} problems of {} to {} contacts", problems.size(), least, most);
}

std::vector<std::string> solver_set_names() {
  std::vector<std::string> names;
  for (const Source& source : kSources) names.push_back(source.name);
  return names;
}

SolverSet make_solver_set(const std::string& name) {
  const auto source = std::find_if(std::begin(kSources), std::end(kSources),
                                   [&](const Source& one) { return name == one.name; });
  STICTION_USER_CHECK(source != std::end(kSources), "no problems '{}' in the race", name);
  const SceneEntry* scene = find_scene(source->scene);
  STICTION_ASSERT(scene != nullptr);
  WorldOptions options;
  options.h = kStep;
  World world(scene->make(), options);
  const InputSchedule schedule =
      scene->schedule != nullptr ? scene->schedule(world.model()) : InputSchedule();
  SolverSet set;
  set.name = name;
  for (int k = 0; k < kSteps; ++k) {
    const double time = source->first_s + k * source->every_s;
    while (world.time() < time) {
      apply(schedule, &world);
      world.step();
    }
    add_problem(world, fmt::format("{} at {:.2f} s", name, time), &set);
  }
  STICTION_USER_CHECK(!set.problems.empty(), "nothing touches in {}", source->scene);
  return set;
}

}  // namespace stiction::race
