#include "apps/cli/solve_fc3d.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include <nlohmann/json.hpp>

#include "apps/cli/commands.h"
#include "bench/solvers/checked_solve.h"
#include "stiction/base/check.h"
#include "stiction/base/timer.h"
#include "stiction/constraint/apply_law.h"
#include "stiction/contact/dual/rigid_solver.h"
#include "stiction/contact/file/fc3d_conversion.h"
#include "stiction/contact/newton/newton.h"
#include "stiction/simulation/formulation.h"

namespace stiction::cli {
namespace {

using namespace solvers;

// Default of --max-iterations: a single problem may take more time than one of many steps.
constexpr int kMostIterations = 20000;

struct Row {
  const char* name;
  const char* unit;
  Error error;
};

std::vector<Row> rows(const DualResidual& residual) {
  return {{"natural_map", "N s", residual.natural_map},
          {"natural_velocity", "m/s", residual.natural_velocity},
          {"primal", "N s", residual.primal},
          {"dual", "m/s", residual.dual},
          {"complementarity", "J", residual.complementarity},
          {"ccp_dual", "m/s", residual.ccp_dual},
          {"ccp_complementarity", "J", residual.ccp_complementarity},
          {"signorini", "J", residual.signorini},
          {"dissipation", "J", residual.dissipation},
          {"internal", "N s", residual.internal}};
}

struct Answer {
  std::string formulation, status;
  const char* by = "";  // W, or M and H
  bool is_solved = false;
  int iterations = 0;
  double seconds = 0.0;
  VecX r;  // in the order of the file
};

// Newton's method on velocities. It solves a regularised cone, so the status is never `converged`; the
// residuals tell how far the answer is from rigid contact.
Answer solve_on_velocities(const Fc3dProblem& problem, const std::string& file, const Formulation& options) {
  std::string why_not;
  std::optional<SavedProblem> saved = contact_problem_of(problem, &why_not);
  STICTION_USER_CHECK(saved.has_value(),
                      "{}: {} works on velocities and needs M and H by trees, and {}; take one of the others",
                      file, formulation_name(options.contact), why_not);
  apply_law(options.contact, &*saved);
  Answer answer;
  answer.by = "M and H";
  ContactSolution solution;
  const Stopwatch clock;
  NewtonSolver().solve(saved->problem, options.newton, &solution);
  answer.seconds = clock.seconds();
  answer.is_solved = is_solved(solution.report.status);
  answer.status = answer.is_solved ? "solved_its_law" : name_of(solution.report.status);
  answer.iterations = solution.report.iterations;
  answer.r = impulses_in_file_order(saved->problem, solution.impulses);
  return answer;
}

Answer answer_of(const CheckedAnswer& checked, double tolerance) {
  Answer answer;
  answer.status = status_name(checked, tolerance);
  answer.is_solved = checked.holds();
  answer.iterations = checked.iterations;
  answer.seconds = checked.seconds;
  return answer;
}

Answer solve_by_matrix(const DualProblem& dual, const CatalogEntry& entry, const DualOptions& options) {
  const CheckedAnswer checked = solve_and_check(entry, std::span(&dual, 1), options);
  Answer answer = answer_of(checked, options.tolerance);
  answer.by = "W";
  answer.r = in_file_order(checked.lambda.front());
  return answer;
}

// Uses M and H if M is that of many rigid bodies: half the time of W for stacks and spheres in a box. No
// value otherwise: with few large trees, as in finite elements, W is the smaller problem.
std::optional<Answer> solve_by_trees(const Fc3dProblem& problem, const CatalogEntry& entry,
                                     const DualOptions& options) {
  constexpr int kBodyVelocities = 6;
  std::string why_not;
  const std::optional<SavedProblem> saved = contact_problem_of(problem, &why_not);
  if (!saved) return std::nullopt;
  const ContactProblem& trees = saved->problem;
  const auto is_body = [](const ProblemTree& tree) { return tree.num_v <= kBodyVelocities; };
  if (trees.trees.size() < 2 || !std::all_of(trees.trees.begin(), trees.trees.end(), is_body))
    return std::nullopt;
  std::vector<DualProblem> islands;
  for (const Island& island : trees.islands) islands.emplace_back().begin(trees, island);
  const CheckedAnswer checked = solve_and_check(entry, islands, options);
  Answer answer = answer_of(checked, options.tolerance);
  answer.by = "M and H";
  // World axes are (normal, t1, t2) of the contact.
  AlignedVector<double> impulses(4 * trees.frames.size(), 0.0);
  for (std::size_t i = 0; i < islands.size(); ++i) {
    for (const DualBlock& block : islands[i].blocks) {
      for (int k = 0; k < block.size(); ++k)
        Eigen::Map<Vec3>(impulses.data() + 4 * block.source) +=
            checked.lambda[i][block.begin + k] * islands[i].linear[block.begin + k];
    }
  }
  answer.r = impulses_in_file_order(trees, impulses);
  return answer;
}

nlohmann::json to_json(const Fc3dProblem& problem, const Answer& answer, const DualResidual& residual) {
  nlohmann::json errors;
  for (const Row& row : rows(residual))
    errors[row.name] = {
        {"absolute", row.error.absolute}, {"relative", row.error.relative}, {"unit", row.unit}};
  return {{"name", problem.name},
          {"contacts", problem.num_contacts()},
          {"formulation", answer.formulation},
          {"status", answer.status},
          {"iterations", answer.iterations},
          {"time_s", answer.seconds},
          {"by", answer.by},
          {"errors", errors},
          {"r", std::vector<double>(answer.r.begin(), answer.r.end())}};
}

void print(const Fc3dProblem& problem, const Answer& answer, const DualResidual& residual) {
  std::printf("%s on %s: %d contacts, by %s\n", answer.formulation.c_str(), problem.name.c_str(),
              problem.num_contacts(), answer.by);
  std::printf("  %s after %d iterations, %.3g s\n", answer.status.c_str(), answer.iterations, answer.seconds);
  for (const Row& row : rows(residual))
    std::printf("  %-20s %10.2e %-4s  %10.2e of its scale\n", row.name, row.error.absolute, row.unit,
                row.error.relative);
}

}  // namespace

int solve_fc3d(const Fc3dProblem& problem, const std::string& file, const ContactArguments& arguments,
               bool json) {
  ContactArguments asked = arguments;
  if (asked.formulation.empty()) asked.formulation = default_dual_formulation().name();
  Formulation formulation;
  apply(asked, &formulation);
  if (!asked.max_iterations) formulation.dual.max_iterations = kMostIterations;
  STICTION_USER_CHECK(!formulation.dual.is_absolute(),
                      "{}: the file has no step, which --absolute-tolerance would need", file);
  const ContactOptions& contact = formulation.contact;
  STICTION_USER_CHECK(is_rigid(contact.law),
                      "{}: {} is compliant, and the file has no stiffness and no step: take a rigid law",
                      file, name_of(contact.law));
  const DualProblem dual = dual_of(problem);
  // The residuals with W as in the file, not the solver, decide on the status.
  constexpr double kSlack = 1.001;
  const auto is_agreed = [&](const Answer& given) {
    const double error = law_error(contact.law, formulation.dual.pyramid, dual, in_dual_order(given.r));
    return error <= kSlack * formulation.dual.tolerance;
  };
  Answer answer;
  if (solves_primal(contact)) {
    answer = solve_on_velocities(problem, file, formulation);
  } else {
    const CatalogEntry* entry = find_in_catalog(formulation_name(contact));
    STICTION_USER_CHECK(entry != nullptr && make_dual_solver(entry->law, entry->solver) != nullptr,
                        "{}: {} does not work on impulses; take one of the others", file,
                        formulation_name(contact));
    const std::optional<Answer> by_trees = solve_by_trees(problem, *entry, formulation.dual);
    const bool is_good = by_trees && by_trees->is_solved && is_agreed(*by_trees);
    answer = is_good ? *by_trees : solve_by_matrix(dual, *entry, formulation.dual);
  }
  answer.formulation = formulation_name(contact);
  const DualResidual residual = check_dual_residual(dual, in_dual_order(answer.r));
  if (answer.status == name_of(SolveStatus::converged) &&
      !(residual.natural_map.relative <= kSlack * formulation.dual.tolerance)) {
    answer.status = name_of(SolveStatus::stalled);
    answer.is_solved = false;
  }
  if (json)
    std::printf("%s\n", to_json(problem, answer, residual).dump(2).c_str());
  else
    print(problem, answer, residual);
  return answer.is_solved ? kDone : kSimulationFailed;
}

}  // namespace stiction::cli
