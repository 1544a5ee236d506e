#include "stiction/math/simd.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/base/random.h"

namespace stiction::simd {
namespace {

TEST(Simd, SineAndCosineAreThoseOfTheLibraryToAFewUlps) {
  Random random(1);
  for (double range : {1e-8, 1.0, 10.0, 1e3, 0.99e5}) {
    for (int trial = 0; trial < 2000; ++trial) {
      const Pack x = {random.uniform(-range, range), random.uniform(-range, range),
                      random.uniform(-range, range), random.uniform(-range, range)};
      Pack s, c;
      sincos(x, &s, &c);
      for (int i = 0; i < 4; ++i) {
        // Absolute: near a zero far from the origin the reduced angle itself carries the rounding of k pi/2.
        EXPECT_NEAR(s[i], std::sin(x[i]), 4e-16) << x[i];
        EXPECT_NEAR(c[i], std::cos(x[i]), 4e-16) << x[i];
      }
    }
  }
}

TEST(Simd, SineAndCosineOfArraysHoldAtAnyAngle) {
  const std::vector<double> x = {0.0, -0.0, 3.5, 1e6, -1e18, 1e300, 0.25, 7.0};
  std::vector<double> s(8), c(8);
  sincos(x.data(), 7, s.data(), c.data());
  for (int i = 0; i < 7; ++i) {
    EXPECT_NEAR(s[i], std::sin(x[i]), 4e-16) << x[i];
    EXPECT_NEAR(c[i], std::cos(x[i]), 4e-16) << x[i];
  }
  const std::vector<double> bad(4, std::nan(""));
  sincos(bad.data(), 4, s.data(), c.data());
  EXPECT_TRUE(std::isnan(s[0]) && std::isnan(c[3]));
}

TEST(Simd, CrossAndSumsAreThoseOfVectors) {
  const Pack a = {1.0, 2.0, 3.0, 7.0}, b = {-2.0, 0.5, 4.0, 5.0};
  const Pack n = cross(a, b);
  EXPECT_EQ(n[0], 2.0 * 4.0 - 3.0 * 0.5);
  EXPECT_EQ(n[1], 3.0 * -2.0 - 1.0 * 4.0);
  EXPECT_EQ(n[2], 1.0 * 0.5 - 2.0 * -2.0);
  EXPECT_EQ(sum(a), 13.0);
  EXPECT_EQ(spread_sum(a)[2], 13.0);
  EXPECT_EQ(spread<1>(a)[3], 2.0);
  EXPECT_EQ(dot(a, b), -2.0 + 1.0 + 12.0 + 35.0);
}

}  // namespace
}  // namespace stiction::simd
