#include "stiction/contact/complementarity/fischer.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "stiction/base/random.h"

namespace stiction {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

struct Bounds {
  double lower, upper;
};
constexpr Bounds kAllBounds[] = {{-kNone, kNone}, {0.0, kNone}, {-kNone, 1.0}, {0.0, 1.0}};

TEST(Fischer, VanishesExactlyAtTheSolutionsOfTheCondition) {
  for (const double share : {1.0, 0.8}) {
    const FischerShape shape = {.share = share};
    EXPECT_EQ(fischer(0.0, 2.0, 0.0, 1.0, shape).value, 0.0);
    EXPECT_EQ(fischer(1.0, -2.0, 0.0, 1.0, shape).value, 0.0);
    EXPECT_EQ(fischer(0.5, 0.0, 0.0, 1.0, shape).value, 0.0);
    EXPECT_GT(std::abs(fischer(0.0, -2.0, 0.0, 1.0, shape).value), 0.1);
    EXPECT_GT(std::abs(fischer(1.0, 2.0, 0.0, 1.0, shape).value), 0.1);
    EXPECT_GT(std::abs(fischer(0.5, 1.0, 0.0, 1.0, shape).value), 0.1);
  }
}

TEST(Fischer, WithoutBoundsIsFItself) { EXPECT_EQ(fischer(3.0, 0.7, -kNone, kNone, {}).value, 0.7); }

// a b = mu^2 with both positive.
TEST(Fischer, SmoothedVanishesOnAHyperbola) {
  EXPECT_NEAR(fischer(0.2, 0.05, 0.0, kNone, {.mu = 0.1}).value, 0.0, 1e-17);
}

// a + b - sqrt(a^2 + b^2) = 2 a b / (a + b + sqrt(a^2 + b^2)) -> a for a << b.
TEST(Fischer, KeepsItsFiguresWhereOneNumberIsFarSmaller) {
  EXPECT_NEAR(fischer(1e-20, 1.0, 0.0, kNone, {}).value / 1e-20, 1.0, 1e-15);
}

TEST(Fischer, HasDerivativesThatMeetTheirDifferences) {
  Random random(3);
  for (const Bounds& bounds : kAllBounds) {
    for (int k = 0; k < 50; ++k) {
      const double z = random.uniform(-0.5, 1.5), F = random.uniform(-1.0, 1.0), h = 1e-6;
      const double mu = k % 2 == 0 ? 0.0 : 0.3;
      const FischerShape shape = {.share = k % 3 == 0 ? 0.8 : 1.0, .mu = mu};
      const auto value = [&](double z1, double F1, double mu1) {
        return fischer(z1, F1, bounds.lower, bounds.upper, {.share = shape.share, .mu = mu1}).value;
      };
      const FischerValue at = fischer(z, F, bounds.lower, bounds.upper, shape);
      // Differences are wrong by h^2 times a third derivative that grows near the corners.
      EXPECT_NEAR(at.by_z, (value(z + h, F, mu) - value(z - h, F, mu)) / (2.0 * h), 1e-6);
      EXPECT_NEAR(at.by_F, (value(z, F + h, mu) - value(z, F - h, mu)) / (2.0 * h), 1e-6);
      if (mu > 0.0) {
        EXPECT_NEAR(at.by_mu, (value(z, F, mu + h) - value(z, F, mu - h)) / (2.0 * h), 1e-6);
      }
    }
  }
}

}  // namespace
}  // namespace stiction
