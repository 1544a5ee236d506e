#include "stiction/simulation/actuation/adhesion.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/io/mjcf/mjcf.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

// A box of 2 kg under a ceiling that it touches, with an actuator that pulls it there.
Model hanging_box(const std::string& geom = "") {
  return parse_mjcf(R"(<mujoco><worldbody>
      <geom name="ceiling" type="box" size="1 1 0.1" pos="0 0 1.1"/>
      <body name="box" pos="0 0 0.9"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="2" )" +
                        geom + R"(/></body></worldbody>
      <actuator><adhesion name="grip" body="box" gain="10" ctrlrange="0 10"/></actuator></mujoco>)",
                    "model.xml");
}

TEST(Adhesion, HoldsABoxUnderTheCeilingIfItPullsMoreThanTheWeight) {
  World world(hanging_box(), {.h = 1e-3});
  world.set_control("grip", 3.0);  // 30 N
  world.simulate(1.0);
  EXPECT_NEAR(world.body_pose("box").p.z(), 0.9, 1e-3);
  // The ceiling pushes back with what the weight leaves of it.
  EXPECT_NEAR(world.contact_force("box").z(), -(30.0 - 2.0 * 9.81), 0.3);
}

TEST(Adhesion, LetsABoxFallThatIsTooHeavy) {
  World world(hanging_box(), {.h = 1e-3});
  world.set_control("grip", 1.0);  // 10 N
  world.simulate(0.3);
  EXPECT_LT(world.body_pose("box").p.z(), 0.8);
}

TEST(Adhesion, PullsNothingFromAfar) {
  World world(hanging_box(), {.h = 1e-3});
  world.set_body_pose("box", translation(0, 0, 0.5));
  world.set_control("grip", 10.0);
  world.simulate(0.1);
  EXPECT_NEAR(world.body_velocity("box")[5], -9.81 * 0.1, 1e-10);
}

TEST(Adhesion, ReachesAcrossTheGap) {
  World world(hanging_box("margin='0' gap='0.05'"), {.h = 1e-3});
  world.set_body_pose("box", translation(0, 0, 0.88));
  world.set_control("grip", 10.0);
  world.step();
  EXPECT_NEAR(world.body_velocity("box")[5], (100.0 / 2.0 - 9.81) * 1e-3, 1e-10);
}

// A ball of 2 kg on a spring of 400 N/m, pulled across a gap by a plate: the force rises to 2 N by a filter
// of T = 0.1 s, f/m = F (1 - exp(-t/T)). From rest at the length of the spring, with w^2 = k/m,
//
//   z = -F/w^2 + B exp(-t/T) + (F/w^2 - B) cos(w t) + B/(T w) sin(w t),   B = F/(w^2 + 1/T^2).
//
// The largest error of z (m) in half a second.
double error_of_a_pulled_ball(const char* scheme, double h) {
  const Model model = parse_mjcf(R"(<mujoco><option gravity="0 0 0"/><worldbody>
      <geom name="plate" type="plane" size="1 1 1"/>
      <body name="ball" pos="0 0 0.12"><joint name="z" type="slide" axis="0 0 1" stiffness="400"/>
        <geom type="sphere" size="0.1" mass="2" margin="0" gap="0.05"/></body></worldbody>
      <actuator><general name="grip" body="ball" dyntype="filter" dynprm="0.1" gainprm="2"/></actuator>
      </mujoco>)",
                                 "pulled_ball.xml");
  WorldOptions options;
  options.h = h;
  options.formulation.scheme = &find_scheme(scheme);
  World world(model, options);
  world.set_control("grip", 1.0);
  const double T = 0.1, F = 1.0, w2 = 200.0, w = std::sqrt(w2), B = F / (w2 + 1.0 / (T * T));
  double worst = 0.0;
  for (int i = 0; i < static_cast<int>(std::lround(0.5 / h)); ++i) {
    world.step();
    const double t = world.time(), swing = (F / w2 - B) * std::cos(w * t) + B / (T * w) * std::sin(w * t);
    worst = std::max(worst, std::abs(world.position("z") - (-F / w2 + B * std::exp(-t / T) + swing)));
  }
  return worst;
}

TEST(Adhesion, HasItsForceAtTheTimeOfTheScheme) {
  for (const auto& [scheme, order] : {std::pair("midpoint", 2.0), std::pair("semi_implicit_euler", 1.0)}) {
    const double coarse = error_of_a_pulled_ball(scheme, 1.0 / 512),
                 fine = error_of_a_pulled_ball(scheme, 1.0 / 1024);
    std::printf("[ order    ] %-28s %-20s errors %.3e %.3e slope %.3f\n", "ball pulled across a gap", scheme,
                coarse, fine, std::log2(coarse / fine));
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.1) << scheme;
  }
}

// A platform of 5 kg that swings from a hinge, and on it a box of 1 kg that is pulled to it with a constant
// force.
struct Swing {
  static constexpr double kStart = 0.3, kReach = 0.6, kHalf = 0.05, kThin = 0.02;  // rad, m
  static constexpr double kStiffness = 1e7, kMass = 1.0;                           // N/m, kg

  // Angle after half a second (rad).
  static double angle(double pull, double h) {
    ModelBuilder builder("swing");
    builder.add_body("platform", "world");
    builder.add_joint("platform", {.name = "hinge", .axis = Vec3::UnitY()});
    const Vec3 half(0.2, 0.2, kThin);
    builder.add_solid("platform", "platform", translation(0.0, 0.0, -kReach), Box{half},
                      5.0 / (8.0 * half.prod()));
    builder.add_free_body("box", {}, Inertia{});
    builder.add_solid("box", "box", {}, Box{Vec3::Constant(kHalf)}, kMass / std::pow(2.0 * kHalf, 3));
    ContactMaterial material;
    material.stiffness = kStiffness;
    builder.set_material("box", material);
    Actuator grip;
    grip.name = "grip";
    grip.transmission = TransmissionKind::body;
    grip.target = "box";
    grip.bias = "affine";
    grip.bias_parameters[0] = pull;
    builder.add_actuator(grip);

    WorldOptions options;
    options.h = h;
    options.formulation.scheme = &find_scheme("midpoint");
    options.formulation.newton.relative_tolerance = 1e-11;  // what is left adds up over 4096 steps
    World world(builder.build(), options);
    world.set_position("hinge", kStart);
    // As deep as the box will lie.
    const double depth = (pull + kMass * 9.81 * std::cos(kStart)) / kStiffness;
    const Mat3 R = rotation_about<double>(Vec3::UnitY(), kStart);
    world.set_body_pose("box", {R, R * Vec3(0.0, 0.0, kThin + kHalf - kReach - depth)});
    for (int i = 0; i < static_cast<int>(std::lround(0.5 / h)); ++i) world.step();
    return world.position("hinge");
  }
};

// Rows of contact points that turn are taken at the start of the step, for contact and adhesion alike: first
// order under any scheme, by the load of 10 N and not by the pull.
TEST(Adhesion, HoldsABoxOnASwingWithTheErrorOfTheContactHoweverHardItPulls) {
  std::vector<double> errors;  // rad, at the finest step
  for (const double pull : {0.0, 100.0, 1000.0}) {
    const double exact = Swing::angle(pull, 1.0 / 8192);
    const double coarse = std::abs(Swing::angle(pull, 1.0 / 128) - exact),
                 fine = std::abs(Swing::angle(pull, 1.0 / 256) - exact);
    std::printf("[ order    ] box on a swing, pulled with %4.0f N   midpoint   errors %.3e %.3e slope %.3f\n",
                pull, coarse, fine, std::log2(coarse / fine));
    // The reference has 1/32 of the finer error, which makes the slope of first order 1.02.
    EXPECT_NEAR(std::log2(coarse / fine), 1.0, 0.15) << pull;
    errors.push_back(fine);
  }
  // A pull whose points moved on to theta without those of the contact would add 10 and 100 times the error.
  // The box is pressed 0.1 mm deeper, of 0.5 m; the rest is of second order in h.
  for (const double error : errors) EXPECT_NEAR(error, errors.front(), 0.1 * errors.front());
}

}  // namespace
}  // namespace stiction
