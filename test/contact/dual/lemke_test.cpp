// Lemke's method; what every solver must do is in contract_test.cpp.

#include <gtest/gtest.h>

#include "stiction/base/shared_files.h"
#include "stiction/contact/dual/residual.h"
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
  out.report = make_lemke()->solve(problem, options, &out.lambda);
  problem.velocities(out.lambda, &out.s);
  return out;
}

TEST(Lemke, RandomBodiesMeetTheLaw) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    for (const int facets : {4, 8}) {
      BodiesSpec spec;
      spec.rows = seed % 2 == 0 ? 0 : 4;
      spec.turns = seed % 3 == 2;
      spec.R = seed % 4 < 2 ? 0.0 : 0.01;
      spec.friction = seed % 5 == 4 ? 10.0 : -1.0;
      Pyramid pyramid;
      pyramid.facets = facets;
      const DualProblem problem = random_bodies(spec, seed);
      const Solved solved = solve(problem, 1e-10, pyramid);
      EXPECT_EQ(solved.report.status, SolveStatus::converged) << "seed " << seed;
      EXPECT_LT(problem.natural_error(LawKind::pyramid_lcp, pyramid, solved.lambda, solved.s),
                1e-10 * problem.velocity_scale());
    }
  }
}

// Without friction s is that of a convex problem, which has one.
TEST(Lemke, AgreesWithDantzigsPivotingWithoutFriction) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    BodiesSpec spec;
    spec.friction = 0.0;
    spec.rows = 3;
    const DualProblem problem = random_bodies(spec, seed);
    const Solved solved = solve(problem);
    VecX lambda = VecX::Zero(problem.num_rows()), s;
    make_dantzig()->solve(problem, {}, &lambda);
    problem.velocities(lambda, &s);
    EXPECT_LT((s - solved.s).norm(), 1e-11 * problem.velocity_scale());
  }
}

// 64 facets differ from the cone by 1/cos(pi/64) - 1 = 0.12 %; measured as the cone's law.
TEST(Lemke, ManyFacetsApproachTheCone) {
  Pyramid pyramid;
  pyramid.facets = 64;
  const DualProblem problem = block_on_ground({3.0, 2.0, -1.0}, 0.5);
  const DualResidual residual = check_dual_residual(problem, solve(problem, 1e-12, pyramid).lambda);
  EXPECT_LT(residual.natural_velocity.relative, 0.002);
  EXPECT_LT(residual.signorini.relative, 1e-14);
}

TEST(Lemke, SolvesTheContactProblemsOfTheCollection) {
  const auto files = fc3d_files();
  if (files.empty()) GTEST_SKIP() << missing_shared_file("data/fc3d");
  for (const auto& file : files) {
    const DualProblem problem = load_fc3d(file);
    if (is_too_long_sanitized(problem)) continue;
    if (problem.num_blocks() > 60) continue;
    const Solved solved = solve(problem, 1e-10);
    EXPECT_EQ(solved.report.status, SolveStatus::converged) << file.stem();
  }
}

// Two walls that close in on a body from both sides.
TEST(Lemke, SaysThatContradictionsAreInfeasible) {
  MatX W(2, 2);
  W << 1.0, -1.0, -1.0, 1.0;
  const DualProblem problem =
      dense_problem({contact_block(0.0, 0), contact_block(0.0, 0)}, W, VecX::Constant(2, -1.0));
  const Solved solved = solve(problem);
  EXPECT_EQ(solved.report.status, SolveStatus::infeasible);
  EXPECT_EQ(solved.lambda.norm(), 0.0);
}

}  // namespace
}  // namespace stiction
