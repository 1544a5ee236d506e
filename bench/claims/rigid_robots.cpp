// The robots of C section IV-C, from the shared folder: Solo-12, Talos, and an Allegro hand that a ball falls into.
// Where it is missing, our own robots of the same kind take their places.
//
// C names the robots and the pushes (10 N, 80 N). Ours: the servos of Solo-12 (kp 20 N m/rad, kv 0.4 N m s/rad; the
// pose is that of its public controller), its friction 0.9 and the ball (0.1 m across, of 0.1 kg; the public
// benchmark of the paper has 0.1 m and 10 kg, and 1 g in the problem that it keeps: both are run beside it).
// Talos and the hand have the servos of their files.

#include <filesystem>
#include <memory>
#include <numbers>

#include <fmt/format.h>

#include "bench/claims/rigid_scenes.h"
#include "scenes/driven_robots.h"
#include "stiction/base/shared_files.h"
#include "stiction/io/model_file.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/model/servos.h"

namespace stiction::claims {
namespace {

constexpr const char* kSolo = "models/example-robot-data/robots/solo_description/robots/solo12.urdf";
constexpr const char* kTalos = "models/pal_talos/scene_position.xml";
constexpr const char* kAllegro = "models/wonik_allegro/right_hand.xml";

Model solo12(const std::filesystem::path& file) {
  constexpr double kHeight = 0.265, kFoot = 0.0191;  // m, of the base with the feet on the floor; radius
  constexpr double kHip = 0.7, kKnee = 1.4, kP = 20.0, kD = 0.4;  // rad, N m/rad, N m s/rad
  ModelFileOptions options;
  options.floating_base = true;
  ModelBuilder builder("solo12");
  // The feet of the public benchmark, in place of the meshes: one point each.
  Model robot = load_model_file(file, options);
  robot.elements.shapes.resize(robot.shapes.size());
  for (ShapeProperties& shape : robot.elements.shapes) shape.collides = false;
  builder.attach(robot, "world", translation(0.0, 0.0, kHeight), "");
  ContactMaterial ground;
  ground.static_friction = 0.9;
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.set_material("floor", ground);
  for (const std::string leg : {"FL", "FR", "HL", "HR"}) {
    builder.add_shape(leg + "_sole", leg + "_FOOT", {}, Sphere{kFoot});
    builder.set_material(leg + "_sole", ground);
    const double side = leg[0] == 'F' ? 1.0 : -1.0;
    for (const auto& [joint, angle] :
         {std::pair{"_HAA", 0.0}, std::pair{"_HFE", side * kHip}, std::pair{"_KFE", -side * kKnee}}) {
      Actuator servo = position_servo(leg + joint, leg + joint, kP, kD);
      servo.bias_parameters[0] = kP * angle;
      builder.add_actuator(servo);
      builder.set_initial(leg + joint, {angle});
    }
  }
  return builder.build();
}

// mass: of the ball, kg.
Model allegro(const std::filesystem::path& file, double mass) {
  constexpr double kRadius = 0.05, kDrop = 0.14;  // m, m above the palm's origin
  constexpr double kVolume = 4.0 / 3.0 * std::numbers::pi * kRadius * kRadius * kRadius;
  ModelBuilder builder("allegro");
  builder.attach(load_model_file(file), "world", {}, "");
  builder.add_free_body("ball", translation(0.0, 0.0, kDrop), Inertia{});
  builder.add_solid("ball", "ball", {}, Sphere{kRadius}, mass / kVolume);
  return builder.build();
}

Model talos(const std::filesystem::path& file) { return load_model_file(file); }

PushedRobot robot_of(const char* file, const char* name, Model (*load)(const std::filesystem::path&),
                     const char* body, const PushedRobot& own) {
  const auto path = shared_file(file);
  if (!path) return own;
  PushedRobot robot = own;
  robot.name = name;
  robot.body = body;
  robot.model = std::make_shared<const Model>(load(*path));
  robot.is_of_paper = true;
  return robot;
}

PushedRobot ours(const char* kind, Model model, const char* body, double force, double settled) {
  return {kind, kind, std::make_shared<const Model>(std::move(model)), body, force, settled};
}

std::vector<PushedRobot> made_robots() {
  const PushedRobot hand = ours("hand", scenes::hand_with_ball(), "", 0.0, 0.1);
  std::vector<PushedRobot> robots = {
      robot_of(kSolo, "Solo-12", solo12, "base_link",
               ours("quadruped", scenes::quadruped_standing(), "trunk", 10.0, 1.0)),
      robot_of(kTalos, "Talos", talos, "base_link",
               ours("humanoid", scenes::humanoid_standing(), "pelvis", 80.0, 1.0)),
      robot_of(
          kAllegro, "Allegro", [](const auto& file) { return allegro(file, 0.1); }, "", hand)};
  if (!robots.back().is_of_paper) return robots;
  // The two masses of the public benchmark.
  robots.push_back(robot_of(
      kAllegro, "Allegro 10 kg", [](const auto& file) { return allegro(file, 10.0); }, "", hand));
  robots.push_back(robot_of(
      kAllegro, "Allegro 1 g", [](const auto& file) { return allegro(file, 1e-3); }, "", hand));
  return robots;
}

}  // namespace

const std::vector<PushedRobot>& pushed_robots() {
  static const std::vector<PushedRobot> robots = made_robots();
  return robots;
}

World world_of(const PushedRobot& robot, const WorldOptions& options) {
  World world(robot.model, options);
  const std::vector<Keyframe>& keyframes = robot.model->elements.keyframes;
  if (!keyframes.empty()) world.reset_to_keyframe(keyframes.front().name);
  return world;
}

World standing(const ClaimContext& context, const PushedRobot& robot, double h) {
  World world = world_of(robot, rigid_options("coulomb_ncp+admm", h, 1e-6));
  run_until(context, robot.settled, &world);
  return world;
}

std::string which_robots() {
  std::string text;
  for (const PushedRobot& robot : pushed_robots())
    if (!robot.is_of_paper) text += fmt::format("{}our {}", text.empty() ? "" : ", ", robot.kind);
  return text.empty() ? text : fmt::format("; {} (the shared folder has not the paper's)", text);
}

}  // namespace stiction::claims
