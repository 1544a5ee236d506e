#include "stiction/contact/dual/anderson.h"

#include <gtest/gtest.h>

#include "test/contact/dual/samples.h"

namespace stiction {
namespace {

// |b - A x| over |b| after some steps x := x + 0.1 (b - A x), mixed.
double residual_after(int steps, const MatX& A, const VecX& b, const VecX& weights) {
  Anderson anderson;
  anderson.begin(static_cast<int>(b.size()));
  VecX x = VecX::Zero(b.size()), next;
  for (int k = 0; k < steps; ++k) {
    anderson.mix(x, 0.1 * (b - A * x), weights, &next);
    x = next;
  }
  return (b - A * x).norm() / b.norm();
}

TEST(Anderson, SolvesALinearSystemInAsManyStepsAsItHasUnknownsAndTwo) {
  for (int n = 1; n <= 12; ++n) {
    const MatX A = random_spd(n, 3);
    // Round-off grows with the condition of the differences, which is that of a Krylov basis.
    EXPECT_LT(residual_after(n + 2, A, VecX::Ones(n), VecX::Ones(n)), 1e-9) << n;
    EXPECT_LT(residual_after(n + 2, A, VecX::Ones(n), VecX::LinSpaced(n, 1.0, 2.0)), 1e-9) << n;
  }
}

TEST(Anderson, StillConvergesWithMoreUnknownsThanItRemembers) {
  const int n = 3 * Anderson::kMemory;
  EXPECT_LT(residual_after(2 * n, random_spd(n, 3), VecX::Ones(n), VecX::Ones(n)), 1e-9);
}

TEST(Anderson, StaysInASubspaceThatTheIterationDoesNotLeave) {
  // The last unknown is never moved by the step.
  MatX A = MatX::Zero(6, 6);
  A.topLeftCorner(5, 5) = random_spd(5, 3);
  VecX x = VecX::Zero(6), next;
  VecX b = VecX::Ones(6);
  b[5] = 0.0;
  Anderson anderson;
  anderson.begin(6);
  for (int k = 0; k < 8; ++k) {
    anderson.mix(x, 0.1 * (b - A * x), VecX::Ones(6), &next);
    x = next;
    EXPECT_EQ(x[5], 0.0);
  }
}

TEST(Anderson, TakesThePlainStepFirstAndWhereNothingChanges) {
  Anderson anderson;
  anderson.begin(2);
  const Eigen::Vector2d x(1.0, 2.0), g(0.5, -1.0);
  VecX next;
  EXPECT_FALSE(anderson.mix(x, g, VecX::Ones(2), &next));
  EXPECT_EQ(next, VecX(x + g));
  EXPECT_FALSE(anderson.mix(x + g, g, VecX::Ones(2), &next));
  EXPECT_EQ(next, VecX(x + 2.0 * g));
}

}  // namespace
}  // namespace stiction
