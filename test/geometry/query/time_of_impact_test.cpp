#include "stiction/geometry/query/time_of_impact.h"

#include <cmath>

#include <gtest/gtest.h>

namespace stiction {
namespace {

const double kPi = std::acos(-1.0);

ShapeMotion at(const Vec3& p, const Vec3& v = Vec3::Zero(), const Vec3& w = Vec3::Zero()) {
  return {translation(p), w, v};
}

TEST(TimeOfImpact, OfABulletAndAThinPlateIsRightToANanosecond) {
  const CollisionShape ball = collision_shape(Sphere{2.5e-3}),
                       plate = collision_shape(Box{{1.0, 1.0, 0.5e-3}});
  const double speed = 300.0, h = 5e-3;
  for (const double height : {0.1, 0.7, 1.4}) {
    const TimeOfImpact hit =
        time_of_impact(plate, at(Vec3::Zero()), ball, at({0.3, 0.2, height}, {0, 0, -speed}), h);
    const double exact = (height - 0.5e-3 - 2.5e-3) / speed;
    ASSERT_EQ(hit.status, ImpactStatus::touches);
    EXPECT_NEAR(hit.time, exact, 1e-9);
    EXPECT_NEAR(hit.speculative.distance, speed * exact, 1e-9);
    EXPECT_NEAR((hit.at_impact.normal - Vec3::UnitZ()).norm(), 0.0, 1e-12);
    EXPECT_NEAR((hit.speculative.p_A - Vec3(0.3, 0.2, 0.5e-3)).norm(), 0.0, 1e-9);
  }
}

TEST(TimeOfImpact, OfABulletThatFliesAcrossKeepsThePointOfThePlateWhereItHits) {
  const CollisionShape ball = collision_shape(Sphere{2.5e-3}),
                       plate = collision_shape(Box{{1.0, 1.0, 0.5e-3}});
  const TimeOfImpact hit =
      time_of_impact(plate, at(Vec3::Zero()), ball, at({-0.5, 0.0, 0.403}, {400.0, 0.0, -200.0}), 5e-3);
  ASSERT_EQ(hit.status, ImpactStatus::touches);
  EXPECT_NEAR(hit.time, 2e-3, 1e-9);  // 0.4 m at 200 m/s
  EXPECT_NEAR((hit.speculative.p_A - Vec3(0.3, 0.0, 0.5e-3)).norm(), 0.0, 1e-6);
  EXPECT_NEAR(hit.speculative.distance, 0.4, 1e-6);
}

TEST(TimeOfImpact, OfATurningRodIsWhereItsEndReachesThePlate) {
  const double length = 1.0, radius = 0.01, D = 0.4;
  const CollisionShape rod = collision_shape(Capsule{radius, length});
  const CollisionShape plate = collision_shape(Box{{5.0, 0.005, 5.0}});
  ShapeMotion turning = at(Vec3::Zero(), Vec3::Zero(), Vec3(0, 0, 40.0));
  turning.X_WS.R = rotation_about<double>(Vec3::UnitY(), kPi / 2);  // its axis lies along x
  const TimeOfImpact hit = time_of_impact(rod, turning, plate, at({0, D + 0.005, 0}), 0.1);
  ASSERT_EQ(hit.status, ImpactStatus::touches);
  EXPECT_NEAR(hit.time, std::asin((D - radius) / (0.5 * length)) / 40.0, 1e-9);
}

TEST(TimeOfImpact, OfATurningBoxIsWhereItsCornerReachesThePlate) {
  const double a = 0.1, D = 0.12, spin = 100.0;
  const CollisionShape cube = collision_shape(Box{{a, a, a}}),
                       plate = collision_shape(Box{{2.0, 0.001, 2.0}});
  const TimeOfImpact hit = time_of_impact(cube, at(Vec3::Zero(), Vec3::Zero(), Vec3(0, 0, spin)), plate,
                                          at({0, D + 0.001, 0}), 0.05);
  ASSERT_EQ(hit.status, ImpactStatus::touches);
  // Its corners reach sqrt(2) a sin(angle + pi/4).
  EXPECT_NEAR(hit.time, (std::asin(D / (std::sqrt(2.0) * a)) - kPi / 4) / spin, 1e-9);
}

TEST(TimeOfImpact, OfTwoBulletsIsTheirGapOverTheirClosingSpeed) {
  const CollisionShape ball = collision_shape(Sphere{5e-3});
  const ShapeMotion left = at({-1, 0, 0}, {700, 0, 0});
  const TimeOfImpact hit = time_of_impact(ball, left, ball, at({1, 0, 0}, {-300, 0, 0}), 5e-3);
  ASSERT_EQ(hit.status, ImpactStatus::touches);
  EXPECT_NEAR(hit.time, 1.99 / 1000.0, 1e-9);
  // Half a micrometre apart they pass each other.
  const ShapeMotion beside = at({1, 0.0100005, 0}, {-300, 0, 0});
  EXPECT_EQ(time_of_impact(ball, left, ball, beside, 5e-3).status, ImpactStatus::none);
}

TEST(TimeOfImpact, IsNoneForShapesThatPartAndForThoseThatMeetLater) {
  const CollisionShape ball = collision_shape(Sphere{0.1});
  EXPECT_EQ(time_of_impact(ball, at({0, 0, 0}), ball, at({1, 0, 0}, {5, 0, 0}), 1.0).status,
            ImpactStatus::none);
  EXPECT_EQ(time_of_impact(ball, at({0, 0, 0}), ball, at({1, 0, 0}, {-5, 0, 0}), 0.159).status,
            ImpactStatus::none);
  EXPECT_EQ(time_of_impact(ball, at({0, 0, 0}), ball, at({1, 0, 0}, {-5, 0, 0}), 0.161).status,
            ImpactStatus::touches);
}

TEST(TimeOfImpact, SaysThatShapesOverlapFromTheStart) {
  const CollisionShape ball = collision_shape(Sphere{0.1});
  const TimeOfImpact hit = time_of_impact(ball, at({0, 0, 0}), ball, at({0.15, 0, 0}, {1, 0, 0}), 1.0);
  EXPECT_EQ(hit.status, ImpactStatus::overlaps);
  EXPECT_EQ(hit.time, 0.0);
  EXPECT_NEAR(hit.speculative.distance, -0.05, 1e-12);
}

TEST(TimeOfImpact, EndsForARodThatSpinsAboutItsOwnAxisBesideAPlate) {
  // Nothing ever touches, but the bound on the approach knows only that the rod spins.
  const CollisionShape rod = collision_shape(Capsule{0.01, 1.0}),
                       plate = collision_shape(Box{{5.0, 5.0, 0.001}});
  ShapeMotion spinning = at({0, 0, 0.5}, Vec3::Zero(), Vec3(1e4, 0, 0));
  spinning.X_WS.R = rotation_about<double>(Vec3::UnitY(), kPi / 2);
  const TimeOfImpact hit = time_of_impact(plate, at(Vec3::Zero()), rod, spinning, 1.0);
  EXPECT_EQ(hit.status, ImpactStatus::not_converged);
  EXPECT_EQ(hit.advances, kMaxAdvances);
  EXPECT_LT(hit.time, 1.0);
  EXPECT_NEAR(hit.at_impact.distance, 0.489, 1e-9);
}

}  // namespace
}  // namespace stiction
