// ADMM; what every solver must do is in contract_test.cpp.

#include "stiction/contact/dual/admm.h"

#include <gtest/gtest.h>

#include "test/contact/dual/cube_stack.h"
#include "test/contact/dual/samples.h"
#include "test/contact/dual/stored_problems.h"
#include "test/contact/law_kinds.h"

namespace stiction {
namespace {

constexpr double kGravity = 9.81;

struct Solved {
  VecX lambda, s;
  IslandReport report;
  double error = 0.0;  // of the natural map, from lambda alone, relative to the free velocity
};

Solved solve(LawKind law, const DualProblem& problem, double tolerance = 1e-9, const VecX& start = VecX(),
             int max_iterations = DualOptions().max_iterations) {
  DualOptions options;
  options.tolerance = tolerance;
  options.max_iterations = max_iterations;
  Solved out;
  out.lambda = start.size() > 0 ? start : VecX(VecX::Zero(problem.num_rows()));
  out.report = make_admm(law)->solve(problem, options, &out.lambda);
  out.s = problem.dense() * out.lambda + problem.R.cwiseProduct(out.lambda) + problem.r;
  out.error = problem.natural_error(law, Pyramid{}, out.lambda, out.s) / problem.velocity_scale();
  return out;
}

TEST(Admm, AHeavyCubePushedOnALightOneIsSolvedToRoundOff) {
  for (const double push : {0.3, 0.85}) {
    CubeStack stack;
    stack.masses = {1e-3, 1e3};
    stack.friction = {0.9, 0.95};
    stack.push = push * 1e3 * kGravity * Vec3(1.0, 0.3, 0.0);
    for (const LawKind law : rigid_laws_of("admm")) {
      // At a ratio of 1e6 the error leaps up and down, and round-off decides after how many hundred iterations it
      // stays down.
      const Solved solved = solve(law, make_dual(stack), 1e-9, VecX(), 5000);
      EXPECT_TRUE(is_solved(solved.report.status));
      // eps |lambda| W over the free velocity: 2e-16 x 10 N s x 1e4 / kg / 0.01 m/s, and a few such terms.
      EXPECT_LT(solved.error, 1e-8);
    }
  }
}

TEST(Admm, AStartNearTheSolutionTakesFewerIterations) {
  BodiesSpec spec;
  spec.points = 1;
  const DualProblem problem = random_bodies(spec, 3);
  for (const LawKind law : rigid_laws_of("admm")) {
    const Solved cold = solve(law, problem, 1e-6);
    DualProblem moved = problem;
    moved.r *= 1.0 + 1e-4;
    EXPECT_LT(solve(law, moved, 1e-6, cold.lambda).report.iterations, cold.report.iterations);
  }
}

TEST(Admm, SolvesTheCollectionOfContactProblems) {
  const auto files = fc3d_files();
  if (files.empty()) GTEST_SKIP() << "no shared folder";
  for (const auto& file : files) {
    const DualProblem problem = load_fc3d(file);
    if (is_too_long_sanitized(problem)) continue;
    // Hundreds of contacts, of which most slide, take thousands of iterations.
    const double goal = problem.num_rows() > 600 ? 1e-3 : 1e-9;
    for (const LawKind law : rigid_laws_of("admm"))
      EXPECT_LT(solve(law, problem).error, 1.001 * goal) << file.stem();
  }
}

}  // namespace
}  // namespace stiction
