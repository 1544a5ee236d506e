#include "stiction/simulation/actuation/adhesion.h"

#include <gtest/gtest.h>

#include "stiction/io/mjcf/mjcf.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

// A box of 2 kg under a ceiling that it touches, with an actuator that pulls it there.
Model hanging_box(const std::string& geom = "") {
  return parse_mjcf(R"(<mujoco><worldbody>
      <geom name="ceiling" type="box" size="1 1 0.1" pos="0 0 1.1"/>
      <body name="box" pos="0 0 0.9"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="2" )" +
                        geom + R"(/></body></worldbody>
      <actuator><adhesion name="grip" body="box" gain="10" ctrlrange="0 10"/></actuator></mujoco>)",
                    "model.xml");
}

TEST(Adhesion, HoldsABoxUnderTheCeilingIfItPullsMoreThanTheWeight) {
  World world(hanging_box(), {.h = 1e-3});
  world.set_control("grip", 3.0);  // 30 N
  world.simulate(1.0);
  EXPECT_NEAR(world.body_pose("box").p.z(), 0.9, 1e-3);
  // The ceiling pushes back with what the weight leaves of it.
  EXPECT_NEAR(world.contact_force("box").z(), -(30.0 - 2.0 * 9.81), 0.3);
}

TEST(Adhesion, LetsABoxFallThatIsTooHeavy) {
  World world(hanging_box(), {.h = 1e-3});
  world.set_control("grip", 1.0);  // 10 N
  world.simulate(0.3);
  EXPECT_LT(world.body_pose("box").p.z(), 0.8);
}

TEST(Adhesion, PullsNothingFromAfar) {
  World world(hanging_box(), {.h = 1e-3});
  world.set_body_pose("box", translation(0, 0, 0.5));
  world.set_control("grip", 10.0);
  world.simulate(0.1);
  EXPECT_NEAR(world.body_velocity("box")[5], -9.81 * 0.1, 1e-10);
}

TEST(Adhesion, ReachesAcrossTheGap) {
  World world(hanging_box("margin='0' gap='0.05'"), {.h = 1e-3});
  world.set_body_pose("box", translation(0, 0, 0.88));
  world.set_control("grip", 10.0);
  world.step();
  EXPECT_NEAR(world.body_velocity("box")[5], (100.0 / 2.0 - 9.81) * 1e-3, 1e-10);
}

}  // namespace
}  // namespace stiction
