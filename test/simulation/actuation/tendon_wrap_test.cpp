#include "stiction/simulation/actuation/tendon_wrap.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace stiction {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(TendonWrap, FollowsACylinderBetweenItsTwoTangents) {
  // Over a cylinder of radius 1 from (-2, 0) to (2, 0): tangents touch at +-60 degrees from the axis, the arc
  // between is 60.
  const auto path = wrap_tendon(Vec3(-2, 0.0, 0), Vec3(2, 0.0, 0), {}, 1.0, true, Vec3(0, 3, 0));
  ASSERT_TRUE(path);
  EXPECT_NEAR(path->length, kPi / 3.0, 1e-12);
  EXPECT_LT((path->points[0] - Vec3(-0.5, std::sqrt(3.0) / 2.0, 0)).norm(), 1e-12);
  EXPECT_LT((path->points[1] - Vec3(0.5, std::sqrt(3.0) / 2.0, 0)).norm(), 1e-12);
}

TEST(TendonWrap, TakesTheSideItIsAskedFor) {
  const auto path = wrap_tendon(Vec3(-2, 0.3, 0), Vec3(2, 0.3, 0), {}, 1.0, true, Vec3(0, -3, 0));
  ASSERT_TRUE(path);
  EXPECT_LT(path->points[0].y(), 0.0);
  EXPECT_GT(path->length, kPi / 3.0);
}

TEST(TendonWrap, ClimbsAlongACylinderInProportionToItsWay) {
  const auto flat = wrap_tendon(Vec3(-2, 0.1, 0), Vec3(2, 0.1, 0), {}, 1.0, true, {});
  const auto steep = wrap_tendon(Vec3(-2, 0.1, -1), Vec3(2, 0.1, 1), {}, 1.0, true, {});
  ASSERT_TRUE(flat && steep);
  // On the unrolled surface the string is a straight line: the same slope on all three parts.
  const auto slope = [](const Vec3& a, const Vec3& b, double flat_way) { return (b.z() - a.z()) / flat_way; };
  const double first =
      slope(Vec3(-2, 0.1, -1), steep->points[0], (flat->points[0] - Vec3(-2, 0.1, 0)).norm());
  const double on = slope(steep->points[0], steep->points[1], flat->length);
  EXPECT_NEAR(first, on, 1e-12);
  EXPECT_NEAR(steep->length, std::hypot(flat->length, steep->points[1].z() - steep->points[0].z()), 1e-12);
}

TEST(TendonWrap, IsStraightWhereNothingIsInTheWay) {
  EXPECT_FALSE(wrap_tendon(Vec3(-2, 1.5, 0), Vec3(2, 1.5, 0), {}, 1.0, false, {}));
  EXPECT_FALSE(wrap_tendon(Vec3(-2, 1.5, 0), Vec3(2, 1.5, 0), {}, 1.0, true, Vec3(0, 2, 0)));
}

TEST(TendonWrap, OverASphereLiesInThePlaneOfItsCentreAndMovesWithIt) {
  const Pose X{rotation_about<double>(Vec3(1, 2, 3).normalized(), 0.7), Vec3(0.3, -0.2, 0.5)};
  const Vec3 from = X * Vec3(-2, 0.1, 0.3), to = X * Vec3(1.5, 0.2, -0.4);
  const auto path = wrap_tendon(from, to, X, 0.7, false, {});
  ASSERT_TRUE(path);
  const Vec3 normal = (from - X.p).cross(to - X.p).normalized();
  for (const Vec3& p : path->points) {
    EXPECT_NEAR((p - X.p).norm(), 0.7, 1e-12);
    EXPECT_NEAR((p - X.p).dot(normal), 0.0, 1e-12);
  }
  // The straight parts are tangents.
  EXPECT_NEAR((path->points[0] - from).dot(path->points[0] - X.p), 0.0, 1e-12);
  EXPECT_NEAR((path->points[1] - to).dot(path->points[1] - X.p), 0.0, 1e-12);
}

TEST(TendonWrap, InsideItIsReflectedAtOnePointOfTheCircle) {
  const auto path = wrap_tendon(Vec3(-2, 2.2, 0), Vec3(1.7, 2.5, 0), {}, 1.0, true, Vec3(0.1, 0, 0));
  ASSERT_TRUE(path);
  EXPECT_EQ(path->length, 0.0);
  const Vec3 p = path->points[0], in = (p - Vec3(-2, 2.2, 0)).normalized(),
             out = (Vec3(1.7, 2.5, 0) - p).normalized();
  EXPECT_NEAR(p.norm(), 1.0, 1e-12);
  EXPECT_NEAR(in.dot(p), -out.dot(p), 1e-12);  // equal angles with the tangent
}

}  // namespace
}  // namespace stiction
