#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/io/compatibility_report.h"
#include "stiction/io/mjcf/export/export.h"
#include "stiction/io/mjcf/mjcf.h"
#include "stiction/simulation/law_notes.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

constexpr double kGravity = 9.81, kProportional = 200.0;
// m, of a load at rest: velocities are solved to 1e-6 of g h, 2e-8 m/s, and the load comes back within 1/6 s.
constexpr double kRest = 1e-7;

// One kilogram on a vertical slide, held by the plugin; kp 200 N/m, kd 40 N s/m.
Model lift(const std::string& more, const std::string& plugin = "mujoco.pid") {
  return parse_mjcf(
      "<mujoco><option timestep='0.002'/><extension><plugin plugin='" + plugin +
          "'><instance name='one'><config key='kp' value='200'/><config key='kd' value='40'/>" + more +
          "</instance></plugin></extension><worldbody><body name='load'><joint name='z' type='slide' axis='0 "
          "0 1'/>"
          "<geom size='0.1' mass='1'/></body></worldbody><actuator><plugin name='hoist' plugin='" +
          plugin + "' instance='one' joint='z'/></actuator></mujoco>",
      "lift.xml");
}

std::string config(const std::string& key, const std::string& value) {
  return "<config key='" + key + "' value='" + value + "'/>";
}

TEST(PidController, WithoutAnIntegralHangsBelowItsSetPointByTheWeight) {
  World world(lift(""));
  world.set_control("hoist", 0.1);
  world.simulate(4.0);
  EXPECT_NEAR(world.position("z"), 0.1 - kGravity / kProportional, kRest);
}

TEST(PidController, ItsIntegralCarriesTheWeight) {
  World world(lift(config("ki", "100")));
  world.set_control("hoist", 0.1);
  // The slow root of s^3 + 40 s^2 + 200 s + 100 is -0.57/s.
  world.simulate(30.0);
  EXPECT_NEAR(world.position("z"), 0.1, kRest);
  EXPECT_NEAR(100.0 * world.activation("hoist"), kGravity, 1e-4);
}

TEST(PidController, ItsIntegralIsBounded) {
  World world(lift(config("ki", "100") + config("imax", "5")));
  world.set_control("hoist", 0.1);
  world.simulate(30.0);
  EXPECT_NEAR(world.position("z"), 0.1 - (kGravity - 5.0) / kProportional, kRest);
}

TEST(PidController, ItsSetPointMovesNoFasterThanAskedButInTheFirstStep) {
  World world(lift(config("slewmax", "0.5")));
  world.set_control("hoist", 0.3);
  world.step();
  EXPECT_EQ(world.activation("hoist"), 0.3);  // nothing was there before
  world.set_control("hoist", 2.0);
  world.simulate(1.0);
  EXPECT_NEAR(world.activation("hoist"), 0.3 + 0.5 * 1.0, 1e-9);
}

// The largest error of the position of 1 kg on a level slide within a second: m e''' + kd e'' + kp e' + ki e = 0 for
// e = 1 - x, with the roots -1, -2 and -3 at kd, kp, ki = 6, 11, 6; from rest at e = 1, where e'' = -kp.
double error_of_a_second(const char* scheme, int steps) {
  const Model model = parse_mjcf(
      "<mujoco><extension><plugin plugin='mujoco.pid'/></extension><worldbody><body><joint name='x' "
      "type='slide' axis='1 0 0'/><geom size='0.1' mass='1'/></body></worldbody><actuator><plugin "
      "name='hoist' plugin='mujoco.pid' joint='x'>" +
          config("kp", "11") + config("ki", "6") + config("kd", "6") + "</plugin></actuator></mujoco>",
      "slide.xml");
  WorldOptions options;
  options.h = 1.0 / steps;
  options.formulation.scheme = &find_scheme(scheme);
  World world(model, options);
  world.set_control("hoist", 1.0);
  double worst = 0.0;  // m
  for (int i = 0; i < steps; ++i) {
    world.step();
    const double t = world.time();
    const double e = -2.5 * std::exp(-t) + 8.0 * std::exp(-2.0 * t) - 4.5 * std::exp(-3.0 * t);
    worst = std::max(worst, std::abs(world.position("x") - (1.0 - e)));
  }
  return worst;
}

TEST(PidController, HasTheOrderOfItsScheme) {
  for (const auto& [scheme, order] : {std::pair("midpoint", 2.0), std::pair("semi_implicit_euler", 1.0),
                                      std::pair("implicit_euler", 1.0), std::pair("theta:0,0.5", 1.0)}) {
    const double coarse = error_of_a_second(scheme, 128), fine = error_of_a_second(scheme, 256);
    std::printf("[ order    ] %-28s %-20s errors %.3e %.3e slope %.3f\n", "PID controller", scheme, coarse,
                fine, std::log2(coarse / fine));
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.1) << scheme;
  }
}

TEST(PidController, ComesBackFromAFileThatIsWritten) {
  const Model model = lift(config("ki", "100") + config("imax", "5") + config("slewmax", "0.5"));
  const Model again = parse_mjcf(write_mjcf(model), "again.xml");
  ASSERT_EQ(again.elements.actuators.size(), 1u);
  EXPECT_EQ(again.elements.actuators[0].pid, model.elements.actuators[0].pid);
  EXPECT_EQ(again.num_activations(), 2);
}

TEST(PidController, OfAnotherPluginIsNamedAsWithoutForce) {
  EXPECT_EQ(powerless_actuators(lift("")), "");
  EXPECT_EQ(powerless_actuators(lift("", "someone.else")),
            "1 of 1 actuators have no force, because the plugin 'someone.else' is not simulated: 'hoist'");
}

TEST(PidController, RefusesNegativeBoundsAndUnknownInstances) {
  EXPECT_THROW(lift(config("imax", "-1")), UserError);
  EXPECT_THROW(lift(config("kp", "much")), UserError);
  EXPECT_THROW(
      parse_mjcf("<mujoco><worldbody><body><joint name='z'/><geom size='0.1'/></body></worldbody><actuator>"
                 "<plugin plugin='mujoco.pid' instance='none' joint='z'/></actuator></mujoco>",
                 "lift.xml"),
      UserError);
}

}  // namespace
}  // namespace stiction
