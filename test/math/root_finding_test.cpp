#include "stiction/math/root_finding.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

namespace stiction {
namespace {

// The result is the closest double, or one of its neighbours.
constexpr double kRoundOff = 1e-15;

TEST(RootFinding, FindsTheCubeRootOfTwoInAFewEvaluations) {
  const auto f = [](double x) { return ValueAndSlope{x * x * x - 2.0, 3.0 * x * x}; };
  const RootResult root = find_root(f, 1.0, 2.0);
  EXPECT_EQ(root.status, RootStatus::converged);
  EXPECT_NEAR(root.x, std::cbrt(2.0), kRoundOff);
  EXPECT_LE(root.evaluations, 8);  // quadratic: digits double from one
}

TEST(RootFinding, FindsADecreasingFunctionsRoot) {
  const auto f = [](double x) { return ValueAndSlope{std::cos(x), -std::sin(x)}; };
  EXPECT_NEAR(find_root(f, 1.0, 2.0).x, 0.5 * std::numbers::pi, kRoundOff);
}

TEST(RootFinding, TakesTheEndsInEitherOrder) {
  const auto f = [](double x) { return ValueAndSlope{std::cos(x), -std::sin(x)}; };
  EXPECT_NEAR(find_root(f, 2.0, 1.0).x, 0.5 * std::numbers::pi, kRoundOff);
}

TEST(RootFinding, ConvergesWhereNewtonAloneDiverges) {
  // From |x| > 1.39 Newton on atan runs away to infinity.
  const auto f = [](double x) {
    return ValueAndSlope{std::atan(x - 0.3), 1.0 / (1.0 + (x - 0.3) * (x - 0.3))};
  };
  const RootResult root = find_root(f, -1e6, 3e6, 5e5);
  EXPECT_EQ(root.status, RootStatus::converged);
  EXPECT_NEAR(root.x, 0.3, kRoundOff);
}

TEST(RootFinding, ConvergesWhereNewtonAloneCycles) {
  // x^3 - 2 x + 2 from 0: Newton goes to 1 and back for ever.
  const auto f = [](double x) { return ValueAndSlope{x * x * x - 2.0 * x + 2.0, 3.0 * x * x - 2.0}; };
  const RootResult root = find_root(f, -3.0, 1.5, 0.0);
  EXPECT_EQ(root.status, RootStatus::converged);
  EXPECT_LE(std::abs(f(root.x).value), 1e-14);  // slope 8 times the spacing of doubles at 1.8
}

TEST(RootFinding, BisectsWhenTheSlopeIsUseless) {
  for (double slope : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    const auto f = [slope](double x) { return ValueAndSlope{x - 0.7, slope}; };
    const RootResult root = find_root(f, 0.0, 1.0);
    EXPECT_EQ(root.status, RootStatus::converged) << slope;
    EXPECT_NEAR(root.x, 0.7, kRoundOff) << slope;
  }
}

TEST(RootFinding, FindsAJumpThroughZero) {
  const auto f = [](double x) { return ValueAndSlope{x < 0.2 ? -1.0 : 1.0, 0.0}; };
  const RootResult root = find_root(f, 0.0, 1.0);
  EXPECT_EQ(root.status, RootStatus::converged);
  EXPECT_NEAR(root.x, 0.2, kRoundOff);
}

TEST(RootFinding, StopsAtTheToleranceOfTheValue) {
  const auto f = [](double x) { return ValueAndSlope{std::exp(x) - 3.0, std::exp(x)}; };
  const RootResult root = find_root(f, 0.0, 2.0, {.value = 1e-3});
  EXPECT_EQ(root.status, RootStatus::converged);
  EXPECT_LE(std::abs(root.value), 1e-3);
  EXPECT_EQ(root.value, f(root.x).value);
  EXPECT_LT(root.evaluations, find_root(f, 0.0, 2.0).evaluations);
}

TEST(RootFinding, StopsAtTheToleranceOfTheStep) {
  const auto f = [](double x) { return ValueAndSlope{std::exp(x) - 3.0, std::exp(x)}; };
  const RootResult root = find_root(f, 0.0, 2.0, {.absolute = 1e-4, .relative = 0.0});
  EXPECT_EQ(root.status, RootStatus::converged);
  EXPECT_NEAR(root.x, std::log(3.0), 1e-4);
}

TEST(RootFinding, AcceptsARootAtAnEnd) {
  const auto f = [](double x) { return ValueAndSlope{x * (x + 2.0), 2.0 * x + 2.0}; };
  const RootResult root = find_root(f, 0.0, 1.0);
  EXPECT_EQ(root.status, RootStatus::converged);
  EXPECT_EQ(root.x, 0.0);
  EXPECT_EQ(root.evaluations, 0);
}

TEST(RootFinding, SaysWhenTheSignsDoNotDiffer) {
  const auto f = [](double x) { return ValueAndSlope{x * x + 1.0, 2.0 * x}; };
  EXPECT_EQ(find_root(f, -1.0, 2.0).status, RootStatus::not_bracketed);
}

TEST(RootFinding, SaysWhenTheFunctionIsNotANumber) {
  const auto f = [](double x) { return ValueAndSlope{std::abs(x) < 0.5 ? std::nan("") : x, 1.0}; };
  EXPECT_EQ(find_root(f, -1.0, 2.0, 0.1).status, RootStatus::not_finite);
}

TEST(RootFinding, ReturnsTheLastPointAndABracketAtTheLimitOfEvaluations) {
  const auto f = [](double x) { return ValueAndSlope{x - 0.7, 0.0}; };
  const RootResult root = find_root(f, 0.0, 1.0, {.max_evaluations = 5});
  EXPECT_EQ(root.status, RootStatus::iteration_limit);
  EXPECT_EQ(root.evaluations, 5);
  EXPECT_DOUBLE_EQ(root.width, 1.0 / 32.0);  // five halvings
  EXPECT_LE(std::abs(root.x - 0.7), root.width);
}

}  // namespace
}  // namespace stiction
