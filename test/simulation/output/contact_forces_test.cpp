#include "stiction/simulation/output/contact_forces.h"

#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "stiction/base/check.h"
#include "stiction/io/mjcf/mjcf.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

constexpr double kGravity = 9.81;

Inertia cube_inertia(double mass, double side) {
  Inertia inertia;
  inertia.mass = mass;
  inertia.I_com = mass * side * side / 6.0 * Mat3::Identity();
  return inertia;
}

// Two cubes of 1 and 2 kg on top of each other, on a floor.
Model two_cubes() {
  ModelBuilder builder("two_cubes");
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_free_body("lower", translation(0, 0, 0.05), cube_inertia(1.0, 0.1));
  builder.add_free_body("upper", translation(0, 0, 0.15), cube_inertia(2.0, 0.1));
  for (const char* name : {"lower", "upper"}) builder.add_shape(name, name, {}, Box{Vec3::Constant(0.05)});
  return builder.build();
}

TEST(ContactForces, CarryTheWeightAboveThem) {
  World world(two_cubes());
  world.simulate(1.0);
  // After a second of rest only the solver's tolerance of 1e-6 is left, times a few.
  const double tolerance = 1e-3;
  EXPECT_NEAR(world.contact_force("upper", {.of_body = "lower"}).z(), 2.0 * kGravity, tolerance);
  EXPECT_NEAR(world.contact_force("lower", {.of_body = "upper"}).z(), -2.0 * kGravity, tolerance);
  EXPECT_NEAR(world.contact_force("lower", {.of_body = "world"}).z(), 3.0 * kGravity, tolerance);
  EXPECT_NEAR(world.contact_force("lower").z(), 1.0 * kGravity, tolerance);
  EXPECT_NEAR(static_contact_force(world.model(), world.record()).z(), 3.0 * kGravity, tolerance);
}

TEST(ContactForces, OfThePointsAddUpToThoseOfTheBodies) {
  World world(two_cubes());
  world.simulate(0.1);
  Vec3 on_upper = Vec3::Zero();
  for (const ContactForce& point : contact_forces(world.record())) {
    if (point.body_B == world.model().body("upper")) on_upper += point.force;
    if (point.body_A == world.model().body("upper")) on_upper -= point.force;
  }
  EXPECT_EQ(on_upper, world.contact_force("upper"));
}

TEST(SurfaceVelocity, OfTheInputTakesThePlaceOfTheModels) {
  World world(two_cubes());
  world.simulate(0.1);
  world.set_surface_velocity("floor", Vec3(0.3, 0, 0));
  world.simulate(1.0);
  // mu g = 4.9 m/s^2 brings both cubes to 0.3 m/s long before; friction creeps by less than v_s after that.
  EXPECT_NEAR(world.body_velocity("upper")[3], 0.3, 1e-4);
  world.set_surface_velocity("floor", Vec3::Zero());
  world.simulate(1.0);
  EXPECT_NEAR(world.body_velocity("upper")[3], 0.0, 1e-4);
}

TEST(KinematicBody, CarriesWhatLiesOnItAndOnWhatHangsOnIt) {
  // A tray on a kinematic body, and a tray on a locked hinge that hangs on the kinematic body.
  for (const bool on_a_joint : {false, true}) {
    ModelBuilder builder;
    builder.add_kinematic_body("lift", translation(0, 0, 1));
    builder.add_body("tray", "lift", {}, cube_inertia(5.0, 1.0));
    if (on_a_joint) {
      Joint slide;
      slide.name = "slide";
      slide.type = JointType::prismatic;
      slide.axis = Vec3::UnitY();
      builder.add_joint("tray", slide);
    }
    builder.add_shape("tray", "tray", {}, Box{Vec3(1.0, 1.0, 0.05)});
    builder.add_free_body("cube", translation(0, 0, 1.1), cube_inertia(1.0, 0.1));
    builder.add_shape("cube", "cube", {}, Box{Vec3::Constant(0.05)});
    World world(builder.build());
    const double h = world.options().h, speed = 0.2;
    for (int k = 0; k < 500; ++k) {
      const double x = speed * world.time();
      Vec6 V = Vec6::Zero();
      V[3] = speed;
      world.set_kinematic_motion("lift", translation(x, 0, 1), V);
      world.step(h);
    }
    EXPECT_NEAR(world.body_velocity("cube")[3], speed, 1e-4) << on_a_joint;
    EXPECT_NEAR(world.contact_force("cube", {.of_body = "tray"}).z(), kGravity, 1e-3) << on_a_joint;
  }
}

TEST(World, GoesBackToAKeyframeAndToItsStart) {
  const Model model = parse_mjcf(
      "<mujoco><worldbody><body name='target' mocap='true'/><body name='ball' pos='0 0 1'><freejoint/>"
      "<geom size='0.1'/></body></worldbody><keyframe><key name='high' time='3' qpos='0 0 5 1 0 0 0' "
      "qvel='0 0 1 0 0 0' mpos='1 2 3'/></keyframe></mujoco>",
      "test.xml");
  World world(model);
  const std::uint64_t start = hash(world.state());
  world.reset_to_keyframe("high");
  EXPECT_EQ(world.time(), 3.0);
  EXPECT_EQ(world.body_pose("ball").p, Vec3(0, 0, 5));
  EXPECT_EQ(world.body_pose("target").p, Vec3(1, 2, 3));
  world.step();
  world.reset();
  EXPECT_EQ(hash(world.state()), start);
  EXPECT_EQ(world.body_pose("target").p, Vec3(0, 0, 0));
  EXPECT_THROW(world.reset_to_keyframe("hihg"), UserError);
}

TEST(World, RepeatsTheSameBitsFromASavedState) {
  World world(make_scene("dominoes"));
  world.simulate(0.2);
  const State saved = world.state();
  world.simulate(0.2);
  const std::uint64_t first = hash(world.state());
  world.set_state(saved);
  EXPECT_EQ(hash(world.state()), hash(saved));
  world.simulate(0.2);
  EXPECT_EQ(hash(world.state()), first);
}

}  // namespace
}  // namespace stiction
