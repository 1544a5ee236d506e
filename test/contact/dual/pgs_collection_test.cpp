// Projected Gauss-Seidel on the Siconos collection (fc3d_file.h).

#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "stiction/base/shared_files.h"
#include "stiction/contact/dual/solver.h"
#include "test/contact/dual/stored_problems.h"

namespace stiction {
namespace {

struct Solved {
  VecX lambda, s;
  IslandReport report;
};

Solved solve(LawKind law, const DualProblem& problem, double tolerance) {
  DualOptions options;
  options.tolerance = tolerance;
  options.max_iterations = 20000;
  Solved out;
  out.lambda = VecX::Zero(problem.num_rows());
  out.report = make_pgs(law)->solve(problem, options, &out.lambda);
  problem.velocities(out.lambda, &out.s);
  return out;
}

// Velocities of a stored solution, rows as ours.
VecX stored_velocities(const std::filesystem::path& file, bool is_convex) {
  std::ifstream stream(file);
  const auto json = nlohmann::json::parse(stream);
  const auto u = (is_convex ? json.at("ccp") : json).at("u").get<std::vector<double>>();
  VecX s(static_cast<Eigen::Index>(u.size()));
  for (Eigen::Index i = 0; i < s.size(); i += 3) {
    s[i] = u[i + 1];
    s[i + 1] = u[i + 2];
    s[i + 2] = u[i];
  }
  return s;
}

// Those of up to nine contacts; the collection's velocities are those of other solvers, to 1e-10 or better.
TEST(PgsCollection, SmallProblemsOfTheCollectionHaveTheVelocitiesOfOtherSolvers) {
  const auto solutions = shared_file("data/fc3d_solutions");
  if (!solutions) GTEST_SKIP() << missing_shared_file("data/fc3d_solutions");
  int count = 0;
  for (const auto& file : fc3d_files()) {
    const DualProblem problem = load_fc3d(file);
    if (problem.num_blocks() > 9) continue;
    SCOPED_TRACE(file.stem().string());
    ++count;
    for (const LawKind law : {LawKind::coulomb_ncp, LawKind::convex_cone}) {
      const Solved solved = solve(law, problem, 1e-11);
      EXPECT_EQ(solved.report.status, SolveStatus::converged);
      const VecX expected = stored_velocities(*solutions / file.filename(), law == LawKind::convex_cone);
      EXPECT_LT((solved.s - expected).norm(), 1e-6 * problem.r.norm());
    }
  }
  EXPECT_GT(count, 15);
}

// Capsules, boxes and towers with up to 570 contacts, W unsymmetric or of a third of full rank.
TEST(PgsCollection, LargeProblemsOfTheCollectionReachAMillionth) {
  for (const char* name : {"Box_Stacks-i0122-82-5", "Capsules-i100-1090", "Confeti-ex03-Fc3D-SBM",
                           "KaplasTower-i1061-4", "OneObject-i1028-138"}) {
    const std::string path = std::string("data/fc3d/") + name + ".json";
    const auto file = shared_file(path);
    if (!file) GTEST_SKIP() << missing_shared_file(path);
    SCOPED_TRACE(name);
    const DualProblem problem = load_fc3d(*file);
    if (is_too_long_sanitized(problem)) continue;
    const Solved solved = solve(LawKind::coulomb_ncp, problem, 1e-6);
    EXPECT_EQ(solved.report.status, SolveStatus::converged);
    EXPECT_LE(problem.natural_error(LawKind::coulomb_ncp, Pyramid{}, solved.lambda, solved.s),
              1.001e-6 * problem.velocity_scale());
  }
}

}  // namespace
}  // namespace stiction
