#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "stiction/contact/dual/solver.h"
#include "test/base/allocation_counter.h"
#include "test/contact/dual/cube_stack.h"
#include "test/contact/dual/samples.h"
#include "test/contact/dual/stored_problems.h"

namespace stiction {
namespace {

constexpr LawKind kLaws[] = {LawKind::pyramid_lcp, LawKind::coulomb_ncp};
constexpr double kGravity = 9.81, kStep = 1e-3;

struct Solved {
  VecX lambda, s;
  IslandReport report;
  double error = 0.0;  // of the natural map, from lambda alone, relative to the free velocity
};

Solved solve(LawKind law, const DualProblem& problem, double tolerance = 1e-9, const VecX& start = VecX(),
             int max_iterations = 1000) {
  DualOptions options;
  options.tolerance = tolerance;
  options.max_iterations = max_iterations;
  Solved out;
  out.lambda = start.size() > 0 ? start : VecX(VecX::Zero(problem.num_rows()));
  out.report = make_staggered(law)->solve(problem, options, &out.lambda);
  out.s = problem.dense() * out.lambda + problem.R.cwiseProduct(out.lambda) + problem.r;
  out.error = problem.natural_error(law, Pyramid{}, out.lambda, out.s) / problem.velocity_scale();
  return out;
}

// A body of 2 kg that falls on the ground at (vx, 0, vz).
DualProblem block_on_ground(double vx, double vz, double mu) {
  return dense_problem({contact_block(mu)}, 0.5 * MatX::Identity(3, 3), Vec3(vx, 0.0, vz));
}

CubeStack one_cube(double push) {
  CubeStack stack;
  stack.masses = {1.0};
  stack.friction = {0.4};
  stack.push = Vec3(push, 0.0, 0.0);
  return stack;
}

TEST(Staggered, ABlockThatSlidesAlongATangentIsHeldByFrictionMu) {
  for (const LawKind law : kLaws) {
    const Solved solved = solve(law, block_on_ground(3.0, -1.0, 0.5), 1e-12);
    EXPECT_LT((solved.lambda - Vec3(-1.0, 0.0, 2.0)).norm(), 1e-11);
  }
}

TEST(Staggered, ABlockThatSlidesAcrossIsHeldByTheCornerOfThePyramid) {
  // Of the square |x|, |y| <= mu lambda_n the corner takes the most power from a slide at 45 degrees.
  const DualProblem problem =
      dense_problem({contact_block(0.5)}, 0.5 * MatX::Identity(3, 3), Vec3(3.0, 3.0, -1.0));
  EXPECT_LT((solve(LawKind::pyramid_lcp, problem, 1e-12).lambda - Vec3(-1.0, -1.0, 2.0)).norm(), 1e-11);
  const double diagonal = 1.0 / std::sqrt(2.0);
  EXPECT_LT((solve(LawKind::coulomb_ncp, problem, 1e-12).lambda - Vec3(-diagonal, -diagonal, 2.0)).norm(),
            1e-11);
}

TEST(Staggered, ACubeOnFourCornersIsCarriedAndHeld) {
  const DualProblem problem = make_dual(one_cube(0.2 * kGravity));
  for (const LawKind law : kLaws) {
    const Solved solved = solve(law, problem, 1e-12);
    double weight = 0.0;
    for (int c = 0; c < 4; ++c) weight += solved.lambda[3 * c + 2];
    EXPECT_NEAR(weight, kGravity * kStep, 1e-11);
    EXPECT_LT(velocity_after(problem, solved.lambda).norm(), 1e-12);
  }
}

TEST(Staggered, LeavesNoInternalForcesAtStiction) {
  const DualProblem problem = make_dual(one_cube(0.2 * kGravity));
  for (const LawKind law : kLaws)
    EXPECT_LT(internal_impulse(problem, solve(law, problem).lambda), 1e-6 * kGravity * kStep);
}

// Velocities of the light cube are differences of impulses a million times as large: 16 roundings of them are
// 3.6e-9 of what the heavy one has.
TEST(Staggered, AHeavyCubeOnALightOneIsSolvedToRoundOff) {
  CubeStack stack;
  stack.masses = {1e-3, 1e3};
  stack.friction = {0.9, 0.95};
  const DualProblem problem = make_dual(stack);
  for (const LawKind law : kLaws) {
    const Solved solved = solve(law, problem);
    EXPECT_LT(solved.error, 3.6e-9);
    double weight = 0.0;
    for (int c = 0; c < 4; ++c) weight += solved.lambda[3 * c + 2];
    EXPECT_NEAR(weight, 1000.001 * kGravity * kStep, 1e-8 * weight);
  }
}

TEST(Staggered, SolvesRandomProblemsByTrees) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    BodiesSpec spec;
    spec.bodies = 4;
    spec.patches = 6;
    spec.points = 1;
    spec.rows = 3;
    spec.R = seed % 2 == 0 ? 1e-3 : 0.0;
    for (const LawKind law : kLaws) {
      const Solved solved = solve(law, random_bodies(spec, seed));
      EXPECT_EQ(solved.report.status, SolveStatus::converged) << seed;
      EXPECT_LT(solved.error, 1.001e-9) << seed;
    }
  }
}

TEST(Staggered, SolvesProblemsWithTorsionAndRolling) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    BodiesSpec spec;
    spec.bodies = 3;
    spec.patches = 4;
    spec.points = 2;
    spec.turns = true;
    for (const LawKind law : kLaws)
      EXPECT_LT(solve(law, random_bodies(spec, seed), 1e-8).error, 1.001e-8) << seed;
  }
}

TEST(Staggered, AStartAtTheSolutionTakesNoIteration) {
  const DualProblem problem = random_bodies({}, 3);
  for (const LawKind law : kLaws) {
    const Solved cold = solve(law, problem, 1e-9), warm = solve(law, problem, 1e-8, cold.lambda);
    EXPECT_EQ(warm.report.iterations, 0);
    EXPECT_EQ(warm.report.factorisations, 0);
    EXPECT_EQ(warm.lambda, cold.lambda);
  }
}

TEST(Staggered, SaysHowFarItCameAndReturnsItsBest) {
  BodiesSpec spec;
  spec.bodies = 6;
  for (const LawKind law : kLaws) {
    const Solved solved = solve(law, random_bodies(spec, 3), 1e-9, VecX(), 2);
    EXPECT_EQ(solved.report.status, SolveStatus::max_iterations);
    EXPECT_EQ(solved.report.iterations, 2);
    EXPECT_NEAR(solved.report.residual, solved.error, 1e-12);
  }
}

TEST(Staggered, SaysThatANumberIsNotFinite) {
  DualProblem problem = random_bodies({}, 3);
  problem.r[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solve(LawKind::coulomb_ncp, problem).report.status, SolveStatus::not_finite);
}

TEST(Staggered, GivesTheSameBitsAgain) {
  const DualProblem problem = random_bodies({}, 3);
  const std::unique_ptr<DualSolver> solver = make_staggered(LawKind::coulomb_ncp);
  DualOptions options;
  options.tolerance = 1e-9;
  VecX first = VecX::Zero(problem.num_rows()), second = first;
  const IslandReport a = solver->solve(problem, options, &first),
                     b = solver->solve(problem, options, &second);
  EXPECT_EQ(first, second);
  EXPECT_EQ(a.iterations, b.iterations);
}

TEST(Staggered, AllocatesNothingByTreesOnceItIsWarm) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  const DualProblem problem = random_bodies({}, 3);
  const std::unique_ptr<DualSolver> solver = make_staggered(LawKind::coulomb_ncp);
  DualOptions options;
  VecX lambda = VecX::Zero(problem.num_rows());
  solver->solve(problem, options, &lambda);
  lambda.setZero();
  const AllocationCounter counter;
  solver->solve(problem, options, &lambda);
  EXPECT_EQ(counter.count(), 0);
}

TEST(Staggered, SolvesTheCollectionOfContactProblems) {
  const auto files = fc3d_files();
  if (files.empty()) GTEST_SKIP() << "no shared folder";
  for (const auto& file : files) {
    const DualProblem problem = load_fc3d(file);
    // Large ones take minutes; under pyramid_lcp some with 25 contacts go round in circles.
    if (problem.num_rows() > 200) continue;
    EXPECT_LT(solve(LawKind::coulomb_ncp, problem).error, 1.001e-9) << file.stem();
    if (problem.num_rows() > 30) continue;
    EXPECT_LT(solve(LawKind::pyramid_lcp, problem).error, 1.001e-9) << file.stem();
  }
}

}  // namespace
}  // namespace stiction
