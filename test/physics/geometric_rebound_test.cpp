// Balls that slide on the layers of quasi-rigid bodies and leave them again: every step is solved with the geometry at its
// end (docs/models/geometric.md).

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

constexpr double kGravity = 9.81, kRadius = 0.1;  // m/s^2, m; the balls have 1 kg

WorldOptions quasi_rigid(double h) {
  WorldOptions options;
  options.h = h;
  set_formulation("geometric_quasi_rigid", &options.formulation.contact);
  return options;
}

// A ball at a height over the floor that moves along x and z without turning.
World ball_on_slides(const ContactMaterial& floor, double height, double h) {
  ModelBuilder builder("ball");
  builder.add_shape("floor", "world", {}, HalfSpace{}).set_material("floor", floor);
  builder.add_body("ball", "world", translation(0.0, 0.0, kRadius + height), solid_sphere(1.0, kRadius));
  for (const auto& [name, axis] :
       {std::pair("x", Vec3(Vec3::UnitX())), std::pair("z", Vec3(Vec3::UnitZ()))}) {
    Joint slide;
    slide.name = name;
    slide.type = JointType::prismatic;
    slide.axis = axis;
    builder.add_joint("ball", slide);
  }
  ContactMaterial hard;
  hard.static_friction = floor.static_friction;
  builder.add_shape("ball", "ball", {}, Sphere{kRadius}).set_material("ball", hard);
  WorldOptions options = quasi_rigid(h);
  set_tolerance(1e-12, &options.formulation);
  return World(builder.build(), options);
}

// The same ball and layer as numbers along two axes, by implicit Euler: a spring and a damper that only push, and the
// shear of the layer, which is dragged along up to the limit of friction.
struct SlidingPoint {
  double stiffness = 0.0, damping = 0.0, mu = 0.0;  // N/m, N s/m
  double x_dot = 0.0, z = 0.0, z_dot = 0.0;         // m/s, m, m/s
  double deflection = 0.0, shear = 0.0, impulse = 0.0;

  void step(double h) {
    const double slope = h * stiffness + damping;  // impulse over deflection
    const double falling = z_dot - h * kGravity;
    const double pushed = slope * (-z - h * falling) - damping * deflection;
    impulse = std::max(0.0, pushed / (1.0 + h * slope));
    z_dot = falling + impulse;
    z += h * z_dot;
    deflection = (impulse + damping * deflection) / slope;
    const double sticks = -h * (stiffness * shear + slope * x_dot) / (1.0 + h * slope);
    const double friction = std::clamp(sticks, -mu * impulse, mu * impulse);
    x_dot += friction;
    shear = (damping * shear - friction) / slope;
  }
};

// Down, up and off the layer with the speeds of the point. In the last steps the normal impulse and the shear that
// friction holds fall to zero together. Without a damper, implicit Euler takes the energy about the rest position down
// by the factor 1 + k h^2/m in every step that ends in the layer, and no more: the ball leaves with that speed.
TEST(GeometricRebound, OfABallThatSlidesHasTheSpeedsOfAPointOnASpring) {
  constexpr double kDown = 0.5, kAlong = 0.4, kHeight = 1e-3;  // m/s, m/s, m
  // Some thousand steps at 1e-12 of speeds of order 1; what sticks creeps by 1e-9 of the speed that friction changes.
  constexpr double kSolved = 1e-8;
  constexpr double kMostPerStep = 0.1;  // k h^2/m: stiffer layers are met and left within a few steps
  for (const double mu : {0.1, 0.4, 1.0}) {
    for (const double k : {500.0, 2e3, 2e4, 1e6}) {
      for (const double relaxation_time : {0.0, 1e-5, 1e-4, 1e-3}) {
        for (const double h : {2e-4, 1e-3, 4e-3}) {
          if (k * h * h > kMostPerStep) continue;
          SCOPED_TRACE(testing::Message()
                       << "mu " << mu << ", k " << k << ", tau " << relaxation_time << ", h " << h);
          ContactMaterial floor;
          floor.static_friction = mu;
          floor.stiffness = k;
          floor.relaxation_time = relaxation_time;
          World world = ball_on_slides(floor, kHeight, h);
          world.set_velocity("x", kAlong);
          world.set_velocity("z", -kDown);
          SlidingPoint point{.stiffness = k,
                             .damping = relaxation_time * k,
                             .mu = mu,
                             .x_dot = kAlong,
                             .z = kHeight,
                             .z_dot = -kDown};
          const auto energy = [&] {  // J, of the world, about the rest position
            const double x = world.position("z") + kHeight + kGravity / k, v = world.velocity("z");
            return 0.5 * v * v + 0.5 * k * x * x;
          };
          double met = 0.0;
          int touched = 0;
          while (touched == 0 || point.impulse > 0.0) {
            const double before = energy();
            point.step(h);
            world.step();
            if (point.impulse > 0.0 && ++touched == 1) met = before;
            const GeometricReport& report = world.record().report.geometric;
            ASSERT_EQ(report.fallbacks, 0) << touched;
            ASSERT_EQ(report.halvings, 0) << touched;
            ASSERT_NEAR(world.velocity("z"), point.z_dot, kSolved) << touched;
            ASSERT_NEAR(world.velocity("x"), point.x_dot, kSolved) << touched;
            ASSERT_LT(touched, 2000);
            if (relaxation_time == 0.0 && point.impulse > 0.0) {
              const double left = std::pow(1.0 + k * h * h, -touched);
              ASSERT_NEAR(energy(), met * left, kSolved) << touched;
            }
          }
          EXPECT_GT(touched, 5);
          EXPECT_GT(world.velocity("z"), 0.0);
        }
      }
    }
  }
}

// Balls thrown with spin at floors and domes, with layers on one side or both, of any damping, some of which are
// pressed flat.
TEST(GeometricRebound, OfThrownBallsNeverFallsBackOnTheExplicitGeometry) {
  for (int seed = 0; seed < 60; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const auto log_uniform = [&](double a, double b) {
      return std::exp(random.uniform(std::log(a), std::log(b)));
    };
    const double mu = random.uniform(0.0, 1.2);
    const auto material = [&](bool is_soft) {
      ContactMaterial of;
      of.static_friction = mu;
      if (is_soft) of.stiffness = log_uniform(500.0, 1e5);
      if (is_soft && seed % 3 > 0) of.relaxation_time = log_uniform(1e-5, 1e-2);
      return of;
    };
    const bool has_core = seed % 4 == 1, is_dome = seed % 4 == 2, both = seed % 4 == 3;
    ContactMaterial floor = material(true);
    if (has_core) floor.max_deflection = log_uniform(1e-3, 1e-2);
    ModelBuilder builder("thrown");
    if (is_dome)
      builder.add_shape("floor", "world", translation(0.0, 0.0, -0.5), Sphere{0.5});
    else
      builder.add_shape("floor", "world", {}, HalfSpace{});
    builder.set_material("floor", floor);
    builder.add_free_body("ball", translation(0.0, 0.0, kRadius + 1e-3), solid_sphere(1.0, kRadius));
    builder.add_shape("ball", "ball", {}, Sphere{kRadius}).set_material("ball", material(both));
    const double h = log_uniform(2e-4, 4e-3);
    World world(builder.build(), quasi_rigid(h));
    Vec6 V;
    for (int i = 0; i < 6; ++i) V[i] = i < 3 ? random.uniform(-5.0, 5.0) : random.uniform(-2.0, 2.0);
    V[5] = -log_uniform(0.05, 2.0);
    world.set_body_velocity("ball", V);
    int fallbacks = 0, touched = 0;
    for (int i = 0; i < std::min(400, static_cast<int>(0.2 / h)); ++i) {
      world.step();
      fallbacks += world.record().report.geometric.fallbacks;
      touched += !world.record().geometric_contacts.empty();
    }
    EXPECT_EQ(fallbacks, 0) << "seed " << seed << ": mu " << mu << ", k " << *floor.stiffness << ", h " << h;
    EXPECT_GT(touched, 0) << seed;
  }
}

}  // namespace
}  // namespace stiction
