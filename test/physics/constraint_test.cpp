// Constraints, friction in joints and drives with known answers. At rest a constraint that carries the force
// F gives way by F w (beta h/2 pi)^2, w the inverse mass along it (stiction/constraint/row_laws.h).

#include <cmath>

#include <gtest/gtest.h>

#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/model/servos.h"
#include "stiction/simulation/world.h"
#include "test/physics/contact_laws.h"

namespace stiction {
namespace {

// What a step of the solver leaves of a force at rest, relative: its tolerance of 1e-6, and some.
constexpr double kBalance = 1e-5;

WorldOptions with_step(double h) {
  WorldOptions options;
  options.h = h;
  return options;
}

// (beta h/2 pi)^2, s^2: how far a rigid constraint gives way under one m/s^2.
double give(double h) {
  const double rate = ConstraintOptions().beta * h / (2.0 * kPi);
  return rate * rate;
}

Joint slide(const std::string& name, const Vec3& axis = Vec3::UnitZ()) {
  return {.name = name, .type = JointType::prismatic, .axis = axis};
}

// A block of `mass` on a slide along z, at z = 0.
ModelBuilder block_on_slide(double mass, Joint joint = slide("slide")) {
  ModelBuilder builder;
  builder.add_body("block", "world", {}, solid_box(mass, Vec3::Constant(0.1)));
  builder.add_joint("block", joint);
  return builder;
}

// A rod of 1 kg and 1 m that points along x from a hinge about -y, which turns x towards z.
constexpr double kRodInertia = 1.0 / 3.0;  // kg m^2, about its end
ModelBuilder rod_on_hinge(Joint joint = {.name = "hinge", .axis = -Vec3::UnitY()}) {
  ModelBuilder builder;
  builder.add_body("rod", "world", {},
                   Inertia{1.0, Vec3(0.5, 0, 0), Vec3(1e-3, 1 / 12.0, 1 / 12.0).asDiagonal()});
  builder.add_joint("rod", joint);
  return builder;
}

ModelBuilder free_ball(double mass, const Vec3& at) {
  ModelBuilder builder;
  builder.add_free_body("ball", translation(at), solid_sphere(mass, 0.1));
  builder.add_frame("centre", "ball", {});
  return builder;
}

TEST(JointLimit, OfASlideCarriesTheWeightAndGivesWayByTheRule) {
  Joint joint = slide("slide");
  joint.limited = true;
  joint.upper = per_dof(1.0);
  for (const double h : {5e-3, 2.5e-3}) {
    World world(block_on_slide(2.0, joint).build(), with_step(h));
    world.set_position("slide", 0.2);
    world.simulate(1.0);
    EXPECT_NEAR(world.position("slide"), -kG * give(h), kBalance * kG * give(h));
    EXPECT_NEAR(world.limit_force("slide")[0], 2.0 * kG, kBalance * 2.0 * kG);
  }
}

TEST(JointLimit, OfAHingeCarriesTheMomentOfTheWeight) {
  const double h = 2e-3, moment = 0.5 * kG * std::cos(0.3);
  World world(rod_on_hinge({.name = "hinge",
                            .axis = -Vec3::UnitY(),
                            .limited = true,
                            .lower = per_dof(-0.3),
                            .upper = per_dof(2.0)})
                  .build(),
              with_step(h));
  world.simulate(2.0);
  const double violation = moment / kRodInertia * give(h);
  EXPECT_NEAR(-0.3 - world.position("hinge"), violation, kBalance * violation);
  EXPECT_NEAR(world.limit_force("hinge")[0], moment, kBalance * moment);
}

TEST(JointLimit, OfABallJointHoldsTheLargestAngle) {
  Joint ball{.name = "ball", .type = JointType::ball};
  ball.limited = true;
  ball.upper = per_dof(0.4);
  ball.damping = per_dof(0.5);
  World world(rod_on_hinge(ball).build());
  world.simulate(8.0);
  // It comes to rest with its end as low as it may go.
  const Vec3 end = world.body_pose("rod").R * Vec3::UnitX();
  EXPECT_NEAR(std::acos(end.x()), 0.4, 1e-5);
  EXPECT_NEAR(world.limit_force("ball").head<3>().norm(), 0.5 * kG * std::cos(0.4), 1e-3);
}

TEST(JointLimit, OfAUniversalJointActsOnEachAngle) {
  Joint joint{.name = "joint", .type = JointType::universal, .axis = -Vec3::UnitY(), .axis2 = Vec3::UnitZ()};
  joint.limited = true;
  joint.lower = per_dof(-0.2);
  joint.upper = per_dof(0.2);
  joint.damping = per_dof(1.0);
  World world(rod_on_hinge(joint).build());
  world.input().joint_forces = (VecX(2) << 0.0, 3.0).finished();
  world.simulate(3.0);
  const VecX& q = world.state().q;
  EXPECT_NEAR(q[0], -0.2, 1e-6);
  EXPECT_NEAR(q[1], 0.2, 1e-6);
  EXPECT_NEAR(world.limit_force("joint")[0], 0.5 * kG * std::cos(0.2) * std::cos(0.2), 1e-3);
  EXPECT_LT(world.limit_force("joint")[1], 0.0);
}

TEST(JointLimit, CanBeSwitchedOffAndOnAgain) {
  Joint joint = slide("slide");
  joint.limited = true;
  joint.upper = per_dof(1.0);
  World world(block_on_slide(2.0, joint).build());
  world.set_limits_active("slide", false);
  world.simulate(0.1);
  EXPECT_NEAR(world.position("slide"), -0.5 * kG * 0.01, kG * 0.1 * 2e-3);  // h v: symplectic Euler
  world.set_limits_active("slide", true);
  world.simulate(1.0);
  EXPECT_NEAR(world.position("slide"), 0.0, 1e-6);
}

TEST(RigidConstraint, GivesWayAsTheSquareOfTheStep) {
  // Weld, ball, rod and coupling of a body under its weight: F w = g for all of them.
  const auto violation = [](const char* kind, double h) {
    ModelBuilder builder = free_ball(3.0, Vec3(0, 0, 1));
    builder.add_frame("anchor", "world", translation(0, 0, 2));
    Equality tie;
    tie.name = "tie";
    tie.object1 = "ball";
    tie.kind = std::string(kind) == "weld" ? EqualityKind::weld : EqualityKind::connect;
    if (std::string(kind) == "rod")
      builder.add_constraint(DistanceConstraint{"tie", "centre", "anchor", 1.0, 1.0});
    else
      builder.add_constraint(tie);
    World world(builder.build(), with_step(h));
    world.simulate(1.0);  // twenty relaxation times
    EXPECT_NEAR(world.constraint_force("tie")[5], 3.0 * kG, kBalance * 3.0 * kG);
    return 1.0 - world.body_pose("ball").p.z();
  };
  for (const char* kind : {"weld", "connect", "rod"}) {
    SCOPED_TRACE(kind);
    const double coarse = violation(kind, 1e-2), fine = violation(kind, 5e-3);
    EXPECT_NEAR(coarse, kG * give(1e-2), 1e-4 * coarse);
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 1e-3);
  }
}

TEST(RigidConstraint, ForgetsAnInitialError) {
  ModelBuilder builder = free_ball(3.0, Vec3(0, 0, 1));
  Equality tie;
  tie.name = "tie";
  tie.object1 = "ball";
  builder.add_constraint(tie);
  World world(builder.build());
  world.set_body_pose("ball", translation(0.03, -0.02, 1.05));
  world.simulate(1.5);  // thirty relaxation times
  EXPECT_LT((world.body_pose("ball").p - Vec3(0, 0, 1)).norm(), 1.01 * kG * give(2e-3));
}

TEST(RigidConstraint, NoShorterThanItsMinimumPeriodIsSofter) {
  ModelBuilder builder = free_ball(3.0, Vec3(0, 0, 1));
  Equality tie;
  tie.object1 = "ball";
  builder.add_constraint(tie);
  World world(builder.build());
  const double period = 0.02;
  world.options().formulation.constraints.minimum_period = period;
  world.simulate(1.0);
  const double sag = kG * std::pow(period / (2.0 * kPi), 2);
  EXPECT_NEAR(1.0 - world.body_pose("ball").p.z(), sag, 1e-4 * sag);
}

TEST(Weld, SwitchedOffLetsTheBodyFall) {
  ModelBuilder builder = free_ball(3.0, Vec3(0, 0, 1));
  Equality weld;
  weld.name = "weld";
  weld.kind = EqualityKind::weld;
  weld.object1 = "ball";
  builder.add_constraint(weld);
  World world(builder.build());
  world.simulate(0.1);
  world.set_constraint_active("weld", false);
  EXPECT_FALSE(world.is_constraint_active("weld"));
  world.simulate(0.1);
  EXPECT_NEAR(world.body_velocity("ball")[5], -kG * 0.1, 1e-6);
  EXPECT_EQ(world.constraint_force("weld").norm(), 0.0);
}

TEST(Weld, OfTwoFreeBodiesKeepsTheirMomentum) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  builder.add_free_body("a", {}, solid_sphere(1.0, 0.1));
  builder.add_free_body("b", translation(1, 0, 0), solid_sphere(2.0, 0.1));
  Equality weld;
  weld.name = "weld";
  weld.kind = EqualityKind::weld;
  weld.object1 = "a";
  weld.object2 = "b";
  builder.add_constraint(weld);
  World world(builder.build(), with_step(1e-3));
  world.set_body_velocity("b", (Vec6() << 0, 0, 0, 0, 3, 0).finished());
  world.step();
  EXPECT_EQ(world.record().report.contact.islands, 1);
  world.simulate(1.0);
  const Vec3 momentum = 1.0 * world.body_velocity("a").tail<3>() + 2.0 * world.body_velocity("b").tail<3>();
  EXPECT_LT((momentum - Vec3(0, 6, 0)).norm(), 1e-12);
  // One body of both turns at L/I: the arms of the two are 2/3 and 1/3 m from the centre.
  const double I = 0.4 * 0.01 * 3.0 + 1.0 * 4.0 / 9.0 + 2.0 / 9.0;
  EXPECT_NEAR(world.body_velocity("a")[2], (2.0 * 3.0 / 3.0) / I, 1e-2);
  EXPECT_NEAR((world.body_pose("a").p - world.body_pose("b").p).norm(), 1.0, 1e-4);
}

TEST(RedundantConstraints, ShareTheLoadAndTheirForcesSumToIt) {
  ModelBuilder builder = free_ball(3.0, Vec3(0, 0, 1));
  for (const char* name : {"one", "two", "three"}) {
    Equality weld;
    weld.name = name;
    weld.kind = name[0] == 'o' ? EqualityKind::weld : EqualityKind::connect;
    weld.object1 = "ball";
    builder.add_constraint(weld);
  }
  World world(builder.build());
  world.simulate(0.2);
  Vec3 sum = Vec3::Zero();
  for (const char* name : {"one", "two", "three"}) sum += world.constraint_force(name).tail<3>();
  EXPECT_LT((sum - Vec3(0, 0, 3.0 * kG)).norm(), kBalance * 3.0 * kG);
  EXPECT_NEAR(world.constraint_force("two")[5], kG, kBalance * kG);
}

TEST(Connect, ToAKinematicBodyFollowsIt) {
  ModelBuilder builder = free_ball(3.0, Vec3(0, 0, 1));
  builder.set_gravity(Vec3::Zero());
  builder.add_kinematic_body("hand", translation(0, 0, 1));
  Equality tie;
  tie.name = "tie";
  tie.object1 = "ball";
  tie.object2 = "hand";
  builder.add_constraint(tie);
  World world(builder.build());
  const Vec3 v(0.3, -0.2, 0.1);
  for (int i = 0; i < 100; ++i) {
    world.set_kinematic_motion("hand", translation(Vec3(0, 0, 1) + world.time() * v),
                               stack<double>(Vec3::Zero(), v));
    world.step();
  }
  EXPECT_LT((world.body_velocity("ball").tail<3>() - v).norm(), 1e-6);
  EXPECT_LT((world.body_pose("ball").p - Vec3(0, 0, 1) - world.time() * v).norm(), 1e-6);
}

TEST(Rope, IsSlackInFreeFallAndThenHangsItsWeight) {
  ModelBuilder builder = free_ball(3.0, Vec3(0, 0, 2));
  builder.add_frame("hook", "world", translation(0, 0, 2));
  builder.add_constraint(DistanceConstraint{"rope", "centre", "hook", 0.0, 0.5});
  World world(builder.build(), with_step(1e-3));
  world.simulate(0.2);
  EXPECT_NEAR(world.body_velocity("ball")[5], -kG * 0.2, 1e-9);
  EXPECT_EQ(world.constraint_force("rope").norm(), 0.0);
  world.simulate(1.0);
  EXPECT_NEAR(world.body_pose("ball").p.z(), 1.5 - kG * give(1e-3), 1e-9);
  EXPECT_LT((world.constraint_force("rope").tail<3>() - Vec3(0, 0, 3.0 * kG)).norm(), kBalance * 3.0 * kG);
}

TEST(Distance, WithAStiffnessIsASpringAtTheEndOfItsRange) {
  ModelBuilder builder = free_ball(3.0, Vec3(0, 0, 1.5));
  builder.add_frame("hook", "world", translation(0, 0, 2));
  builder.add_constraint(DistanceConstraint{"rope", "centre", "hook", 0.0, 0.5, 1e3, 50.0});
  World world(builder.build(), with_step(1e-3));
  world.simulate(3.0);
  EXPECT_NEAR(1.5 - world.body_pose("ball").p.z(), 3.0 * kG / 1e3, 1e-4 * 3.0 * kG / 1e3);
}

TEST(ConstraintForce, IsWhatChangesTheMomentum) {
  // A pendulum on a connect away from its centre: m (v1 - v0)/h = F + m g in every step.
  ModelBuilder builder = free_ball(3.0, Vec3(0.5, 0, 0));
  Equality tie;
  tie.name = "tie";
  tie.object1 = "ball";
  tie.anchor = Vec3(-0.5, 0, 0);
  builder.add_constraint(tie);
  const double h = 1e-3;
  World world(builder.build(), with_step(h));
  for (int i = 0; i < 300; ++i) {
    const Vec3 before = world.state().v.tail<3>();
    world.step();
    const Vec3 force = 3.0 * (world.state().v.tail<3>() - before) / h + Vec3(0, 0, 3.0 * kG);
    EXPECT_LT((world.constraint_force("tie").tail<3>() - force).norm(), 1e-9 * (1.0 + force.norm()));
  }
}

}  // namespace
}  // namespace stiction
