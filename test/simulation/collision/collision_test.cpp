#include "stiction/simulation/collision/collision.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "stiction/base/parallel.h"
#include "stiction/base/random.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/world.h"
#include "test/base/allocation_counter.h"

namespace stiction {
namespace {

// Collision detection alone.
struct Look {
  explicit Look(const Model& model)
      : kinematics(model.forest), collision(*model.tables().collision), work(*model.tables().collision) {}
  Kinematics kinematics;
  CollisionRecord collision;
  CollisionWorkspace work;
};

void look(const Model& model, const VecX& q, const VecX& v, double h, Look* r) {
  compute_positions(model.forest, q.data(), &r->kinematics);
  compute_velocities(model.forest, v.data(), &r->kinematics);
  find_pairs(model, r->kinematics, h, {}, &r->collision, &r->work);
  find_contacts(model, h, {}, &r->collision, &r->work);
}

// Balls of 0.1 m in a heap on the floor, with random velocities.
Model heap(int num_balls, std::uint64_t seed) {
  Random random(seed);
  ModelBuilder builder("heap");
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_shape("step", "world", translation(0.2, 0.1, 0.0), Sphere{0.15});
  const double side = 0.18 * std::cbrt(num_balls);
  for (int i = 0; i < num_balls; ++i) {
    const std::string name = "ball" + std::to_string(i);
    const double x = random.uniform(0, side), y = random.uniform(0, side), z = random.uniform(0, side);
    builder.add_free_body(name, translation(x, y, z), solid_sphere(1.0, 0.1));
    builder.add_shape(name, name, {}, Sphere{0.1});
  }
  return builder.build();
}

VecX random_velocity(const Model& model, double size, std::uint64_t seed) {
  Random random(seed);
  VecX v(model.num_v());
  for (double& x : v) x = random.uniform(-size, size);
  return v;
}

TEST(Collision, FindsWhatEveryPairOfShapesGivesAlone) {
  const Model model = heap(60, 1);
  const VecX v = random_velocity(model, 0.2, 2);
  Look r(model);
  look(model, model.q0, v, 2e-3, &r);
  const CollisionRecord& c = r.collision;
  // Spheres within the margin of rest, which no motion narrows, must be there.
  const double margin = 1e-4;
  std::set<std::pair<int, int>> found;
  for (const ShapePair& pair : c.pairs)
    if (pair.end > pair.begin) found.insert({pair.shape_A, pair.shape_B});
  int expected = 0;
  const CollisionModel& shapes = *model.tables().collision;
  const auto& items = shapes.items;
  for (int i = 0; i < int(items.size()); ++i) {
    for (int j = i + 1; j < int(items.size()); ++j) {
      if (!shapes.filter.allows(i, j)) continue;
      const ContactPoint nearest =
          signed_distance(items[i].geometry, c.motions[i].X_WS, items[j].geometry, c.motions[j].X_WS);
      if (nearest.distance > margin) continue;
      ++expected;
      EXPECT_TRUE(found.count({items[i].shape, items[j].shape})) << nearest.distance;
    }
  }
  EXPECT_GT(expected, 50);
}

TEST(Collision, GivesPairsInOrderWithTheirPointsInOrder) {
  const Model model = heap(100, 3);
  Look r(model);
  look(model, model.q0, VecX::Zero(model.num_v()), 2e-3, &r);
  const std::vector<ShapePair>& pairs = r.collision.pairs;
  ASSERT_GT(pairs.size(), 10u);
  EXPECT_EQ(pairs.front().begin, 0);
  EXPECT_EQ(pairs.back().end, int(r.collision.points.size()));
  for (std::size_t p = 1; p < pairs.size(); ++p) {
    EXPECT_LT(std::pair(pairs[p - 1].shape_A, pairs[p - 1].shape_B),
              std::pair(pairs[p].shape_A, pairs[p].shape_B));
    EXPECT_EQ(pairs[p].begin, pairs[p - 1].end);
  }
}

TEST(Collision, GivesTheSameBitsForAnyNumberOfThreads) {
  const Model model = heap(300, 5);
  const VecX v = random_velocity(model, 1.0, 6);
  Look one(model);
  look(model, model.q0, v, 2e-3, &one);
  for (const int threads : {2, 3, 7}) {
    set_thread_count(threads);
    Look many(model);
    look(model, model.q0, v, 2e-3, &many);
    set_thread_count(1);
    ASSERT_EQ(many.collision.points.size(), one.collision.points.size());
    for (std::size_t k = 0; k < one.collision.points.size(); ++k) {
      const ContactPoint &a = one.collision.points[k], &b = many.collision.points[k];
      EXPECT_EQ(a.p_A, b.p_A);
      EXPECT_EQ(a.normal, b.normal);
      EXPECT_EQ(a.distance, b.distance);
      EXPECT_EQ(a.feature, b.feature);
    }
    for (std::size_t p = 0; p < one.collision.pairs.size(); ++p) {
      EXPECT_EQ(one.collision.pairs[p].begin, many.collision.pairs[p].begin);
      EXPECT_EQ(one.collision.pairs[p].end, many.collision.pairs[p].end);
    }
  }
}

TEST(Collision, SeesAFallingBallBeforeItTouches) {
  ModelBuilder builder;
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_free_body("ball", translation(0, 0, 0.1), solid_sphere(1.0, 0.1));
  builder.add_shape("ball", "ball", {}, Sphere{0.1});
  const Model model = builder.build();
  const double h = 1e-2, speed = 3.0, g = 9.81;
  const double margin = 2.0 * g * h * h + h * speed;
  VecX v = VecX::Zero(6);
  v[5] = -speed;
  for (const double share : {0.0, 0.5, 0.999}) {
    VecX q = model.q0;
    q[6] = 0.1 + share * margin;
    Look r(model);
    look(model, q, v, h, &r);
    ASSERT_EQ(r.collision.points.size(), 1u) << share;
    EXPECT_NEAR(r.collision.points[0].distance, share * margin, 1e-12);
    EXPECT_NEAR(r.collision.pairs[0].margin, margin, 1e-12);
  }
  VecX q = model.q0;
  q[6] = 0.1 + 1.001 * margin;
  Look r(model);
  look(model, q, v, h, &r);
  EXPECT_TRUE(r.collision.points.empty());
}

TEST(Collision, DoesNotLetABulletPassAThinPlate) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  builder.add_shape("plate", "world", {}, Box{{1.0, 1.0, 0.5e-3}});
  builder.add_free_body("ball", translation(0.5, 0.3, 0.7), solid_sphere(1e-3, 2.5e-3));
  builder.add_shape("ball", "ball", {}, Sphere{2.5e-3});
  World world(builder.build());
  world.set_body_velocity("ball", stack<double>(Vec3::Zero(), Vec3(0, 0, -300.0)));
  world.step(5e-3);
  const CollisionRecord& c = world.record().collision;
  const double exact = (0.7 - 0.5e-3 - 2.5e-3) / 300.0;
  ASSERT_EQ(c.pairs.size(), 1u);
  EXPECT_NEAR(c.pairs[0].time_of_impact, exact, 1e-9);
  ASSERT_EQ(c.points.size(), 1u);
  EXPECT_NEAR(c.points[0].distance / 300.0, exact, 1e-9);
}

TEST(Collision, DoesNotMakeABulletTouchThePlateItFliesBy) {
  // From x = 1.2 m, z = 0.3 m to x = 0.95 m, z = -0.6 m: it passes z = 0 beyond the plate's edge at x = 1 m,
  // to which it was close enough for a speculative point.
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  builder.add_shape("plate", "world", {}, Box{{1.0, 1.0, 0.5e-3}});
  builder.add_free_body("ball", translation(1.2, 0.0, 0.3), solid_sphere(1e-3, 2.5e-3));
  builder.add_shape("ball", "ball", {}, Sphere{2.5e-3});
  World world(builder.build());
  world.set_body_velocity("ball", stack<double>(Vec3::Zero(), Vec3(-50.0, 0, -180.0)));
  world.step(5e-3);
  ASSERT_EQ(world.record().collision.pairs.size(), 1u);
  EXPECT_GT(world.record().collision.pairs[0].margin, 0.5);
  EXPECT_TRUE(world.record().collision.points.empty());
}

TEST(Collision, AddsTheMarginsOfTheModel) {
  ShapeProperties properties;
  properties.margin = 0.02;
  properties.gap = 0.01;
  ModelBuilder builder;
  builder.add_shape("post", "world", translation(0.26, 0, 0), Sphere{0.1});
  builder.add_free_body("ball", {}, solid_sphere(1.0, 0.1));
  builder.add_shape("ball", "ball", {}, Sphere{0.1});
  const auto num_points = [&] {
    const Model model = builder.build();
    Look r(model);
    look(model, model.q0, VecX::Zero(6), 1e-3, &r);
    return r.collision.points.size();
  };
  builder.set_properties("ball", properties);
  EXPECT_EQ(num_points(), 0u);  // 0.06 m apart, and the margin is 0.03 m
  builder.set_properties("post", properties);
  EXPECT_EQ(num_points(), 1u);  // they add up
}

TEST(Collision, HonoursAListedPairAndItsOwnMargin) {
  ShapeProperties ghost;
  ghost.contype = ghost.conaffinity = 0;
  ghost.collides = false;
  ModelBuilder builder;
  builder.add_shape("post", "world", translation(0.26, 0, 0), Sphere{0.1});
  builder.add_free_body("ball", {}, solid_sphere(1.0, 0.1));
  builder.add_shape("ball", "ball", {}, Sphere{0.1});
  builder.set_properties("ball", ghost).set_properties("post", ghost);
  builder.add_contact_pair("ball", "post", 0.07);
  const Model model = builder.build();
  Look r(model);
  look(model, model.q0, VecX::Zero(6), 1e-3, &r);
  ASSERT_EQ(r.collision.points.size(), 1u);
  EXPECT_NEAR(r.collision.points[0].distance, 0.06, 1e-12);
}

TEST(Collision, CanBeSwitchedOffAndOnAgain) {
  ModelBuilder builder;
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_free_body("ball", translation(0, 0, 0.099), solid_sphere(1.0, 0.1));
  builder.add_shape("ball", "ball", {}, Sphere{0.1});
  builder.add_collision_group({.name = "balls", .bodies = {"ball"}});
  builder.add_collision_group({.name = "floors", .shapes = {"floor"}});
  WorldOptions options;
  options.h = 1e-5;
  World world(builder.build(), options);
  const auto num_points = [&] {
    world.step();
    return world.record().collision.points.size();
  };
  EXPECT_EQ(num_points(), 1u);
  world.set_shape_collides("ball", false);
  EXPECT_EQ(num_points(), 0u);
  world.set_shape_collides("ball", true);
  EXPECT_EQ(num_points(), 1u);
  world.set_pair_collides("ball", "floor", false);
  EXPECT_EQ(num_points(), 0u);
  world.set_pair_collides("floor", "ball", true);
  EXPECT_EQ(num_points(), 1u);
  world.set_body_collides("ball", false);
  EXPECT_EQ(num_points(), 0u);
  world.set_body_collides("ball", true);
  world.set_group_collides("balls", false);
  EXPECT_EQ(num_points(), 0u);
  world.set_group_collides("balls", true);
  EXPECT_EQ(num_points(), 1u);
  world.set_groups_collide("floors", "balls", false);
  EXPECT_EQ(num_points(), 0u);
  world.set_groups_collide("balls", "floors", true);
  EXPECT_EQ(num_points(), 1u);
  world.options().formulation.finds_contacts = false;
  EXPECT_EQ(num_points(), 0u);
}

TEST(Collision, LeavesOutShapesForDisplay) {
  ShapeProperties shown;
  shown.collides = false;
  shown.contype = shown.conaffinity = 0;
  ModelBuilder builder;
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_free_body("ball", {}, solid_sphere(1.0, 0.1));
  builder.add_shape("ball", "ball", {}, Sphere{0.1});
  builder.set_properties("ball", shown);
  EXPECT_EQ(make_collision_model(builder.build())->items.size(), 1u);
}

TEST(Collision, AllocatesNothingInSteadyState) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  const Model model = heap(80, 9);
  Look r(model);
  Random random(4);
  VecX q = model.q0;
  const VecX v = random_velocity(model, 0.1, 6);
  const auto run = [&](int steps) {
    for (int step = 0; step < steps; ++step) {
      for (int b = 0; b < 80; ++b)
        for (int k = 4; k < 7; ++k) q[7 * b + k] = model.q0[7 * b + k] + random.uniform(-1e-2, 1e-2);
      look(model, q, v, 2e-3, &r);
    }
  };
  run(50);
  const AllocationCounter counter;
  run(10);
  EXPECT_EQ(counter.count(), 0);
}

TEST(Collision, ReportsWhatOverlapsAtRest) {
  ModelBuilder builder;
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_free_body("sunk", translation(0, 0, 0.095), solid_sphere(1.0, 0.1));
  builder.add_free_body("free", translation(1, 0, 0.1), solid_sphere(1.0, 0.1));
  for (const char* name : {"sunk", "free"}) builder.add_shape(name, name, {}, Sphere{0.1});
  const Model model = builder.build();
  const std::vector<RestOverlap> overlaps = overlaps_at_rest(model, 1e-6);
  ASSERT_EQ(overlaps.size(), 1u);
  EXPECT_EQ(overlaps[0].shape_A, model.shape("floor"));
  EXPECT_EQ(overlaps[0].shape_B, model.shape("sunk"));
  EXPECT_NEAR(overlaps[0].depth, 0.005, 1e-12);
}

}  // namespace
}  // namespace stiction
