// What every dual solver of the catalog owes, on problems whose answer is on paper and the same under every
// law.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/contact/catalog.h"
#include "stiction/contact/dual/solver.h"
#include "test/contact/dual/samples.h"

namespace stiction {
namespace {

constexpr double kNoBound = 1e300;
constexpr double kTolerance = 1e-12, kClose = 1e-10;  // of the solvers; of answers of size 1 to 12

struct Solved {
  VecX lambda;
  IslandReport report;
};

// Calls check(solve) for every pair, solve(problem, start) -> Solved.
template <class Check>
void with_every_pair(const Check& check) {
  int pairs = 0;
  for (const CatalogEntry& entry : catalog()) {
    const auto solver = make_dual_solver(entry.law, entry.solver);
    if (!solver) continue;
    ++pairs;
    SCOPED_TRACE(entry.name());
    check([&solver](const DualProblem& problem, const VecX& start = VecX()) {
      DualOptions options;
      options.tolerance = kTolerance;
      Solved out;
      out.lambda = start.size() > 0 ? start : VecX(VecX::Zero(problem.num_rows()));
      out.report = solver->solve(problem, options, &out.lambda);
      return out;
    });
  }
  EXPECT_GT(pairs, 8);
}

// A body of 2 kg that falls on the ground at (vx, 0, vz).
DualProblem block_on_ground(double vx, double vz, double mu) {
  return dense_problem({contact_block(mu)}, 0.5 * MatX::Identity(3, 3), Vec3(vx, 0.0, vz));
}

TEST(DualContract, ABlockThatStaysWithinItsFrictionIsStopped) {
  with_every_pair([](const auto& solve) {
    const Solved solved = solve(block_on_ground(0.3, -1.0, 0.5));
    EXPECT_TRUE(is_solved(solved.report.status));
    EXPECT_LT((solved.lambda - Vec3(-0.6, 0.0, 2.0)).norm(), kClose);
  });
}

TEST(DualContract, ABlockThatLeavesFeelsNothingAfterNoIteration) {
  with_every_pair([](const auto& solve) {
    const Solved solved = solve(block_on_ground(0.0, 1.0, 0.5));
    EXPECT_EQ(solved.lambda.norm(), 0.0);
    EXPECT_EQ(solved.report.iterations, 0);
  });
}

TEST(DualContract, ABallInACornerIsStoppedByTheWallsItMeets) {
  with_every_pair([](const auto& solve) {
    for (const double second : {-3.0, 3.0}) {
      const DualProblem problem = dense_problem({contact_block(0.0, 0), contact_block(0.0, 0)},
                                                0.25 * MatX::Identity(2, 2), Eigen::Vector2d(-1.0, second));
      const Eigen::Vector2d expected(4.0, second < 0.0 ? 12.0 : 0.0);
      EXPECT_LT((solve(problem).lambda - expected).norm(), kClose);
    }
  });
}

TEST(DualContract, ScalarRowsStopAtTheirBounds) {
  // s = 2 lambda + r: free, at the lower end, at the upper end, nowhere to go, in between.
  const std::vector<DualBlock> rows = {scalar_block(-kNoBound, kNoBound), scalar_block(0.0, kNoBound),
                                       scalar_block(-1.0, 1.0), scalar_block(0.3, 0.3),
                                       scalar_block(-1.0, 1.0)};
  VecX r(5), expected(5);
  r << 3.0, 3.0, -3.0, 1.0, -1.0;
  expected << -1.5, 0.0, 1.0, 0.3, 0.5;
  with_every_pair([&](const auto& solve) {
    const Solved solved = solve(dense_problem(rows, 2.0 * MatX::Identity(5, 5), r));
    EXPECT_TRUE(is_solved(solved.report.status));
    EXPECT_LT((solved.lambda - expected).norm(), kClose);
  });
}

TEST(DualContract, AComplianceGivesWay) {
  // s = (W + R) lambda + r = 0 at lambda = 1 / (0.5 + 0.5).
  const DualProblem problem = dense_problem({contact_block(0.5)}, 0.5 * MatX::Identity(3, 3),
                                            Vec3(0.0, 0.0, -1.0), VecX::Constant(3, 0.5));
  with_every_pair([&](const auto& solve) { EXPECT_NEAR(solve(problem).lambda[2], 1.0, kClose); });
}

TEST(DualContract, ABlockThatNothingMovesKeepsItsImpulse) {
  MatX W = MatX::Zero(6, 6);
  W.topLeftCorner(3, 3) = 0.5 * MatX::Identity(3, 3);
  VecX r(6), start(6);
  r << 0.3, 0.0, -1.0, 1.0, 2.0, -3.0;
  start << 0.0, 0.0, 0.0, 7.0, 8.0, 9.0;
  const DualProblem problem = dense_problem({contact_block(0.5), contact_block(0.5)}, W, r);
  with_every_pair([&](const auto& solve) {
    const Solved solved = solve(problem, start);
    EXPECT_LT((solved.lambda.head(3) - Vec3(-0.6, 0.0, 2.0)).norm(), kClose);
    EXPECT_EQ(solved.lambda.tail(3), Vec3(7.0, 8.0, 9.0));
  });
}

TEST(DualContract, TheSameProblemGivesTheSameBits) {
  BodiesSpec spec;
  spec.R = 0.1;
  const DualProblem problem = random_bodies(spec, 3);
  with_every_pair([&](const auto& solve) { EXPECT_EQ(solve(problem).lambda, solve(problem).lambda); });
}

}  // namespace
}  // namespace stiction
