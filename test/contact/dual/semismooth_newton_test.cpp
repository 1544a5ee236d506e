#include "stiction/contact/dual/semismooth_newton.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/contact/dual/residual.h"
#include "stiction/math/eigenvalues.h"
#include "test/base/allocation_counter.h"
#include "test/contact/dual/cube_stack.h"
#include "test/contact/dual/samples.h"
#include "test/contact/dual/stored_problems.h"

namespace stiction {
namespace {

constexpr LawKind kLaws[] = {LawKind::convex_cone, LawKind::coulomb_ncp};
constexpr double kGravity = 9.81, kStep = 1e-3, kNoBound = 1e300;

struct Solved {
  VecX lambda;
  IslandReport report;
  double map = 0.0;  // of the judge: natural map over |lambda|
};

Solved solve(LawKind law, const DualProblem& problem, double tolerance = 1e-10, const VecX& start = VecX(),
             int max_iterations = 1000) {
  DualOptions options;
  options.tolerance = tolerance;
  options.max_iterations = max_iterations;
  Solved out;
  out.lambda = start.size() > 0 ? start : VecX(VecX::Zero(problem.num_rows()));
  out.report = make_semismooth_newton(law)->solve(problem, options, &out.lambda);
  out.map = check_dual_residual(problem, out.lambda).natural_map.relative;
  return out;
}

Solved solve_coulomb(const DualProblem& problem, double tolerance = 1e-10) {
  return solve(LawKind::coulomb_ncp, problem, tolerance);
}

// W with all numbers, which a matrix that is not symmetric needs as well.
MatX unsymmetric(const MatX& W, double share, std::uint64_t seed) {
  Random random(seed);
  MatX out = W;
  for (int i = 0; i < W.rows(); ++i)
    for (int j = 0; j < W.cols(); ++j)
      if (i != j) out(i, j) += share * std::sqrt(W(i, i) * W(j, j)) * random.uniform(-1.0, 1.0);
  return out;
}

TEST(AlartCurnier, DerivativesAreDifferencesOfProjections) {
  Random random(3);
  for (const LawKind law : kLaws) {
    for (const int tangents : {0, 2, 5}) {
      const DualBlock block = contact_block(tangents == 0 ? 0.0 : 0.7, tangents);
      const int n = block.size();
      for (int k = 0; k < 50; ++k) {
        VecX z(n), p(n), ahead(n), behind(n);
        for (int i = 0; i < n; ++i) z[i] = random.normal();
        Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> G(n, n);
        project_block(law, block, z.data(), p.data(), G.data());
        constexpr double kDelta = 1e-6;
        for (int j = 0; j < n; ++j) {
          VecX z_ahead = z, z_behind = z;
          z_ahead[j] += kDelta;
          z_behind[j] -= kDelta;
          project_block(law, block, z_ahead.data(), ahead.data(), nullptr);
          project_block(law, block, z_behind.data(), behind.data(), nullptr);
          // Second derivatives are of size 1 / |z_t|, and no kink of these 50 points is within 1e-6.
          EXPECT_LT(((ahead - behind) / (2.0 * kDelta) - G.col(j)).norm(), 1e-7);
        }
      }
    }
  }
}

TEST(SemismoothNewton, ABlockThatSlidesIsHeldByFrictionMuUnderCoulombsLaw) {
  const DualProblem problem =
      dense_problem({contact_block(0.5)}, 0.5 * MatX::Identity(3, 3), Vec3(3.0, 0.0, -1.0));
  EXPECT_LT((solve_coulomb(problem, 1e-12).lambda - Vec3(-1.0, 0.0, 2.0)).norm(), 1e-11);
}

TEST(SemismoothNewton, ABlockThatSlidesGetsTheProjectedImpulseUnderTheConvexLaw) {
  // W = 1/m: the optimum is the nearest point of the cone to -m r.
  Vec3 expected(-6.0, 0.0, 2.0);
  project_on_cone(0.5, 2, expected.data());
  const DualProblem problem =
      dense_problem({contact_block(0.5)}, 0.5 * MatX::Identity(3, 3), Vec3(3.0, 0.0, -1.0));
  EXPECT_LT((solve(LawKind::convex_cone, problem, 1e-12).lambda - expected).norm(), 1e-11);
}

TEST(SemismoothNewton, ThreeContactsWithUnitMassAreTheOnesOfTheClosedForm) {
  // Each by itself: r = (1, 3, -1), mu = 0.1, so that lambda_n = 1 and friction 0.1 against (1, 3)/sqrt(10).
  VecX r(9), expected(9);
  for (int c = 0; c < 3; ++c) {
    r.segment<3>(3 * c) = Vec3(1.0, 3.0, -1.0);
    expected.segment<3>(3 * c) = Vec3(-0.1 / std::sqrt(10.0), -0.3 / std::sqrt(10.0), 1.0);
  }
  const DualProblem problem =
      dense_problem(std::vector<DualBlock>(3, contact_block(0.1)), MatX::Identity(9, 9), r);
  EXPECT_LT((solve_coulomb(problem, 1e-12).lambda - expected).norm(), 1e-11);
}

TEST(SemismoothNewton, ReachesTheOptimumThatProjectedGradientsReach) {
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

TEST(SemismoothNewton, AHeavyCubeOnALightOneIsCarriedAndJudgedGood) {
  CubeStack stack;
  stack.masses = {1e-3, 1e3};
  stack.friction = {0.9, 0.95};
  const DualProblem problem = make_dual(stack);
  for (const LawKind law : kLaws) {
    const Solved solved = solve(law, problem, 1e-9);
    EXPECT_TRUE(is_solved(solved.report.status));
    double weight = 0.0;
    for (int c = 0; c < 4; ++c) weight += solved.lambda[3 * c + 2];
    EXPECT_NEAR(weight, 1000.001 * kGravity * kStep, 1e-8 * weight);
  }
}

TEST(SemismoothNewton, SolvesRandomProblemsWithEveryKindOfBlock) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    BodiesSpec spec;
    spec.bodies = 4;
    spec.patches = 6;
    spec.points = 1 + static_cast<int>(seed % 4);
    spec.rows = 3;
    spec.turns = seed % 3 == 0;
    spec.R = seed % 2 == 0 ? 1e-3 : 0.0;
    const Solved solved = solve_coulomb(random_bodies(spec, seed));
    EXPECT_EQ(solved.report.status, SolveStatus::converged) << seed;
    EXPECT_LT(solved.map, 1.001e-10) << seed;
  }
}

TEST(SemismoothNewton, AgreesWithItselfByTreesAndWithWWrittenOut) {
  BodiesSpec spec;
  spec.R = 1e-3;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const DualProblem by_trees = random_bodies(spec, seed);
    const DualProblem written_out = dense_problem(by_trees.blocks, by_trees.dense(), by_trees.r, by_trees.R);
    // A convex problem with R > 0 has one answer; an error of 1e-11 m/s in s is one of 1e-11 / R in lambda.
    const VecX a = solve(LawKind::convex_cone, by_trees, 1e-12).lambda,
               b = solve(LawKind::convex_cone, written_out, 1e-12).lambda;
    EXPECT_LT((a - b).norm(), 1e-7);
  }
}

TEST(SemismoothNewton, TakesAMatrixThatIsNotSymmetric) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const DualProblem symmetric = random_bodies({}, seed);
    const DualProblem problem =
        dense_problem(symmetric.blocks, unsymmetric(symmetric.dense(), 2e-3, seed), symmetric.r, symmetric.R);
    const Solved solved = solve_coulomb(problem);
    EXPECT_EQ(solved.report.status, SolveStatus::converged) << seed;
    EXPECT_LT(solved.map, 1.001e-10) << seed;
  }
}

TEST(SemismoothNewton, ScalarRowsStopAtTheirBounds) {
  // s = 2 lambda + r: free, at the lower end, at the upper end, nowhere to go, in between.
  const std::vector<DualBlock> rows = {scalar_block(-kNoBound, kNoBound), scalar_block(0.0, kNoBound),
                                       scalar_block(-1.0, 1.0), scalar_block(0.3, 0.3),
                                       scalar_block(-1.0, 1.0)};
  VecX r(5), expected(5);
  r << 3.0, 3.0, -3.0, 1.0, -1.0;
  expected << -1.5, 0.0, 1.0, 0.3, 0.5;
  EXPECT_LT((solve_coulomb(dense_problem(rows, 2.0 * MatX::Identity(5, 5), r)).lambda - expected).norm(),
            1e-10);
}

TEST(SemismoothNewton, ManyContactsAtOnePointShareTheLoad) {
  // One normal row, eight times: rank 1, and any split of 2 N s is an answer.
  const DualProblem problem = dense_problem(std::vector<DualBlock>(8, contact_block(0.0, 0)),
                                            MatX::Constant(8, 8, 0.5), VecX::Constant(8, -1.0));
  const Solved solved = solve_coulomb(problem);
  EXPECT_EQ(solved.report.status, SolveStatus::converged);
  EXPECT_NEAR(solved.lambda.sum(), 2.0, 1e-9);
}

TEST(SemismoothNewton, AStartAtTheSolutionTakesNoIteration) {
  const DualProblem problem = random_bodies({}, 3);
  for (const LawKind law : kLaws) {
    const Solved cold = solve(law, problem, 1e-9), warm = solve(law, problem, 1e-8, cold.lambda);
    EXPECT_EQ(warm.report.iterations, 0);
    EXPECT_EQ(warm.report.factorisations, 0);
    EXPECT_EQ(warm.lambda, cold.lambda);
  }
}

TEST(SemismoothNewton, SaysHowFarItCameAndReturnsItsBest) {
  BodiesSpec spec;
  spec.bodies = 6;
  spec.patches = 12;
  spec.points = 4;
  const DualProblem problem = random_bodies(spec, 3);
  const Solved solved = solve(LawKind::coulomb_ncp, problem, 1e-13, VecX(), 2);
  EXPECT_EQ(solved.report.status, SolveStatus::max_iterations);
  EXPECT_EQ(solved.report.iterations, 2);
  VecX s;
  problem.velocities(solved.lambda, &s);
  EXPECT_NEAR(
      solved.report.residual,
      problem.natural_error(LawKind::coulomb_ncp, Pyramid{}, solved.lambda, s) / problem.velocity_scale(),
      1e-12);
}

TEST(SemismoothNewton, SaysThatANumberIsNotFinite) {
  DualProblem problem = random_bodies({}, 3);
  problem.r[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solve_coulomb(problem).report.status, SolveStatus::not_finite);
}

TEST(SemismoothNewton, DoesNotClaimToHaveSolvedWhatHasNoSolution) {
  // Two contacts press a body that nothing moves apart: no impulse brings both velocities to zero.
  MatX W(2, 2);
  W << 1.0, -1.0, -1.0, 1.0;
  const DualProblem problem =
      dense_problem({contact_block(0.0, 0), contact_block(0.0, 0)}, W, Eigen::Vector2d(-1.0, -1.0));
  EXPECT_FALSE(is_solved(solve(LawKind::coulomb_ncp, problem, 1e-8, VecX(), 200).report.status));
}

TEST(SemismoothNewton, GivesTheSameBitsAgain) {
  const DualProblem problem = random_bodies({}, 3), other = random_bodies({}, 4);
  const std::unique_ptr<DualSolver> solver = make_semismooth_newton(LawKind::coulomb_ncp);
  DualOptions options;
  options.tolerance = 1e-9;
  VecX first = VecX::Zero(problem.num_rows()), second = first, between = VecX::Zero(other.num_rows());
  const IslandReport a = solver->solve(problem, options, &first);
  solver->solve(other, options, &between);
  const IslandReport b = solver->solve(problem, options, &second);
  EXPECT_EQ(first, second);
  EXPECT_EQ(a.iterations, b.iterations);
}

TEST(SemismoothNewton, FewContactsThatStickTakeOneStep) {
  // Nothing slides, so that the step solves (W + 1e-8 of it) lambda = -r; mu = 1 holds that many times over.
  const MatX W = MatX::Identity(9, 9) + 0.1 * random_spd(9, 2) / random_spd(9, 2).norm();
  VecX r(9);
  r << 0.1, 0.2, -1.0, -0.2, 0.1, -1.0, 0.0, 0.1, -1.0;
  const DualProblem problem = dense_problem(std::vector<DualBlock>(3, contact_block(1.0)), W, r);
  for (const LawKind law : kLaws) {
    const Solved solved = solve(law, problem, 1e-6);
    EXPECT_EQ(solved.report.iterations, 1);
    EXPECT_LT((solved.lambda + W.partialPivLu().solve(r)).norm(), 1e-7);
  }
}

TEST(SemismoothNewton, AllocatesNothingOnceItIsWarm) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  // By trees, W written out by the solver, not written out (72 rows), and explicit.
  const DualProblem few = random_bodies({}, 3), many = random_bodies({.bodies = 5, .patches = 12}, 3);
  for (const DualProblem& problem : {few, many, dense_problem(few.blocks, few.dense(), few.r, few.R)}) {
    const std::unique_ptr<DualSolver> solver = make_semismooth_newton(LawKind::coulomb_ncp);
    DualOptions options;
    options.tolerance = 1e-9;
    VecX lambda = VecX::Zero(problem.num_rows());
    solver->solve(problem, options, &lambda);
    lambda.setZero();
    const AllocationCounter counter;
    solver->solve(problem, options, &lambda);
    EXPECT_EQ(counter.count(), 0);
  }
}

TEST(SemismoothNewton, SolvesTheCollectionOfContactProblems) {
  const auto files = fc3d_files();
  if (files.empty()) GTEST_SKIP() << "no shared folder";
  for (const auto& file : files) {
    const DualProblem problem = load_fc3d(file);
    const Solved solved = solve_coulomb(problem);
    EXPECT_EQ(solved.report.status, SolveStatus::converged) << file.stem();
    EXPECT_LT(solved.map, 1.01e-10) << file.stem();  // by other sums than the solver's
  }
}

}  // namespace
}  // namespace stiction
