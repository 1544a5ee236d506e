#include "scenes/driven_robots.h"

#include <cmath>
#include <numbers>
#include <string>

#include "scenes/hand.h"
#include "scenes/humanoid.h"
#include "scenes/quadruped.h"
#include "scenes/solids.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/model/servos.h"

namespace stiction::scenes {
namespace {

// A servo on every hinge of the robot that holds the initial pose, with gains that grow with its effort.
void add_servos(const Model& robot, double kp_per_effort, double kv_per_kp, ModelBuilder* builder) {
  for (std::size_t j = 0; j < robot.forest.joints.size(); ++j) {
    const Joint& joint = robot.forest.joint(static_cast<int>(j));
    if (joint.type != JointType::revolute) continue;
    const double kp = kp_per_effort * joint.effort_limit;
    Actuator servo = position_servo(joint.name, joint.name, kp, kv_per_kp * kp, joint.effort_limit);
    servo.bias_parameters[0] = kp * robot.q0[robot.forest.joints[j].q_begin];
    builder->add_actuator(servo);
  }
}

void add_floor(double mu, ModelBuilder* builder) {
  ContactMaterial material;
  material.static_friction = mu;
  builder->add_shape("floor", "world", {}, HalfSpace{});
  builder->set_material("floor", material);
}

Model quadruped_on_floor(const char* name) {
  const Model robot = quadruped();
  ModelBuilder builder(name);
  builder.attach(robot, "world", {}, "");
  add_floor(0.8, &builder);
  add_servos(robot, 4.0, 0.03, &builder);
  return builder.build();
}

}  // namespace

Model quadruped_standing() { return quadruped_on_floor("quadruped_standing"); }
Model quadruped_trotting() { return quadruped_on_floor("quadruped_trotting"); }

InputSchedule trot(const Model& model) {
  constexpr double kPeriod = 0.4, kStart = 0.5;   // s; it stands before
  constexpr double kLift = 0.35, kStride = 0.15;  // rad
  constexpr double kPi = std::numbers::pi;
  InputSchedule schedule;
  const auto swing = [&](const std::string& joint, double amplitude, double phase, bool half) {
    Signal signal = sine_signal({.amplitude = amplitude, .period = kPeriod, .phase = phase, .half = half});
    signal.begin = kStart;
    schedule.controls.push_back({model.actuator(joint), std::move(signal)});
  };
  // Front left with hind right, front right with hind left.
  for (const std::string leg : {"front_left", "front_right", "hind_left", "hind_right"}) {
    const double phase = leg == "front_left" || leg == "hind_right" ? 0.0 : kPi;
    swing(leg + "_pitch", kLift, phase, true);
    swing(leg + "_pitch", kStride, phase + kPi / 2.0, false);
    swing(leg + "_knee", -2.0 * kLift, phase, true);
  }
  return schedule;
}

Model humanoid_standing() {
  const Model robot = humanoid();
  ModelBuilder builder("humanoid_standing");
  builder.attach(robot, "world", {}, "");
  add_floor(0.8, &builder);
  add_servos(robot, 12.0, 0.05, &builder);
  return builder.build();
}

Model hand_with_ball() {
  const Model robot = hand();
  ModelBuilder builder("hand_with_ball");
  builder.attach(robot, "world", {}, "");
  ContactMaterial rubber;
  rubber.static_friction = 0.8;
  builder.add_free_body("ball", translation(0.0, 0.035, 0.352), Inertia{});
  add_part("ball", "ball", {}, Sphere{0.035}, 0.1, &builder);
  builder.set_material("ball", rubber);
  for (std::size_t j = 0; j < robot.forest.joints.size(); ++j) {
    const Joint& joint = robot.forest.joint(static_cast<int>(j));
    constexpr double kGain = 1.0, kDamping = 0.05;  // N m/rad, N m s/rad
    // Fingers close to here and stop on the ball.
    const bool spreads = joint.name.find("spread") != std::string::npos;
    const bool is_thumb = joint.name.find("thumb") != std::string::npos;
    const double closed = spreads ? 0.0 : is_thumb ? 0.6 : 1.2;
    Actuator servo = position_servo(joint.name, joint.name, kGain, kDamping, joint.effort_limit);
    servo.bias_parameters[0] = kGain * closed;
    builder.add_actuator(servo);
  }
  return builder.build();
}

}  // namespace stiction::scenes
