// Geometrically implicit contact against closed forms (G; docs/models/geometric.md).

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "scenes/geometric.h"
#include "stiction/base/random.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/output/contact_forces.h"
#include "stiction/simulation/scheme/geometric/residual_check.h"
#include "stiction/simulation/world.h"
#include "test/base/allocation_counter.h"

namespace stiction {
namespace {

constexpr double kGravity = 9.81;  // m/s^2

WorldOptions with_formulation(const char* name, double h) {
  WorldOptions options;
  options.h = h;
  set_formulation(name, &options.formulation.contact);
  return options;
}

WorldOptions geometric(double h) { return with_formulation("geometric_ncp", h); }

ContactMaterial material_of(double mu, double restitution = 0.0) {
  ContactMaterial material;
  material.static_friction = mu;
  material.restitution = restitution;
  return material;
}

// A shape on a floor that is tilted about y by `slope`; downhill is +x.
Model body_on_slope(const Shape& shape, const Inertia& inertia, double height, double slope, double mu,
                    double restitution = 0.0, const Mat3& R_SB = Mat3::Identity()) {
  ModelBuilder builder("body");
  const Mat3 R = rotation_about<double>(Vec3::UnitY(), slope);
  builder.add_shape("floor", "world", {R, Vec3::Zero()}, HalfSpace{});
  builder.set_material("floor", material_of(mu, restitution));
  builder.add_free_body("body", {R * R_SB, R * Vec3(0.0, 0.0, height)}, inertia);
  builder.add_shape("body", "body", {}, shape);
  builder.set_material("body", material_of(mu, restitution));
  return builder.build();
}

double energy(const World& world) { return world.energies().total(); }

TEST(GeometricContact, DiscRollsWithoutLosingEnergy) {
  World world(scenes::rolling_disc(), geometric(0.01));
  world.simulate(5.0);
  EXPECT_NEAR(world.velocity("x"), -3.0, 1e-9);
  EXPECT_NEAR(world.position("x"), -15.0, 1e-8);
}

TEST(GeometricContact, FallingBallComesToRestTouchingTheFloor) {
  World world(body_on_slope(Sphere{0.1}, solid_sphere(1.0, 0.1), 0.3, 0.0, 0.5), geometric(0.01));
  constexpr double kYields = 1e-10;  // m: 1e-9 h times the velocity that the impact takes
  for (int i = 0; i < 100; ++i) {
    world.step();
    EXPECT_GT(world.body_pose("body").p.z(), 0.1 - kYields);
  }
  EXPECT_NEAR(world.body_pose("body").p.z(), 0.1, kYields);
  EXPECT_NEAR(world.contact_force("body").z(), kGravity, 1e-8);
}

TEST(GeometricContact, BallRollsDownASlopeAtFiveSeventhsOfTheSlide) {
  const double slope = 0.2, time = 1.0, h = 0.01;
  World world(body_on_slope(Sphere{0.1}, solid_sphere(1.0, 0.1), 0.1, slope, 0.5), geometric(h));
  world.simulate(time);
  const Vec3 downhill(std::cos(slope), 0.0, -std::sin(slope));
  EXPECT_NEAR(downhill.dot(world.body_velocity("body").tail<3>()),
              5.0 / 7.0 * kGravity * std::sin(slope) * time, 1e-8);
}

TEST(GeometricContact, BoxOnASlopeSticksBelowTheFrictionAngleAndSlidesAboveIt) {
  const double mu = 0.5, time = 0.5;
  const Vec3 half(0.1, 0.1, 0.05);
  for (const double slope : {0.9 * std::atan(mu), 1.1 * std::atan(mu)}) {
    World world(body_on_slope(Box{half}, solid_box(1.0, half), half.z(), slope, mu), geometric(0.01));
    world.simulate(time);
    const Vec3 downhill(std::cos(slope), 0.0, -std::sin(slope));
    const double pull = std::max(0.0, std::sin(slope) - mu * std::cos(slope));
    EXPECT_NEAR(downhill.dot(world.body_velocity("body").tail<3>()), kGravity * pull * time, 1e-7) << slope;
  }
}

TEST(GeometricContact, BouncesByItsRestitution) {
  const double e = 0.6, fall = 0.4;
  World world(body_on_slope(Sphere{0.1}, solid_sphere(1.0, 0.1), 0.1 + fall, 0.0, 0.0, e), geometric(1e-4));
  double highest = 0.0;
  bool has_bounced = false;
  while (world.time() < 0.7) {
    world.step();
    has_bounced = has_bounced || world.body_velocity("body")[5] > 0.0;
    if (has_bounced) highest = std::max(highest, world.body_pose("body").p.z() - 0.1);
  }
  // The impact is seen one step early or late: h v of height.
  EXPECT_NEAR(highest, e * e * fall, 2e-4 * std::sqrt(2.0 * kGravity * fall));
}

// A ball that flies off the edge of a box: above the plane of its upper face at the start of the step, below
// it and beside the box at the end. The plane stops it, the box does not. Its centre keeps 20.8 mm and more
// from the edge all the way.
TEST(GeometricContact, BallPassingASharpEdgeIsNotStopped) {
  constexpr double kRadius = 0.02, kStep = 0.02;
  ModelBuilder builder("corner");
  builder.set_gravity(Vec3::Zero());
  builder.add_shape("box", "world", {}, Box{Vec3(0.5, 0.5, 0.5)});
  builder.add_free_body("ball", translation(0.499, 0.0, 0.521), solid_sphere(1.0, kRadius));
  builder.add_shape("ball", "ball", {}, Sphere{kRadius});
  const Vec3 v(1.5, 0.0, -0.2);
  builder.set_initial_velocity("ball", {0.0, 0.0, 0.0, v.x(), v.y(), v.z()});
  const Model model = builder.build();
  World implicit(model, geometric(kStep)), lcp(model, with_formulation("pyramid_lcp", kStep));
  implicit.step();
  lcp.step();
  EXPECT_NEAR((implicit.body_velocity("ball").tail<3>() - v).norm(), 0.0, 1e-9);
  // The gap of 1 mm may close, and no more.
  EXPECT_GT(lcp.body_velocity("ball")[5], -0.001 / kStep - 1e-6);
}

TEST(GeometricContact, EllipsoidAndCylinderRollAHundredMetresWithoutLosingEnergy) {
  const double h = 0.01, speed = 2.0, radius = 0.1;
  const Mat3 lying = rotation_about<double>(Vec3::UnitX(), std::numbers::pi / 2.0);
  const Vec3 radii(radius, radius, 0.15);
  const std::pair<Shape, Inertia> shapes[] = {{Ellipsoid{radii}, solid_ellipsoid(1.0, radii)},
                                              {Cylinder{radius, 0.2}, solid_cylinder(1.0, radius, 0.2)}};
  for (const auto& [shape, inertia] : shapes) {
    SCOPED_TRACE(name_of(shape));
    World world(body_on_slope(shape, inertia, radius, 0.0, 0.5, 0.0, lying), geometric(h));
    Vec6 V = Vec6::Zero();
    V[1] = speed / radius;
    V[3] = speed;
    world.set_body_velocity("body", V);
    const double before = energy(world);
    world.simulate(100.0 / speed);
    EXPECT_NEAR(world.body_pose("body").p.x(), 100.0, 1e-3);
    EXPECT_NEAR(energy(world) / before, 1.0, 1e-6);
  }
}

// Two ways to the same motion: the error of either scheme is of first order.
TEST(GeometricContact, ExplicitAndImplicitGeometryAgreeAsTheStepFalls) {
  const Vec3 radii(0.1, 0.15, 0.08);
  std::vector<double> apart;
  for (const double h : {4e-3, 2e-3, 1e-3, 5e-4}) {
    World worlds[] = {
        World(body_on_slope(Ellipsoid{radii}, solid_ellipsoid(1.0, radii), 0.1, 0.1, 0.5), geometric(h)),
        World(body_on_slope(Ellipsoid{radii}, solid_ellipsoid(1.0, radii), 0.1, 0.1, 0.5),
              with_formulation("coulomb_ncp", h))};
    for (World& world : worlds) {
      world.options().formulation.dual.tolerance = 1e-10;
      world.simulate(0.4);
    }
    apart.push_back((worlds[0].body_pose("body").p - worlds[1].body_pose("body").p).norm());
  }
  EXPECT_LT(apart[3], 0.3 * apart[0]);
  EXPECT_LT(apart[3], 1e-3);
}

// Of the step that led from `now` to where the world is.
GeometricResidual residual_of_step(const World& world, const State& now) {
  return check_geometric_residual(world.model(), now, world.options().formulation, world.record(),
                                  world.state());
}

void expect_small(const GeometricResidual& residual) {
  EXPECT_LT(residual.overlap, 1e-9);
  EXPECT_LT(residual.complementarity, 1e-9);
  EXPECT_LT(residual.points, 1e-9);
  EXPECT_LT(residual.pull, 1e-9);
  EXPECT_LT(residual.cone, 1e-9);
  EXPECT_LT(residual.moment, 1e-9);
  EXPECT_LT(residual.dissipation, 1e-9);
  EXPECT_LT(residual.stick, 1e-9);
  EXPECT_LT(residual.slip, 1e-9);
  EXPECT_LT(residual.layer, 1e-9);
  EXPECT_LT(residual.rows, 1e-9);
  EXPECT_LT(residual.motion, 1e-12);
  EXPECT_LT(residual.momentum, 1e-9);
}

// Random bodies that fall on each other, with a residual check at the end of every step.
TEST(GeometricContact, StepsPassTheResidualCheckAtTheirEnd) {
  Random random(5);
  int checked = 0, steps = 0;
  for (int scene = 0; scene < 5; ++scene) {
    ModelBuilder builder("drop");
    builder.add_shape("floor", "world", {}, HalfSpace{});
    for (int i = 0; i < 3; ++i) {
      const std::string name = "body" + std::to_string(i);
      const Vec3 radii(random.uniform(0.05, 0.1), random.uniform(0.05, 0.1), random.uniform(0.05, 0.1));
      const Vec3 p(random.uniform(-0.03, 0.03), random.uniform(-0.03, 0.03), 0.12 + 0.22 * i);
      builder.add_free_body(name, translation(p), solid_ellipsoid(1.0, radii));
      builder.add_shape(name, name, {}, Ellipsoid{radii});
    }
    World world(builder.build(), geometric(5e-3));
    for (int i = 0; i < 200; ++i) {
      const State now = world.state();
      world.step();
      const GeometricReport& report = world.record().report.geometric;
      EXPECT_EQ(report.fallbacks, 0);
      ++steps;
      if (report.halvings > 0 || report.relaxed > 0) continue;
      ++checked;
      SCOPED_TRACE(testing::Message() << scene << " " << i);
      expect_small(residual_of_step(world, now));
    }
  }
  // Few are halved or keep some proximal regularisation.
  EXPECT_GT(checked, 0.99 * steps);
}

// The residual check includes belts, anisotropic friction, friction that falls with speed, and moving bodies:
// a puck that spins and slides on a belt which rises.
TEST(GeometricContact, StepsOnAMovingBeltWithAFrictionDirectionPassTheResidualCheck) {
  constexpr double kRise = 0.3, kStep = 2e-3;  // m/s, s
  ModelBuilder builder("belt");
  ContactMaterial material = material_of(0.5);
  material.dynamic_friction = 0.3;
  material.anisotropy_ratio = 0.6;
  material.friction_direction = Vec3(0.6, 0.8, 0.0);
  material.torsional_friction = 0.005;
  builder.add_kinematic_body("table", {});
  builder.add_shape("belt", "table", {}, HalfSpace{});
  builder.set_material("belt", material);
  builder.set_surface_velocity("belt", Vec3(0.4, 0.0, 0.0));
  const Vec3 radii(0.2, 0.2, 0.1);
  builder.add_free_body("puck", translation(0.0, 0.0, radii.z()), solid_ellipsoid(1.0, radii));
  builder.add_shape("puck", "puck", {}, Ellipsoid{radii});
  builder.set_material("puck", material);
  builder.set_initial_velocity("puck", {0.0, 0.0, 3.0, 0.2, -0.5, kRise});
  World world(builder.build(), geometric(kStep));
  Vec6 V = Vec6::Zero();
  V[5] = kRise;
  for (int i = 0; i < 300; ++i) {
    world.set_kinematic_motion("table", translation(0.0, 0.0, kRise * kStep * i), V);
    const State now = world.state();
    world.step();
    ASSERT_EQ(world.record().geometric_contacts.size(), 1u);
    SCOPED_TRACE(i);
    expect_small(residual_of_step(world, now));
  }
}

// In the second half of a step, too: a ball on a plate that rises keeps its speed. No solve is good
// enough here, so that every step is taken in eighths with the explicit geometry.
TEST(GeometricContact, PrescribedMotionsGoOnInStepsTakenInHalves) {
  constexpr double kRise = 1.0, kStep = 0.01, kRadius = 0.1;  // m/s, s, m
  ModelBuilder builder("plate");
  builder.add_kinematic_body("plate", {});
  builder.add_shape("plate", "plate", {}, HalfSpace{});
  builder.add_free_body("ball", translation(0.0, 0.0, kRadius), solid_sphere(1.0, kRadius));
  builder.add_shape("ball", "ball", {}, Sphere{kRadius});
  builder.set_initial_velocity("ball", {0.0, 0.0, 0.0, 0.0, 0.0, kRise});
  WorldOptions options = geometric(kStep);
  options.formulation.geometric.tolerance = 0.0;
  options.formulation.geometric.max_iterations = 1;
  World world(builder.build(), options);
  Vec6 V = Vec6::Zero();
  V[5] = kRise;
  world.set_kinematic_motion("plate", {}, V);
  world.step();
  EXPECT_EQ(world.record().report.geometric.halvings, 7);
  EXPECT_NEAR(world.body_velocity("ball")[5], kRise, 1e-6);
  EXPECT_NEAR(world.body_pose("ball").p.z(), kRadius + kRise * kStep, 1e-8);
}

// A triangle of balls, each on two, whose lowest row slowly rolls apart. The floor carries what gravity and
// the change of momentum ask for.
TEST(GeometricContact, WallOfBallsIsSolvedWithoutHalvings) {
  constexpr int kRows = 5;
  constexpr double kRadius = 0.1, kApart = 2.04 * kRadius, kMass = 1.0, kStep = 1e-3;
  const double rise = std::sqrt(4.0 * kRadius * kRadius - 0.25 * kApart * kApart);
  ModelBuilder builder("wall");
  builder.add_shape("floor", "world", {}, HalfSpace{});
  for (int k = 0; k < kRows; ++k) {
    for (int i = 0; i < kRows - k; ++i) {
      const std::string name = "ball" + std::to_string(k) + "_" + std::to_string(i);
      builder.add_free_body(name, translation(kApart * (i + 0.5 * k), 0.0, kRadius + rise * k),
                            solid_sphere(kMass, kRadius));
      builder.add_shape(name, name, {}, Sphere{kRadius});
    }
  }
  World world(builder.build(), geometric(kStep));
  const auto momentum = [&] {
    double sum = 0.0;
    for (int b = 1; b < static_cast<int>(world.model().forest.bodies.size()); ++b)
      sum += kMass * world.body_velocity(world.model().forest.bodies[b].name)[5];
    return sum;
  };
  constexpr double kWeight = kMass * kGravity * kRows * (kRows + 1) / 2;
  for (int i = 0; i < 20; ++i) {
    const double before = momentum();
    world.step();
    const GeometricReport& report = world.record().report.geometric;
    EXPECT_EQ(report.halvings, 0);
    EXPECT_EQ(report.fallbacks, 0);
    EXPECT_NEAR(static_contact_force(world.model(), world.record()).z(),
                kWeight + (momentum() - before) / kStep, 1e-8 * kWeight);
  }
}

// The record says both: points where the step began, forces where it ended.
TEST(GeometricContact, ForcesActAtTheEndOfTheStepAndPointsStayAtItsStart) {
  const double h = 0.01, radius = 0.1, speed = 2.0;
  World world(body_on_slope(Sphere{radius}, solid_sphere(1.0, radius), radius, 0.0, 0.5), geometric(h));
  Vec6 V = Vec6::Zero();
  V[1] = speed / radius;
  V[3] = speed;
  world.set_body_velocity("body", V);
  world.step();
  ASSERT_EQ(world.record().geometric_contacts.size(), 1u);
  EXPECT_NEAR(world.record().collision.points.at(0).p_A.x(), 0.0, 1e-9);
  const std::vector<ContactForce> forces = contact_forces(world.record());
  ASSERT_EQ(forces.size(), 1u);
  EXPECT_NEAR(forces[0].p_W.x(), h * speed, 1e-9);
  EXPECT_NEAR(forces[0].force.z(), kGravity, 1e-8);
}

TEST(GeometricContact, TorsionalFrictionStopsASpinningBall) {
  const double lever = 0.02, radius = 0.1, spin = 10.0, mu = 0.5, h = 1e-3, time = 0.1;
  ModelBuilder builder("top");
  ContactMaterial material = material_of(mu);
  material.torsional_friction = mu * lever;
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.set_material("floor", material);
  builder.add_free_body("ball", translation(0.0, 0.0, radius), solid_sphere(1.0, radius));
  builder.add_shape("ball", "ball", {}, Sphere{radius});
  builder.set_material("ball", material);
  builder.set_initial_velocity("ball", {0.0, 0.0, spin, 0.0, 0.0, 0.0});
  World world(builder.build(), geometric(h));
  world.simulate(time);
  const double moment = mu * lever * kGravity, inertia = 0.4 * radius * radius;
  EXPECT_NEAR(world.body_velocity("ball")[2], spin - moment / inertia * time, 1e-6);
}

// A box (the contact's A, so that k of G eq. 28 is one of its faces) that is thrown on the floor and turns by up to
// some radians a step: the face that meets the floor at the end is often not that of the initial guess, and with the
// wrong one there is no solution.
TEST(GeometricContact, ChoosingTheFaceAgainSolvesStepsThatAreLostWithTheFirstChoice) {
  constexpr int kBoxes = 150, kSteps = 4;
  constexpr double kStep = 0.05, kSpin = 20.0;  // s, rad/s
  int lost[2] = {}, chosen_again = 0;
  for (int seed = 1; seed <= kBoxes; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const auto vector = [&random] { return Vec3(random.normal(), random.normal(), random.normal()); };
    ModelBuilder builder("thrown");
    const Vec3 half(0.1, 0.07, 0.05);
    const Mat3 R = rotation_about<double>(vector().normalized(), random.uniform(0.0, 3.0));
    builder.add_free_body("box", {R, Vec3(0.0, 0.0, 0.15)}, solid_box(1.0, 2.0 * half));
    builder.add_shape("box", "box", {}, Box{half});
    builder.add_shape("floor", "world", {}, HalfSpace{});
    for (const char* name : {"box", "floor"}) builder.set_material(name, material_of(0.5));
    const Vec3 w = kSpin * vector(), v = 0.3 * vector();
    builder.set_initial_velocity("box", {w.x(), w.y(), w.z(), v.x(), v.y(), -1.0});
    const Model model = builder.build();
    for (const int choices : {0, 3}) {
      WorldOptions options = geometric(kStep);
      options.formulation.geometric.most_choices = choices;
      options.formulation.geometric.most_halvings = 0;
      World world(model, options);
      for (int i = 0; i < kSteps; ++i) {
        const State now = world.state();
        world.step();
        const GeometricReport& report = world.record().report.geometric;
        chosen_again += report.chosen_again;
        if (report.fallbacks > 0) {
          ++lost[choices == 0 ? 0 : 1];
          break;
        }
        if (report.chosen_again == 0) continue;
        SCOPED_TRACE(seed);
        expect_small(residual_of_step(world, now));
      }
    }
  }
  EXPECT_GT(chosen_again, 0);
  EXPECT_GT(lost[0], kBoxes / 10);
  EXPECT_LT(lost[1], 0.85 * lost[0]);
}

// A ball slides without friction over the top of a fixed one, centres r + R = D apart, at v with v^2/D < g. With the
// contact point of the start, the first step leads along the tangent, to a gap of sqrt(D^2 + (h v)^2) - D; with that
// of the end there is none.
TEST(GeometricContact, ExplicitGeometryLeavesTheCurvatureOfAStep) {
  constexpr double kSmall = 0.2, kLarge = 0.8, kSpeed = 1.0, kStep = 0.02;
  ModelBuilder builder("over the top");
  builder.add_shape("large", "world", {}, Sphere{kLarge});
  builder.add_free_body("small", translation(0.0, 0.0, kSmall + kLarge), solid_sphere(1.0, kSmall));
  builder.add_shape("small", "small", {}, Sphere{kSmall});
  for (const char* name : {"large", "small"}) builder.set_material(name, material_of(0.0));
  builder.set_initial_velocity("small", {0.0, 0.0, 0.0, kSpeed, 0.0, 0.0});
  const Model model = builder.build();
  const auto gap = [&](const char* formulation) {
    World world(model, with_formulation(formulation, kStep));
    world.step();
    return world.body_pose("small").p.norm() - (kSmall + kLarge);
  };
  const double distance = kSmall + kLarge;
  const double expected = std::hypot(distance, kStep * kSpeed) - distance;
  EXPECT_NEAR(gap("coulomb_ncp"), expected, 1e-6 * expected);
  EXPECT_NEAR(gap("geometric_ncp"), 0.0, 1e-10);
}

TEST(GeometricContact, StepsAllocateNothing) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  const std::pair<Model, const char*> scenes[] = {{scenes::sphere_on_two_spheres(), "geometric_ncp"},
                                                  {scenes::gear_in_jaws_at_sweet_spot(), "geometric_ncp"},
                                                  {scenes::disc_on_shallow_layer(), "geometric_quasi_rigid"}};
  for (const auto& [model, formulation] : scenes) {
    SCOPED_TRACE(model.name);
    World world(model, with_formulation(formulation, 1e-3));
    world.simulate(0.345);
    for (int i = 0; i < 5; ++i) world.step();
    const AllocationCounter counter;
    for (int i = 0; i < 10; ++i) world.step();
    EXPECT_EQ(counter.count(), 0);
  }
}

TEST(GeometricContact, StepsAreTheSameBitsFromTheSameState) {
  World a(scenes::superellipsoids_in_bowl(), geometric(5e-3)),
      b(scenes::superellipsoids_in_bowl(), geometric(5e-3));
  a.simulate(0.3);
  b.simulate(0.3);
  EXPECT_EQ(hash(a.state()), hash(b.state()));
}

TEST(GeometricContact, WhatIsThrownAtTheFloorWithinAStepStaysAboveIt) {
  // A light ball at rest, 0.1 m above the floor, is hit from above by a heavy one at 8 m/s: at h = 20 ms
  // it would be below the floor at the end of that step, though nothing moved towards it at its start.
  ModelBuilder builder("thrown");
  builder.set_gravity(Vec3::Zero());
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_free_body("light", translation(0.0, 0.0, 0.15), solid_sphere(0.01, 0.05));
  builder.add_shape("light", "light", {}, Sphere{0.05});
  builder.add_free_body("heavy", translation(0.0, 0.0, 0.35), solid_sphere(10.0, 0.1));
  builder.add_shape("heavy", "heavy", {}, Sphere{0.1});
  builder.set_initial_velocity("heavy", {0.0, 0.0, 0.0, 0.0, 0.0, -8.0});
  World world(builder.build(), geometric(0.02));
  for (int i = 0; i < 5; ++i) {
    world.step();
    EXPECT_GT(world.body_pose("light").p.z(), 0.05 - 1e-9) << i;
    EXPECT_GT(world.body_pose("heavy").p.z() - world.body_pose("light").p.z(), 0.15 - 1e-9) << i;
  }
}

}  // namespace
}  // namespace stiction
