// The ticks of C's Tables II and III, measured: which conditions of contact a law keeps, what a solver does
// with hard, hyperstatic and ill-conditioned problems, and how often it fails on random ones.

#include <algorithm>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "bench/claims/rigid_random.h"
#include "bench/claims/rigid_scenes.h"
#include "stiction/base/parallel.h"
#include "stiction/base/timer.h"
#include "stiction/contact/catalog.h"
#include "stiction/contact/dual/solver.h"

namespace stiction::claims {
namespace {

constexpr int kProblems = 10000, kIterations = 1000, kReferenceIterations = 20000;
constexpr double kTolerance = 1e-6;  // of the free velocity
constexpr double kBudget = 40.0;     // s of processor time, for one formulation on all random problems

// Errors of C eqs. 8, 5 and 12 (dual/residual.h), relative to the free velocity and to what stops it: the
// largest of all solved problems.
struct Outcome {
  int tried = 0, failed = 0;
  double signorini = 0.0, coulomb = 0.0, dissipation = 0.0;
};

enum class Problems { plain, hard };

// The solver whose answers are the reference: it gets as many iterations as it needs.
bool is_reference(const std::string& name) { return name == "coulomb_ncp+semismooth_newton"; }

// One random problem.
Outcome solve_one(const std::string& name, Problems problems, std::uint64_t seed) {
  const CatalogEntry* entry = find_in_catalog(name);
  RandomContacts contacts = problems == Problems::plain ? random_contacts(seed) : hard_random_contacts(seed);
  Outcome out;
  out.tried = 1;
  if (is_newton(name)) {
    const ContactOptions contact;
    const double share = (1.0 - contact.rigid.impedance) / contact.rigid.impedance;
    const double near_rigid = contact.beta * contact.beta / (4.0 * std::numbers::pi * std::numbers::pi);
    const bool is_mujoco = name.ends_with("_mujoco");
    make_primal(is_mujoco ? share : near_rigid, is_mujoco ? share : contact.sigma, &contacts);
    NewtonOptions options;
    options.relative_tolerance = kTolerance;
    options.max_iterations = kIterations;
    NewtonSolver newton;
    ContactSolution solution;
    newton.solve(contacts.problem, options, &solution);
    out.failed = is_solved(solution.report.status) ? 0 : 1;
    return out;
  }
  DualOptions options;
  options.accelerates = false;  // Gauss-Seidel as the paper has it
  options.tolerance = kTolerance;
  options.max_iterations = is_reference(name) ? kReferenceIterations : kIterations;
  VecX lambda = VecX::Zero(contacts.dual.num_rows());
  const auto solver = make_dual_solver(entry->law, entry->solver);
  if (!is_solved(solver->solve(contacts.dual, options, &lambda).status)) {
    out.failed = 1;
    return out;
  }
  const DualResidual errors = check_dual_residual(contacts.dual, lambda);
  out.signorini = errors.signorini.relative;
  out.coulomb = errors.primal.relative;
  out.dissipation = errors.dissipation.relative;
  return out;
}

Outcome solve_random(const ClaimContext& context, const std::string& name, Problems problems) {
  constexpr int kBlock = 100;
  Outcome out;
  std::vector<Outcome> block(kBlock);
  const Stopwatch watch(processor_seconds);
  while (out.tried < kProblems && (is_reference(name) || watch.seconds() < kBudget)) {
    context.check_stop();
    parallel_for(kBlock, 1, [&](int i) {
      block[static_cast<std::size_t>(i)] =
          solve_one(name, problems, static_cast<std::uint64_t>(out.tried + i) + 1);
    });
    for (const Outcome& one : block) {
      out.tried += one.tried;
      out.failed += one.failed;
      out.signorini = std::max(out.signorini, one.signorini);
      out.coulomb = std::max(out.coulomb, one.coulomb);
      out.dissipation = std::max(out.dissipation, one.dissipation);
    }
  }
  return out;
}

// Whether a cube that is pulled at stiction neither sinks nor creeps.
bool is_hard(const ClaimContext& context, const std::string& name) {
  constexpr double kPull = 2.0, kEnd = 0.1;         // N, s
  constexpr double kSunk = 1e-9, kCreeping = 1e-9;  // m, m/s
  World world(cube_on_floor(), rigid_options(name, kRigidStep, 1e-10));
  push("cube", Vec3(kPull, 0.0, 0.0), &world);
  run_until(context, kEnd, &world);
  const Vec3 velocity = world.body_velocity("cube").tail<3>();
  return 0.5 * kCubeEdge - world.body_pose("cube").p.z() < kSunk && velocity.head<2>().norm() < kCreeping;
}

const char* tick(bool value) { return value ? "yes" : "no"; }

// Tables II and III as printed; the last column of III is quoted.
struct ModelTicks {
  const char* name;
  const char* formulation;
  bool signorini, coulomb, dissipation;
};
constexpr ModelTicks kModels[] = {{"LCP", "pyramid_lcp+lemke", true, false, false},
                                  {"CCP", "convex_cone+admm", false, true, true},
                                  {"RaiSim", "raisim+bisection", true, true, false},
                                  {"NCP", "coulomb_ncp+admm", true, true, true}};
struct SolverTicks {
  const char* formulation;
  bool hard, no_internal, robust, guaranteed;
};
constexpr SolverTicks kSolvers[] = {
    {"pyramid_lcp+pgs", true, false, false, false},    {"pyramid_lcp+staggered", true, true, true, false},
    {"convex_cone+pgs", true, false, false, true},     {"convex_cone+newton_mujoco", false, true, true, true},
    {"convex_cone+admm", true, true, true, true},      {"convex_cone+newton", false, true, true, true},
    {"raisim+bisection", true, false, false, false},   {"coulomb_ncp+pgs", true, false, false, false},
    {"coulomb_ncp+staggered", true, true, true, false}};

// Coulomb's law on problems of up to 200 contacts, friction up to 2 and mass ratios up to 1e6.
constexpr const char* kHardSolvers[] = {"coulomb_ncp+pgs", "coulomb_ncp+admm",
                                        "coulomb_ncp+semismooth_newton"};

}  // namespace

ClaimResult table_of_ticks(const ClaimContext& context) {
  std::map<std::string, Outcome> outcomes;
  std::string counts, hard_counts;
  Figure figure{"Random problems not solved to 1e-6 in 1000 iterations",
                "solver, in the order of the list",
                "share",
                false,
                false,
                {}};
  Curve share{"not solved", {}, {}};
  for (const std::string& name : all_rigid_formulations()) {
    const Outcome& outcome = outcomes[name] = solve_random(context, name, Problems::plain);
    counts += fmt::format("{}{} {} of {}", counts.empty() ? "" : ", ", name, outcome.failed, outcome.tried);
    share.add(static_cast<double>(share.x.size() + 1), static_cast<double>(outcome.failed) / outcome.tried);
  }
  figure.curves = {share};
  context.save("C10", figure);
  for (const char* name : kHardSolvers) {
    const Outcome outcome = solve_random(context, name, Problems::hard);
    hard_counts +=
        fmt::format("{}{} {} of {}", hard_counts.empty() ? "" : ", ", name, outcome.failed, outcome.tried);
  }

  // A condition that holds is met to the tolerance, amplified by how much larger impulses are than what stops
  // one contact alone; one that does not is off by a good part of the impulses.
  constexpr double kHolds = 1e-3;
  std::string models, differences;
  const auto compare = [&](const std::string& where, bool ours, bool paper) {
    if (ours != paper)
      differences += fmt::format("{}{}: {}", differences.empty() ? "" : ", ", where, tick(ours));
  };
  for (const ModelTicks& model : kModels) {
    const Outcome& o = outcomes[model.formulation];
    models += fmt::format("{}{} {:.0e}, {:.0e}, {:.0e}", models.empty() ? "" : "; ", model.name, o.signorini,
                          o.coulomb, o.dissipation);
    compare(fmt::format("{} Signorini", model.name), o.signorini < kHolds, model.signorini);
    compare(fmt::format("{} Coulomb", model.name), o.coulomb < kHolds, model.coulomb);
    compare(fmt::format("{} dissipation", model.name), o.dissipation < kHolds, model.dissipation);
  }
  std::string solvers;
  for (const SolverTicks& s : kSolvers) {
    const std::string name = s.formulation;
    const bool hard = is_hard(context, name);
    const bool no_internal = internal_at_stiction(context, name).median < 1e-6;  // of m g h
    const bool robust = stack_residual(name, 1e6, kIterations) < 1e-9;
    solvers += fmt::format("{}{} {}, {}, {} ({})", solvers.empty() ? "" : "; ", name, tick(hard),
                           tick(no_internal), tick(robust), s.guaranteed ? "guaranteed" : "not guaranteed");
    compare(name + " hard contacts", hard, s.hard);
    compare(name + " no internal forces", no_internal, s.no_internal);
    compare(name + " robust", robust, s.robust);
  }
  return {
      fmt::format(
          "largest relative errors of Signorini, Coulomb's cone, maximum dissipation: {}. Hard "
          "contacts, no internal forces, robust (and C's word on convergence): {}. Not solved to "
          "1e-6 within 1000 iterations (the reference: {}), of random problems: {}; of hard ones, up to 200 "
          "contacts: {}. {}",
          models, solvers, kReferenceIterations, counts, hard_counts,
          differences.empty() ? "All ticks as printed" : "Other than printed: " + differences),
      differences.empty()};
}

}  // namespace stiction::claims
