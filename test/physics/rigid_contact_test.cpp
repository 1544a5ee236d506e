// The rigid laws against closed forms, and the artefacts that they are known for, with their predicted size.
//
// Solvers stop at 1e-6 of the free velocity of the fastest row; at rest that is 1e-6 g h, while sliding 1e-6
// of the speed. Steps are of first order in h.

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "scenes/sliders.h"
#include "stiction/contact/catalog.h"
#include "stiction/simulation/formulation.h"
#include "test/base/fewer.h"
#include "test/physics/contact_laws.h"

namespace stiction {
namespace {

std::vector<std::string> formulations(LawKind law) {
  std::vector<std::string> names;
  for (const CatalogEntry& entry : catalog())
    if (entry.law == law && !find_solver(entry.solver).is_literal) names.push_back(entry.name());
  return names;
}

std::vector<std::string> rigid_formulations() {
  std::vector<std::string> names;
  for (const CatalogEntry& entry : catalog())
    if (is_rigid(entry.law) && !find_solver(entry.solver).is_literal) names.push_back(entry.name());
  return names;
}

WorldOptions with_formulation(const std::string& name, double h = 2e-3) {
  WorldOptions options;
  options.h = h;
  set_formulation(name, &options.formulation.contact);
  return options;
}

bool has_compliance(const std::string& name) { return name.find("+newton") != std::string::npos; }

// A cube of 0.1 m and 1 kg on a slope, at rest or sliding along x.
Model cube_on_slope(double angle, double mu, double v0) {
  ModelBuilder builder("cube_on_slope");
  builder.set_gravity(kG * Vec3(std::sin(angle), 0.0, -std::cos(angle)));
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.set_material("floor", friction_only(mu));
  builder.add_free_body("cube", translation(0.0, 0.0, 0.05), Inertia{});
  builder.add_solid("cube", "cube", {}, Box{Vec3::Constant(0.05)}, 1000.0);
  builder.set_initial_velocity("cube", {0.0, 0.0, 0.0, v0, 0.0, 0.0});
  return builder.build();
}

TEST(RigidContact, EveryFormulationCarriesTheWeightAndDoesNotSink) {
  for (const std::string& name : rigid_formulations()) {
    SCOPED_TRACE(name);
    World world(cube_on_slope(0.0, 0.5, 0.0), with_formulation(name));
    world.simulate(0.2);
    EXPECT_NEAR(world.contact_force("cube").z(), kG, 1e-5 * kG);
    if (has_compliance(name)) continue;
    // 100 steps of 1e-6 g h^2 at most.
    EXPECT_NEAR(world.body_pose("cube").p.z(), 0.05, 1e-4 * kG * 2e-3 * 2e-3);
  }
}

TEST(RigidContact, CubeBelowTheFrictionAngleSticks) {
  const double angle = 20.0 * kPi / 180.0;
  for (const std::string& name : rigid_formulations()) {
    if (has_compliance(name)) continue;  // creeps
    SCOPED_TRACE(name);
    World world(cube_on_slope(angle, 0.5, 0.0), with_formulation(name));
    world.simulate(0.5);
    EXPECT_LT(world.body_velocity("cube").tail<3>().norm(), 1e-5 * kG * 2e-3);
    EXPECT_NEAR(world.body_pose("cube").p.x(), 0.0, 1e-7);
  }
}

TEST(RigidContact, CubeAboveTheFrictionAngleAcceleratesByGSinMinusMuCos) {
  const double angle = 35.0 * kPi / 180.0, mu = 0.5, expected = kG * (std::sin(angle) - mu * std::cos(angle));
  for (const std::string& name : formulations(LawKind::coulomb_ncp)) {
    SCOPED_TRACE(name);
    World world(cube_on_slope(angle, mu, 0.0), with_formulation(name));
    world.simulate(0.1);
    const double before = world.body_velocity("cube")[3];
    world.simulate(0.2);
    EXPECT_NEAR((world.body_velocity("cube")[3] - before) / 0.2, expected, 1e-4 * expected);
  }
}

TEST(RigidContact, SlidingBlockStopsWhereCoulombSays) {
  const double v0 = 1.0, mu = 0.5, h = 1e-3;
  for (const std::string& name : formulations(LawKind::coulomb_ncp)) {
    SCOPED_TRACE(name);
    World world(cube_on_slope(0.0, mu, v0), with_formulation(name, h));
    world.simulate(0.5);
    // First order: half a step of v0.
    EXPECT_NEAR(world.body_pose("cube").p.x(), v0 * v0 / (2.0 * mu * kG), 0.6 * h * v0);
    // 1e-6 of g h at points 0.05 m from the middle is 20 times that in rad/s; twice for two ends.
    EXPECT_LT(world.body_velocity("cube").norm(), 4e-5 * kG * h);
  }
}

TEST(RigidContact, ConvexConeGlidesAtMuHTimesTheSlip) {
  // Held at a constant speed by a force of mu m g: the gap that makes vn - mu |vt| = -phi/h is mu h |vt|.
  const double v = 0.5, mu = 0.5;
  for (const double h : {1e-3, 2e-3}) {
    for (const char* name : {"convex_cone+pgs", "convex_cone+admm"}) {
      SCOPED_TRACE(name);
      World world(cube_on_slope(std::atan(mu), mu, v), with_formulation(name, h));
      world.simulate(0.5);
      const double speed = world.body_velocity("cube")[3];
      EXPECT_NEAR(world.body_pose("cube").p.z() - 0.05, mu * h * speed, 0.02 * mu * h * speed);
      EXPECT_GT(speed, 0.1);
    }
  }
}

TEST(RigidContact, CoulombsLawDoesNotGlide) {
  for (const std::string& name : formulations(LawKind::coulomb_ncp)) {
    SCOPED_TRACE(name);
    World world(cube_on_slope(0.0, 0.5, 1.0), with_formulation(name));
    for (int i = 0; i < 80; ++i) {
      world.step();
      EXPECT_NEAR(world.body_pose("cube").p.z(), 0.05, 1e-7);
    }
  }
}

TEST(RigidContact, PyramidPushesTowardsItsCorners) {
  // Sliding at 20 degrees between the axes of a square pyramid around the cone: both tangential impulses are
  // at their bounds, so that the deceleration is mu g along x and mu g along y alike.
  const double angle = 20.0 * kPi / 180.0, mu = 0.3;
  for (const std::string& name : formulations(LawKind::pyramid_lcp)) {
    SCOPED_TRACE(name);
    World world(cube_on_slope(0.0, mu, 0.0), with_formulation(name, 1e-3));
    Vec6 V = Vec6::Zero();
    V[3] = std::cos(angle);
    V[4] = std::sin(angle);
    world.set_body_velocity("cube", V);
    world.simulate(0.05);
    const Vec6 after = world.body_velocity("cube");
    EXPECT_NEAR(V[3] - after[3], mu * kG * 0.05, 1e-4);
    EXPECT_NEAR(V[4] - after[4], mu * kG * 0.05, 1e-4);
  }
}

TEST(RigidContact, BallBouncesWithItsRestitution) {
  const double e = 0.8, height = 0.5, h = 1e-3;
  for (const std::string& name : rigid_formulations()) {
    SCOPED_TRACE(name);
    ModelBuilder builder("bounce");
    builder.add_shape("floor", "world", {}, HalfSpace{});
    ContactMaterial rubber;
    rubber.restitution = e;
    builder.set_material("floor", rubber);
    builder.add_free_body("ball", translation(0.0, 0.0, 0.05 + height), Inertia{});
    builder.add_solid("ball", "ball", {}, Sphere{0.05}, 1000.0);
    World world(builder.build(), with_formulation(name, h));
    const double fall = std::sqrt(2.0 * height / kG);
    world.simulate(fall);
    double top = 0.0;
    while (world.time() < 2.0 * fall + 0.2) {
      world.step();
      top = std::max(top, world.body_pose("ball").p.z() - 0.05);
    }
    const double expected = e * std::sqrt(2.0 * kG * height);
    // The speed at touch-down is off by g h at most, twice.
    EXPECT_NEAR(std::sqrt(2.0 * kG * top), expected, 3.0 * kG * h);
  }
}

TEST(RigidContact, SapTendsToTheConvexConeAsItsComplianceFalls) {
  // One step of a pushed cube that slides: sap with R_n, R_t against R = 0. The difference falls with R.
  World rigid(cube_on_slope(0.3, 0.2, 0.5), with_formulation("convex_cone+admm"));
  rigid.options().formulation.dual.tolerance = 1e-12;
  rigid.step();
  double before = 0.0;
  for (const double share : {1.0, 0.1, 0.01}) {
    WorldOptions options = with_formulation("convex_cone+newton");
    options.formulation.contact.beta = 1.0 * std::sqrt(share);
    options.formulation.contact.sigma = 1e-3 * share;
    options.formulation.newton.relative_tolerance = 1e-13;
    World soft(cube_on_slope(0.3, 0.2, 0.5), options);
    soft.step();
    const double gap = (soft.state().v - rigid.state().v).norm();
    if (before > 0.0) {
      EXPECT_NEAR(std::log10(before / gap), 1.0, 0.1) << "R times " << share;
    }
    before = gap;
  }
}

TEST(RigidContact, HeavyOnLightIsCarried) {
  // 1000 kg on 1 g: neither what iterates contact by contact nor what pivots is asked.
  ModelBuilder builder("heavy_on_light");
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_free_body("light", translation(0.0, 0.0, 0.1), Inertia{});
  builder.add_solid("light", "light", {}, Box{Vec3::Constant(0.1)}, 1e-3 / 8e-3);
  builder.add_free_body("heavy", translation(0.0, 0.0, 0.3), Inertia{});
  builder.add_solid("heavy", "heavy", {}, Box{Vec3::Constant(0.1)}, 1e3 / 8e-3);
  const Model model = builder.build();
  for (const char* name : {"coulomb_ncp+admm", "convex_cone+admm", "coulomb_ncp+staggered"}) {
    SCOPED_TRACE(name);
    World world(model, with_formulation(name));
    world.simulate(0.1);
    EXPECT_NEAR(world.contact_force("heavy", {.of_body = "light"}).z(), 1e3 * kG, 1e-4 * 1e3 * kG);
    EXPECT_NEAR(world.body_pose("heavy").p.z(), 0.3, 1e-6);
  }
}

TEST(RigidContact, PushBelowTheLimitStaysAndAboveAccelerates) {
  for (const std::string& name : formulations(LawKind::coulomb_ncp)) {
    SCOPED_TRACE(name);
    World stays(scenes::push(4.9), with_formulation(name));
    stays.simulate(1.0);
    EXPECT_NEAR(stays.position("x"), 0.0, 1e-7);
    World slides(scenes::push(8.0), with_formulation(name));
    slides.simulate(0.05);
    const double before = slides.velocity("x");
    slides.simulate(0.07);
    EXPECT_NEAR((slides.velocity("x") - before) / 0.07, 8.0 - 0.5 * kG, 1e-3);
  }
}

// STICTION_SCENE_SECONDS: how long; `make soak` asks for 10 s.
TEST(RigidContact, RobotsAndPilesRunUnderEveryFormulation) {
  const char* asked = std::getenv("STICTION_SCENE_SECONDS");
  const double seconds = asked ? std::atof(asked) : kSanitized ? 0.02 : 0.1;
  for (const char* scene : {"quadruped_standing", "humanoid_standing", "gripper", "box_stack", "clutter"}) {
    for (const std::string& name : rigid_formulations()) {
      SCOPED_TRACE(std::string(scene) + " " + name);
      World world(make_scene(scene), with_formulation(name));
      world.options().formulation.dual.max_iterations = 100;
      long unsolved = 0, steps = 0;
      ASSERT_NO_THROW(while (world.time() < seconds) {
        ++steps;
        unsolved += world.step().status != StepStatus::done;
      });
      EXPECT_TRUE(world.state().q.allFinite() && world.state().v.allFinite());
      if (asked)
        std::printf("%s, %s: %g s, %ld of %ld steps above the tolerance in 100 iterations\n", scene,
                    name.c_str(), seconds, unsolved, steps);
    }
  }
}

TEST(RigidContact, StateSavedAndRestoredReplaysBitForBit) {
  for (const std::string& name : rigid_formulations()) {
    SCOPED_TRACE(name);
    World world(make_scene("gripper"), with_formulation(name));
    world.simulate(0.05);
    const State saved = world.state();
    world.simulate(0.05);
    const std::uint64_t end = hash(world.state());
    World again(make_scene("gripper"), with_formulation(name));
    again.set_state(saved);
    again.simulate(0.05);
    EXPECT_EQ(hash(again.state()), end);
  }
}

}  // namespace
}  // namespace stiction
