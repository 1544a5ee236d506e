// Bodies held apart by the barriers of I IX: where they rest, and that they never overlap.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>

#include <gtest/gtest.h>

#include "scenes/piles.h"
#include "stiction/contact/catalog.h"
#include "stiction/contact/law/normal_force.h"
#include "test/physics/contact_laws.h"

namespace stiction {
namespace {

constexpr Elasticity kBarriers[] = {Elasticity::log_barrier, Elasticity::ipc_barrier};

WorldOptions with_barrier(const NamedLaw& law, Elasticity elasticity, double h) {
  WorldOptions options = with_law(law, h);
  options.formulation.contact.elasticity = elasticity;
  return options;
}

ContactMaterial barrier_material() {
  ContactMaterial material = friction_only(0.5);
  material.barrier_stiffness = 2e5;  // N/m
  material.barrier_energy = 1e-3;    // J
  material.barrier_distance = 5e-4;  // m
  return material;
}

// A ball whose lowest point is `gap` above the floor.
Model ball_above_floor(double mass, double gap) {
  const double R = 0.1;  // m
  ModelBuilder builder;
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_free_body("ball", translation(0, 0, R + gap), solid_sphere(mass, R));
  builder.add_shape("ball", "ball", {}, Sphere{R});
  builder.set_material("ball", barrier_material());
  return builder.build();
}

double gap_of(const World& world) { return world.body_pose("ball").p.z() - 0.1; }

double least_distance(const World& world) {
  double least = std::numeric_limits<double>::infinity();
  for (const ContactPoint& point : world.record().collision.points) least = std::min(least, point.distance);
  return least;
}

// Root of f(phi) = force in (0, dh).
double rest_gap(const ContactMaterial& material, double force) {
  double low = 0.0, high = *material.barrier_distance;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high), dh = *material.barrier_distance, D = dh - middle;
    const double f = *material.barrier_stiffness * D * (D / middle - 2.0 * std::log(middle / dh));
    (f > force ? low : high) = middle;
  }
  return low;
}

TEST(Barrier, HoldsABodyAtTheDistanceOfItsWeight) {
  const double m = 2.0;
  for (const NamedLaw& law : every_law()) {
    if (law.is_sap()) continue;  // linear by definition
    for (const Elasticity elasticity : kBarriers) {
      SCOPED_TRACE(law.name);
      World world(ball_above_floor(m, 2e-4), with_barrier(law, elasticity, 1e-3));
      world.simulate(2.0);
      const ContactMaterial material = barrier_material();
      const double expected = elasticity == Elasticity::log_barrier ? *material.barrier_energy / (m * kG)
                                                                    : rest_gap(material, m * kG);
      EXPECT_NEAR(gap_of(world), expected, 1e-5 * expected);
    }
  }
}

TEST(Barrier, NoBallEverTouchesTheFloorItFallsOn) {
  for (const NamedLaw& law : every_law()) {
    if (law.is_sap()) continue;
    for (const Elasticity elasticity : kBarriers) {
      for (const double h : {1e-3, 1e-2}) {
        SCOPED_TRACE(law.name);
        World world(ball_above_floor(1.0, 0.5), with_barrier(law, elasticity, h));
        double least = 1.0;
        while (world.state().time < 1.0) {
          world.step();
          least = std::min(least, gap_of(world));
          ASSERT_TRUE(is_solved(world.record().contact.solution.report.status));
        }
        EXPECT_GT(least, 0.0);
        EXPECT_LT(least, 1e-2);  // it did land
      }
    }
  }
}

TEST(Barrier, PushesApartWhatOverlapsAtTheStart) {
  for (const Elasticity elasticity : kBarriers) {
    World world(ball_above_floor(1.0, -2e-3), with_barrier(every_law()[0], elasticity, 1e-3));
    world.simulate(1.0);
    EXPECT_GT(gap_of(world), 0.0);
    EXPECT_LT(gap_of(world), 1e-3);
  }
}

TEST(Barrier, HoldsAgainstAFloorThatRisesThroughTheDistanceInOneStep) {
  // The floor is moved from outside: even at rest the ball would be overlapped, so that no start is feasible.
  for (const Elasticity elasticity : kBarriers) {
    World world(ball_above_floor(1.0, 1e-4), with_barrier(every_law()[0], elasticity, 2e-3));
    world.simulate(0.1);
    const double before = gap_of(world), rise = 0.5;  // m/s: 1 mm a step, twice the barrier's distance
    world.set_surface_velocity("floor", Vec3(0, 0, rise));
    world.step();
    EXPECT_TRUE(is_solved(world.record().contact.solution.report.status));
    EXPECT_GT(before + 2e-3 * (world.body_velocity("ball")[5] - rise), 0.0);
  }
}

// The clutter of I XII-A for a second: mean iterations, unsolved steps, and the least distance of two bodies in its
// second half. (At the start some of them overlap by up to 3 cm.)
struct ClutterRun {
  double iterations = 0.0, least = 1.0;
  int unsolved = 0;
};
ClutterRun run_clutter(Elasticity elasticity, double h) {
  World world(scenes::clutter_of_40(), with_barrier(every_law()[0], elasticity, h));
  ClutterRun run;
  int steps = 0;
  for (; world.state().time < 1.0; ++steps) {
    world.step();
    const SolveReport& report = world.record().contact.solution.report;
    run.iterations += report.iterations;
    run.unsolved += !is_solved(report.status);
    if (world.state().time > 0.5) run.least = std::min(run.least, least_distance(world));
  }
  run.iterations /= steps;
  return run;
}

TEST(Barrier, OfIpcHoldsTheClutterOfThePapersApartAtOneMillisecond) {
  for (const Elasticity elasticity : {Elasticity::linear, Elasticity::log_barrier, Elasticity::ipc_barrier}) {
    for (const double h : {1e-3, 1e-2}) {
      const ClutterRun run = run_clutter(elasticity, h);
      std::cout << "[ barrier ] clutter, " << name_of(elasticity) << ", h " << h << " s: " << run.iterations
                << " iterations a step, " << run.unsolved << " steps unsolved, least distance " << run.least
                << " m\n";
      EXPECT_EQ(run.unsolved, 0);
      // Corners of boxes that turn leave the straight line that a step assumes by up to (w h)^2/2 of 9 cm.
      if (elasticity == Elasticity::ipc_barrier && h == 1e-3) {
        EXPECT_GT(run.least, 0.0);
      }
    }
  }
}

}  // namespace
}  // namespace stiction
