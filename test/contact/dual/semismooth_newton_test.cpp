// Semismooth Newton; what every solver must do is in contract_test.cpp.

#include "stiction/contact/dual/semismooth_newton.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/contact/dual/residual.h"
#include "test/base/allocation_counter.h"
#include "test/contact/dual/samples.h"
#include "test/contact/dual/stored_problems.h"
#include "test/contact/law_kinds.h"

namespace stiction {
namespace {

struct Solved {
  VecX lambda;
  IslandReport report;
  double map = 0.0;  // natural map over |lambda|, of the residual check
};

Solved solve(LawKind law, const DualProblem& problem, double tolerance = 1e-10) {
  DualOptions options;
  options.tolerance = tolerance;
  Solved out;
  out.lambda = VecX::Zero(problem.num_rows());
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
  for (const LawKind law : rigid_laws_of("semismooth_newton")) {
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
          // Second derivatives are of size 1 / |z_t|, and none of these 50 points is within 1e-6 of a
          // nonsmooth one.
          EXPECT_LT(((ahead - behind) / (2.0 * kDelta) - G.col(j)).norm(), 1e-7);
        }
      }
    }
  }
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

TEST(SemismoothNewton, FewContactsThatStickTakeOneStep) {
  // Nothing slides, so that the step solves (W + 1e-8 of it) lambda = -r; mu = 1 holds that many times over.
  const MatX W = MatX::Identity(9, 9) + 0.1 * random_spd(9, 2) / random_spd(9, 2).norm();
  VecX r(9);
  r << 0.1, 0.2, -1.0, -0.2, 0.1, -1.0, 0.0, 0.1, -1.0;
  const DualProblem problem = dense_problem(std::vector<DualBlock>(3, contact_block(1.0)), W, r);
  for (const LawKind law : rigid_laws_of("semismooth_newton")) {
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
    if (is_too_long_sanitized(problem)) continue;
    const Solved solved = solve_coulomb(problem);
    EXPECT_EQ(solved.report.status, SolveStatus::converged) << file.stem();
    EXPECT_LT(solved.map, 1.01e-10) << file.stem();  // by other sums than the solver's
  }
}

}  // namespace
}  // namespace stiction
