#include "scenes/mechanisms.h"

#include <cmath>
#include <string>

#include "scenes/solids.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/model/servos.h"

namespace stiction::scenes {
namespace {

constexpr double kBarDensity = 2.0;    // kg/m
constexpr double kBarRadius = 0.005;   // m
constexpr double kDriveDamping = 2.0;  // N m s/rad

// A bar from its origin along x to its far end, on a hinge that rotates x towards z. Bars do not collide with
// each other.
void add_bar(const std::string& name, const std::string& parent, const Vec3& at, double length, double angle,
             ModelBuilder* builder) {
  builder->add_body(name, parent, translation(at));
  builder->add_joint(name, {.name = name, .axis = -Vec3::UnitY()});
  builder->set_initial(name, {angle});
  add_rod(name, name, Vec3::Zero(), Vec3(length, 0, 0), kBarRadius, kBarDensity * length, builder);
  ShapeProperties no_contact;
  no_contact.collides = false;
  no_contact.contype = no_contact.conaffinity = 0;
  builder->set_properties(name, no_contact);
}

void close_loop(const std::string& name, const std::string& frame1, const std::string& frame2,
                ModelBuilder* builder) {
  Equality equality;
  equality.name = name;
  equality.kind = EqualityKind::connect;
  equality.between_sites = true;
  equality.object1 = frame1;
  equality.object2 = frame2;
  builder->add_constraint(equality);
}

// A drive that keeps a speed (rad/s) while its control is zero.
void add_drive(const std::string& joint, double speed, ModelBuilder* builder) {
  if (speed == 0.0) return;
  Actuator drive = velocity_servo("drive", joint, kDriveDamping);
  drive.bias_parameters[0] = kDriveDamping * speed;
  builder->add_actuator(drive);
  builder->set_initial_velocity(joint, {speed});
}

}  // namespace

Model four_bar(const FourBarOptions& o) {
  // Where the circles about the crank's tip and the rocker's pivot meet, above the line between them.
  const Vec3 tip(o.crank * std::cos(o.start), 0.0, o.crank * std::sin(o.start)), pivot(o.ground, 0, 0);
  const Vec3 across = pivot - tip;
  const double apart = across.norm();
  const double along = (apart * apart + o.coupler * o.coupler - o.rocker * o.rocker) / (2.0 * apart);
  const double up = std::sqrt(o.coupler * o.coupler - along * along);
  const Vec3 x = across / apart, z = Vec3(-x.z(), 0.0, x.x());
  const Vec3 coupler = along * x + up * z, rocker = tip + coupler - pivot;

  ModelBuilder builder("four_bar");
  add_bar("crank", "world", Vec3::Zero(), o.crank, o.start, &builder);
  add_bar("coupler", "crank", Vec3(o.crank, 0, 0), o.coupler, std::atan2(coupler.z(), coupler.x()) - o.start,
          &builder);
  add_bar("rocker", "world", pivot, o.rocker, std::atan2(rocker.z(), rocker.x()), &builder);
  builder.add_frame("coupler_end", "coupler", translation(o.coupler, 0, 0));
  builder.add_frame("rocker_end", "rocker", translation(o.rocker, 0, 0));
  close_loop("loop", "coupler_end", "rocker_end", &builder);
  add_drive("crank", o.speed, &builder);
  return builder.build();
}
Model driven_four_bar() { return four_bar({}); }

Model slider_crank(const SliderCrankOptions& o) {
  const double rod_angle = -std::asin(o.crank / o.rod * std::sin(o.start));
  ModelBuilder builder("slider_crank");
  add_bar("crank", "world", Vec3::Zero(), o.crank, o.start, &builder);
  add_bar("rod", "crank", Vec3(o.crank, 0, 0), o.rod, rod_angle - o.start, &builder);
  builder.add_body("slider", "world");
  builder.add_joint("slider", {.name = "slider", .type = JointType::prismatic, .axis = Vec3::UnitX()});
  builder.set_initial("slider", {o.crank * std::cos(o.start) + o.rod * std::cos(rod_angle)});
  add_part("slider", "slider", {}, Box{Vec3(0.03, 0.02, 0.02)}, 0.5, &builder);
  builder.add_frame("rod_end", "rod", translation(o.rod, 0, 0));
  builder.add_frame("pin", "slider", {});
  close_loop("loop", "rod_end", "pin", &builder);
  add_drive("crank", o.speed, &builder);
  return builder.build();
}
Model driven_slider_crank() { return slider_crank({}); }

Model gripper(const GripperOptions& o) {
  constexpr double kSide = 0.06, kThickness = 0.02;  // m
  ContactMaterial rubber;
  rubber.static_friction = o.mu;
  ModelBuilder builder("gripper");
  builder.add_body("palm", "world", translation(0.0, 0.0, 0.5));
  add_part("palm", "palm", translation(0.0, 0.0, 0.08), Box{Vec3(0.08, 0.03, 0.02)}, 1.0, &builder);
  for (const bool left : {true, false}) {
    const std::string finger = left ? "left" : "right";
    const double side = left ? -1.0 : 1.0;
    builder.add_body(finger, "palm", translation(side * 0.5 * (kSide + kThickness), 0.0, 0.0));
    builder.add_joint(finger, {.name = finger, .type = JointType::prismatic, .axis = -side * Vec3::UnitX()});
    add_part(finger, finger, {}, Box{Vec3(0.5 * kThickness, 0.03, 0.05)}, 0.2, &builder);
    builder.set_material(finger, rubber);
    // Squeezes while its control is zero.
    Actuator push = motor(finger, finger);
    push.bias = "affine";
    push.bias_parameters = {o.force};
    builder.add_actuator(push);
  }
  builder.add_free_body("cube", translation(0.0, 0.0, 0.5), Inertia{});
  add_part("cube", "cube", {}, Box{Vec3::Constant(0.5 * kSide)}, o.mass, &builder);
  builder.set_material("cube", rubber);
  return builder.build();
}
Model gripper_with_cube() { return gripper({}); }

}  // namespace stiction::scenes
