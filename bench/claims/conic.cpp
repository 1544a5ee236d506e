// The clutter's problems against a conic interior-point solver (S section VI-C, Figs. 11 and 12).
//
// Problems of the simulation are solved by our Newton method, timed, and written to a file.
// conic_reference.py reads it and solves the same primal problem (S eq. 19),
//
//   min 1/2 (v - v*)' A (v - v*) + 1/2 s' R s    subject to   J v - vhat + R s in F*,
//
// F* the dual friction cone,
// by Clarabel at the loosest of a series of tolerances whose momentum error e_m is no larger than ours.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "bench/claims/clutter.h"
#include "bench/claims/measure.h"
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

struct Case {
  int bodies;
  bool walls;
};

std::string python() {
  const std::string own = std::string(STICTION_SOURCE_DIR) + "/.venv/bin/python";
  return fs::exists(own) ? own : "python3";
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

ClaimResult against_conic_solver(const ClaimContext& context) {
  const std::string script = std::string(STICTION_SOURCE_DIR) + "/bench/claims/conic_reference.py";
  if (!fs::exists(script) ||
      std::system((python() + " -c 'import clarabel, scipy' > /dev/null 2>&1").c_str()) != 0)
    return {"skipped: the Python packages clarabel and scipy are not installed", {}};

  // Ours, and the problems.
  constexpr double kEnd = 4.0, kEvery = 0.1;  // s
  constexpr int kRepeats = 5;
  std::vector<Case> cases;
  for (const bool walls : {true, false}) {
    for (const int bodies : {8, 16, 24, 32, 40, 80, 160}) cases.push_back({bodies, walls});
  }
  json problems = json::array();
  std::vector<double> ours(cases.size(), 0.0), points(cases.size(), 0.0);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    World world = near_rigid_clutter(cases[i].bodies, cases[i].walls, 1e-3);
    NewtonOptions& options = world.options().formulation.newton;
    options.relative_tolerance = 1e-5;  // of the paper
    NewtonSolver solver;
    ContactSolution solution;
    double next = kEvery;
    run_until(context, kEnd, &world, [&](const StepReport&) {
      if (world.time() < next || world.record().contact.problem.islands.empty()) return;
      next += kEvery;
      const ContactProblem& problem = world.record().contact.problem;
      double fastest = 1e300;
      for (int k = 0; k < kRepeats; ++k) {
        Stopwatch watch;
        solver.solve(problem, options, &solution);
        fastest = std::min(fastest, watch.seconds());
      }
      ours[i] += fastest;
      json one = problem_json(world.record());
      points[i] = static_cast<double>(one["mu"].size());
      one["case"] = i;
      one["e_m"] = solution.report.residual;
      problems.push_back(std::move(one));
    });
  }
  TemporaryFile input("problems"), output("answers");
  std::ofstream(input.path) << problems.dump();
  const std::string command =
      fmt::format("{} '{}' '{}' '{}'", python(), script, input.path.string(), output.path.string());
  if (std::system(command.c_str()) != 0) return {"skipped: conic_reference.py failed", {}};
  json answers;
  std::ifstream(output.path) >> answers;

  std::vector<double> theirs(cases.size(), 0.0);
  int inexact = 0;
  double largest_difference = 0.0;
  for (const json& answer : answers) {
    theirs[answer["case"].get<std::size_t>()] += answer["seconds"].get<double>();
    inexact += !answer["as_exact"].get<bool>();
    largest_difference = std::max(largest_difference, answer["e_m"].get<double>());
  }
  Figure figure{"Time of the conic solver over ours", "bodies", "speedup", true, true, {}};
  Figure contacts{"Points of contact at the end", "bodies", "points", true, true, {}};
  double best[2] = {};
  std::string numbers;
  for (const bool walls : {true, false}) {
    Curve curve{walls ? "walls" : "no walls", {}, {}}, count = curve;
    numbers += walls ? "walls:" : "; no walls:";
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (cases[i].walls != walls) continue;
      const double ratio = theirs[i] / ours[i];
      curve.add(cases[i].bodies, ratio);
      count.add(cases[i].bodies, points[i]);
      numbers += fmt::format(" {} bodies {:.0f}x", cases[i].bodies, ratio);
      if (cases[i].bodies < 40) best[walls] = std::max(best[walls], ratio);
    }
    figure.curves.push_back(std::move(curve));
    contacts.curves.push_back(std::move(count));
  }
  context.save("S6", figure);
  context.save("S6_contacts", contacts);
  return {fmt::format("{}; Clarabel missed our e_m in {} of {} problems (its best answer was taken)", numbers,
                      inexact, answers.size()),
          best[1] >= 25.0 && best[0] >= 50.0};
}

}  // namespace stiction::claims
