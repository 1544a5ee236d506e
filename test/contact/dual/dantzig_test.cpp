#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/base/shared_files.h"
#include "stiction/contact/dual/residual.h"
#include "stiction/contact/dual/solver.h"
#include "stiction/contact/complementarity/box_pivoting.h"
#include "test/base/allocation_counter.h"
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

DualProblem block_on_ground(const Vec3& v, double mu) {
  return dense_problem({contact_block(mu)}, 0.5 * MatX::Identity(3, 3), v);
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

TEST(Dantzig, ABlockSticksSlidesOrLeaves) {
  EXPECT_LT((solve(block_on_ground({0.3, 0.0, -1.0}, 0.5)).lambda - Vec3(-0.6, 0.0, 2.0)).norm(), 1e-14);
  EXPECT_NEAR(solve(block_on_ground({3.0, 0.0, -1.0}, 0.5)).lambda[0], -1.0, 1e-14);
  EXPECT_EQ(solve(block_on_ground({0.3, 0.0, 1.0}, 0.5)).lambda.norm(), 0.0);
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

TEST(Dantzig, RowsStopAtTheirBounds) {
  const std::vector<DualBlock> blocks = {scalar_block(-kNone, kNone), scalar_block(0.0, kNone),
                                         scalar_block(-kNone, 0.5), scalar_block(-0.2, 0.2),
                                         scalar_block(0.3, 0.3)};
  VecX r(5), expected(5);
  r << 1.0, 1.0, -2.0, 1.0, 7.0;
  expected << -1.0, 0.0, 0.5, -0.2, 0.3;
  EXPECT_LT((solve(dense_problem(blocks, MatX::Identity(5, 5), r)).lambda - expected).norm(), 1e-15);
}

// Cube of 1 kg, corners of 0.2 m: rows of four corners of six velocities; sticks, slides along x.
TEST(Dantzig, ACubeOnFourCornersLosesSpeedByMu) {
  const double a = 0.1, inertia = 4.0 * a * a / 6.0, mu = 0.4;
  MatX J(12, 6);  // of (w, v): v + w x p
  for (int k = 0; k < 4; ++k) {
    const Vec3 p(k % 2 == 0 ? a : -a, k < 2 ? a : -a, -a);
    J.middleRows(3 * k, 3) << 0, p[2], -p[1], 1, 0, 0, -p[2], 0, p[0], 0, 1, 0, p[1], -p[0], 0, 0, 0, 1;
  }
  VecX inverse_mass(6), v(6);
  inverse_mass << Vec3::Constant(1.0 / inertia), Vec3::Ones();
  for (const double vx : {0.3, 2.0}) {
    v << Vec3::Zero(), vx, 0.0, -1.0;
    const DualProblem problem = dense_problem(std::vector<DualBlock>(4, contact_block(mu)),
                                              J * inverse_mass.asDiagonal() * J.transpose(), J * v);
    const Solved solved = solve(problem, 1e-11);
    ASSERT_EQ(solved.report.status, SolveStatus::converged);
    const VecX after = v + inverse_mass.asDiagonal() * J.transpose() * solved.lambda;
    EXPECT_NEAR(after[3], std::max(0.0, vx - mu), 1e-10);
    EXPECT_NEAR(after[5], 0.0, 1e-10);
  }
}

// Friction that drives the rod into the ground grows from round to round until the rod sticks.
TEST(Dantzig, ARodThatJamsIsStopped) {
  MatX W = MatX::Identity(3, 3);
  W(0, 2) = W(2, 0) = -0.9;
  const Solved solved = solve(dense_problem({contact_block(2.0)}, W, Vec3(-1.0, 0.0, -0.1)));
  EXPECT_EQ(solved.report.status, SolveStatus::converged);
  EXPECT_LT(solved.s.norm(), 1e-12);
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

TEST(Dantzig, SaysThatNumbersAreNotFinite) {
  const Vec3 v(0.0, std::numeric_limits<double>::quiet_NaN(), -1.0);
  EXPECT_EQ(solve(block_on_ground(v, 0.5)).report.status, SolveStatus::not_finite);
}

TEST(Dantzig, ABlockThatNothingMovesKeepsItsImpulse) {
  const DualProblem problem = dense_problem({contact_block(0.5), scalar_block(-kNone, kNone)},
                                            Eigen::Vector4d(0.0, 0.0, 0.0, 1.0).asDiagonal(), VecX::Ones(4));
  VecX lambda = Eigen::Vector4d(1.0, 2.0, 3.0, 4.0);
  EXPECT_EQ(make_dantzig()->solve(problem, {}, &lambda).status, SolveStatus::converged);
  EXPECT_EQ(lambda, Eigen::Vector4d(1.0, 2.0, 3.0, -1.0));
}

TEST(Dantzig, AStartAtTheSolutionNeedsNoPivot) {
  BodiesSpec spec;
  spec.friction = 0.3;
  const DualProblem problem = random_bodies(spec, 1);
  Solved solved = solve(problem, 1e-9);
  DualOptions options;
  options.tolerance = 1e-9;
  const VecX before = solved.lambda;
  const IslandReport report = make_dantzig()->solve(problem, options, &solved.lambda);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(solved.lambda, before);
}

TEST(Dantzig, GivesTheSameBitsAgain) {
  const DualProblem problem = random_bodies({}, 2);
  EXPECT_EQ(solve(problem).lambda, solve(problem).lambda);
}

TEST(Dantzig, AllocatesNothingOnceItHasSeenTheProblem) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  const DualProblem problem = random_bodies({}, 3);
  const auto solver = make_dantzig();
  VecX lambda = VecX::Zero(problem.num_rows());
  solver->solve(problem, {}, &lambda);
  lambda.setZero();
  const AllocationCounter counter;
  solver->solve(problem, {}, &lambda);
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace stiction
