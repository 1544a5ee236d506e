#include "stiction/simulation/input_schedule.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/model/servos.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

constexpr double kPi = std::numbers::pi;

// A cube of 2 kg that floats, and a sled of 1 kg with a motor, without gravity.
Model cube_and_sled() {
  ModelBuilder builder("cube_and_sled");
  builder.set_gravity(Vec3::Zero());
  builder.add_free_body("cube", translation(0, 0, 1), Inertia{});
  builder.add_solid("cube", "cube", {}, Box{Vec3::Constant(0.1)}, 250.0);
  builder.add_body("sled", "world", translation(5, 0, 0));
  builder.add_joint("sled", {.name = "rail", .type = JointType::prismatic, .axis = Vec3::UnitX()});
  builder.add_solid("sled", "sled", {}, Box{Vec3::Constant(0.05)}, 1000.0);
  builder.add_actuator(motor("push", "rail"));
  return builder.build();
}

TEST(Signal, ConstantsActBetweenTheirTimes) {
  Signal signal = constant_signal(3.0);
  EXPECT_EQ(value_at(signal, -1e9), 3.0);
  signal.begin = 1.0;
  signal.end = 2.0;
  EXPECT_EQ(value_at(signal, 0.999), 0.0);
  EXPECT_EQ(value_at(signal, 1.0), 3.0);
  EXPECT_EQ(value_at(signal, 2.0), 0.0);
}

TEST(Signal, TablesRunOnStraightLinesOrHold) {
  const Signal line = table_signal({0.0, 1.0, 3.0}, {1.0, 3.0, -1.0});
  EXPECT_EQ(value_at(line, -5.0), 1.0);
  EXPECT_EQ(value_at(line, 0.5), 2.0);
  EXPECT_EQ(value_at(line, 2.0), 1.0);
  EXPECT_EQ(value_at(line, 9.0), -1.0);
  const Signal steps = table_signal({0.0, 1.0, 3.0}, {1.0, 3.0, -1.0}, true);
  EXPECT_EQ(value_at(steps, 0.999), 1.0);
  EXPECT_EQ(value_at(steps, 1.0), 3.0);
}

TEST(Signal, SinesHaveTheirClosedForm) {
  const Signal sine = sine_signal({.amplitude = 2.0, .period = 0.5, .phase = 0.3, .offset = 1.0});
  for (const double t : {0.0, 0.1, 7.3})
    EXPECT_NEAR(value_at(sine, t), 2.0 * std::sin(4.0 * kPi * t + 0.3) + 1.0, 1e-13);
  Signal half = sine_signal({.period = 1.0, .half = true});
  half.begin = 10.0;
  EXPECT_NEAR(value_at(half, 10.25), 1.0, 1e-15);
  EXPECT_EQ(value_at(half, 10.75), 0.0);
}

TEST(Signal, TablesThatDoNotAscendAreRefused) {
  EXPECT_THROW(table_signal({0.0, 0.0}, {1.0, 2.0}), UserError);
  EXPECT_THROW(table_signal({0.0, 1.0}, {1.0}), UserError);
  EXPECT_THROW(table_signal({}, {}), UserError);
  EXPECT_THROW(table_signal({0.0, std::nan("")}, {1.0, 2.0}), UserError);
}

TEST(InputSchedule, AForceForAnIntervalGivesItsImpulse) {
  World world(cube_and_sled());
  WrenchInput push{world.model().body("cube"), Vec3::Zero(), Vec6::Zero(), constant_signal(1.0)};
  push.wrench << 0, 0, 0, 4, 0, 0;
  // A step has the input of its beginning: from 0.1 s to 0.3 s are 100 steps of 2 ms, give or take round-off
  // of the time.
  push.factor.begin = 0.099;
  push.factor.end = 0.299;
  InputSchedule schedule;
  schedule.wrenches.push_back(push);
  while (world.time() < 0.5) {
    apply(schedule, &world);
    world.step();
  }
  EXPECT_NEAR(world.body_velocity("cube")[3], 4.0 * 0.2 / 2.0, 1e-12);
  EXPECT_NEAR(world.body_velocity("cube")[1], 0.0, 1e-12);  // through the centre of mass: no spin
}

TEST(InputSchedule, AForceBesideTheCentreOfMassTurns) {
  World world(cube_and_sled());
  InputSchedule schedule;
  Vec6 wrench;
  wrench << 0, 0, 0, 3, 0, 0;
  schedule.wrenches.push_back({world.model().body("cube"), Vec3(0, 0.1, 0), wrench, constant_signal(1.0)});
  apply(schedule, &world);
  world.step(1e-3);
  const double moment_of_inertia = 2.0 * 0.2 * 0.2 / 6.0;  // of a cube of side 0.2 m
  EXPECT_NEAR(world.body_velocity("cube")[2], -3.0 * 0.1 * 1e-3 / moment_of_inertia, 1e-9);
}

TEST(InputSchedule, SetPointsOfOneActuatorAddUpAndOthersStay) {
  World world(cube_and_sled());
  InputSchedule schedule;
  schedule.controls.push_back({world.model().actuator("push"), constant_signal(2.0)});
  schedule.controls.push_back({world.model().actuator("push"), constant_signal(0.5)});
  apply(schedule, &world);
  EXPECT_EQ(world.control("push"), 2.5);
  apply(schedule, &world);
  EXPECT_EQ(world.control("push"), 2.5);
  world.set_control("push", 7.0);
  apply(InputSchedule{}, &world);
  EXPECT_EQ(world.control("push"), 7.0);
}

}  // namespace
}  // namespace stiction
