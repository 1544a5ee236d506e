#include "stiction/contact/dual/interior_point.h"

#include <gtest/gtest.h>

#include "test/contact/dual/samples.h"

namespace stiction {
namespace {

IslandReport solve(const DualProblem& problem, double tolerance, VecX* lambda) {
  InteriorPoint method;
  DualOptions options;
  options.tolerance = tolerance;
  lambda->setZero(problem.num_rows());
  return method.solve(problem, options, lambda);
}

// A matrix for every block in place of the diagonal, against the dense solution.
TEST(DualFactor, SolvesWithAMatrixForEveryBlock) {
  const DualProblem problem =
      random_bodies({.bodies = 4, .patches = 5, .points = 2, .rows = 2, .R = 1e-3}, 7);
  MatX dense = problem.dense();
  std::vector<double> E, inverses;
  for (int b = 0; b < problem.num_blocks(); ++b) {
    const int n = problem.blocks[b].size(), at = problem.blocks[b].begin;
    const MatX root = MatX::Random(n, n), matrix = root * root.transpose() + 0.1 * MatX::Identity(n, n);
    const MatX inverse = matrix.inverse();
    dense.block(at, at, n, n) += matrix;
    E.insert(E.end(), matrix.data(), matrix.data() + n * n);  // symmetric
    inverses.insert(inverses.end(), inverse.data(), inverse.data() + n * n);
  }
  DualFactor factor;
  factor.begin(problem);
  ASSERT_TRUE(factor.factorise(E, inverses));
  const VecX b = VecX::LinSpaced(problem.num_rows(), -1.0, 2.0), expected = dense.ldlt().solve(b);
  VecX x = b;
  factor.solve(&x);
  EXPECT_LT((x - expected).norm(), 1e-10 * expected.norm());
}

TEST(InteriorPoint, TakesAboutAsManyIterationsForManyContactsAsForFew) {
  for (const int bodies : {2, 8, 32}) {
    const DualProblem problem = random_bodies({.bodies = bodies, .patches = 2 * bodies, .points = 4}, 5);
    VecX lambda;
    const IslandReport report = solve(problem, 1e-6, &lambda);
    EXPECT_EQ(report.status, SolveStatus::converged);
    EXPECT_LE(report.iterations, 25) << bodies;
    EXPECT_EQ(report.factorisations, report.iterations);
  }
}

// R > 0: one answer. An error of 1e-9 of the free velocity in s is one of that over R in lambda.
TEST(InteriorPoint, FindsTheImpulsesOfAdmm) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const DualProblem problem =
        random_bodies({.bodies = 6, .patches = 12, .points = 3, .rows = 4, .R = 1e-2}, seed);
    VecX lambda, of_admm = VecX::Zero(problem.num_rows());
    EXPECT_TRUE(is_solved(solve(problem, 1e-10, &lambda).status));
    DualOptions options;
    options.tolerance = 1e-10;
    options.max_iterations = 10000;
    ASSERT_TRUE(is_solved(make_admm(LawKind::convex_cone)->solve(problem, options, &of_admm).status));
    EXPECT_LT((lambda - of_admm).norm(), 1e-6 * of_admm.norm());
  }
}

}  // namespace
}  // namespace stiction
