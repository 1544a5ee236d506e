#include "stiction/simulation/actuation/body_forces.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "stiction/io/mjcf/mjcf.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

Model ball(const std::string& option, const std::string& geom = "", const std::string& body = "") {
  return parse_mjcf("<mujoco>" + option + "<worldbody><body name='ball' pos='0 0 5' " + body +
                        "><freejoint/><geom size='0.1' mass='3' " + geom + "/></body></worldbody></mujoco>",
                    "model.xml");
}

double speed(const World& world) { return world.body_velocity("ball").tail<3>().norm(); }

TEST(GravityCompensation, LetsABodyFloat) {
  World world(ball("", "", "gravcomp='1'"));
  world.simulate(1.0);
  EXPECT_NEAR(speed(world), 0.0, 1e-13);
}

TEST(GravityCompensation, TakesItsShareOfTheWeight) {
  World world(ball("", "", "gravcomp='1.5'"));
  world.simulate(1.0);
  EXPECT_NEAR(world.body_velocity("ball")[5], 0.5 * 9.81, 1e-11);
}

TEST(GravityCompensation, CountsAsTheActuatorsWhereTheJointSaysSo) {
  const Model model = parse_mjcf(R"(<mujoco><worldbody><body gravcomp="1">
      <joint name="j" type="slide" axis="0 0 1" actuatorgravcomp="true" actuatorfrcrange="-100 20"/>
      <geom size="0.1" mass="3"/></body></worldbody></mujoco>)",
                                 "model.xml");
  World world(model);
  world.step();
  EXPECT_EQ(world.record().passive[0], 0.0);
  // 3 kg weigh more than the joint allows.
  EXPECT_EQ(world.record().actuation.joint_forces[0], 20.0);
}

TEST(Fluid, LetsASphereFallAtItsTerminalSpeed) {
  // m g = rho C pi r^2 v^2, reached like tanh(g t / v).
  World world(ball("<option density='50'/>", "fluidshape='ellipsoid'"), {.h = 1e-3});
  world.simulate(30.0);
  const double terminal = std::sqrt(3.0 * 9.81 / (50.0 * 0.5 * std::numbers::pi * 0.01));
  EXPECT_NEAR(speed(world) / terminal, 1.0, 1e-9);
}

TEST(Fluid, CarriesABodyWithTheWind) {
  // Viscosity alone: v = w (1 - exp(-t/T)) with T = m / (6 pi r beta); the box of a sphere is a cube of
  // half-size sqrt(3/5) r.
  World world(ball("<option viscosity='2' wind='1 0 0' gravity='0 0 0'/>"), {.h = 1e-4});
  world.simulate(0.5);
  const double T = 3.0 / (6.0 * std::numbers::pi * std::sqrt(0.6) * 0.1 * 2.0);
  // Forces at the start of a step: an error of the order of h/T.
  EXPECT_NEAR(world.body_velocity("ball")[3], 1.0 - std::exp(-0.5 / T), 1e-4);
}

TEST(Fluid, OfNoDensityAndViscosityActsOnNothing) {
  EXPECT_TRUE(BodyForcesModel(ball("", "fluidshape='ellipsoid'")).in_fluid.empty());
}

TEST(Fluid, ActsOnEllipsoidsInPlaceOfTheBox) {
  const BodyForcesModel model(ball("<option density='1'/>", "fluidshape='ellipsoid'"));
  ASSERT_EQ(model.in_fluid.size(), 1u);
  EXPECT_FALSE(model.in_fluid[0].is_box);
}

}  // namespace
}  // namespace stiction
