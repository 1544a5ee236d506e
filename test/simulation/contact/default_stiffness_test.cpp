#include "stiction/simulation/contact/default_stiffness.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "stiction/base/format.h"
#include "stiction/io/mjcf/mjcf.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

constexpr double kG = 9.81;      // m/s^2
constexpr double kStep = 2e-3;   // s
constexpr double kExact = 1e-9;  // relative: closed forms, a few operations

// N/m, with which a mass swings once in a step.
double resolved(double mass, double h) { return std::pow(2.0 * std::numbers::pi / h, 2) * mass; }

void expect_close(double value, double expected) { EXPECT_NEAR(value, expected, kExact * expected); }

Inertia ball_inertia(double m, double r) {
  Inertia inertia;
  inertia.mass = m;
  inertia.I_com = 0.4 * m * r * r * Mat3::Identity();
  return inertia;
}

// Two free balls over the floor: shapes 0 (floor), 1 and 2.
ModelBuilder two_balls(double m1, double m2, double r = 0.05) {
  ModelBuilder builder;
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_free_body("first", translation(0, 0, r), ball_inertia(m1, r));
  builder.add_shape("first", "first", {}, Sphere{r});
  builder.add_free_body("second", translation(0, 0, 3 * r), ball_inertia(m2, r));
  builder.add_shape("second", "second", {}, Sphere{r});
  return builder;
}

double stiffness(const Model& model, int i, int j, double h = kStep) {
  return model.tables().pair(i, j, h).stiffness;
}

TEST(DefaultStiffness, OfLightBodiesIsWhatTheStepResolves) {
  const Model model = two_balls(0.01, 0.03).build();
  expect_close(stiffness(model, 0, 1), resolved(0.01, kStep));
  expect_close(stiffness(model, 1, 2), resolved(0.0075, kStep));
  expect_close(stiffness(model, 1, 2, 1e-3), resolved(0.0075, 1e-3));
}

TEST(DefaultStiffness, IsNeverAboveTheUsualOneWithoutALoadThatAsksForIt) {
  const Model model = two_balls(1.0, 1.0).build();
  EXPECT_EQ(stiffness(model, 0, 1), kDefaultStiffness);
  EXPECT_EQ(stiffness(model, 0, 1, 1e-4), kDefaultStiffness);
}

TEST(DefaultStiffness, HoldsAHeavyBodyWithinAThousandthOfItsExtentAlsoOnALightOne) {
  // The step resolves less: the light ball would swing ten times in a step.
  const Model model = two_balls(1e-3, 100.0).build();
  expect_close(stiffness(model, 0, 2), 100.0 * kG / (1e-3 * 0.1));
  expect_close(stiffness(model, 1, 2), 100.0 * kG / (1e-3 * 0.1));
  EXPECT_GT(stiffness(model, 1, 2), resolved(1e-3, kStep));
  ASSERT_EQ(stiffness_notes(model, kStep).size(), 1u);
  EXPECT_NE(stiffness_notes(model, kStep)[0].find("raised"), std::string::npos);
  // At 40 ms the step does not resolve the load of the heavy ball either.
  const auto notes = stiffness_notes(model, 4e-2);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_NE(notes[1].find("does not resolve"), std::string::npos);
}

TEST(DefaultStiffness, OfAThinShapeAsksForNoLessThanTenMicrometres) {
  ModelBuilder builder;
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_free_body("base", translation(0, 0, 0.1), ball_inertia(17.9, 0.1));
  builder.add_shape("sticker", "base", {}, Box{{0.03, 0.03, 0.125e-3}});
  expect_close(stiffness(builder.build(), 0, 1), 17.9 * kG / 1e-5);
}

TEST(DefaultStiffness, ThatIsGivenIsKept) {
  ModelBuilder builder = two_balls(1e-3, 100.0);
  ContactMaterial soft;
  soft.stiffness = 5e4;
  builder.set_material("second", soft);
  EXPECT_EQ(stiffness(builder.build(), 0, 2), 5e4);
}

TEST(DefaultStiffness, CarriesHertzAndBarriersWithIt) {
  const PairMaterial at = two_balls(0.01, 0.03).build().tables().pair(0, 1, kStep);
  expect_close(at.hertz_stiffness, at.stiffness / std::sqrt(1e-3 * 0.1));
  EXPECT_EQ(at.barrier_stiffness, at.stiffness);
  expect_close(at.barrier_energy, at.stiffness * 1e-10);
}

// A ball of radius 1 cm on a massless arm of length l that swings about y at the origin, driven with up to 30 N m.
Model arm(double l) {
  return parse_mjcf(
      "<mujoco><worldbody><geom type='plane' size='1 1 1' pos='0 0 -1'/><body>"
      "<joint name='swing' axis='0 1 0'/>"
      "<inertial mass='0.2' pos='0.1 0 0' diaginertia='1e-3 8e-3 8e-3'/>"
      "<geom size='0.01' pos='" +
          std::to_string(l) +
          " 0 0' mass='0'/></body></worldbody>"
          "<actuator><motor joint='swing' ctrlrange='-30 20'/></actuator></mujoco>",
      "arm.xml");
}

TEST(DefaultStiffness, OfALinkOnAHingeHasItsInertiaAtTheArmAndTheForceOfItsMotor) {
  // I = 8e-3 + 0.2 0.1^2 = 0.01 kg m^2 about the hinge.
  const double I = 0.01, l = 0.2, r = 0.01;
  const Model model = arm(l);
  const ContactLoad& load = model.tables().stiffness->loads[1];
  expect_close(load.inverse_mass, l * l / I);
  expect_close(load.press, 30.0 / l);
  EXPECT_EQ(load.sag, 2e-5);
  expect_close(stiffness(model, 0, 1), load.press / 2e-5);
  // On the axis it is the inertia, and the force, at half its extent.
  const ContactLoad on_axis = arm(0.0).tables().stiffness->loads[1];
  expect_close(on_axis.inverse_mass, r * r / I);
  expect_close(on_axis.press, 30.0 / r);
}

// Four legs of 0.5 kg with ball feet of 0.1 kg and 2 cm under a trunk of 40 kg; servos on hips and ankles.
std::string quadruped(const std::string& more_actuator) {
  std::string legs, servos;
  for (int i = 0; i < 4; ++i) {
    legs += format(
        "<body pos='{} {} -0.05'><joint name='hip{}' axis='0 1 0' damping='20'/><geom type='capsule' "
        "fromto='0 0 0 0 0 -0.2' size='0.02' mass='0.5' contype='0' conaffinity='0'/><body name='foot{}' "
        "pos='0 0 -0.2'><joint name='ankle{}' axis='1 0 0' damping='20'/><geom name='foot{}' size='0.02' "
        "mass='0.1'/></body></body>",
        i < 2 ? 0.3 : -0.3, i % 2 == 0 ? 0.2 : -0.2, i, i, i, i);
    for (const char* joint : {"hip", "ankle"})
      servos += format("<position joint='{}{}' kp='20000' {}/>", joint, i, more_actuator);
  }
  return "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='2 2 1'/><body name='trunk' "
         "pos='0 0 0.27'><freejoint/><geom type='box' size='0.35 0.2 0.05' mass='40' contype='0' "
         "conaffinity='0'/>" +
         legs + "</body></worldbody><actuator>" + servos + "</actuator></mujoco>";
}

TEST(DefaultStiffness, OfFeetHeldWithoutBoundCarriesTheRobot) {
  const Model model = parse_mjcf(quadruped(""), "robot.xml");
  const double weight = 42.4 * kG;
  // All of it on one foot sinks by 1e-3 of 4 cm.
  expect_close(stiffness(model, 0, model.shape("foot0")), weight / 4e-5);
  WorldOptions options;
  options.h = kStep;
  World world(model, options);
  world.simulate(2.0);
  EXPECT_LT(world.state().v.cwiseAbs().maxCoeff(), 1e-3);
  for (int i = 0; i < 4; ++i) {
    // A quarter of it on each of four feet.
    const double overlap = 0.02 - world.body_pose(format("foot{}", i)).p.z();
    EXPECT_NEAR(overlap, 0.25 * 4e-5, 0.01 * 4e-5);
  }
}

TEST(DefaultStiffness, OfFeetIsThatOfTheForceOfTheirActuatorsWhereItIsBounded) {
  const Model model = parse_mjcf(quadruped("forcerange='-1 1'"), "robot.xml");
  const ContactLoad& load = model.tables().stiffness->loads[1];
  EXPECT_LT(load.press, 0.25 * 42.4 * kG);
  EXPECT_GT(load.press, 1.0);
}

// A cube of 2 cm and 10 g between two fingers on slides, each pressed by a servo of at most 50 N.
std::string gripper(const std::string& more_actuator) {
  const auto finger = [](const char* name, double x, const char* axis) {
    return format(
        "<body pos='{} 0 0'><joint name='{}' type='slide' axis='{}'/><geom name='{}' type='box' "
        "size='0.01 0.02 0.02' mass='0.1'/></body>",
        x, name, axis, name);
  };
  const auto servo = [&](const char* name) {
    return format("<position name='{}' joint='{}' kp='1e5' kv='300' {}/>", name, name, more_actuator);
  };
  return "<mujoco><option timestep='0.005' gravity='0 0 0'/><worldbody>" + finger("left", -0.0201, "1 0 0") +
         finger("right", 0.0201, "-1 0 0") +
         "<body name='cube'><freejoint/><geom name='cube' type='box' size='0.01 0.01 0.01' mass='0.01'/>"
         "</body></worldbody><actuator>" +
         servo("left") + servo("right") + "</actuator></mujoco>";
}

TEST(DefaultStiffness, LetsAGrippedObjectSinkByLessThanAHundredthOfItsExtent) {
  World world(parse_mjcf(gripper("forcerange='-50 50'"), "gripper.xml"), {.h = 5e-3});
  world.set_control("left", 0.01);
  world.set_control("right", 0.01);
  world.simulate(1.0);
  // Each finger has closed its gap of 0.1 mm, and what it sinks in.
  for (const char* finger : {"left", "right"}) {
    EXPECT_GT(world.position(finger), 1e-4);
    EXPECT_LT(world.position(finger) - 1e-4, 0.01 * 0.02);
  }
  // 50 N on 1e-3 of the smaller extent, that of the cube.
  expect_close(stiffness(world.model(), 0, 2, 5e-3), 50.0 / 2e-5);
  // Without a range the force has no bound, and asks for nothing.
  const Model endless = parse_mjcf(gripper(""), "gripper.xml");
  expect_close(stiffness(endless, 0, 2, 5e-3), resolved(0.1 * 0.01 / 0.11, 5e-3));
}

TEST(DefaultStiffness, IsThatOfTheStepTheWorldWasMadeFor) {
  const Model model = two_balls(0.01, 0.03).build();
  const auto used = [](World& world) {
    world.set_body_pose("first", translation(0, 0, 0.0499));
    world.step();
    for (std::size_t k = 0; k < world.record().collision.pairs.size(); ++k)
      if (world.record().contact.places[k].begin >= 0) return world.record().contact.materials[k].stiffness;
    return 0.0;
  };
  World world(model, {.h = 4e-3});
  expect_close(used(world), resolved(0.01, 4e-3));
  world.options().h = 1e-3;
  expect_close(used(world), resolved(0.01, 4e-3));
  // A formulation of one's own, put in place later, has it too.
  world.options().formulation = {};
  expect_close(used(world), resolved(0.01, 4e-3));
  EXPECT_EQ(world.formulation().stiffness_step, 4e-3);
  WorldOptions given{.h = 4e-3};
  given.formulation.stiffness_step = 1e-3;
  World own(model, given);
  expect_close(used(own), resolved(0.01, 1e-3));
}

TEST(DefaultStiffness, FollowsMassesThatAWorldChanges) {
  World world(two_balls(0.01, 0.03).build());
  world.set_mass("first", 0.02);
  expect_close(stiffness(world.model(), 0, 1), resolved(0.02, kStep));
}

}  // namespace
}  // namespace stiction
