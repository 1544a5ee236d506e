#include "stiction/math/dual.h"

#include <cmath>

#include <gtest/gtest.h>

#include "stiction/math/matrix.h"

namespace stiction {
namespace {

// Central differences lose two thirds of the digits: error h^2 from the curve, round-off / h from the values.
constexpr double kStep = 6e-6;
constexpr double kDifferenceError = 1e-9;

template <class Function>
void expect_derivative_is_the_slope(const Function& f, double x) {
  const Dual result = f(Dual(x, 1.0));
  const double slope = (f(Dual(x + kStep)).value - f(Dual(x - kStep)).value) / (2.0 * kStep);
  EXPECT_NEAR(result.derivative, slope, kDifferenceError * (1.0 + std::abs(slope))) << "at x = " << x;
}

TEST(Dual, ArithmeticCarriesTheSlope) {
  for (double x : {-1.3, 0.4, 2.1}) {
    expect_derivative_is_the_slope([](Dual a) { return a * a * a - 2.0 * a + 1.0; }, x);
    expect_derivative_is_the_slope([](Dual a) { return (a - 3.0) / (a * a + 1.0); }, x);
    expect_derivative_is_the_slope([](Dual a) { return 1.0 / a - a; }, x);
    expect_derivative_is_the_slope([](Dual a) { return -(+a) * abs(a); }, x);
  }
}

TEST(Dual, FunctionsCarryTheSlope) {
  for (double x : {0.3, 0.45, 0.8}) {
    expect_derivative_is_the_slope([](Dual a) { return sin(a); }, x);
    expect_derivative_is_the_slope([](Dual a) { return cos(a); }, x);
    expect_derivative_is_the_slope([](Dual a) { return tan(a); }, x);
    expect_derivative_is_the_slope([](Dual a) { return exp(a); }, x);
    expect_derivative_is_the_slope([](Dual a) { return log(a); }, x);
    expect_derivative_is_the_slope([](Dual a) { return sqrt(a); }, x);
    expect_derivative_is_the_slope([](Dual a) { return pow(a, 1.5); }, x);
    expect_derivative_is_the_slope([](Dual a) { return asin(a); }, x);
    expect_derivative_is_the_slope([](Dual a) { return acos(a); }, x);
    expect_derivative_is_the_slope([](Dual a) { return atan2(a, 1.0 - a); }, x);
    expect_derivative_is_the_slope([](Dual a) { return atan2(1.0 - a, -a); }, x);
  }
}

TEST(Dual, ComparesByValue) {
  EXPECT_TRUE(Dual(1.0, 5.0) < Dual(2.0, -5.0));
  EXPECT_TRUE(Dual(1.0, 5.0) == Dual(1.0, -5.0));
  EXPECT_TRUE(Dual(2.0) >= 2.0);
  EXPECT_FALSE(Dual(2.0) != 2.0);
}

TEST(Dual, RunsInsideEigenMatrices) {
  // d/dt of |A x|^2 along dx is 2 (A x).(A dx).
  Mat3 A;
  A << 1.0, 2.0, -1.0, 0.5, 0.0, 3.0, -2.0, 1.0, 1.0;
  const Vec3 x(0.3, -0.7, 1.1), dx(1.0, 0.2, -0.4);
  Vec3T<Dual> dual_x;
  for (int i = 0; i < 3; ++i) dual_x[i] = Dual(x[i], dx[i]);
  const Dual squared = (A.cast<Dual>() * dual_x).squaredNorm();
  EXPECT_NEAR(squared.value, (A * x).squaredNorm(), 1e-14);
  EXPECT_NEAR(squared.derivative, 2.0 * (A * x).dot(A * dx), 1e-14);
}

TEST(Dual, NormOfAVectorCarriesTheSlope) {
  const Vec3 x(0.3, -0.7, 1.1), dx(1.0, 0.2, -0.4);
  Vec3T<Dual> dual_x;
  for (int i = 0; i < 3; ++i) dual_x[i] = Dual(x[i], dx[i]);
  EXPECT_NEAR(dual_x.norm().derivative, x.dot(dx) / x.norm(), 1e-15);
}

}  // namespace
}  // namespace stiction
