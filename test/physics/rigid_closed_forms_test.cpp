// Closed forms of rolling, belts, plates, stacks, structures, impacts and grasps for the rigid law of
// Coulomb, under every solver that is meant for them. Rigid bodies touch where their surfaces are: no depth
// enters.
//
// Steps are of first order in h: times are good to a few steps. Solvers stop at 1e-6 of the free velocity.

#include <cmath>

#include <gtest/gtest.h>

#include "scenes/mechanisms.h"
#include "scenes/piles.h"
#include "scenes/rollers.h"
#include "scenes/sliders.h"
#include "stiction/simulation/formulation.h"
#include "test/physics/bowling.h"
#include "test/physics/contact_laws.h"

namespace stiction {
namespace {

constexpr const char* kSolvers[] = {"coulomb_ncp+pgs", "coulomb_ncp+admm", "coulomb_ncp+staggered"};

WorldOptions with_formulation(const char* name, double h = 2e-3) {
  WorldOptions options;
  options.h = h;
  set_formulation(name, &options.formulation.contact);
  return options;
}

double downhill_speed(const World& world, const char* body, double angle) {
  return Vec3(std::cos(angle), 0.0, -std::sin(angle)).dot(world.body_velocity(body).tail<3>());
}

TEST(CoulombNcp, SphereOnASlopeRollsWithFiveSeventhsOfTheSlidingAcceleration) {
  const double angle = 15.0 * kPi / 180.0;
  for (const char* name : kSolvers) {
    SCOPED_TRACE(name);
    World world(scenes::rolling_sphere(angle), with_formulation(name));
    world.simulate(0.2);
    const double before = downhill_speed(world, "ball", angle);
    world.simulate(0.5);
    const double a = (downhill_speed(world, "ball", angle) - before) / 0.5;
    EXPECT_NEAR(a, kG * std::sin(angle) / 1.4, 1e-4 * a);
  }
}

TEST(CoulombNcp, SphereOnASteepSlopeSlips) {
  const double angle = 70.0 * kPi / 180.0, mu = 0.5;
  for (const char* name : kSolvers) {
    SCOPED_TRACE(name);
    World world(scenes::rolling_sphere(angle), with_formulation(name));
    world.simulate(0.2);
    const double before = downhill_speed(world, "ball", angle);
    world.simulate(0.2);
    const double a = (downhill_speed(world, "ball", angle) - before) / 0.2;
    EXPECT_NEAR(a, kG * (std::sin(angle) - mu * std::cos(angle)), 1e-4 * a);
  }
}

TEST(CoulombNcp, BowlingBallRollsAtFiveSeventhsOfItsSpeedAfterTwoSevenths) {
  const double h = 1e-3;
  for (const char* name : kSolvers) {
    SCOPED_TRACE(name);
    expect_ball_rolls_at_five_sevenths(with_formulation(name, h), 2.0 * h, 1e-4);
  }
}

TEST(CoulombNcp, CylinderOnASpringSwingsWithItsRollingInertia) {
  const double m = 0.5, k = 100.0, h = 1e-4;
  for (const char* name : kSolvers) {
    SCOPED_TRACE(name);
    World world(scenes::spring_cylinder(1.0), with_formulation(name, h));
    double x = world.position("x"), before = x;
    while (x > 0.0 && world.time() < 1.0) {
      before = x;
      world.step();
      x = world.position("x");
    }
    const double crossing = world.time() - h * x / (x - before);
    EXPECT_NEAR(crossing, 0.5 * kPi / std::sqrt(k / (1.5 * m)), 1.5 * h);
  }
}

TEST(CoulombNcp, BoxOnABeltReachesItsSpeedUnderConstantAcceleration) {
  const double belt = 1.0, mu = 0.7, h = 1e-3;
  for (const char* name : kSolvers) {
    SCOPED_TRACE(name);
    World world(scenes::conveyor(), with_formulation(name, h));
    while (world.body_velocity("box")[3] < 0.99 * belt && world.time() < 1.0) world.step();
    EXPECT_NEAR(world.time(), 0.99 * belt / (mu * kG), 2.0 * h);
    world.simulate(0.2);
    EXPECT_NEAR(world.body_velocity("box")[3], belt, 1e-5 * belt);
  }
}

TEST(CoulombNcp, FeetOfAPlateShareWeightAndMoment) {
  const double m = 3.0, R = 1.5, Mz = 8.0;
  for (const char* name : kSolvers) {
    SCOPED_TRACE(name);
    WorldOptions options = with_formulation(name);
    options.formulation.dual.tolerance = 1e-10;
    World world(scenes::three_point_plate(), options);
    BodyWrench moment;
    moment.body = world.model().body("plate");
    moment.wrench = (Vec6() << 0.0, 0.0, Mz, 0.0, 0.0, 0.0).finished();
    world.input().wrenches.push_back(moment);
    world.simulate(0.05);
    const StepRecord& r = world.record();
    int feet = 0;
    for (std::size_t p = 0; p < r.collision.pairs.size(); ++p) {
      if (r.contact.places[p].begin < 0) continue;
      ++feet;
      const Vec3 f = contact_force(r, static_cast<int>(p), 0);
      EXPECT_NEAR(std::abs(f.z()), m * kG / 3.0, 1e-6 * m * kG);
      // Three feet have three friction forces too many for a plate; what works on all at once shares evenly.
      if (std::string(name) != "coulomb_ncp+pgs") {
        EXPECT_NEAR(f.head<2>().norm(), Mz / (3.0 * R), 1e-6 * m * kG);
      }
    }
    EXPECT_EQ(feet, 3);
    EXPECT_LT(world.body_velocity("plate").norm(), 1e-8);
  }
}

TEST(CoulombNcp, StackCarriesTheWeightAboveAtEveryLevel) {
  constexpr int kBoxes = 5;
  for (const char* name : {"coulomb_ncp+admm", "coulomb_ncp+staggered"}) {
    SCOPED_TRACE(name);
    World world(scenes::box_stack(kBoxes), with_formulation(name));
    world.simulate(0.5);
    for (int i = 1; i < kBoxes; ++i) {
      const std::string below = "box" + std::to_string(i - 1), above = "box" + std::to_string(i);
      EXPECT_NEAR(force_between(world, below, above).z(), (kBoxes - i) * kG, 1e-4 * kBoxes * kG);
    }
    EXPECT_LT(world.state().v.norm(), 1e-5);
  }
}

TEST(CoulombNcp, ArchStandsAboveTheCriticalFrictionAndFallsBelow) {
  World stands(scenes::arch(9, 0.6), with_formulation("coulomb_ncp+admm"));
  stands.simulate(1.0);
  EXPECT_LT(stands.state().v.norm(), 1e-4);
  World falls(scenes::arch(9, 0.1), with_formulation("coulomb_ncp+admm"));
  falls.simulate(1.0);
  EXPECT_GT(falls.state().v.norm(), 0.1);
}

TEST(CoulombNcp, GripperHoldsWhatFrictionCarriesAndDropsMore) {
  // Two fingers of 10 N at mu 0.5 carry 10 N.
  for (const char* name : kSolvers) {
    SCOPED_TRACE(name);
    scenes::GripperOptions light, heavy;
    light.mass = 0.9;
    heavy.mass = 1.2;
    for (const bool is_heavy : {false, true}) {
      World world(scenes::gripper(is_heavy ? heavy : light), with_formulation(name));
      world.simulate(0.3);
      const double before = world.body_pose("cube").p.z();
      world.simulate(0.2);
      const double fallen = before - world.body_pose("cube").p.z();
      if (is_heavy)
        EXPECT_GT(fallen, 1e-2);
      else
        EXPECT_LT(std::abs(fallen), 1e-6);
    }
  }
}

TEST(CoulombNcp, ImpactOfTwoBallsKeepsMomentumAndLosesWhatRestitutionSays) {
  const double m1 = 1.0, m2 = 3.0, v0 = 2.0, e = 0.6;
  ModelBuilder builder("impact");
  builder.set_gravity(Vec3::Zero());
  ContactMaterial steel;
  steel.restitution = e;
  for (const bool is_first : {true, false}) {
    const std::string name = is_first ? "first" : "second";
    const double r = 0.05, m = is_first ? m1 : m2;
    builder.add_free_body(name, translation(is_first ? -0.2 : 0.0, 0.0, 0.0), Inertia{});
    builder.add_solid(name, name, {}, Sphere{r}, m / (4.0 / 3.0 * kPi * r * r * r));
    builder.set_material(name, steel);
  }
  builder.set_initial_velocity("first", {0.0, 0.0, 0.0, v0, 0.0, 0.0});
  const Model model = builder.build();
  for (const char* name : kSolvers) {
    SCOPED_TRACE(name);
    World world(model, with_formulation(name, 1e-3));
    world.simulate(0.2);
    const double v1 = world.body_velocity("first")[3], v2 = world.body_velocity("second")[3];
    EXPECT_NEAR(m1 * v1 + m2 * v2, m1 * v0, 1e-12);
    EXPECT_NEAR(v2 - v1, e * v0, 1e-5 * v0);
  }
}

TEST(CoulombNcp, LadderLeansAsTheFreeBodyDiagramSays) {
  // A rod of length L at the angle a from the floor, no friction at the wall: N_floor = m g, N_wall =
  // friction at the floor = m g/(2 tan a).
  const double L = 2.0, a = 60.0 * kPi / 180.0, m = 4.0, r = 0.01;
  ModelBuilder builder("ladder");
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.set_material("floor", friction_only(0.8));
  Mat3 turned;  // the wall's normal, its z, along x
  turned.col(0) = Vec3::UnitY();
  turned.col(1) = Vec3::UnitZ();
  turned.col(2) = Vec3::UnitX();
  builder.add_shape("wall", "world", {turned, Vec3(-r, 0.0, 0.0)}, HalfSpace{});
  builder.set_material("wall", friction_only(0.0));
  const Vec3 middle(0.5 * L * std::cos(a), 0.0, r + 0.5 * L * std::sin(a));
  const Inertia rod{m, Vec3::Zero(), Vec3(m * L * L / 12, m * L * L / 12, 1e-3).asDiagonal()};
  Mat3 R;  // the rod's z from its foot on the floor to its head at the wall
  R.col(2) = Vec3(-std::cos(a), 0.0, std::sin(a));
  R.col(1) = Vec3::UnitY();
  R.col(0) = R.col(1).cross(R.col(2));
  builder.add_free_body("ladder", {R, middle}, rod);
  for (const double end : {-1.0, 1.0}) {
    const std::string name = end < 0 ? "foot" : "head";
    builder.add_shape(name, "ladder", translation(0.0, 0.0, end * 0.5 * L), Sphere{r});
    builder.set_material(name, friction_only(end < 0 ? 0.8 : 0.0));
  }
  const Model model = builder.build();
  for (const char* name : kSolvers) {
    SCOPED_TRACE(name);
    WorldOptions options = with_formulation(name);
    options.formulation.dual.tolerance = 1e-9;
    World world(model, options);
    world.simulate(0.1);
    const Vec3 f = world.contact_force("ladder");
    EXPECT_NEAR(f.z(), m * kG, 1e-5 * m * kG);
    EXPECT_NEAR(f.x(), 0.0, 1e-5 * m * kG);
    const StepRecord& r_last = world.record();
    double wall = 0.0;
    for (std::size_t p = 0; p < r_last.collision.pairs.size(); ++p)
      if (r_last.contact.places[p].begin >= 0)
        wall = std::max(wall, std::abs(contact_force(r_last, static_cast<int>(p), 0).x()));
    EXPECT_NEAR(wall, m * kG * L * std::cos(a) / (2.0 * (L * std::sin(a) + r)), 1e-5 * m * kG);
  }
}

}  // namespace
}  // namespace stiction
