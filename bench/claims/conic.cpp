// The clutter's problems against a conic interior-point solver (S section VI-C, Figs. 11 and 12).
//
// Problems of the simulation are solved by our Newton method, timed, and written to a file.
// conic_reference.py reads it and solves the same primal problem (S eq. 19),
//
//   min 1/2 (v - v*)' A (v - v*) + 1/2 s' R s    subject to   J v - vhat + R s in F*,
//
// F* the dual friction cone, by Clarabel at the loosest of a series of tolerances whose momentum error e_m is
// no larger than ours.
//
// Both are timed cold, with new solvers that know nothing of the problem (ours begins at the free
// velocities), and warm, when one solver does the problem again (ours begins at the velocities of the step
// before, as in a simulation; an interior-point method begins where it always does). Processor time counts, and the
// fastest of three, since other programs slow both down.

#include "bench/claims/conic.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "bench/claims/clutter.h"
#include "stiction/base/timer.h"
#include "stiction/geometry/simd/tangents.h"

namespace stiction::claims {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// The problem of the last step as numbers: trees in contact alone, rows (t1, t2, n) of every point.
json problem_json(const StepRecord& r) {
  const ContactProblem& problem = r.contact.problem;
  json out;
  std::vector<int> column_of(static_cast<std::size_t>(problem.v_free.size()), -1);
  std::vector<double> v_free;
  json blocks = json::array();
  int columns = 0;
  for (const int t : problem.island_trees) {
    const ProblemTree& tree = problem.trees[t];
    std::vector<double> block;
    for (int c = 0; c < tree.num_v; ++c) {
      column_of[tree.v_begin + c] = columns++;
      v_free.push_back(problem.v_free[tree.v_begin + c]);
      VecX column(tree.num_v);
      const VecX unit = VecX::Unit(tree.num_v, c);
      multiply_A(problem, t, unit.data(), column.data());
      block.insert(block.end(), column.data(), column.data() + tree.num_v);
    }
    blocks.push_back(block);
  }
  std::vector<int> rows, cols;
  std::vector<double> values, bias, R, mu;
  int row = 0;
  for (const Patch& patch : problem.patches) {
    for (int p = patch.begin; p < patch.end; ++p, row += 3) {
      const PointFrame& frame = problem.frames[p];
      const Vec3 n = Eigen::Map<const Vec3>(frame.n);
      const Tangents t = tangents(n);
      const Vec3 axes[3] = {t.t1, t.t2, n};
      for (const bool is_b : {true, false}) {
        const ProblemBody& body = problem.bodies[is_b ? patch.b : patch.a];
        if (body.tree < 0) continue;
        const ProblemTree& tree = problem.trees[body.tree];
        const Vec3 arm = Eigen::Map<const Vec3>(is_b ? frame.r_B : frame.r_A);
        const int count = tree.is_free_body ? 6 : body.columns;
        for (int c = 0; c < count; ++c) {
          Vec6 S = tree.is_free_body ? Vec6(Vec6::Unit(c)) : Vec6::Zero();
          int dof = c;
          if (!tree.is_free_body) {
            const double* from = problem.columns.data() + 8 * (body.column_begin + c);
            S << from[0], from[1], from[2], from[4], from[5], from[6];
            dof = problem.column_dofs[body.column_begin + c];
          }
          const Vec3 velocity = (is_b ? 1.0 : -1.0) * (S.tail<3>() + S.head<3>().cross(arm));
          for (int i = 0; i < 3; ++i) {
            rows.push_back(row + i);
            cols.push_back(column_of[tree.v_begin + dof]);
            values.push_back(axes[i].dot(velocity));
          }
        }
      }
      const Vec3 b = Eigen::Map<const Vec3>(frame.bias);
      for (int i = 0; i < 3; ++i) bias.push_back(axes[i].dot(b));
      bias.back() -= problem.law_parameters[kBias][p];
      const double Rt = 1.0 / problem.law_parameters[kTangential][p],
                   Rn = 1.0 / problem.law_parameters[kNormal][p];
      R.insert(R.end(), {Rt, Rt, Rn});
      mu.push_back(problem.law_parameters[kMu][p]);
    }
  }
  out["A"] = blocks;
  out["v_free"] = v_free;
  out["rows"] = rows;
  out["columns"] = cols;
  out["values"] = values;
  out["bias"] = bias;
  out["R"] = R;
  out["mu"] = mu;
  return out;
}

constexpr int kRepeats = 3;

// One series of problems.
struct Case : ConicSums {
  int bodies;
  bool walls;
  Case(int b, bool w) : bodies(b), walls(w) {}
};

// Solves the problem of the last step and times it; as numbers, with the larger e_m of both answers.
json time_ours(const StepRecord& record, const NewtonOptions& options, NewtonSolver* solver,
               ConicSums* sums) {
  const ContactProblem& problem = record.contact.problem;
  ContactSolution solution;
  double fastest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kRepeats; ++k) {
    Stopwatch watch(processor_seconds);
    solver->solve(problem, options, &solution);
    fastest = std::min(fastest, watch.seconds());
  }
  sums->warm += fastest;
  sums->warm_iterations += solution.report.iterations;
  sums->e_m += solution.report.residual;
  double e_m = solution.report.residual;

  ContactProblem unknown = problem;
  unknown.v_start = unknown.v_free;
  unknown.v_guesses.clear();
  fastest = std::numeric_limits<double>::infinity();
  int iterations = 0;
  for (int k = 0; k < kRepeats; ++k) {
    Stopwatch watch(processor_seconds);
    NewtonSolver fresh;
    ContactSolution of_fresh;
    fresh.solve(unknown, options, &of_fresh);
    fastest = std::min(fastest, watch.seconds());
    e_m = std::max(e_m, of_fresh.report.residual);
    iterations = of_fresh.report.iterations;
  }
  sums->cold += fastest;
  sums->cold_iterations += iterations;

  sums->e_mu += slackness(record, solver);
  json out = problem_json(record);
  sums->points = static_cast<double>(out["mu"].size());
  sums->problems += 1.0;
  out["e_m"] = e_m;
  return out;
}

// A file of its own in the folder for such, deleted at the end.
struct TemporaryFile {
  fs::path path;
  explicit TemporaryFile(const char* kind)
      : path(fs::temp_directory_path() / fmt::format("stiction_{}_{}.json", kind, getpid())) {}
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
};

}  // namespace

namespace {

// Figs. 12 and 13 and the best ratios below 40 bodies, with and without walls. S's solver begins at the
// velocities of the step before and Gurobi from nothing: what S says is about warm times.
struct Comparison {
  Figure speed{"Time of the conic solver over ours", "bodies", "speedup", true, true, {}};
  Figure contacts{"Points of contact at the end", "bodies", "points", true, true, {}};
  Figure momentum{"Mean momentum error e_m", "bodies", "e_m", true, true, {}};
  Figure slack{"Mean complementarity slackness e_mu", "bodies", "e_mu", true, true, {}};
  double best_with_walls = 0.0, best_without = 0.0, best_cold = 0.0;
  std::string numbers;
};
Comparison compare(const std::vector<Case>& cases) {
  Comparison out;
  for (const bool walls : {true, false}) {
    const std::string where = walls ? "walls" : "no walls";
    Curve cold{where + ", cold", {}, {}}, warm{where + ", warm", {}, {}}, count{where, {}, {}};
    Curve e_m{"ours, " + where, {}, {}}, e_mu = e_m;
    Curve their_e_m{"Clarabel, " + where, {}, {}}, their_e_mu = their_e_m;
    double& best = walls ? out.best_with_walls : out.best_without;
    out.numbers += walls ? "warm (cold), walls:" : "; no walls:";
    for (const Case& c : cases) {
      if (c.walls != walls) continue;
      cold.add(c.bodies, c.their_cold / c.cold);
      warm.add(c.bodies, c.their_warm / c.warm);
      count.add(c.bodies, c.points);
      e_m.add(c.bodies, c.e_m / c.problems);
      e_mu.add(c.bodies, c.e_mu / c.problems);
      their_e_m.add(c.bodies, c.their_e_m / c.problems);
      their_e_mu.add(c.bodies, c.their_e_mu / c.problems);
      out.numbers += fmt::format(" {} bodies {:.0f}x ({:.0f}x)", c.bodies, warm.y.back(), cold.y.back());
      if (c.bodies >= 40) continue;
      best = std::max(best, warm.y.back());
      out.best_cold = std::max(out.best_cold, cold.y.back());
    }
    for (Curve* curve : {&cold, &warm}) out.speed.curves.push_back(std::move(*curve));
    for (Curve* curve : {&e_m, &their_e_m}) out.momentum.curves.push_back(std::move(*curve));
    for (Curve* curve : {&e_mu, &their_e_mu}) out.slack.curves.push_back(std::move(*curve));
    out.contacts.curves.push_back(std::move(count));
  }
  return out;
}

}  // namespace

namespace {

std::string script() { return std::string(STICTION_SOURCE_DIR) + "/bench/claims/conic_reference.py"; }

// Clarabel's answers; empty if the script fails.
json answers_to(const json& problems) {
  TemporaryFile input("problems"), output("answers");
  std::ofstream(input.path) << problems.dump();
  const std::string command = fmt::format("{} '{}' '{}' '{}' {}", python(), script(), input.path.string(),
                                          output.path.string(), kRepeats);
  if (std::system(command.c_str()) != 0) return {};
  json answers;
  std::ifstream(output.path) >> answers;
  return answers;
}

void add_answer(const json& answer, ConicSums* sums) {
  sums->their_cold += answer["cold"].get<double>();
  sums->their_warm += answer["warm"].get<double>();
  sums->their_e_m += answer["e_m"].get<double>();
  sums->their_e_mu += answer["e_mu"].get<double>();
}

}  // namespace

std::string python() {
  const std::string own = std::string(STICTION_SOURCE_DIR) + "/.venv/bin/python";
  return fs::exists(own) ? own : "python3";
}

std::string why_no_conic_solver() {
  if (!fs::exists(script()) ||
      std::system((python() + " -c 'import clarabel, scipy' > /dev/null 2>&1").c_str()) != 0)
    return "the Python packages clarabel and scipy are not installed";
  return {};
}

struct ConicSeries::Problems {
  json list = json::array();
};

ConicSeries::ConicSeries(const NewtonOptions& options)
    : options_(options), problems_(std::make_unique<Problems>()) {}
ConicSeries::~ConicSeries() = default;

void ConicSeries::add(const StepRecord& record) {
  problems_->list.push_back(time_ours(record, options_, &solver_, &sums_));
  problems_->list.back()["case"] = 0;
}

bool ConicSeries::solve() {
  const json answers = answers_to(problems_->list);
  if (answers.is_null()) return false;
  for (const json& answer : answers) add_answer(answer, &sums_);
  return true;
}

ClaimResult against_conic_solver(const ClaimContext& context) {
  const std::string why_not = why_no_conic_solver();
  if (!why_not.empty()) return {"skipped: " + why_not, {}};

  // Ours, and the problems.
  constexpr double kEnd = 4.0, kEvery = 0.1;  // s
  std::vector<Case> cases;
  for (const bool walls : {true, false}) {
    for (const int bodies : {8, 16, 24, 32, 40, 80, 160}) cases.push_back({bodies, walls});
  }
  json problems = json::array();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    World world = near_rigid_clutter(cases[i].bodies, cases[i].walls, 1e-3);
    NewtonOptions& options = world.options().formulation.newton;
    options.relative_tolerance = 1e-5;  // of the paper
    NewtonSolver solver;
    double next = kEvery;
    run_until(context, kEnd, &world, [&](const StepReport&) {
      if (world.time() < next || world.record().contact.problem.islands.empty()) return;
      next += kEvery;
      problems.push_back(time_ours(world.record(), options, &solver, &cases[i]));
      problems.back()["case"] = i;
    });
  }
  const json answers = answers_to(problems);
  if (answers.is_null()) return {"skipped: conic_reference.py failed", {}};

  int inexact = 0;
  for (const json& answer : answers) {
    add_answer(answer, &cases[answer["case"].get<std::size_t>()]);
    inexact += !answer["as_exact"].get<bool>();
  }
  const Comparison comparison = compare(cases);
  context.save("S6", comparison.speed);
  context.save("S6_contacts", comparison.contacts);
  context.save("S6_momentum", comparison.momentum);
  context.save("S6_slackness", comparison.slack);
  double problems_of_all = 0.0, cold = 0.0, warm = 0.0;
  for (const Case& c : cases) {
    problems_of_all += c.problems;
    cold += c.cold_iterations;
    warm += c.warm_iterations;
  }
  return {fmt::format(
              "{}; cold it is at most {:.0f}x below 40 bodies: our iterations are {:.1f} a problem from the "
              "free velocities and {:.1f} from those of the step before; Clarabel missed our e_m in {} of "
              "{} problems (its best answer was taken)",
              comparison.numbers, comparison.best_cold, cold / problems_of_all, warm / problems_of_all,
              inexact, answers.size()),
          comparison.best_with_walls >= 25.0 && comparison.best_without >= 50.0};
}

}  // namespace stiction::claims
