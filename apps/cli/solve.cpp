#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "apps/cli/commands.h"
#include "apps/cli/contact_arguments.h"
#include "stiction/base/timer.h"
#include "stiction/constraint/apply_law.h"
#include "stiction/contact/solver/newton.h"
#include "stiction/simulation/formulation.h"

namespace stiction::cli {

namespace {

struct Arguments {
  std::string file;
  ContactArguments contact;
  double tolerance = NewtonOptions().relative_tolerance;
  int max_iterations = NewtonOptions().max_iterations;
  bool json = false;
};

// The errors that every solver is judged by.
struct Row {
  const char* name;
  const char* unit;
  Error error;
};

std::vector<Row> rows(const ContactResidual& residual) {
  std::vector<Row> list = {{"momentum", "sqrt(J)", residual.momentum},
                           {"law", "N", residual.law},
                           {"primal", "N", residual.primal},
                           {"dual", "m/s", residual.dual},
                           {"complementarity", "W", residual.complementarity},
                           {"signorini", "W", residual.signorini},
                           {"dissipation", "W", residual.dissipation}};
  if (residual.rows) list.insert(list.begin() + 2, {"rows", "N, N m", *residual.rows});
  if (residual.slackness) list.insert(list.begin() + 2, {"slackness", "J", *residual.slackness});
  return list;
}

nlohmann::json answer(const SavedProblem& saved, const ContactSolution& solution,
                      const ContactResidual& residual, double wall) {
  nlohmann::json errors;
  for (const Row& row : rows(residual))
    errors[row.name] = {
        {"absolute", row.error.absolute}, {"relative", row.error.relative}, {"unit", row.unit}};
  // Vectors of all points, patch by patch.
  const auto by_patch = [&](const AlignedVector<double>& vectors) {
    nlohmann::json patches = nlohmann::json::array();
    for (const Patch& patch : saved.problem.patches) {
      nlohmann::json points = nlohmann::json::array();
      for (int p = patch.begin; p < patch.end; ++p) {
        const double* x = vectors.data() + 4 * p;
        points.push_back({x[0], x[1], x[2]});
      }
      patches.push_back(points);
    }
    return patches;
  };
  const SolveReport& report = solution.report;
  nlohmann::json json = {{"formulation", formulation_name(options_of(saved))},
                         {"status", name_of(report.status)},
                         {"iterations", report.iterations},
                         {"factorisations", report.factorisations},
                         {"islands", report.islands},
                         {"residual", report.residual},
                         {"cost", residual.cost},
                         {"errors", errors},
                         {"force_scale", residual.force_scale},
                         {"velocity_scale", residual.velocity_scale},
                         {"wall_s", wall},
                         {"v", std::vector<double>(solution.v.begin(), solution.v.end())},
                         {"impulses", by_patch(solution.impulses)}};
  if (!solution.moments.empty()) json["moments"] = by_patch(solution.moments);
  if (!solution.row_impulses.empty()) json["row_impulses"] = solution.row_impulses;
  return json;
}

void print(const SavedProblem& saved, const ContactSolution& solution, const ContactResidual& residual) {
  const SolveReport& report = solution.report;
  int points = 0;
  for (const Patch& patch : saved.problem.patches) points += patch.end - patch.begin;
  std::printf("%s (%s): %zu trees, %d islands, %d points, %zu rows\n",
              formulation_name(options_of(saved)).c_str(), force_name(options_of(saved)).c_str(),
              saved.problem.trees.size(), report.islands, points, saved.problem.rows.size());
  std::printf("  %s after %d iterations and %d factorisations; cost %.6g J\n", name_of(report.status),
              report.iterations, report.factorisations, residual.cost);
  for (const Row& row : rows(residual))
    std::printf("  %-16s %10.2e %-7s  %10.2e of its scale\n", row.name, row.error.absolute, row.unit,
                row.error.relative);
}

int solve(const Arguments& a) {
  SavedProblem saved = load_problem(a.file);
  ContactOptions options = options_of(saved);
  const bool is_asked = !(a.contact.formulation + a.contact.elasticity + a.contact.dissipation).empty();
  if (is_asked) {
    apply(a.contact, &options);
    apply_law(options, &saved);
  }
  NewtonOptions newton;
  newton.relative_tolerance = a.tolerance;
  newton.max_iterations = a.max_iterations;
  NewtonSolver solver;
  ContactSolution solution;
  const Stopwatch clock;
  solver.solve(saved.problem, newton, &solution);
  const double wall = clock.seconds();
  const ContactResidual residual = judge(saved.problem, saved.points, solution.v, solution.impulses,
                                         solution.moments, solution.row_impulses);
  if (a.json)
    std::printf("%s\n", answer(saved, solution, residual, wall).dump(2).c_str());
  else
    print(saved, solution, residual);
  return is_solved(solution.report.status) ? kDone : kSimulationFailed;
}

}  // namespace

void add_solve(CLI::App* app, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app->add_subcommand(
      "solve",
      "Solves a saved contact problem, under any law, and judges the answer.\nExample: stiction run clutter "
      "--time 0.4 --dump-problems problems && stiction solve problems/step_000150.json --formulation sap");
  command->add_option("file", arguments->file, "Contact problem (.json), from run --dump-problems")
      ->required();
  add_contact_options(command, &arguments->contact);
  command->add_option("--tolerance", arguments->tolerance, "Relative tolerance of the solver")
      ->capture_default_str();
  command->add_option("--max-iterations", arguments->max_iterations, "Most iterations of an island")
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "Print JSON alone on standard output");
  command->callback([arguments, exit_code] { *exit_code = solve(*arguments); });
}

}  // namespace stiction::cli
