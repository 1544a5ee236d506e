// The energy of the layers of geometric_quasi_rigid: a ball of 1 kg on slides over a soft floor, against closed forms.

#include "stiction/simulation/scheme/geometric/layers.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

constexpr double kGravity = 9.81, kRadius = 0.1, kMass = 1.0;  // m/s^2, m, kg
constexpr double kStep = 1e-3;                                 // s
// Relative: what the solver's tolerance, 1e-12 of speeds and lengths, leaves of an energy after some hundred steps.
constexpr double kSolved = 1e-8;
// The same of what the books of a step miss, relative to entries that may be 1e-4 of the energies.
constexpr double kClosed = 1e-9;

struct Floor {
  double stiffness = 1000.0;     // N/m
  double relaxation_time = 0.0;  // s
  double max_deflection = std::numeric_limits<double>::infinity();
};

// The ball just touches the floor.
World ball_on(const Floor& floor) {
  ModelBuilder builder("ball");
  builder.add_shape("floor", "world", {}, HalfSpace{});
  ContactMaterial soft;
  soft.static_friction = 0.5;
  soft.stiffness = floor.stiffness;
  soft.relaxation_time = floor.relaxation_time;
  if (std::isfinite(floor.max_deflection)) soft.max_deflection = floor.max_deflection;
  builder.set_material("floor", soft);
  builder.add_body("ball", "world", translation(0.0, 0.0, kRadius), solid_sphere(kMass, kRadius));
  for (const auto& [name, axis] :
       {std::pair("x", Vec3(Vec3::UnitX())), std::pair("z", Vec3(Vec3::UnitZ()))}) {
    Joint slide;
    slide.name = name;
    slide.type = JointType::prismatic;
    slide.axis = axis;
    builder.add_joint("ball", slide);
  }
  builder.add_shape("ball", "ball", {}, Sphere{kRadius});
  ContactMaterial hard;
  hard.static_friction = 0.5;
  builder.set_material("ball", hard);
  WorldOptions options;
  options.h = kStep;
  set_formulation("geometric_quasi_rigid", &options.formulation.contact);
  set_tolerance(1e-12, &options.formulation);
  return World(builder.build(), options);
}

double deflection(const World& world) { return -world.position("z"); }

// About the rest position, m g/k deep, implicit Euler takes the energy of an oscillation down by the factor
// 1/(1 + k h^2/m) in each step, in the end exp(-k h t/m): 1/2 m dv^2 by the mass, 1/2 k dx^2 by the spring.
TEST(LayerEnergy, OfABlockThatSwingsDecaysAsThatOfImplicitEuler) {
  constexpr double k = 1000.0;
  constexpr int kSteps = 300;
  World world = ball_on({.stiffness = k});
  const double swing =
      0.5 * std::pow(kMass * kGravity, 2) / k;  // J, at the start; 1/2 k x^2 at the rest position
  const double start = world.energies().total();
  double springs = 0.0, velocities = 0.0, normal = 0.0, dampers = 0.0, solver = 0.0, geometry = 0.0;
  for (int i = 1; i <= kSteps; ++i) {
    const double d0 = deflection(world), v0 = world.velocity("z");
    world.step();
    const double d = deflection(world), v = world.velocity("z");
    const EnergyBooks books = world.energy_books();
    EXPECT_GT(d, 0.0);
    EXPECT_NEAR(books.after.contacts, 0.5 * k * d * d, kSolved * swing);
    EXPECT_NEAR(world.energies().contacts, 0.5 * k * d * d, kSolved * swing);
    EXPECT_NEAR(books.numerical.contacts, 0.5 * k * std::pow(d - d0, 2), kSolved * swing);
    EXPECT_NEAR(books.numerical.velocities, 0.5 * kMass * std::pow(v - v0, 2), kSolved * swing);
    EXPECT_NEAR(books.numerical.geometry, 0.0, kSolved * swing);
    EXPECT_LE(books.relative_error(), kClosed);
    const double left = std::pow(1.0 + k * kStep * kStep / kMass, -i);
    EXPECT_NEAR(books.after.total() - start, swing * (left - 1.0), kSolved * swing);
    springs += books.numerical.contacts;
    velocities += books.numerical.velocities;
    normal += std::abs(books.dissipated.contact_normal);
    dampers += std::abs(books.dissipated.layer_dampers);
    solver += std::abs(books.numerical.solver);
    geometry += books.numerical.geometry;
  }
  const double lost = start - world.energies().total();
  EXPECT_NEAR(lost / swing, 1.0 - std::exp(-k * kStep * kSteps * kStep / kMass), 1e-3);  // k h^2/m
  // geometry: gaps within the tolerance, in every step.
  EXPECT_NEAR(springs + velocities + geometry, lost, kSolved * swing);
  EXPECT_NEAR(geometry, 0.0, kSteps * 1e-12 * 2.0 * kMass * kGravity);
  EXPECT_GT(springs, 0.3 * lost);
  EXPECT_EQ(normal, 0.0);
  EXPECT_EQ(dampers, 0.0);
  EXPECT_LE(solver, kSolved * swing);
}

TEST(LayerEnergy, OfADampedBlockGoesIntoTheDamperOfTheLayer) {
  constexpr double k = 1000.0, kTau = 0.02;
  World world = ball_on({.stiffness = k, .relaxation_time = kTau});
  const double size = 0.5 * std::pow(kMass * kGravity, 2) / k;  // J
  double damped = 0.0;
  for (int i = 0; i < 1500; ++i) {  // 15 times the time in which the swing decays by e
    const double d0 = deflection(world);
    world.step();
    const double d = deflection(world);
    const EnergyBooks books = world.energy_books();
    EXPECT_NEAR(books.dissipated.layer_dampers, k * kTau * std::pow(d - d0, 2) / kStep, kSolved * size);
    EXPECT_EQ(books.dissipated.contact_normal, 0.0);
    EXPECT_LE(books.relative_error(), kClosed);
    damped += books.dissipated.layer_dampers;
  }
  // At rest it has stored half of m g times m g/k, and the damper has nearly all of the other half.
  EXPECT_NEAR(world.energies().contacts, size, 1e-5 * size);
  EXPECT_GT(damped, 0.5 * size);
}

TEST(LayerEnergy, WhatTheCoreStopsIsContactNormal) {
  constexpr double k = 1000.0, kDepth = 2.5e-3, kSpeed = 1.0;  // N/m, m, m/s
  World world = ball_on({.stiffness = k, .max_deflection = kDepth});
  world.set_velocity("z", -kSpeed);
  const double size = 0.5 * kMass * kSpeed * kSpeed;
  double stopped = 0.0;
  for (int i = 0; i < 10; ++i) {
    const double d0 = deflection(world), v0 = world.velocity("z");
    world.step();
    const double d = deflection(world), v = world.velocity("z");
    const double p = kMass * (v - v0 + kStep * kGravity);
    const EnergyBooks books = world.energy_books();
    const bool is_flat = d > kDepth - 1e-9;
    const double core = is_flat ? p - kStep * k * kDepth : 0.0;
    EXPECT_NEAR(books.dissipated.contact_normal, core * (d - d0) / kStep, kSolved * size);
    EXPECT_NEAR(books.after.contacts, 0.5 * k * d * d, kSolved * size);
    EXPECT_LE(books.relative_error(), kClosed);
    stopped += books.dissipated.contact_normal;
  }
  EXPECT_GT(stopped, 0.1 * size);
  EXPECT_NEAR(world.energies().contacts, 0.5 * k * kDepth * kDepth, kSolved * size);
}

// A push below the limit of friction goes into the shear of the layer, not into friction.
TEST(LayerEnergy, HoldsTheWorkOfASidewaysPushInShear) {
  constexpr double k = 1e4, kPush = 2.0, kTau = 0.02;  // N/m, N, s
  World world = ball_on({.stiffness = k, .relaxation_time = kTau});
  world.simulate(1.0);
  world.set_joint_force("x", kPush);
  double pushed = 0.0, friction = 0.0, dampers = 0.0;
  for (int i = 0; i < 1000; ++i) {
    world.step();
    const EnergyBooks books = world.energy_books();
    EXPECT_LE(books.relative_error(), kClosed);
    pushed += books.work.applied;
    friction += std::abs(books.dissipated.contact_friction);
    dampers += books.dissipated.layer_dampers;
  }
  const double weight = kMass * kGravity, normal = 0.5 * weight * weight / k, shear = 0.5 * kPush * kPush / k;
  // It stands within 1e-8 m of 0.2 mm; what sticks creeps by 1e-9 of a speed.
  EXPECT_NEAR(pushed, 2.0 * shear, 2e-4 * shear);
  EXPECT_NEAR(world.energies().contacts, normal + shear, 2e-4 * shear);
  EXPECT_LE(friction, 1e-5 * pushed);
  EXPECT_GT(dampers, 0.1 * pushed);
  // It is part of the state.
  World other(world.model(), world.options());
  other.set_state(world.state());
  EXPECT_EQ(other.energies().contacts, world.energies().contacts);
  State forgotten = world.state();
  forgotten.memory.deflections.clear();
  other.set_state(forgotten);
  EXPECT_EQ(other.energies().contacts, 0.0);
}

// With two layers and full matrices: the sum of 1/2 d' K d of the deflections in the record.
TEST(LayerEnergy, OfMatricesIsThatOfTheDeflectionsOfBothShapes) {
  World plain = ball_on({.stiffness = 3000.0});
  WorldOptions options = plain.options();
  QuasiRigidLayer floor, ball;
  floor.shape = 0;
  floor.K << 3000.0, 200.0, 0.0, 200.0, 1000.0, -100.0, 0.0, -100.0, 2000.0;
  floor.C = 0.02 * floor.K;
  ball.shape = 1;
  ball.K = Vec3(5000.0, 4000.0, 4000.0).asDiagonal();
  ball.C = 0.01 * ball.K;
  options.formulation.geometric.layers = {floor, ball};
  World world(plain.model(), options);
  world.set_joint_force("x", 1.0);
  for (int i = 0; i < 200; ++i) {
    world.step();
    const GeometricContact& contact = world.record().geometric_contacts.at(0);
    const bool is_swapped = world.record().collision.pairs[contact.pair].shape_A != 0;
    const Vec3& of_floor = is_swapped ? contact.deflection_B : contact.deflection_A;
    const Vec3& of_ball = is_swapped ? contact.deflection_A : contact.deflection_B;
    const double expected = 0.5 * of_floor.dot(floor.K * of_floor) + 0.5 * of_ball.dot(ball.K * of_ball);
    const EnergyBooks books = world.energy_books();
    EXPECT_NEAR(books.after.contacts, expected, 1e-9 * expected + 1e-15);
    EXPECT_LE(books.relative_error(), kClosed);
  }
  EXPECT_GT(world.energies().contacts, 0.01);
}

}  // namespace
}  // namespace stiction
