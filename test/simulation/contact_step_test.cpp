// Steps with contact: the same bits again, nothing allocated, no contact lost.

#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "scenes/piles.h"
#include "stiction/base/parallel.h"
#include "test/base/allocation_counter.h"
#include "test/physics/contact_laws.h"

namespace stiction {
namespace {

TEST(ContactStep, ReplaysASavedStateToTheBit) {
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(make_scene("clutter"), with_law(law));
    world.simulate(0.3);
    const State saved = world.state();
    world.simulate(0.2);
    const auto first = hash(world.state());
    // In the same world, whose record remembers later steps, and in a fresh one, which remembers nothing.
    world.set_state(saved);
    world.simulate(0.2);
    EXPECT_EQ(hash(world.state()), first);
    World fresh(make_scene("clutter"), with_law(law));
    fresh.set_state(saved);
    fresh.simulate(0.2);
    EXPECT_EQ(hash(fresh.state()), first);
  }
}

TEST(ContactStep, OfClutterHasTheSameBitsWithOneThreadAndWithTwo) {
  const auto run = [](int threads) {
    set_thread_count(threads);
    World world(make_scene("clutter"));
    world.simulate(0.5);
    set_thread_count(1);
    return hash(world.state());
  };
  EXPECT_EQ(run(1), run(2));
}

TEST(ContactStep, AllocatesNothingOnceTheLargestProblemHasBeenSeen) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  constexpr int kSteps = 100;
  for (const char* scene : {"clutter", "box_stack", "brick_wall", "conveyor", "dragged_box", "lawn_ball"}) {
    for (const NamedLaw& law : every_law()) {
      SCOPED_TRACE(std::string(scene) + " " + law.name);
      World world(make_scene(scene), with_law(law));
      world.simulate(0.4);
      const State saved = world.state();
      for (int i = 0; i < kSteps; ++i) world.step();
      world.set_state(saved);
      const AllocationCounter counter;
      for (int i = 0; i < kSteps; ++i) world.step();
      EXPECT_EQ(counter.count(), 0);
    }
  }
}

// Spheres of a clutter roll on for long; where they meet others, a new island gets its work space.
TEST(ContactStep, OfClutterAndOfAStackAllocatesNothingWhileTheSameBodiesMeet) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  constexpr int kSteps = 500;
  for (const char* scene : {"clutter", "box_stack"}) {
    SCOPED_TRACE(scene);
    World world(make_scene(scene));
    world.simulate(10.0);
    const auto bodies_that_meet = [&world] {
      std::vector<std::pair<int, int>> bodies;
      for (const Patch& patch : world.record().contact.problem.patches) bodies.emplace_back(patch.a, patch.b);
      return bodies;
    };
    std::vector<std::pair<int, int>> last = bodies_that_meet();
    int steady = 0;
    for (int i = 0; i < kSteps; ++i) {
      const AllocationCounter counter;
      world.step();
      const auto allocations = counter.count();
      std::vector<std::pair<int, int>> now = bodies_that_meet();
      if (now == last) {
        EXPECT_EQ(allocations, 0) << "step " << i;
        ++steady;
      }
      last = std::move(now);
    }
    EXPECT_GT(steady, kSteps / 2);
  }
}

// A flat box let go 10 um above the floor at a level speed, at h = 10 ms, in which it falls by 1 mm.
struct FlatOnFlat {
  double share_in_touch = 0.0;  // of the steps after the first
  double travel = 0.0;          // m, until it stops
};
FlatOnFlat flat_on_flat(const NamedLaw& law, double speed, bool has_margin) {
  ModelBuilder builder("flat");
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_free_body("box", translation(0, 0, 0.05 + 1e-5), Inertia{});
  builder.add_solid("box", "box", {}, Box{Vec3(0.2, 0.2, 0.05)}, 100.0);
  builder.set_initial_velocity("box", {0, 0, 0, speed, 0, 0});
  World world(builder.build(), with_law(law, 1e-2));
  constexpr int kSteps = 100;
  FlatOnFlat out;
  for (int i = 0; i <= kSteps; ++i) {
    // Without a margin a pair that does not overlap at the start of a step has no points.
    if (!has_margin) world.set_pair_collides("floor", "box", world.body_pose("box").p.z() < 0.05);
    world.step();
    if (i > 0 && force_between(world, "world", "box").z() > 0.0) out.share_in_touch += 1.0 / kSteps;
  }
  out.travel = world.body_pose("box").p.x();
  return out;
}

TEST(ContactStep, FlatOnFlatKeepsItsContactAtTenMillisecondsWithTheDefaultMargin) {
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    EXPECT_NEAR(flat_on_flat(law, 0.0, true).share_in_touch, 1.0, 1e-12);
  }
}

TEST(ContactStep, FlatOnFlatSlidesAsFarAsFrictionLetsItWithTheDefaultMarginAndStopsShortWithoutOne) {
  // v0^2/(2 mu g), and a step and a half of first order. Without a margin the box falls 1 mm into the floor
  // before anything pushes back, and the lagged laws take friction from that: it stops within two steps.
  const double speed = 0.5, exact = speed * speed / (2.0 * 0.5 * kG), step = 1e-2 * speed;
  for (const NamedLaw& law : every_law()) {
    if (law.law != LawKind::icf_lagged && law.law != LawKind::icf_lagged_plain) continue;
    SCOPED_TRACE(law.name);
    EXPECT_NEAR(flat_on_flat(law, speed, true).travel, exact, 1.5 * step);
    EXPECT_LT(flat_on_flat(law, speed, false).travel, 0.5 * exact);
  }
}

}  // namespace
}  // namespace stiction
