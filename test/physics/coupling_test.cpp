// Couplings of joints and tendons, dry friction, drives and bushings with known answers.

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

// Blocks of masses m1 and m2 on slides along z, two trees, without gravity.
ModelBuilder two_slides(double m1, double m2) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  for (const bool first : {true, false}) {
    const std::string name = first ? "first" : "second";
    builder.add_body(name, "world", translation(first ? 0 : 1, 0, 0),
                     solid_box(first ? m1 : m2, Vec3::Constant(0.1)));
    builder.add_joint(name, {.name = name, .type = JointType::prismatic});
  }
  return builder;
}

Equality gear(double ratio) {
  Equality equality;
  equality.name = "gear";
  equality.kind = EqualityKind::joint;
  equality.object1 = "first";
  equality.object2 = "second";
  equality.polynomial = {0, ratio, 0, 0, 0};
  return equality;
}

Tendon sum_of_slides() {
  Tendon tendon;
  tendon.name = "sum";
  tendon.wraps = {{WrapKind::joint, "first", "", 1.0}, {WrapKind::joint, "second", "", 1.0}};
  return tendon;
}

// A flywheel of 0.5 kg m^2 about z.
constexpr double kFlywheel = 0.5;
ModelBuilder flywheel(double friction_loss = 0.0) {
  ModelBuilder builder;
  builder.add_body("wheel", "world", {}, Inertia{1.0, Vec3::Zero(), kFlywheel * Mat3::Identity()});
  builder.add_joint("wheel",
                    {.name = "axle", .type = JointType::continuous, .friction_loss = per_dof(friction_loss)});
  return builder;
}

// A rod of 1 kg and 1 m that points along x from a hinge about -y, which turns x towards z.
ModelBuilder rod_on_hinge() {
  ModelBuilder builder;
  builder.add_body("rod", "world", {},
                   Inertia{1.0, Vec3(0.5, 0, 0), Vec3(0, 1 / 12.0, 1 / 12.0).asDiagonal()});
  builder.add_joint("rod", {.name = "hinge", .axis = -Vec3::UnitY()});
  return builder;
}

TEST(Gear, AcrossTreesMovesBothAsOneMass) {
  // q1 = r q2: (m2 + r^2 m1) a2 = r F, and m1 a1 = F + lambda.
  const double m1 = 2.0, m2 = 3.0, r = -1.5, F = 7.0;
  World world(two_slides(m1, m2).add_constraint(gear(r)).build());
  world.set_joint_force("first", F);
  world.simulate(0.5);
  const double a2 = r * F / (m2 + r * r * m1);
  EXPECT_NEAR(world.velocity("second"), 0.5 * a2, 1e-6);
  EXPECT_NEAR(world.velocity("first"), 0.5 * r * a2, 1e-6);
  EXPECT_NEAR(world.coupling_force("gear"), m1 * r * a2 - F, 1e-4);
  EXPECT_EQ(world.record().report.contact.islands, 1);
}

TEST(Gear, SwitchedOffUncouplesTheJoints) {
  World world(two_slides(2.0, 3.0).add_constraint(gear(2.0)).build());
  world.set_constraint_active("gear", false);
  world.set_joint_force("first", 7.0);
  world.simulate(0.5);
  EXPECT_NEAR(world.velocity("first"), 0.5 * 7.0 / 2.0, 1e-9);
  EXPECT_EQ(world.velocity("second"), 0.0);
}

TEST(MimicJoint, KeepsItsMultipleAndOffset) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  builder.add_body("first", "world", {}, solid_box(2.0, Vec3::Constant(0.1)));
  Joint follower{.name = "first", .type = JointType::prismatic};
  follower.mimic = Mimic{"second", -2.0, 0.1};
  builder.add_joint("first", follower);
  builder.add_body("second", "world", {}, solid_box(3.0, Vec3::Constant(0.1)));
  builder.add_joint("second", {.name = "second", .type = JointType::prismatic});
  World world(builder.build());
  world.set_joint_force("second", 1.0);
  world.simulate(1.0);
  // From an initial error of 0.1; what is left is the violation under the coupling's force of some newtons.
  EXPECT_NEAR(world.position("first"), -2.0 * world.position("second") + 0.1, 1e-7);
  EXPECT_GT(std::abs(world.position("second")), 0.01);
}

TEST(PolynomialCoupling, FollowsItsCurve) {
  Equality curve = gear(0.0);
  curve.polynomial = {0.1, 0.5, -0.3, 0.2, 0.1};
  World world(two_slides(2.0, 3.0).add_constraint(curve).build(), with_step(1e-3));
  world.set_position("first", 0.1);  // on the curve
  world.set_joint_force("second", 3.0);
  for (int i = 0; i < 10; ++i) {
    world.simulate(0.1);
    const double x = world.position("second"), u = world.velocity("second");
    const double curve_at = 0.1 + x * (0.5 + x * (-0.3 + x * (0.2 + x * 0.1)));
    // A row is straight within a step: it misses the bend of the curve, p'' (h u)^2/2.
    const double bend = std::abs(-0.6 + 1.2 * x + 1.2 * x * x) * std::pow(1e-3 * u, 2);
    EXPECT_NEAR(world.position("first"), curve_at, bend + 1e-7);
  }
}

TEST(TendonEquality, IsAtwoodsMachine) {
  // A rope over a pulley: q1 + q2 stays, a = (m2 - m1) g/(m1 + m2).
  ModelBuilder builder = two_slides(2.0, 3.0);
  builder.set_gravity(Vec3(0, 0, -kG));
  builder.add_tendon(sum_of_slides());
  Equality equality;
  equality.name = "rope";
  equality.kind = EqualityKind::tendon;
  equality.object1 = "sum";
  World world(builder.add_constraint(equality).build());
  world.simulate(0.5);
  EXPECT_NEAR(world.velocity("first"), 0.5 * kG / 5.0, 1e-6);
  // T = 2 m1 m2 g/(m1 + m2) pulls both up.
  EXPECT_NEAR(world.coupling_force("rope"), 2.0 * 2.0 * 3.0 * kG / 5.0, 1e-4);
}

TEST(TendonLimit, HoldsTheLengthFromBelow) {
  ModelBuilder builder = two_slides(2.0, 2.0);
  builder.set_gravity(Vec3(0, 0, -kG));
  Tendon tendon = sum_of_slides();
  tendon.range = {true, -0.2, 1.0};
  World world(builder.add_tendon(tendon).build());
  world.simulate(1.0);
  EXPECT_NEAR(world.position("first") + world.position("second"), -0.2, 1e-6);
  EXPECT_NEAR(world.position("first"), -0.1, 1e-6);
}

TEST(TendonSpring, StretchesByForceOverStiffness) {
  ModelBuilder builder = two_slides(2.0, 2.0);
  Tendon tendon = sum_of_slides();
  tendon.stiffness = 500.0;
  tendon.damping = 100.0;
  tendon.spring_length = {0.3, 0.3};
  World world(builder.add_tendon(tendon).build());
  world.set_joint_force("first", 4.0);
  world.set_joint_force("second", 4.0);
  world.simulate(6.0);
  EXPECT_NEAR(world.position("first") + world.position("second"), 0.3 + 4.0 / 500.0, kBalance * 4.0 / 500.0);
}

TEST(DryFriction, SticksBelowItsForceAndCreepsByTheRule) {
  // u = tau w h (beta/2 pi)^2/(1 + beta/pi).
  const double f = 2.0, tau = 1.8, h = 2e-3, beta = ConstraintOptions().beta;
  World world(flywheel(f).build(), with_step(h));
  world.set_joint_force("axle", tau);
  world.simulate(0.5);
  const double creep = tau / kFlywheel * h * std::pow(beta / (2.0 * kPi), 2) / (1.0 + beta / kPi);
  EXPECT_NEAR(world.velocity("axle"), creep, 1e-4 * creep);
  EXPECT_NEAR(world.friction_force("axle")[0], -tau, 1e-5 * tau);
}

TEST(DryFriction, IsConstantWhileItSlides) {
  const double f = 2.0, tau = 3.0;
  World world(flywheel(f).build());
  world.set_joint_force("axle", tau);
  world.simulate(0.5);
  EXPECT_NEAR(world.velocity("axle"), 0.5 * (tau - f) / kFlywheel, 1e-9);
  EXPECT_NEAR(world.friction_force("axle")[0], -f, 1e-12);
  // And brings a spinning wheel to rest in I w/f.
  world.set_joint_force("axle", 0.0);
  world.simulate(1.01 * kFlywheel * world.velocity("axle") / f);
  EXPECT_NEAR(world.velocity("axle"), 0.0, 1e-9);
}

TEST(PositionServo, RestsOffItsTargetByWhatItsGainSays) {
  for (const double h : {2e-3, 1e-2}) {
    for (const double kp : {1e2, 1e5}) {
      SCOPED_TRACE(kp);
      const double target = 0.4;
      World world(rod_on_hinge().add_actuator(position_servo("servo", "hinge", kp, 0.1 * kp)).build(),
                  with_step(h));
      world.set_control("servo", target);
      world.simulate(4.0);
      const double q = world.position("hinge"), load = 0.5 * kG * std::cos(q);
      EXPECT_NEAR(target - q, load / kp, 1e-4 * load / kp);
      EXPECT_NEAR(world.record().actuation.actuators[0].force, load, 1e-4 * load);
    }
  }
}

TEST(PositionServo, GivesItsEffortAndNoMoreWhileItIsSaturated) {
  // Too weak to lift the rod off the level at once: I (v1 - v0)/h = effort - 0.5 m g cos q in every step.
  const double effort = 3.0, h = 1e-3, I = 1.0 / 3.0;
  World world(rod_on_hinge().add_actuator(position_servo("servo", "hinge", 1e4, 10.0, effort)).build(),
              with_step(h));
  world.set_control("servo", 1.5);
  for (int i = 0; i < 500; ++i) {
    const double q = world.position("hinge"), v = world.velocity("hinge");
    world.step();
    EXPECT_EQ(world.record().actuation.actuators[0].force, effort);
    EXPECT_NEAR(I * (world.velocity("hinge") - v) / h, effort - 0.5 * kG * std::cos(q), 1e-8);
  }
}

TEST(PositionServo, IsBoundedByTheEffortOfItsJoint) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  builder.add_body("wheel", "world", {}, Inertia{1.0, Vec3::Zero(), kFlywheel * Mat3::Identity()});
  builder.add_joint("wheel", {.name = "axle", .effort_limit = 2.0});
  World world(builder.add_actuator(position_servo("servo", "axle", 1e6, 1e3)).build());
  world.set_control("servo", 100.0);
  world.simulate(0.5);
  EXPECT_NEAR(world.velocity("axle"), 0.5 * 2.0 / kFlywheel, 1e-9);
}

TEST(VelocityServo, ReachesItsSpeedAgainstALoad) {
  const double kv = 50.0, load = 4.0;
  World world(flywheel().add_actuator(velocity_servo("servo", "axle", kv)).build(), with_step(1e-2));
  world.set_control("servo", 3.0);
  world.set_joint_force("axle", -load);
  world.simulate(2.0);
  EXPECT_NEAR(world.velocity("axle"), 3.0 - load / kv, kBalance * load / kv);
}

TEST(Motor, GivesItsControlWithinItsEffort) {
  World world(flywheel().add_actuator(motor("motor", "axle", 2.0)).build());
  world.set_control("motor", 1.5);
  world.simulate(0.1);
  EXPECT_NEAR(world.velocity("axle"), 0.1 * 1.5 / kFlywheel, 1e-12);
  world.set_control("motor", -100.0);
  world.simulate(0.1);
  EXPECT_NEAR(world.velocity("axle"), 0.1 * (1.5 - 2.0) / kFlywheel, 1e-12);
}

TEST(LockedJoint, StaysWhereItWasUntilItIsUnlocked) {
  World world(rod_on_hinge().build());
  world.simulate(0.2);
  const double q = world.position("hinge");
  world.lock_joint("hinge");
  world.simulate(0.5);
  EXPECT_NEAR(world.position("hinge"), q, 1e-6);
  const double load = 0.5 * kG * std::cos(q);
  EXPECT_NEAR(world.lock_force("hinge")[0], load, 1e-5 * load);
  world.lock_joint("hinge", 0.7);
  world.simulate(1.0);  // twenty relaxation times
  EXPECT_NEAR(world.position("hinge"), 0.7, 1e-6);
  world.unlock_joint("hinge");
  world.simulate(0.2);
  EXPECT_LT(world.position("hinge"), 0.6);
}

TEST(LockedJoint, OfAFreeBodyHangsItInTheAir) {
  ModelBuilder builder;
  builder.add_free_body("ball", translation(0, 0, 1), solid_sphere(3.0, 0.1));
  World world(builder.build());
  world.set_body_velocity("ball", (Vec6() << 1, 2, 3, 0, 0, 0).finished());
  world.lock_joint("ball");
  world.simulate(0.5);
  EXPECT_LT((world.body_pose("ball").p - Vec3(0, 0, 1)).norm(), 1e-6);
  EXPECT_NEAR(world.lock_force("ball")[5], 3.0 * kG, 1e-4);
}

Bushing bushing() {
  Bushing b;
  b.name = "bushing";
  b.frame1 = "mount";
  b.frame2 = "centre";
  b.stiffness = Vec3(400, 500, 600);
  b.turn_stiffness = Vec3(4, 5, 6);
  return b;
}

ModelBuilder ball_on_mount() {
  ModelBuilder builder;
  builder.add_free_body("ball", translation(0, 0, 1), solid_sphere(2.0, 0.1));
  builder.add_frame("centre", "ball", {});
  builder.add_frame("mount", "world", translation(0, 0, 1));
  return builder;
}

TEST(Bushing, GivesWayByForceOverStiffnessAlongAndAboutItsAxes) {
  Bushing b = bushing();
  b.damping = Vec3::Constant(30);
  b.turn_damping = Vec3::Constant(0.3);
  World world(ball_on_mount().set_gravity(Vec3::Zero()).add_constraint(b).build());
  world.input().wrenches = {
      {world.model().body("ball"), Vec3(0, 0, 1), (Vec6() << 0.6, 0, 0, 4, 0, 0).finished()}};
  world.simulate(5.0);
  const Pose X = world.body_pose("ball");
  EXPECT_NEAR(X.p.x(), 4.0 / 400.0, kBalance * 4.0 / 400.0);
  EXPECT_NEAR(std::atan2(X.R(2, 1), X.R(1, 1)), 0.6 / 4.0, kBalance * 0.6 / 4.0);
  EXPECT_NEAR(world.constraint_force("bushing")[3], 4.0, kBalance * 4.0);
  EXPECT_NEAR(world.constraint_force("bushing")[0], 0.6, kBalance * 0.6);
}

TEST(Bushing, SwingsAtItsFrequency) {
  ModelBuilder builder = ball_on_mount();
  builder.set_gravity(Vec3::Zero());
  const double omega = std::sqrt(600.0 / 2.0), period = 2.0 * kPi / omega, h = period / 2000.0;
  World world(builder.add_constraint(bushing()).build(), with_step(h));
  world.set_body_velocity("ball", (Vec6() << 0, 0, 0, 0, 0, 1).finished());
  double crossing = 0.0;
  for (int i = 0; i < 4500; ++i) {
    const double before = world.body_pose("ball").p.z() - 1.0;
    world.step();
    const double after = world.body_pose("ball").p.z() - 1.0;
    if (before < 0.0 && after >= 0.0) crossing = world.time() - h * after / (after - before);
  }
  // Two periods; implicit Euler's frequency is off by (omega h)^2/3, its zero by no more than a step.
  EXPECT_NEAR(crossing, 2.0 * period, h);
}

}  // namespace
}  // namespace stiction
