#include "stiction/constraint/row_laws.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace stiction {
namespace {

constexpr double kH = 2e-3;

double impulse(const RowLaw& law, double u) {
  return std::clamp(law.offset - law.slope * u, law.lower, law.upper);
}

TEST(NearRigid, IsCriticallyDampedWithItsPeriod) {
  const ConstraintOptions options;
  const double w = 0.7, T = options.beta * kH;
  const RowCompliance c = near_rigid(options, kH, w);
  // omega = sqrt(k w) = 2 pi/T; damping ratio d w/(2 omega) = 1.
  EXPECT_NEAR(std::sqrt(c.stiffness * w), 2.0 * std::numbers::pi / T, 1e-9 / T);
  EXPECT_NEAR(c.damping * w / (2.0 * std::sqrt(c.stiffness * w)), 1.0, 1e-12);
}

TEST(NearRigid, HasAPeriodNoShorterThanTheMinimum) {
  ConstraintOptions options;
  options.minimum_period = 0.05;
  EXPECT_NEAR(near_rigid(options, kH, 1.0).stiffness, std::pow(2.0 * std::numbers::pi / 0.05, 2), 1e-9);
}

TEST(EqualityLaw, IsASpringAndDamperAtTheEndOfTheStep) {
  // gamma = -h (k (phi + h u) + d u), u with the bias in it.
  const double k = 100.0, d = 3.0, phi = 0.02, bias = 0.4, u = -0.7;
  const RowLaw law = equality_law({}, kH, {phi, bias, 1.0}, {k, d});
  EXPECT_NEAR(impulse(law, u), -kH * (k * (phi + kH * (u + bias)) + d * (u + bias)), 1e-15);
}

TEST(EqualityLaw, IsNeverSteeperThanTheRigidOne) {
  const RowLaw rigid = equality_law({}, kH, {0.0, 0.0, 1.0}, {}),
               stiff = equality_law({}, kH, {0.0, 0.0, 1.0}, {1e30, 1e30});
  EXPECT_DOUBLE_EQ(stiff.slope, rigid.slope);
}

TEST(LimitLaw, PushesAndNeverPulls) {
  const RowLaw law = limit_law({}, kH, {0.1, 0.0, 1.0}, {});
  EXPECT_EQ(impulse(law, 1.0), 0.0);
  EXPECT_GT(impulse(law, -100.0), 0.0);
}

TEST(EqualityLaw, AsksForTheViolationOverTheRelaxationTime) {
  ConstraintOptions options;
  options.relaxation_time = 0.05;
  const double phi = 0.02, w = 0.7;
  const RowLaw law = equality_law(options, kH, {phi, 0.0, w}, {});
  EXPECT_NEAR(law.offset / law.slope, -phi / (kH + 0.05), 1e-12);
  // At rest it carries k phi, as with any relaxation time.
  const double k = std::pow(2.0 * std::numbers::pi / (options.beta * kH), 2) / w;
  EXPECT_NEAR(impulse(law, 0.0), -kH * k * phi, 1e-9 * kH * k * phi);
  // 0: gone in a step, with the critical damping k T/pi.
  options.relaxation_time = 0.0;
  const RowLaw quick = equality_law(options, kH, {phi, 0.0, w}, {});
  EXPECT_NEAR(quick.offset / quick.slope, -phi / (kH + options.beta * kH / std::numbers::pi), 1e-12);
}

TEST(EqualityLaw, TakesTheCurvatureAsPartOfTheRate) {
  const RowLaw straight = equality_law({}, kH, {0.01, 0.3, 1.0}, {}),
               bent = equality_law({}, kH, {0.01, 0.3, 1.0, 0.2}, {});
  EXPECT_NEAR(bent.offset / bent.slope, straight.offset / straight.slope - 0.2, 1e-12);
}

TEST(EqualityLaw, RecoversUnderRigidLawsNoFasterThanContacts) {
  // A share of 0.02 of the violation per step is slower than 0.05 s; 0.5 m/s is the most.
  const RowRecovery recovery = {0.02, 0.5};
  const RowLaw law = equality_law({}, kH, {0.01, 0.0, 1.0}, {}, recovery);
  EXPECT_NEAR(law.offset / law.slope, -0.02 * 0.01 / kH, 1e-12);
  const RowLaw far = equality_law({}, kH, {1.0, 0.0, 1.0}, {}, {0.2, 0.5});
  EXPECT_NEAR(far.offset / far.slope, -0.5, 1e-12);
}

TEST(LimitLaw, ActsBeforeTheLimitOnlyWithinTheStep) {
  // phi = 1 mm: a rate of 0.1 m/s does not get there in the step, whatever the relaxation time.
  const RowLaw law = limit_law({}, kH, {1e-3, 0.0, 1.0}, {});
  EXPECT_EQ(impulse(law, -0.1), 0.0);
  EXPECT_GT(impulse(law, -0.6), 0.0);
}

TEST(FrictionLaw, IsBoundedByItsForceBothWays) {
  const RowLaw law = friction_law({}, kH, 1.0, 5.0);
  EXPECT_EQ(impulse(law, 1.0), -5.0 * kH);
  EXPECT_EQ(impulse(law, -1.0), 5.0 * kH);
  EXPECT_EQ(impulse(law, 0.0), 0.0);
}

TEST(ForceLaw, TakesALinearForceWhereTheSchemeTakesForces) {
  // S eq. 6: u' = theta u + (1 - theta) u0, l - l0 = theta h (theta_vq u + (1 - theta_vq) u0).
  const ForceElement e = {2.0, 50.0, 4.0, 0.3};
  const double u = -0.6;
  for (const StepTheta& at : {StepTheta{1.0, 1.0}, StepTheta{0.5, 0.5}}) {
    const double rate = at.theta * u + (1.0 - at.theta) * e.rate;
    const double travel = at.theta * kH * (at.theta_vq * u + (1.0 - at.theta_vq) * e.rate);
    const double force = e.force - e.stiffness * travel - e.damping * (rate - e.rate);
    EXPECT_NEAR(impulse(force_law(e, at, kH), u), kH * force, 1e-15);
  }
}

}  // namespace
}  // namespace stiction
