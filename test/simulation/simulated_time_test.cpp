#include "stiction/simulation/simulated_time.h"

#include <cmath>

#include <gtest/gtest.h>

namespace stiction {
namespace {

TEST(SimulatedTime, OfAMillionStepsIsTheirNumberTimesTheStep) {
  for (const double h : {1e-3, 2e-3, 0.1, 1.0 / 240.0, 1.0 / 3.0}) {
    double time = 0.0, sum = 0.0;
    for (int k = 1; k <= 1'000'000; ++k) {
      time = time_after(time, h);
      sum += h;
      ASSERT_EQ(time, k * h) << "step " << k << " of " << h << " s";
    }
    EXPECT_NE(sum, 1e6 * h) << "a plain sum is as good";
  }
}

TEST(SimulatedTime, ThatBeganBetweenTwoStepsStaysADecimalNumber) {
  double time = time_after(0.0, 0.0005);
  for (int k = 0; k < 100'000; ++k) time = time_after(time, 0.001);
  EXPECT_EQ(time, 100.0005);
  for (int k = 0; k < 10; ++k) time = time_after(time, 0.01);
  EXPECT_EQ(time, 100.1005);
}

TEST(SimulatedTime, IsNeverFartherFromTheSumThanTheRoundingOfTwoAdditions) {
  double time = 0.0;
  for (int k = 1; k <= 10'000; ++k) {
    const double h = std::exp(std::sin(0.1 * k) - 6.0);  // no multiples, no decimals
    const double next = time_after(time, h);
    ASSERT_LE(std::abs(next - (time + h)), 4.5e-16 * next);
    ASSERT_GT(next, time);
    time = next;
  }
  EXPECT_EQ(time_after(-0.25, 0.25), 0.0);
}

}  // namespace
}  // namespace stiction
