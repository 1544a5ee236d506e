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
  bool json = false;
};

// The errors that every solver is judged by.
struct Row {
  const char* name;
  const char* unit;
  Error error;
};

std::vector<Row> rows(const ContactResidual& residual, bool is_rigid_law) {
  std::vector<Row> list = {{"momentum", "sqrt(J)", residual.momentum},
                           {"law", "N", residual.law},
                           {"primal", "N", residual.primal},
                           {"dual", "m/s", residual.dual},
                           {"complementarity", "W", residual.complementarity},
                           {"signorini", "W", residual.signorini},
                           {"dissipation", "W", residual.dissipation}};
  if (is_rigid_law) list.erase(list.begin() + 1);
  if (residual.rows) list.insert(list.begin() + (is_rigid_law ? 1 : 2), {"rows", "N, N m", *residual.rows});
  if (residual.slackness) list.insert(list.begin() + 2, {"slackness", "J", *residual.slackness});
  return list;
}

nlohmann::json answer(const SavedProblem& saved, const std::string& formulation,
                      const ContactSolution& solution, const ContactResidual& residual, double wall) {
  nlohmann::json errors;
  for (const Row& row : rows(residual, is_rigid(saved.problem.law)))
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
  nlohmann::json json = {{"formulation", formulation},
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

void print(const SavedProblem& saved, const std::string& formulation, const ContactSolution& solution,
           const ContactResidual& residual) {
  const SolveReport& report = solution.report;
  int points = 0;
  for (const Patch& patch : saved.problem.patches) points += patch.end - patch.begin;
  std::printf("%s (%s): %zu trees, %d islands, %d points, %zu rows\n", formulation.c_str(),
              force_name(options_of(saved)).c_str(), saved.problem.trees.size(), report.islands, points,
              saved.problem.rows.size());
  std::printf("  %s after %d iterations and %d factorisations; cost %.6g J\n", name_of(report.status),
              report.iterations, report.factorisations, residual.cost);
  for (const Row& row : rows(residual, is_rigid(saved.problem.law)))
    std::printf("  %-16s %10.2e %-7s  %10.2e of its scale\n", row.name, row.error.absolute, row.unit,
                row.error.relative);
}

int solve(const Arguments& a) {
  SavedProblem saved = load_problem(a.file);
  Formulation formulation;
  formulation.contact = options_of(saved);
  const bool is_asked = !(a.contact.formulation + a.contact.elasticity + a.contact.dissipation).empty();
  apply(a.contact, &formulation);
  const ContactOptions& options = formulation.contact;
  if (is_asked) apply_law(options, &saved);
  ContactSolution solution;
  const Stopwatch clock;
  if (solves_primal(options))
    NewtonSolver().solve(saved.problem, formulation.newton, &solution);
  else
    RigidSolver().solve(saved.problem, solver_of(options), formulation.dual, {}, &solution);
  const double wall = clock.seconds();
  const ContactResidual residual = judge(saved.problem, saved.points, solution.v, solution.impulses,
                                         solution.moments, solution.row_impulses);
  if (a.json)
    std::printf("%s\n", answer(saved, formulation_name(options), solution, residual, wall).dump(2).c_str());
  else
    print(saved, formulation_name(options), solution, residual);
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
  command->add_flag("--json", arguments->json, "Print JSON alone on standard output");
  command->callback([arguments, exit_code] { *exit_code = solve(*arguments); });
}

}  // namespace stiction::cli
