#include "stiction/geometry/simd/tangents.h"

#include <cmath>

#include <gtest/gtest.h>

#include "stiction/base/random.h"

namespace stiction {
namespace {

Vec3 random_direction(Random* random) {
  const auto d = random->unit_vector<3>();
  return Vec3(d[0], d[1], d[2]);
}

TEST(Tangents, AreARightHandedOrthonormalFrameWithTheNormal) {
  Random random(1);
  for (int i = 0; i < 10000; ++i) {
    const Vec3 n = random_direction(&random);
    const Tangents t = tangents(n);
    // Round-off grows as 1/(1 + c.n); the closest of these directions is a few mrad from -c.
    EXPECT_NEAR(t.t1.norm(), 1.0, 1e-11);
    EXPECT_NEAR(t.t1.dot(n), 0.0, 1e-11);
    EXPECT_NEAR((t.t1.cross(t.t2) - n).norm(), 0.0, 1e-11);
  }
}

TEST(Tangents, AreAFrameAtThePoleToo) {
  const Vec3 pole = -Vec3(34.0, -14.0, 13.0) / 39.0;
  for (const double angle : {0.0, 1e-12, 1e-9, 1e-6, 9e-6, 2e-5}) {
    const Vec3 n = (pole + angle * Vec3(19.0, 22.0, -26.0) / 39.0).normalized();
    const Tangents t = tangents(n);
    EXPECT_NEAR(t.t1.norm(), 1.0, 1e-5) << angle;
    EXPECT_NEAR(t.t1.dot(n), 0.0, 1e-5) << angle;
  }
}

TEST(Tangents, TurnWithTheNormalAtABoundedRate) {
  // The frame is carried by a rotation of the axis c x n; its rate along n is at most tan(theta/2), theta the
  // angle between c and n.
  const Vec3 c(34.0 / 39.0, -14.0 / 39.0, 13.0 / 39.0);
  constexpr double kStep = 1e-6;
  Random random(2);
  for (int i = 0; i < 10000; ++i) {
    const Vec3 n = random_direction(&random);
    const Vec3 moved = (n + kStep * n.cross(random_direction(&random))).normalized();
    const double theta = std::acos(std::min(1.0, c.dot(n)));
    const double rate = (tangents(moved).t1 - tangents(n).t1).norm() / kStep;
    EXPECT_LE(rate, 1.01 * (1.0 + std::tan(theta / 2.0))) << n.transpose();
  }
}

}  // namespace
}  // namespace stiction
