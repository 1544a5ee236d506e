#include "stiction/simulation/actuation/muscle.h"

#include <cmath>

#include <gtest/gtest.h>

namespace stiction {
namespace {

constexpr double kForce = 40.0;  // N

// Lengths of 1 to 1.6 m are 0.75 to 1.05 of the optimal length, which is 2 m then.
MuscleCurves make() {
  return make_muscle({0.75, 1.05, kForce, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2}, {1.0, 1.6}, 0.0);
}

// The length in metres of L optimal lengths.
double length_at(double L) { return 1.0 + 2.0 * (L - 0.75); }

TEST(Muscle, PullsHardestAtItsOptimalLengthStandingStill) {
  const MuscleForce f = muscle_force(make(), length_at(1.0), 0.0);
  EXPECT_NEAR(f.gain, -kForce, 1e-12);
  EXPECT_NEAR(f.gain_by_length, 0.0, 1e-12);
  EXPECT_EQ(f.bias, 0.0);
}

TEST(Muscle, HasNoActiveForceOutsideItsLengths) {
  for (const double L : {0.4, 0.5, 1.6, 1.7}) {
    SCOPED_TRACE(L);
    EXPECT_NEAR(muscle_force(make(), length_at(L), 0.0).gain, 0.0, 1e-12);
  }
}

TEST(Muscle, HasHalfItsForceHalfWayToTheEnds) {
  for (const double L : {0.75, 1.3})
    EXPECT_NEAR(muscle_force(make(), length_at(L), 0.0).gain, -kForce / 2, 1e-12);
}

TEST(Muscle, LosesItsForceAtTheLargestSpeedOfShorteningAndGainsWhileItLengthens) {
  const double vmax = 1.5 * 2.0;  // m/s, 1.5 optimal lengths
  EXPECT_NEAR(muscle_force(make(), length_at(1.0), -vmax).gain, 0.0, 1e-12);
  EXPECT_NEAR(muscle_force(make(), length_at(1.0), -vmax / 2).gain, -kForce / 4, 1e-12);
  EXPECT_NEAR(muscle_force(make(), length_at(1.0), vmax).gain, -1.2 * kForce, 1e-12);
}

TEST(Muscle, ResistsBeingStretchedWithoutActivation) {
  // Half of fpmax in the middle between the optimal and the largest length, then straight on.
  EXPECT_NEAR(muscle_force(make(), length_at(1.3), 0.0).bias, -0.5 * 1.3 * kForce, 1e-12);
  EXPECT_NEAR(muscle_force(make(), length_at(1.6), 0.0).bias, -1.5 * 1.3 * kForce, 1e-12);
}

TEST(Muscle, DerivativesAreThoseOfTheForces) {
  // Central differences with a step of 1e-6 err by 1e-12 of the third derivative and 1e-10 of round-off.
  constexpr double h = 1e-6, kWithin = 1e-6;
  const MuscleCurves m = make();
  for (const double L : {0.55, 0.7, 0.9, 1.1, 1.4, 1.55, 1.8}) {
    for (const double v : {-4.0, -1.0, 0.2, 0.4, 2.0}) {
      const double l = length_at(L);
      const MuscleForce f = muscle_force(m, l, v);
      const MuscleForce longer = muscle_force(m, l + h, v), shorter = muscle_force(m, l - h, v);
      const MuscleForce faster = muscle_force(m, l, v + h), slower = muscle_force(m, l, v - h);
      EXPECT_NEAR(f.gain_by_length, (longer.gain - shorter.gain) / (2 * h), kWithin);
      EXPECT_NEAR(f.bias_by_length, (longer.bias - shorter.bias) / (2 * h), kWithin);
      EXPECT_NEAR(f.gain_by_velocity, (faster.gain - slower.gain) / (2 * h), kWithin);
    }
  }
}

TEST(Muscle, WithoutAForceHasItFromTheAccelerationItGives) {
  EXPECT_DOUBLE_EQ(make_muscle({0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2}, {0, 1}, 8.0).force, 25.0);
}

TEST(Muscle, ActivatesAndDeactivatesWithItsTwoTimes) {
  // tau_on (1/2 + 3/2 act) while it rises, tau_off / (1/2 + 3/2 act) while it falls.
  constexpr double kRoundOff = 1e-12;  // 1/s: the difference of the two times loses two digits
  EXPECT_NEAR(muscle_activation_rate(1.0, 0.0, {0.01, 0.04, 0.0}), 1.0 / (0.01 * 0.5), kRoundOff);
  EXPECT_NEAR(muscle_activation_rate(0.0, 1.0, {0.01, 0.04, 0.0}), -1.0 / (0.04 / 2.0), kRoundOff);
  EXPECT_NEAR(muscle_activation_rate(5.0, 0.0, {0.01, 0.04, 0.0}), 1.0 / (0.01 * 0.5), kRoundOff);
}

TEST(Muscle, PassesSmoothlyFromOneTimeToTheOther) {
  // At u = act the quintic is 1/2; a little above it the time constant is near the mean of the two.
  const double tiny = 1e-9, speed = 0.5 + 1.5 * 0.4;
  const double mean = 0.5 * (0.01 * speed + 0.04 / speed);
  EXPECT_NEAR(muscle_activation_rate(0.4 + tiny, 0.4, {0.01, 0.04, 0.2}) * mean / tiny, 1.0, 1e-6);
}

}  // namespace
}  // namespace stiction
