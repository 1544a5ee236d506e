#include <cstdio>
#include <memory>

#include <nlohmann/json.hpp>

#include "apps/cli/commands.h"
#include "apps/cli/contact_arguments.h"
#include "apps/cli/solve_fc3d.h"
#include "apps/cli/solve_lcp.h"
#include "stiction/base/check.h"
#include "stiction/base/file_bytes.h"
#include "stiction/base/timer.h"
#include "stiction/constraint/apply_law.h"
#include "stiction/contact/catalog.h"
#include "stiction/contact/file/fc3d_conversion.h"
#include "stiction/contact/law/law_list.h"
#include "stiction/contact/newton/newton.h"
#include "stiction/simulation/formulation.h"

namespace stiction::cli {

namespace {

struct Arguments {
  std::string file, write, write_as = "fc";
  ContactArguments contact;
  bool json = false;
};

constexpr const char* kOurFormat = "stiction_contact_problem";

// The value of `format`; everything else is skipped.
std::string format_of(const std::string& text, const std::string& file) {
  std::string key;
  const auto keep = [&key](int depth, nlohmann::json::parse_event_t event, nlohmann::json& value) {
    if (depth == 1 && event == nlohmann::json::parse_event_t::key) key = value.get<std::string>();
    return depth == 0 || (depth == 1 && key == "format");
  };
  nlohmann::json json;
  try {
    json = nlohmann::json::parse(text, keep);
  } catch (const nlohmann::json::exception& error) {
    throw_user_error(format("{}: {}", file, error.what()));
  }
  STICTION_USER_CHECK(json.is_object() && json.contains("format") && json["format"].is_string(),
                      "{}: there is no 'format': it is no problem file", file);
  return json["format"].get<std::string>();
}

// The residuals that are computed for every solver.
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
                         {"dropped_stabilisation", report.dropped_stabilisation},
                         {"withdrawn", report.dropped_stabilisation},  // the old name
                         {"lagged_fallbacks", report.lagged_fallbacks},
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
  if (report.dropped_stabilisation > 0)
    std::printf("  penetration recovery was dropped at %d points: with it no answer was found\n",
                report.dropped_stabilisation);
  if (report.lagged_fallbacks > 0)
    std::printf("  %d of %d islands have the answer of icf_lagged: none of their own law was found\n",
                report.lagged_fallbacks, report.islands);
  for (const Row& row : rows(residual, is_rigid(saved.problem.law)))
    std::printf("  %-16s %10.2e %-7s  %10.2e of its scale\n", row.name, row.error.absolute, row.unit,
                row.error.relative);
}

// With Coulomb's law, which is what the format of collections states.
void write_for_others(SavedProblem saved, const std::string& name, const std::string& file) {
  ContactOptions options = options_of(saved);
  set_formulation(name_of(LawKind::coulomb_ncp), &options);
  apply_law(options, &saved);
  save_fc3d(fc3d_of(saved.problem, name), file);
}

void write_again(const Fc3dProblem& problem, const Arguments& a) {
  if (a.write_as == "fc") {
    save_fc3d(problem, a.write);
    return;
  }
  std::string why_not;
  const auto saved = contact_problem_of(problem, &why_not);
  STICTION_USER_CHECK(saved.has_value(), "{} cannot be written as a problem of trees: {}", a.file, why_not);
  save_problem(*saved, a.write);
}

// Whether the impulses satisfy the law as well as their solver says.
bool is_confirmed(const RigidSolver& solver, const ContactProblem& problem, const DualOptions& options) {
  constexpr double kSlack = 10.0;
  if (law_row(problem.law).has_own_criterion) return true;
  for (int i = 0; i < static_cast<int>(problem.islands.size()); ++i) {
    const DualProblem& dual = solver.dual(problem, i);
    const VecX& lambda = solver.lambda(problem, i);
    VecX s;
    dual.velocities(lambda, &s);
    if (!(dual.error(options.measure(problem.law), lambda, s) <= kSlack * options.goal())) return false;
  }
  return true;
}

int solve_ours(SavedProblem saved, const Arguments& a) {
  Formulation formulation;
  formulation.contact = options_of(saved);
  const bool is_asked = !(a.contact.formulation + a.contact.elasticity + a.contact.dissipation).empty();
  apply(a.contact, &formulation);
  const ContactOptions& options = formulation.contact;
  if (is_asked) apply_law(options, &saved);
  ContactSolution solution;
  RigidSolver rigid;
  const Stopwatch clock;
  if (solves_primal(options))
    NewtonSolver().solve(saved.problem, formulation.newton, &solution);
  else
    rigid.solve(saved.problem, solver_of(options), formulation.dual, {}, &solution);
  const double wall = clock.seconds();
  // If penetration recovery was dropped at some points, the answer does not solve the problem of the file.
  const bool is_posed = solution.report.dropped_stabilisation == 0;
  if (!solves_primal(options) && is_solved(solution.report.status) &&
      !(is_posed && is_confirmed(rigid, saved.problem, formulation.dual)))
    solution.report.status = SolveStatus::stalled;
  const ContactResidual residual = check_residual(saved.problem, saved.points, solution.v, solution.impulses,
                                                  solution.moments, solution.row_impulses);
  if (a.json)
    std::printf("%s\n", answer(saved, formulation_name(options), solution, residual, wall).dump(2).c_str());
  else
    print(saved, formulation_name(options), solution, residual);
  return is_solved(solution.report.status) ? kDone : kSimulationFailed;
}

int solve(const Arguments& a) {
  STICTION_USER_CHECK(a.write_as == "fc" || a.write_as == "stiction",
                      "--write-as must be fc or stiction, not '{}'", a.write_as);
  const std::string text = read_file_bytes(a.file), kind = format_of(text, a.file);
  if (kind == kFc3dFormat) {
    const Fc3dProblem problem = fc3d_from_json(text, a.file);
    if (!a.write.empty()) write_again(problem, a);
    return solve_fc3d(problem, a.file, a.contact, a.json);
  }
  if (kind == kLcpFormat)
    return solve_lcp(text, a.file,
                     {a.contact.formulation, a.contact.tolerance, a.contact.max_iterations, a.write, a.json});
  STICTION_USER_CHECK(kind == kOurFormat, "{}: the format '{}' is not known; known are {}, {} and {}", a.file,
                      kind, kOurFormat, kFc3dFormat, kLcpFormat);
  const SavedProblem saved = problem_from_json(text, a.file);
  if (!a.write.empty()) {
    if (a.write_as == "fc")
      write_for_others(saved, std::filesystem::path(a.file).stem().string(), a.write);
    else
      save_problem(saved, a.write);
  }
  return solve_ours(saved, a);
}

}  // namespace

void add_solve(const Parser& app, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  const Parser command = app.add_command(
      "solve",
      "Solves a contact problem from a file, under any law, and checks the answer.\nExample: stiction run "
      "clutter --time 0.4 --dump-problems problems && stiction solve problems/step_000150.json --formulation "
      "sap");
  command
      .add_option("file", &arguments->file,
                  "Problem (.json): from run --dump-problems, or fc-json/1 or lcp-json/1 of a collection")
      .required();
  add_contact_options(command, &arguments->contact);
  command.add_option("--write", &arguments->write,
                     "Also write the problem, under Coulomb's law, to this file");
  command.add_option("--write-as", &arguments->write_as, "fc (fc-json/1, for other programs) or stiction")
      .capture_default_str();
  command.add_flag("--json", &arguments->json, "Print JSON alone on standard output");
  command.callback([arguments, exit_code] { *exit_code = solve(*arguments); });
}

}  // namespace stiction::cli
