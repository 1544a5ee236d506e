#include "stiction/simulation/actuation/actuation.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/mjcf.h"
#include "stiction/simulation/world.h"
#include "test/base/allocation_counter.h"
#include "test/multibody/random_state.h"

namespace stiction {
namespace {

// A mass of 2 kg on a slide along x and a ball on a ball joint, without gravity, with these actuators.
Model machine(const std::string& actuators, const std::string& rest = "", const std::string& joint = "") {
  return parse_mjcf(R"(<mujoco><option gravity="0 0 0"/><compiler angle="radian"/><worldbody>
      <body name="cart"><joint name="slide" type="slide" axis="1 0 0" )" +
                        joint + R"(/><geom size="0.1" mass="2"/><site name="end" pos="0 0 0.2"/></body>
      <body name="arm" pos="0 1 0"><joint name="round" type="ball"/><geom size="0.1" pos="0.3 0 0"/></body>
      <site name="wall" pos="-1 0 0.2"/></worldbody>)" +
                        rest + "<actuator>" + actuators + "</actuator></mujoco>",
                    "model.xml");
}

// The record of actuators in a state, without taking a step.
struct Moment {
  explicit Moment(const Model& of)
      : model(of), state(of), kinematics(of.forest), actuation(of), record(actuation, of.num_v()) {}
  const ActuationRecord& compute(double h = 1e-3) {
    compute_positions(model.forest, state.q.data(), &kinematics);
    compute_velocities(model.forest, state.v.data(), &kinematics);
    set_controls(actuation, controls, &record);
    compute_tendon_forces(actuation, kinematics, state.q.data(), state.v.data(), &record);
    compute_actuator_forces(actuation, state.v.data(), state.activations, h, nullptr, &record);
    return record;
  }
  const ActuatorRecord& first(double control) {
    controls = VecX::Constant(Eigen::Index(model.elements.actuators.size()), control);
    return compute().actuators[0];
  }

  const Model& model;
  State state;
  Kinematics kinematics;
  ActuationModel actuation;
  ActuationRecord record;
  VecX controls;
};

TEST(Actuation, MotorsClampTheControlAndThenTheForce) {
  const Model model = machine("<motor joint='slide' gear='2' ctrlrange='-3 5' forcerange='-10 4'/>");
  Moment moment(model);
  EXPECT_EQ(moment.first(2.0).force, 2.0);
  EXPECT_EQ(moment.record.joint_forces[0], 4.0);
  EXPECT_EQ(moment.first(7.0).control, 5.0);
  EXPECT_EQ(moment.record.actuators[0].free_force, 5.0);
  EXPECT_EQ(moment.record.actuators[0].force, 4.0);
  EXPECT_EQ(moment.first(-7.0).force, -3.0);
}

TEST(Actuation, WithoutControlsTheyAreZero) {
  const Model model = machine("<position joint='slide' kp='3'/>");
  Moment moment(model);
  moment.state.q[0] = 0.5;
  EXPECT_EQ(moment.compute().actuators[0].force, -1.5);
}

TEST(Actuation, StiffnessAndDampingAreTheDerivativesOfTheForce) {
  // Forces are polynomials of degree two, of which central differences are exact up to round-off.
  constexpr double h = 1e-4, kWithin = 1e-9;
  for (const char* law :
       {"<position joint='slide' kp='7' kv='2' gear='3'/>", "<velocity joint='slide' kv='4'/>",
        "<damper joint='slide' kv='2' ctrlrange='0 9'/>",
        "<general joint='slide' gaintype='affine' gainprm='1 2 3' biastype='affine' biasprm='1 -2 -3'/>",
        "<cylinder joint='slide' bias='1 2 3'/>"}) {
    SCOPED_TRACE(law);
    const Model model = machine(law);
    Moment moment(model);
    const double gear = model.elements.actuators[0].gear[0];
    moment.state.activations.setConstant(0.3);
    const auto force = [&](double q, double v) {
      moment.state.q[0] = q;
      moment.state.v[0] = v;
      return moment.first(0.6).free_force;
    };
    const double by_q = (force(0.2 + h, 0.7) - force(0.2 - h, 0.7)) / (2 * h);
    const double by_v = (force(0.2, 0.7 + h) - force(0.2, 0.7 - h)) / (2 * h);
    force(0.2, 0.7);
    EXPECT_NEAR(moment.record.actuators[0].stiffness * gear, -by_q, kWithin);
    EXPECT_NEAR(moment.record.actuators[0].damping * gear, -by_v, kWithin);
  }
}

TEST(Actuation, ExactFiltersFollowTheStepResponseAtAnyStep) {
  const double T = 0.05;
  for (const double h : {1e-3, 0.02, 0.1}) {
    World world(machine("<general joint='slide' dyntype='filterexact' dynprm='0.05'/>"), {.h = h});
    world.set_control("0", 2.0);
    for (int i = 0; i < 10; ++i) world.step();
    EXPECT_NEAR(world.activation("0"), 2.0 * (1.0 - std::exp(-10 * h / T)), 1e-14);
  }
}

TEST(Actuation, FiltersTakeEulersSteps) {
  const double T = 0.05, h = 1e-3;
  World world(machine("<general joint='slide' dyntype='filter' dynprm='0.05'/>"), {.h = h});
  world.set_control("0", 2.0);
  for (int i = 0; i < 10; ++i) world.step();
  EXPECT_NEAR(world.activation("0"), 2.0 * (1.0 - std::pow(1.0 - h / T, 10)), 1e-14);
}

TEST(Actuation, IntegratorsAddUpTheirControlWithinTheRange) {
  World world(machine("<intvelocity joint='slide' kp='1' actrange='-1 0.5'/>"), {.h = 0.01});
  world.set_control("0", 3.0);
  world.simulate(0.1);
  EXPECT_NEAR(world.activation("0"), 0.3, 1e-14);
  world.simulate(1.0);
  EXPECT_EQ(world.activation("0"), 0.5);
}

TEST(Actuation, EarlyActivationsActInTheSameStep) {
  const Model early = machine("<general joint='slide' dyntype='integrator' actearly='true'/>");
  const Model late = machine("<general joint='slide' dyntype='integrator'/>");
  Moment of_early(early), of_late(late);
  EXPECT_DOUBLE_EQ(of_early.first(2.0).force, 2.0 * 1e-3);
  EXPECT_EQ(of_late.first(2.0).force, 0.0);
}

TEST(Actuation, ServosOnATurnGoTheShortWay) {
  // Half a turn and a bit is reached from the other side.
  const double turn = 2.0 * std::numbers::pi;
  const Model model = machine("<position joint='round' gear='1 0 0' kp='1'/>");
  Moment moment(model);
  EXPECT_NEAR(moment.first(0.4 + 3.0 * turn).force, 0.4, 1e-12);
  EXPECT_NEAR(moment.first(0.6 * turn).force, -0.4 * turn, 1e-12);
}

TEST(Actuation, JointsBoundTheSumOfTheirActuators) {
  const Model model = machine("<motor joint='slide'/><motor joint='slide'/>", "", "actuatorfrcrange='-2 3'");
  Moment moment(model);
  moment.first(1.0);
  EXPECT_EQ(moment.record.joint_forces[0], 2.0);
  EXPECT_EQ(moment.first(9.0).force, 9.0);
  EXPECT_EQ(moment.record.joint_forces[0], 3.0);
  moment.first(-9.0);
  EXPECT_EQ(moment.record.joint_forces[0], -2.0);
}

TEST(Actuation, TendonsScaleTheirActuatorsIntoTheBounds) {
  const Model model =
      machine("<motor tendon='t'/><general tendon='t' gainprm='3'/>",
              "<tendon><fixed name='t' actuatorfrcrange='-2 2'><joint joint='slide' coef='1'/>"
              "</fixed></tendon>");
  Moment moment(model);
  moment.first(1.0);
  EXPECT_DOUBLE_EQ(moment.record.actuators[0].force, 0.5);
  EXPECT_DOUBLE_EQ(moment.record.actuators[1].force, 1.5);
}

TEST(Actuation, TheFlagImplicitTakesAForceOutOfTheSum) {
  const Model model = machine("<motor joint='slide'/><motor joint='slide' gear='2'/>");
  Moment moment(model);
  moment.record.actuators[1].is_implicit = true;
  EXPECT_EQ(moment.first(3.0).force, 3.0);
  EXPECT_EQ(moment.record.joint_forces[0], 3.0);
  EXPECT_EQ(moment.record.actuators[1].force, 3.0);
}

TEST(Actuation, KindsThatAreNotSimulatedHaveNoForceAndAreNamed) {
  const Model model = machine("<dcmotor joint='slide' motorconst='1' resistance='1'/>");
  EXPECT_EQ(missing_part(model.elements.actuators[0]), "the gain 'dcmotor'");
  Moment moment(model);
  EXPECT_EQ(moment.first(1.0).force, 0.0);
}

TEST(TendonSpring, IsSlackWithinItsBandAndPullsOutsideIt) {
  const Model model =
      machine("", R"(<tendon><spatial springlength="0.8 1.2" stiffness="50" damping="0"><site site="wall"/>
      <site site="end"/></spatial></tendon>)");
  Moment moment(model);
  // The cord is as long as the cart is away from the wall at x = -1.
  for (const double length : {0.5, 0.8, 1.0, 1.2, 1.5}) {
    moment.state.q[0] = length - 1.0;
    const TendonRecord& tendon = moment.compute().tendons[0];
    const double stretch = length < 0.8 ? length - 0.8 : length > 1.2 ? length - 1.2 : 0.0;
    EXPECT_NEAR(tendon.force, -50.0 * stretch, 1e-12) << length;
    EXPECT_NEAR(moment.record.tendon_forces[0], -50.0 * stretch, 1e-12) << length;
    EXPECT_EQ(tendon.stiffness, length == 0.5 || length == 1.5 ? 50.0 : 0.0) << length;
  }
}

TEST(TendonDamper, ResistsTheChangeOfItsLength) {
  const Model model =
      machine("<motor tendon='t' gear='2' damping='0.5'/>",
              "<tendon><fixed name='t' damping='3'><joint joint='slide' coef='4'/></fixed></tendon>");
  Moment moment(model);
  moment.state.v[0] = 0.5;
  const TendonRecord& tendon = moment.compute().tendons[0];
  EXPECT_DOUBLE_EQ(tendon.velocity, 2.0);
  // The rotor's damping counts by the square of the gear.
  EXPECT_DOUBLE_EQ(tendon.damping, 3.0 + 4.0 * 0.5);
  EXPECT_DOUBLE_EQ(moment.record.tendon_forces[0], -5.0 * 2.0 * 4.0);
}

TEST(World, ControlsDriveTheMotion) {
  // 6 N on 2 kg for a second.
  World world(machine("<motor name='push' joint='slide'/>"), {.h = 1e-3});
  world.set_control("push", 6.0);
  world.simulate(1.0);
  EXPECT_NEAR(world.velocity("slide"), 3.0, 1e-12);
  EXPECT_EQ(world.control("push"), 6.0);
}

TEST(World, RestoresActivationsBitForBit) {
  World world(machine("<general joint='slide' dyntype='filter' dynprm='0.1' gainprm='3'/>"));
  world.set_control("0", 1.0);
  world.simulate(0.1);
  const State saved = world.state();
  world.simulate(0.1);
  const std::uint64_t end = hash(world.state());
  State other = saved;
  other.activations[0] += 1.0;
  EXPECT_NE(hash(other), hash(saved));
  world.set_state(saved);
  world.simulate(0.1);
  EXPECT_EQ(hash(world.state()), end);
}

TEST(World, TakesControlsAndActivationsOfAKeyframe) {
  World world(machine("<intvelocity joint='slide' kp='1'/><motor name='m' joint='slide'/>",
                      "<keyframe><key name='k' qpos='0.5 1 0 0 0' act='0.25' ctrl='3 4'/></keyframe>"));
  world.reset_to_keyframe("k");
  EXPECT_EQ(world.activation("0"), 0.25);
  EXPECT_EQ(world.control("0"), 3.0);
  EXPECT_EQ(world.control("m"), 4.0);
  world.reset();
  EXPECT_EQ(world.activation("0"), 0.0);
  EXPECT_EQ(world.control("m"), 0.0);
}

TEST(World, RefusesControlsThatDoNotFit) {
  World world(machine("<motor name='push' joint='slide'/>"));
  EXPECT_THROW(world.set_control("pull", 1.0), UserError);
  EXPECT_THROW(world.activation("push"), UserError);
  world.input().controls = VecX::Zero(2);
  EXPECT_THROW(world.step(), UserError);
  world.input().controls = VecX::Constant(1, std::nan(""));
  EXPECT_THROW(world.step(), UserError);
}

TEST(World, AllocatesNothingWithActuatorsOfEveryKind) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  World world(load_mjcf("test/data/mjcf/transmissions.xml"), {.h = 1e-4});
  world.input().controls = VecX::Constant(Eigen::Index(world.model().elements.actuators.size()), 0.1);
  for (int i = 0; i < 20; ++i) world.step();
  const AllocationCounter counter;
  for (int i = 0; i < 10; ++i) world.step();
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace stiction
