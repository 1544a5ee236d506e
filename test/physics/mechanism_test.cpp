// Closed loops, grippers, and robots that stand.

#include <cmath>

#include <gtest/gtest.h>

#include "scenes/driven_robots.h"
#include "scenes/mechanisms.h"
#include "stiction/multibody/jacobian.h"
#include "stiction/simulation/output/row_forces.h"
#include "stiction/simulation/world.h"
#include "test/physics/contact_laws.h"

namespace stiction {
namespace {

Vec3 place(const World& world, const char* frame) {
  const Frame& f = world.model().frames[world.model().frame(frame)];
  return world.body_pose(world.model().forest.bodies[f.body].name) * f.X_BF.p;
}

TEST(FourBar, FollowsFreudensteinsEquation) {
  // K1 cos(rocker) - K2 cos(crank) + K3 = cos(crank - rocker) all the way around.
  const scenes::FourBarOptions o;
  const double K1 = o.ground / o.crank, K2 = o.ground / o.rocker;
  const double K3 = (o.crank * o.crank - o.coupler * o.coupler + o.rocker * o.rocker + o.ground * o.ground) /
                    (2.0 * o.crank * o.rocker);
  World world(scenes::four_bar(o));
  double residual = 0.0, opened = 0.0;
  while (world.time() < 1.2) {
    world.step();
    const double crank = world.position("crank"), rocker = world.position("rocker");
    residual = std::max(
        residual, std::abs(K1 * std::cos(rocker) - K2 * std::cos(crank) + K3 - std::cos(crank - rocker)));
    opened = std::max(opened, (place(world, "coupler_end") - place(world, "rocker_end")).norm());
  }
  EXPECT_GT(world.position("crank"), 1.0 + 2.0 * kPi);
  // In a step of h the loop opens by what its curvature and its forces say, a h^2 and less: some 20 m/s^2.
  EXPECT_LT(opened, 20.0 * 2e-3 * 2e-3);
  EXPECT_LT(residual, 20.0 * 2e-3 * 2e-3 / o.crank);
}

TEST(FourBar, OpensAsTheSquareOfTheStepInMotion) {
  const auto opened = [](double h) {
    WorldOptions options;
    options.h = h;
    World world(scenes::four_bar({}), options);
    double most = 0.0;
    while (world.time() < 1.0) {
      world.step();
      // The bars start at rest beside a crank that turns.
      if (world.time() > 0.2)
        most = std::max(most, (place(world, "coupler_end") - place(world, "rocker_end")).norm());
    }
    return most;
  };
  EXPECT_NEAR(std::log2(opened(4e-3) / opened(2e-3)), 2.0, 0.3);
}

TEST(FourBar, WithoutADriveNeverGainsEnergy) {
  // Beyond the first-order oscillation of the scheme: h/2 times the largest power of gravity, m g v.
  const double h = 1e-3;
  WorldOptions options;
  options.h = h;
  World world(scenes::four_bar({.start = 1.0, .speed = 0.0}), options);
  const double start = world.energies().total();
  double most = start, fastest = 0.0;
  while (world.time() < 3.0) {
    world.step();
    most = std::max(most, world.energies().total());
    for (const char* bar : {"crank", "coupler", "rocker"})
      fastest = std::max(fastest, world.body_velocity(bar).tail<3>().norm());
  }
  const double mass = 2.0 * (0.1 + 0.35 + 0.25);
  EXPECT_LE(most, start + h * mass * kG * fastest);
  EXPECT_LE(world.energies().total(), start + 1e-3 * mass * kG * 0.1);
}

TEST(FourBar, GainsTheEnergyThatItsDrivePutsIn) {
  WorldOptions options;
  options.h = 2e-3;
  World world(scenes::driven_four_bar(), options);
  EnergyTotals totals;
  while (world.time() < 0.5) {
    const double t = world.time();
    world.step();
    totals.add(world.energy_books(), t);
  }
  EXPECT_GT(totals.sum.work.actuators, 0.0);
  EXPECT_LT(totals.largest_error, 1e-10);
}

TEST(SliderCrank, FollowsItsClosedForm) {
  // x = r cos q + sqrt(l^2 - r^2 sin^2 q).
  const scenes::SliderCrankOptions o;
  World world(scenes::slider_crank(o));
  while (world.time() < 1.2) {
    world.step();
    const double q = world.position("crank");
    const double s = o.crank * std::sin(q);
    EXPECT_NEAR(world.position("slider"), o.crank * std::cos(q) + std::sqrt(o.rod * o.rod - s * s),
                20.0 * 2e-3 * 2e-3);
  }
  EXPECT_GT(world.position("crank"), 1.0 + 2.0 * kPi);
}

TEST(ClosedLoop, HangsAtRestClosedToAMicrometre) {
  World world(scenes::four_bar({.start = -1.0, .speed = 0.0}));
  for (int i = 0; i < 4000; ++i) {
    world.input().joint_forces = -0.05 * world.state().v;  // a little drag
    world.step();
  }
  EXPECT_LT(world.state().v.norm(), 1e-3);
  EXPECT_LT((place(world, "coupler_end") - place(world, "rocker_end")).norm(), 1e-6);
}

TEST(ClosedLoop, RowsAndContactsAreAllThatChangesTheMomentum) {
  // A (v - v_free) = J' gamma with the forces that are reported.
  for (const bool grips : {false, true}) {
    SCOPED_TRACE(grips);
    World world(grips ? scenes::gripper_with_cube() : scenes::driven_four_bar());
    for (int i = 0; i < 50; ++i) {
      world.step();
      const StepRecord& r = world.record();
      const ContactProblem& problem = r.contact.problem;
      VecX force;
      row_joint_forces(r, &force);
      for (const ContactForce& c : contact_forces(r)) {
        const Vec6 wrench = stack<double>(c.moment, c.force);
        add_wrench(world.model().forest, r.kinematics, c.body_B, c.p_W, wrench, force.data());
        add_wrench(world.model().forest, r.kinematics, c.body_A, c.p_W, -wrench, force.data());
      }
      const VecX change = r.v_next - r.v_free;
      VecX momentum = VecX::Zero(change.size());
      for (std::size_t t = 0; t < problem.trees.size(); ++t) {
        const int begin = problem.trees[t].v_begin;
        multiply_A(problem, static_cast<int>(t), change.data() + begin, momentum.data() + begin);
      }
      // The solver's tolerance is 1e-6 of the largest of both, in another norm.
      EXPECT_LT((momentum - r.h * force).norm(), 1e-5 * r.h * force.norm());
    }
  }
}

TEST(Gripper, HoldsWhileItsFrictionCarriesTheWeightAndSlipsAbove) {
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    for (const double share : {0.9, 1.2}) {
      SCOPED_TRACE(share);
      scenes::GripperOptions o;
      o.mass = share * 2.0 * o.mu * o.force / kG;
      World world(scenes::gripper(o), with_law(law));
      world.simulate(0.1);
      const double before = world.body_velocity("cube")[5];
      world.simulate(0.1);
      const double after = world.body_velocity("cube")[5];
      EXPECT_NEAR(world.contact_force("cube", {.of_body = "left"}).x(), o.force, 1e-3 * o.force);
      if (share < 1.0) {
        EXPECT_LT(std::abs(after), 3e-3);  // creep of regularised friction: some v_s
      } else {
        EXPECT_NEAR((after - before) / 0.1, -kG + 2.0 * o.mu * o.force / o.mass, 1e-2 * kG);
      }
    }
  }
}

double lowest_after(World* world, const char* body, double duration) {
  double lowest = 1e9;
  const double end = world->time() + duration;
  while (world->time() < end) {
    world->step();
    lowest = std::min(lowest, world->body_pose(body).p.z());
  }
  return lowest;
}

double weight(const World& world) {
  double mass = 0.0;
  for (std::size_t b = 1; b < world.model().forest.bodies.size(); ++b)
    mass += world.model().forest.bodies[b].inertia.mass;
  return mass * kG;
}

TEST(Quadruped, StandsUnderItsServosAndCarriesItsWeight) {
  World world(scenes::quadruped_standing());
  EXPECT_GT(lowest_after(&world, "trunk", 3.0), 0.25);
  EXPECT_NEAR(static_contact_force(world.model(), world.record()).z(), weight(world), 0.01 * weight(world));
  EXPECT_GT(world.body_pose("trunk").R(2, 2), 0.99);
}

TEST(Quadruped, TrotsOnItsFeet) {
  World world(scenes::quadruped_trotting());
  const InputSchedule gait = scenes::trot(world.model());
  while (world.time() < 3.0) {
    apply(gait, &world);
    world.step();
    ASSERT_GT(world.body_pose("trunk").p.z(), 0.22);
  }
  EXPECT_GT(world.body_pose("trunk").R(2, 2), 0.9);
}

TEST(Humanoid, StandsUnderItsServosAndCarriesItsWeight) {
  World world(scenes::humanoid_standing());
  EXPECT_GT(lowest_after(&world, "pelvis", 3.0), 0.85);
  EXPECT_NEAR(static_contact_force(world.model(), world.record()).z(), weight(world), 0.01 * weight(world));
}

TEST(Hand, HoldsABall) {
  World world(scenes::hand_with_ball());
  EXPECT_GT(lowest_after(&world, "ball", 2.0), 0.32);
  EXPECT_NEAR(world.contact_force("ball").z(), 0.1 * kG, 0.01 * 0.1 * kG);
}

}  // namespace
}  // namespace stiction
