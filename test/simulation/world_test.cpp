#include "stiction/simulation/world.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "stiction/base/check.h"
#include "stiction/multibody/forward_dynamics.h"
#include "stiction/simulation/model/model_builder.h"
#include "test/base/allocation_counter.h"

namespace stiction {
namespace {

TEST(World, AllocatesNothingInAStepOfAnyScheme) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  for (const char* name : {"humanoid", "all_joints_free", "free_bodies_and_arms", "chain"}) {
    for (const Scheme* scheme : scheme_list()) {
      SCOPED_TRACE(std::string(name) + " " + scheme->name());
      WorldOptions options;
      options.h = 1e-4;
      options.formulation.scheme = scheme;
      World world(make_scene(name), options);
      world.input().wrenches.push_back({1, Vec3(0, 0, 1), Vec6::Ones()});
      world.step();
      const AllocationCounter counter;
      for (int i = 0; i < 10; ++i) world.step();
      EXPECT_EQ(counter.count(), 0);
    }
  }
}

TEST(Dynamics, AllocateNothingAfterConstruction) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  const Model model = make_scene("all_joints_free");
  const Forest& forest = model.forest;
  Kinematics kinematics(forest);
  MassMatrix mass(forest);
  NodeForces forces(forest);
  ArticulatedBodies bodies(forest);
  InverseDynamicsDerivatives inverse(forest);
  ForwardDynamicsDerivatives forward(forest);
  AlignedVector<double> poses(16 * forest.bodies.size());
  VecX x = VecX::Ones(model.num_v());
  const VecX v = x, q = model.q0;
  const AllocationCounter counter;
  compute_positions(forest, q.data(), &kinematics);
  compute_velocities(forest, v.data(), &kinematics);
  compute_body_poses(forest, kinematics, &poses);
  compute_mass_matrix(forest, kinematics, &mass);
  factorise(forest, nullptr, &mass);
  solve(forest, mass, x.data());
  compute_bias(forest, kinematics, &forces, x.data());
  inverse_dynamics(forest, kinematics, v.data(), &forces, x.data());
  eliminate(forest, kinematics, nullptr, &bodies);
  solve(forest, kinematics, &bodies, x.data());
  inverse_dynamics_derivatives(forest, kinematics, v.data(), &inverse);
  forward_dynamics_derivatives(forest, inverse, mass, &forward);
  EXPECT_EQ(counter.count(), 0);
}

TEST(World, EndsExactlyAtTheTimeAsked) {
  World world(make_scene("pendulum"));
  world.options().h = 0.03;
  world.simulate(1.0);
  EXPECT_EQ(world.time(), 1.0);
}

TEST(World, ForcesOnJointsAndWrenchesOnBodiesPush) {
  // 1 m from the hinge along x, a force of 3 N along -z turns about +y with 3 N m.
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  builder.add_body("rod", "world", {}, Inertia{1.0, Vec3::Zero(), 0.5 * Mat3::Identity()});
  builder.add_joint("rod", {.name = "hinge", .axis = Vec3::UnitY()});
  const Model model = builder.build();
  for (const Scheme* scheme : scheme_list()) {
    WorldOptions options;
    options.h = 1e-3;
    options.formulation.scheme = scheme;
    World by_joint(model, options), by_wrench(model, options);
    by_joint.set_joint_force("hinge", 3.0);
    by_wrench.input().wrenches = {{1, Vec3(1, 0, 0), stack<double>(Vec3::Zero(), Vec3(0, 0, -3))}};
    by_joint.step();
    by_wrench.step();
    EXPECT_NEAR(by_joint.velocity("hinge"), 3.0 / 0.5 * 1e-3, 1e-15) << scheme->name();
    EXPECT_NEAR(by_wrench.velocity("hinge"), 3.0 / 0.5 * 1e-3, 1e-9) << scheme->name();
  }
}

TEST(World, PosesAndVelocitiesOfAFreeBodyAreThoseOfItsOrigin) {
  ModelBuilder builder;
  Inertia inertia = solid_sphere(1.0, 0.1);
  inertia.com = Vec3(0.2, 0.0, 0.1);
  builder.add_free_body("ball", {}, inertia);
  World world(builder.build());
  const Pose X{rotation_about<double>(Vec3::UnitZ(), 0.7), Vec3(1, 2, 3)};
  const Vec6 V = stack<double>(Vec3(0.1, 0.2, 0.3), Vec3(4, 5, 6));
  world.set_body_pose("ball", X);
  world.set_body_velocity("ball", V);
  EXPECT_LT((world.body_pose("ball").R - X.R).norm(), 1e-15);
  EXPECT_LT((world.body_pose("ball").p - X.p).norm(), 1e-14);
  EXPECT_LT((world.body_velocity("ball") - V).norm(), 1e-14);
}

TEST(World, RestoresAStateToTheBit) {
  World world(make_scene("quadruped"));
  world.simulate(0.02);
  const State saved = world.state();
  world.simulate(0.1);
  const auto first = hash(world.state());
  world.set_state(saved);
  EXPECT_EQ(hash(world.state()), hash(saved));
  world.simulate(0.1);
  EXPECT_EQ(hash(world.state()), first);
}

TEST(World, RemembersHowVelocitiesChangedInTheLastTwoSteps) {
  World world(make_scene("quadruped"));
  const VecX v0 = world.state().v;
  world.step();
  const VecX v1 = world.state().v;
  world.step();
  const double h = world.options().h;
  EXPECT_EQ(world.state().acceleration, VecX((world.state().v - v1) / h));
  EXPECT_EQ(world.state().last_acceleration, VecX((v1 - v0) / h));
}

TEST(World, SaysWhichBodyAndWhenAMotionBecomesNotFinite) {
  World world(make_scene("double_pendulum"));
  world.set_velocity("elbow", 1e200);
  try {
    world.simulate(0.1);
    FAIL() << "the step should have failed";
  } catch (const SimulationError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("'double_pendulum' at t = 0 s"), std::string::npos) << message;
    EXPECT_NE(message.find("body 'upper', joint 'shoulder'"), std::string::npos) << message;
  }
}

TEST(World, RefusesBadInput) {
  World world(make_scene("pendulum"));
  EXPECT_THROW(world.simulate(-1.0), UserError);
  EXPECT_THROW(world.step(0.0), UserError);
  EXPECT_THROW(world.step(std::nan("")), UserError);
  EXPECT_THROW(world.position("hing"), UserError);
  EXPECT_THROW(world.set_body_pose("rod", {}), UserError);
  world.input().joint_forces = VecX::Zero(3);
  EXPECT_THROW(world.step(), UserError);
  world.input().joint_forces = VecX::Constant(1, std::numeric_limits<double>::infinity());
  EXPECT_THROW(world.step(), UserError);
  State wrong;
  EXPECT_THROW(world.set_state(wrong), UserError);
  WorldOptions options;
  options.h = -1.0;
  EXPECT_THROW(World(make_scene("pendulum"), options), UserError);
  EXPECT_THROW(World(make_scene("humanoid")).position("pelvis"), UserError);
}

TEST(Schemes, AreFoundByNameAndSuggestTheClosest) {
  EXPECT_STREQ(find_scheme("midpoint").name(), "midpoint");
  try {
    find_scheme("midpiont");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'midpoint'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace stiction
