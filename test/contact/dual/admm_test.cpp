#include "stiction/contact/dual/admm.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/math/eigenvalues.h"
#include "test/base/allocation_counter.h"
#include "test/contact/dual/cube_stack.h"
#include "test/contact/dual/samples.h"
#include "test/contact/dual/stored_problems.h"

namespace stiction {
namespace {

constexpr LawKind kLaws[] = {LawKind::convex_cone, LawKind::coulomb_ncp};
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
  out.report = make_admm(law)->solve(problem, options, &out.lambda);
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

TEST(Admm, ABlockThatSlidesIsHeldByFrictionMuUnderCoulombsLaw) {
  const Solved solved = solve(LawKind::coulomb_ncp, block_on_ground(3.0, -1.0, 0.5), 1e-12);
  EXPECT_LT((solved.lambda - Vec3(-1.0, 0.0, 2.0)).norm(), 1e-11);
}

TEST(Admm, ABlockThatSlidesGetsTheProjectedImpulseUnderTheConvexLaw) {
  // W = 1/m: the optimum is the nearest point of the cone to -m r.
  Vec3 expected(-6.0, 0.0, 2.0);
  project_on_cone(0.5, 2, expected.data());
  EXPECT_LT((solve(LawKind::convex_cone, block_on_ground(3.0, -1.0, 0.5), 1e-12).lambda - expected).norm(),
            1e-11);
}

TEST(Admm, ACubeOnFourCornersIsCarriedAndHeld) {
  const DualProblem problem = make_dual(one_cube(0.2 * kGravity));
  for (const LawKind law : kLaws) {
    const Solved solved = solve(law, problem, 1e-12);
    double weight = 0.0;
    for (int c = 0; c < 4; ++c) weight += solved.lambda[3 * c + 2];
    EXPECT_NEAR(weight, kGravity * kStep, 1e-11);
    EXPECT_LT(velocity_after(problem, solved.lambda).norm(), 1e-12);
  }
}

TEST(Admm, LeavesNoInternalForcesAtStiction) {
  const DualProblem problem = make_dual(one_cube(0.2 * kGravity));
  for (const LawKind law : kLaws)
    EXPECT_LT(internal_impulse(problem, solve(law, problem).lambda), 1e-6 * kGravity * kStep);
}

TEST(Admm, AHeavyCubeOnALightOneIsSolvedToNineDigits) {
  CubeStack stack;
  stack.masses = {1e-3, 1e3};
  stack.friction = {0.9, 0.95};
  const DualProblem problem = make_dual(stack);
  for (const LawKind law : kLaws) {
    const Solved solved = solve(law, problem);
    EXPECT_LT(solved.error, 1e-9);
    double weight = 0.0;
    for (int c = 0; c < 4; ++c) weight += solved.lambda[3 * c + 2];
    EXPECT_NEAR(weight, 1000.001 * kGravity * kStep, 1e-8 * weight);
  }
}

TEST(Admm, AHeavyCubePushedOnALightOneIsSolvedToRoundOff) {
  for (const double push : {0.3, 0.85}) {
    CubeStack stack;
    stack.masses = {1e-3, 1e3};
    stack.friction = {0.9, 0.95};
    stack.push = push * 1e3 * kGravity * Vec3(1.0, 0.3, 0.0);
    for (const LawKind law : kLaws) {
      const Solved solved = solve(law, make_dual(stack));
      EXPECT_TRUE(is_solved(solved.report.status));
      // eps |lambda| W over the free velocity: 2e-16 x 10 N s x 1e4 / kg / 0.01 m/s, and a few such terms.
      EXPECT_LT(solved.error, 1e-8);
    }
  }
}

TEST(Admm, SolvesRandomProblemsByTrees) {
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

TEST(Admm, SolvesProblemsWithTorsionAndRolling) {
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

TEST(Admm, GivesTheSameVelocitiesByTreesAndWithWWrittenOut) {
  BodiesSpec spec;
  spec.bodies = 4;
  spec.R = 1e-3;
  const DualProblem by_trees = random_bodies(spec, 2);
  const DualProblem written_out = dense_problem(by_trees.blocks, by_trees.dense(), by_trees.r, by_trees.R);
  // A convex problem with R > 0 has one answer; an error of 1e-10 m/s in s is one of 1e-10 / R in lambda.
  const Solved a = solve(LawKind::convex_cone, by_trees, 1e-11),
               b = solve(LawKind::convex_cone, written_out, 1e-11);
  EXPECT_LT((a.s - b.s).norm(), 1e-8);
}

TEST(Admm, ReachesTheOptimumThatProjectedGradientsReach) {
  const DualProblem problem = dense_problem({contact_block(0.5), contact_block(0.3)}, random_spd(6, 4),
                                            (VecX(6) << 1.0, -0.5, -1.0, 0.2, 2.0, -0.5).finished());
  const MatX W = problem.dense();
  const double step = 1.0 / eigenvalues(W).maxCoeff();
  VecX x = VecX::Zero(6);
  for (int k = 0; k < 20000; ++k) {
    x -= step * (W * x + problem.r);
    project_on_cone(0.5, 2, x.data());
    project_on_cone(0.3, 2, x.data() + 3);
  }
  EXPECT_LT((solve(LawKind::convex_cone, problem, 1e-12).lambda - x).norm(), 1e-10);
}

TEST(Admm, AStartAtTheSolutionTakesNoIteration) {
  const DualProblem problem = random_bodies({}, 3);
  for (const LawKind law : kLaws) {
    const Solved cold = solve(law, problem, 1e-9), warm = solve(law, problem, 1e-8, cold.lambda);
    EXPECT_EQ(warm.report.iterations, 0);
    EXPECT_EQ(warm.report.factorisations, 0);
    EXPECT_EQ(warm.lambda, cold.lambda);
  }
}

TEST(Admm, AStartNearTheSolutionTakesFewerIterations) {
  BodiesSpec spec;
  spec.points = 1;
  const DualProblem problem = random_bodies(spec, 3);
  for (const LawKind law : kLaws) {
    const Solved cold = solve(law, problem, 1e-6);
    DualProblem moved = problem;
    moved.r *= 1.0 + 1e-4;
    EXPECT_LT(solve(law, moved, 1e-6, cold.lambda).report.iterations, cold.report.iterations);
  }
}

TEST(Admm, SaysHowFarItCameAndReturnsItsBest) {
  BodiesSpec spec;
  spec.bodies = 6;
  for (const LawKind law : kLaws) {
    const Solved solved = solve(law, random_bodies(spec, 3), 1e-9, VecX(), 5);
    EXPECT_EQ(solved.report.status, SolveStatus::max_iterations);
    EXPECT_EQ(solved.report.iterations, 5);
    EXPECT_NEAR(solved.report.residual, solved.error, 1e-12);
  }
}

TEST(Admm, SaysThatANumberIsNotFinite) {
  DualProblem problem = random_bodies({}, 3);
  problem.r[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solve(LawKind::coulomb_ncp, problem).report.status, SolveStatus::not_finite);
}

TEST(Admm, GivesTheSameBitsAgain) {
  const DualProblem problem = random_bodies({}, 3);
  const std::unique_ptr<DualSolver> solver = make_admm(LawKind::coulomb_ncp);
  DualOptions options;
  options.tolerance = 1e-9;
  VecX first = VecX::Zero(problem.num_rows()), second = first;
  const IslandReport a = solver->solve(problem, options, &first),
                     b = solver->solve(problem, options, &second);
  EXPECT_EQ(first, second);
  EXPECT_EQ(a.iterations, b.iterations);
}

TEST(Admm, AllocatesNothingByTreesOnceItIsWarm) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  const DualProblem problem = random_bodies({}, 3);
  const std::unique_ptr<DualSolver> solver = make_admm(LawKind::coulomb_ncp);
  DualOptions options;
  VecX lambda = VecX::Zero(problem.num_rows());
  solver->solve(problem, options, &lambda);
  lambda.setZero();
  const AllocationCounter counter;
  solver->solve(problem, options, &lambda);
  EXPECT_EQ(counter.count(), 0);
}

TEST(Admm, SolvesTheCollectionOfContactProblems) {
  const auto files = fc3d_files();
  if (files.empty()) GTEST_SKIP() << "no shared folder";
  for (const auto& file : files) {
    const DualProblem problem = load_fc3d(file);
    // Hundreds of contacts, of which most slide, take thousands of iterations.
    const double goal = problem.num_rows() > 600 ? 1e-3 : 1e-9;
    for (const LawKind law : kLaws) EXPECT_LT(solve(law, problem).error, 1.001 * goal) << file.stem();
  }
}

}  // namespace
}  // namespace stiction
