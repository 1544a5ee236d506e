#include "stiction/contact/complementarity/box_pivoting.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "test/contact/dual/samples.h"

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

}  // namespace
}  // namespace stiction
