// Orders of the schemes where a robot stands on compliant ground.

#include <cmath>
#include <cstdio>
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

double angle_after_a_second(const char* scheme, double h) {
  WorldOptions options;
  options.h = h;
  options.formulation.scheme = &find_scheme(scheme);
  World world(standing_pendulum(), options);
  world.set_position("hinge", 0.5);
  world.simulate(1.0);
  // It stands: regularised friction lets it creep by no more than v_s in a second.
  EXPECT_LT(std::abs(world.body_pose("foot").p.x()), 1e-4);
  return world.position("hinge");
}

// Slopes of the error against a step 32 times smaller than the smallest. The normal force is taken at the end
// of the step under every scheme, so that a part of first order is left; it is of the size of the depth,
// 0.2 mm, and small beside the error of the swing at these steps.
std::vector<double> slopes(const char* scheme) {
  const double exact = angle_after_a_second(scheme, 1.25e-4);
  std::vector<double> errors, out;
  for (const double h : {1.6e-2, 8e-3, 4e-3})
    errors.push_back(std::abs(angle_after_a_second(scheme, h) - exact));
  for (std::size_t i = 1; i < errors.size(); ++i) out.push_back(std::log2(errors[i - 1] / errors[i]));
  std::printf("[ order    ] %-28s %-20s errors %.3e %.3e %.3e slopes %.3f %.3f\n",
              "pendulum on compliant ground", scheme, errors[0], errors[1], errors[2], out[0], out[1]);
  return out;
}

TEST(RobotOnCompliantGround, MovesWithOrderTwoUnderMidpoint) {
  for (const double slope : slopes("midpoint")) EXPECT_NEAR(slope, 2.0, 0.25);
}

TEST(RobotOnCompliantGround, MovesWithOrderOneUnderTheDefaultScheme) {
  for (const double slope : slopes("semi_implicit_euler")) EXPECT_NEAR(slope, 1.0, 0.15);
}

}  // namespace
}  // namespace stiction
