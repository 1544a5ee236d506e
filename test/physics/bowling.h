#pragma once
// A bowling ball, whatever the contact law: thrown without spin at v0, friction takes mu g from its speed and
// gives it spin until it rolls, at 5/7 v0 after the time 2 v0 / (7 mu g), with its angular momentum about the
// contact kept.

#include <gtest/gtest.h>

#include "scenes/rollers.h"
#include "stiction/simulation/world.h"

namespace stiction {

// time_error (s): of the time after which the slip has fallen to a hundredth of v0. speed_error: of the
// rolling speed, relative to v0.
inline void expect_ball_rolls_at_five_sevenths(const WorldOptions& options, double time_error,
                                               double speed_error) {
  const double v0 = 5.0, mu = 0.2, R = 0.11, g = 9.81;
  World world(scenes::bowling(), options);
  const auto slip = [&] { return world.body_velocity("ball")[3] - R * world.body_velocity("ball")[1]; };
  while (slip() > 0.01 * v0 && world.time() < 2.0) world.step();
  EXPECT_NEAR(world.time(), 0.99 * 2.0 * v0 / (7.0 * mu * g), time_error);
  world.simulate(0.3);
  EXPECT_NEAR(world.body_velocity("ball")[3], 5.0 / 7.0 * v0, speed_error * v0);
}

}  // namespace stiction
