// Dantzig's pivoting; what every solver must do is in contract_test.cpp.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/base/shared_files.h"
#include "stiction/contact/complementarity/box_pivoting.h"
#include "stiction/contact/dual/residual.h"
#include "stiction/contact/dual/solver.h"
#include "test/contact/dual/samples.h"
#include "test/contact/dual/stored_problems.h"

namespace stiction {
namespace {

constexpr double kNone = 1e300;

std::vector<int> all_of(int n) {
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// Largest |x - clamp(x - M x - q, lower, upper)|.
double box_error(const MatX& M, const VecX& q, const BoxPivoting& box, const VecX& x) {
  const VecX target = (x - M * x - q).cwiseMax(box.lower).cwiseMin(box.upper);
  return (x - target).cwiseAbs().maxCoeff();
}

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

// x = clamp(-q) of M = 1.
TEST(BoxPivoting, StopsAtTheBoundsOfIndependentPairs) {
  BoxPivoting box;
  box.lower = VecX::Constant(4, -1.0);
  box.upper = VecX::Constant(4, 2.0);
  VecX q(4), x, expected(4);
  q << 0.5, 3.0, -3.0, -1.5;
  expected << -0.5, -1.0, 2.0, 1.5;
  const MatX M = MatX::Identity(4, 4);
  box.begin(M, q, VecX::Zero(4));
  EXPECT_EQ(box.solve(all_of(4), 100).status, LcpStatus::solved);
  box.solution(&x);
  EXPECT_LT((x - expected).norm(), 1e-15);
}

TEST(BoxPivoting, SolvesSemidefiniteProblemsWithBounds) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const int n = 3 + static_cast<int>(seed);
    MatX B(n, 1 + n / 2);
    for (int i = 0; i < B.size(); ++i) B.data()[i] = random.normal();
    const MatX M = B * B.transpose() / n;
    VecX inner(n), q(n), x;
    for (int i = 0; i < n; ++i) inner[i] = random.normal();
    q = -M * inner;
    BoxPivoting box;
    box.lower.resize(n);
    box.upper.resize(n);
    for (int i = 0; i < n; ++i) {
      box.lower[i] = i % 4 == 3 ? -kNone : -random.uniform();
      box.upper[i] = i % 2 == 1 ? kNone : random.uniform();
    }
    box.begin(M, q, VecX::Zero(n));
    EXPECT_EQ(box.solve(all_of(n), 100 * n).status, LcpStatus::solved) << "seed " << seed;
    box.solution(&x);
    EXPECT_LT(box_error(M, q, box, x), 1e-10 * q.norm()) << "seed " << seed;
  }
}

// 0 <= x: M = (0 1; -1 0) has no pivot on its diagonal. x = (2, 1) makes w = M x + q zero.
TEST(BoxPivoting, PivotsCrosswiseWhereTheDiagonalIsZero) {
  MatX M(2, 2);
  M << 0.0, 1.0, -1.0, 0.0;
  const VecX q = Eigen::Vector2d(-1.0, 2.0);
  BoxPivoting box;
  box.lower = VecX::Zero(2);
  box.upper = VecX::Constant(2, kNone);
  box.begin(M, q, VecX::Zero(2));
  VecX x;
  EXPECT_EQ(box.solve({0, 1}, 100).status, LcpStatus::solved);
  box.solution(&x);
  EXPECT_LT((x - Eigen::Vector2d(2.0, 1.0)).norm(), 1e-15);
}

TEST(BoxPivoting, FollowsBoundsThatMove) {
  const MatX M = random_spd(6, 1);
  VecX q = -VecX::LinSpaced(6, -2.0, 3.0), x, again;
  BoxPivoting box;
  box.lower = VecX::Constant(6, -0.1);
  box.upper = VecX::Constant(6, 0.1);
  box.begin(M, q, VecX::Zero(6));
  for (const double bound : {0.1, 5.0, 0.5, 0.0}) {
    box.lower.setConstant(-bound);
    box.upper.setConstant(bound);
    EXPECT_EQ(box.solve(all_of(6), 600).status, LcpStatus::solved);
    box.solution(&x);
    EXPECT_LT(box_error(M, q, box, x), 1e-12);
  }
}

TEST(BoxPivoting, FollowsANumberOfQThatMoves) {
  const MatX M = random_spd(5, 2);
  VecX q = VecX::Constant(5, -1.0), x;
  BoxPivoting box;
  box.lower = VecX::Zero(5);
  box.upper = VecX::Constant(5, kNone);
  box.begin(M, q, VecX::Zero(5));
  for (const double value : {-1.0, 2.0, -3.0}) {
    for (int k = 0; k < 5; k += 2) {
      q[k] = value;
      box.set_q(k, value);
    }
    EXPECT_EQ(box.solve(all_of(5), 500).status, LcpStatus::solved);
    box.solution(&x);
    EXPECT_LT(box_error(M, q, box, x), 1e-12);
  }
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
