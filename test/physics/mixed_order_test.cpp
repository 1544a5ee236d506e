// Orders of the schemes where a robot stands on compliant ground, or is held under a ceiling by adhesion.

#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

// A foot of 16 kg that stands on the ground by its friction, with a bar that swings from it.
Model standing_pendulum() {
  ModelBuilder builder("standing_pendulum");
  builder.add_shape("ground", "world", {}, HalfSpace{});
  builder.add_free_body("foot", Pose{Mat3::Identity(), Vec3(0.0, 0.0, 0.05)}, Inertia{});
  builder.add_solid("foot", "foot", {}, Box{Vec3(0.2, 0.2, 0.05)}, 1000.0);
  builder.add_body("bar", "foot", Pose{Mat3::Identity(), Vec3(0.0, 0.0, 0.3)});
  builder.add_joint("bar", {.name = "hinge", .axis = Vec3::UnitY()});
  builder.add_solid("bar", "bar", Pose{Mat3::Identity(), Vec3(0.0, 0.0, -0.12)}, Box{Vec3(0.02, 0.02, 0.1)},
                    1000.0);
  builder.exclude_contacts("foot", "bar");
  ContactMaterial ground;
  ground.stiffness = 1e6;
  ground.static_friction = 1.0;
  builder.set_material("ground", ground);
  return builder.build();
}

// The same foot under a ceiling, with the bar below it; adhesion pulls with twice the weight of 160 N, so
// that the ceiling carries as much as the ground.
Model hanging_pendulum() {
  ModelBuilder builder("hanging_pendulum");
  const Mat3 upside_down = rotation_about<double>(Vec3::UnitX(), std::numbers::pi);
  builder.add_shape("ceiling", "world", {upside_down, Vec3::Zero()}, HalfSpace{});
  builder.add_free_body("foot", translation(0.0, 0.0, -0.05), Inertia{});
  builder.add_solid("foot", "foot", {}, Box{Vec3(0.2, 0.2, 0.05)}, 1000.0);
  builder.add_body("bar", "foot", translation(0.0, 0.0, -0.3));
  builder.add_joint("bar", {.name = "hinge", .axis = Vec3::UnitY()});
  builder.add_solid("bar", "bar", translation(0.0, 0.0, -0.12), Box{Vec3(0.02, 0.02, 0.1)}, 1000.0);
  builder.exclude_contacts("foot", "bar");
  ContactMaterial ceiling;
  ceiling.stiffness = 1e6;
  ceiling.static_friction = 1.0;
  builder.set_material("ceiling", ceiling);
  Actuator grip;
  grip.name = "grip";
  grip.transmission = TransmissionKind::body;
  grip.target = "foot";
  grip.bias = "affine";
  grip.bias_parameters[0] = 320.0;
  builder.add_actuator(grip);
  return builder.build();
}

double angle_after_a_second(const Model& model, const char* scheme, double h) {
  WorldOptions options;
  options.h = h;
  options.formulation.scheme = &find_scheme(scheme);
  World world(model, options);
  world.set_position("hinge", 0.5);
  world.simulate(1.0);
  // It stands or hangs: regularised friction lets it creep by no more than v_s in a second.
  EXPECT_LT(std::abs(std::abs(world.body_pose("foot").p.z()) - 0.05), 1e-3);
  EXPECT_LT(std::abs(world.body_pose("foot").p.x()), 1e-4);
  return world.position("hinge");
}

// Slopes of the error against a step 32 times smaller than the smallest. The normal force is taken at the end
// of the step under every scheme, so that a part of first order is left; it is of the size of the depth,
// 0.2 mm, and small beside the error of the swing at these steps.
std::vector<double> slopes(const Model& model, const char* scheme) {
  const double exact = angle_after_a_second(model, scheme, 1.25e-4);
  std::vector<double> errors, out;
  for (const double h : {1.6e-2, 8e-3, 4e-3})
    errors.push_back(std::abs(angle_after_a_second(model, scheme, h) - exact));
  for (std::size_t i = 1; i < errors.size(); ++i) out.push_back(std::log2(errors[i - 1] / errors[i]));
  std::printf("[ order    ] %-28s %-20s errors %.3e %.3e %.3e slopes %.3f %.3f\n", model.name.c_str(), scheme,
              errors[0], errors[1], errors[2], out[0], out[1]);
  return out;
}

TEST(RobotOnCompliantGround, MovesWithOrderTwoUnderMidpoint) {
  for (const double slope : slopes(standing_pendulum(), "midpoint")) EXPECT_NEAR(slope, 2.0, 0.25);
}

TEST(RobotOnCompliantGround, MovesWithOrderOneUnderTheDefaultScheme) {
  for (const double slope : slopes(standing_pendulum(), "semi_implicit_euler")) EXPECT_NEAR(slope, 1.0, 0.15);
}

// The points rest in the world, and with them the rows of contact and adhesion
// (simulation/actuation/adhesion.h).
TEST(RobotHeldByAdhesion, MovesWithOrderTwoUnderMidpoint) {
  for (const double slope : slopes(hanging_pendulum(), "midpoint")) EXPECT_NEAR(slope, 2.0, 0.25);
}

}  // namespace
}  // namespace stiction
