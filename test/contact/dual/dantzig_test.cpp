// Dantzig's pivoting; what every solver must do is in contract_test.cpp.

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/base/shared_files.h"
#include "stiction/contact/dual/solver.h"
#include "test/contact/dual/samples.h"
#include "test/contact/dual/stored_problems.h"

namespace stiction {
namespace {

struct Solved {
  VecX lambda, s;
  IslandReport report;
};

Solved solve(const DualProblem& problem, double tolerance = 1e-12, const Pyramid& pyramid = {}) {
  DualOptions options;
  options.tolerance = tolerance;
  options.pyramid = pyramid;
  Solved out;
  out.lambda = VecX::Zero(problem.num_rows());
  out.report = make_dantzig()->solve(problem, options, &out.lambda);
  problem.velocities(out.lambda, &out.s);
  return out;
}

// In the direction of a vertex of eight facets friction is mu/cos(pi/8).
TEST(Dantzig, MoreFacetsArePivotedByTheirVertices) {
  Pyramid pyramid;
  pyramid.facets = 8;
  const double angle = std::acos(-1.0) / 8.0;
  const Vec3 v(4.0 * std::cos(angle), 4.0 * std::sin(angle), -1.0);
  const Solved solved = solve(block_on_ground(v, 0.5), 1e-12, pyramid);
  EXPECT_NEAR(solved.lambda.head(2).norm(), 2.0 * 0.5 / std::cos(angle), 1e-13);
}

// With moderate friction rounds converge.
TEST(Dantzig, RandomBodiesMeetTheLaw) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    for (const int facets : {4, 8}) {
      BodiesSpec spec;
      spec.friction = 0.3;
      spec.rows = seed % 2 == 0 ? 0 : 4;
      spec.turns = seed % 3 == 2;
      spec.R = seed % 4 < 2 ? 0.0 : 0.01;
      Pyramid pyramid;
      pyramid.facets = facets;
      const DualProblem problem = random_bodies(spec, seed);
      const Solved solved = solve(problem, 1e-8, pyramid);
      EXPECT_EQ(solved.report.status, SolveStatus::converged) << "seed " << seed << ", facets " << facets;
    }
  }
}

// Rounds need not contract: what comes back is said to be short of the tolerance, and is no worse than the
// start.
TEST(Dantzig, NeverCallsAFailureASuccess) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    BodiesSpec spec;
    spec.friction = 10.0;
    const DualProblem problem = random_bodies(spec, seed);
    const Solved solved = solve(problem, 1e-8);
    const double error =
        problem.natural_error(LawKind::pyramid_lcp, {}, solved.lambda, solved.s) / problem.velocity_scale();
    EXPECT_EQ(error <= 1e-8, is_solved(solved.report.status)) << "seed " << seed;
    EXPECT_LE(error, 1.0 + 1e-12);
    EXPECT_NEAR(error, solved.report.residual, 1e-15);
  }
}

TEST(Dantzig, SolvesTheSmallContactProblemsOfTheCollection) {
  const auto files = fc3d_files();
  if (files.empty()) GTEST_SKIP() << missing_shared_file("data/fc3d");
  for (const auto& file : files) {
    const DualProblem problem = load_fc3d(file);
    if (problem.num_blocks() > 9) continue;
    EXPECT_EQ(solve(problem, 1e-9).report.status, SolveStatus::converged) << file.stem();
  }
}

TEST(Dantzig, HistoryHasTheErrorOfEveryRound) {
  std::vector<double> history;
  DualOptions options;
  options.tolerance = 1e-10;
  options.history = &history;
  BodiesSpec spec;
  spec.friction = 0.3;
  const DualProblem problem = random_bodies(spec, 4);
  VecX lambda = VecX::Zero(problem.num_rows());
  const IslandReport report = make_dantzig()->solve(problem, options, &lambda);
  ASSERT_GE(history.size(), 2u);
  EXPECT_EQ(history.back(), report.residual);
}

TEST(Dantzig, SaysThatContradictionsAreInfeasible) {
  MatX W(2, 2);
  W << 1.0, -1.0, -1.0, 1.0;
  const DualProblem problem =
      dense_problem({contact_block(0.0, 0), contact_block(0.0, 0)}, W, VecX::Constant(2, -1.0));
  EXPECT_EQ(solve(problem).report.status, SolveStatus::infeasible);
}

}  // namespace
}  // namespace stiction
