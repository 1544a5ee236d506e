#include "stiction/math/single_precision.h"

#include <cstring>
#include <vector>

#include <gtest/gtest.h>

namespace stiction {
namespace {

// The 29 lowest bits of a double are those that a float does not have.
bool is_single(double x) {
  unsigned long long bits = 0;
  std::memcpy(&bits, &x, sizeof x);
  return (bits & ((1ull << 29) - 1)) == 0;
}

TEST(SinglePrecision, EveryNumberOfALoopIsRoundedItsLastOnesToo) {
  for (std::size_t count = 1; count < 20; ++count) {
    std::vector<Vec3> points(count, Vec3(0.1, 0.2, 0.3));
    for (Vec3& p : points) p = rounded_to_single(p);
    for (const Vec3& p : points)
      for (int k = 0; k < 3; ++k) EXPECT_TRUE(is_single(p[k])) << p[k] << " of " << count << " points";
  }
}

TEST(SinglePrecision, TheNearestIsTaken) {
  // Singles between 1 and 2 are 2^-23 apart; halfway goes to the even one.
  const double step = 1.0 / (1 << 23);
  EXPECT_EQ(rounded_to_single(1.0 + 0.49 * step), 1.0);
  EXPECT_EQ(rounded_to_single(1.0 + 0.5 * step), 1.0);
  EXPECT_EQ(rounded_to_single(1.0 + 0.51 * step), 1.0 + step);
  EXPECT_EQ(rounded_to_single(1.0 + 1.5 * step), 1.0 + 2.0 * step);
}

}  // namespace
}  // namespace stiction
