#include "scenes/sliders.h"

#include <cmath>
#include <numbers>
#include <string>

#include "stiction/simulation/model/model_builder.h"

namespace stiction::scenes {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

ContactMaterial material_of(double mu) {
  ContactMaterial material;
  material.static_friction = mu;
  return material;
}

// Steel of the papers: 1e7 N/m, in contact with a rigid body.
ContactMaterial steel(double mu, double dissipation, double relaxation_time) {
  ContactMaterial material = material_of(mu);
  material.stiffness = 1e7;
  material.dissipation = dissipation;
  material.relaxation_time = relaxation_time;
  return material;
}

void add_floor(const ContactMaterial& material, const Mat3& R, ModelBuilder* builder) {
  builder->add_shape("floor", "world", {R, Vec3::Zero()}, HalfSpace{});
  builder->set_material("floor", material);
}

void add_cube(const Pose& X_WB, double side, double mass, const ContactMaterial& material,
              ModelBuilder* builder) {
  builder->add_free_body("box", X_WB, Inertia{});
  builder->add_solid("box", "box", {}, Box{Vec3::Constant(side / 2.0)}, mass / (side * side * side));
  builder->set_material("box", material);
}

Joint slide(const std::string& name, const Vec3& axis) {
  Joint joint;
  joint.name = name;
  joint.type = JointType::prismatic;
  joint.axis = axis;
  return joint;
}

}  // namespace

Model slope(double angle, double mu) {
  ModelBuilder builder("slope");
  const Mat3 R = rotation_about<double>(Vec3::UnitY(), angle);  // downhill is +x
  add_floor(material_of(mu), R, &builder);
  add_cube({R, R * Vec3(0.0, 0.0, 0.05)}, 0.1, 1.0, material_of(mu), &builder);
  return builder.build();
}
Model slope_of_20_degrees() { return slope(20.0 * kDegree, 0.5); }

Model sliding_block() {
  ModelBuilder builder("sliding_block");
  add_floor(material_of(0.5), Mat3::Identity(), &builder);
  add_cube(translation(0.0, 0.0, 0.05), 0.1, 1.0, material_of(0.5), &builder);
  builder.set_initial_velocity("box", {0.0, 0.0, 0.0, 1.0, 0.0, 0.0});
  return builder.build();
}

Model push(double force) {
  // A spring of 1e-3 N/m with a far neutral position pushes with the same force wherever the box is.
  constexpr double kSoft = 1e-3;  // N/m
  ModelBuilder builder("push");
  add_floor(material_of(0.5), Mat3::Identity(), &builder);
  builder.add_body("box", "world", translation(0.0, 0.0, 0.05));
  Joint x = slide("x", Vec3::UnitX());
  x.stiffness = per_dof(kSoft);
  x.neutral[0] = force / kSoft;
  builder.add_joint("box", x);
  builder.add_joint("box", slide("z", Vec3::UnitZ()));
  builder.add_solid("box", "box", {}, Box{Vec3::Constant(0.05)}, 1000.0);
  builder.set_material("box", material_of(0.5));
  return builder.build();
}
Model push_below_the_limit() { return push(4.9); }

Model conveyor() {
  ModelBuilder builder("conveyor");
  const ContactMaterial material = steel(0.7, 500.0, 1e-3);
  builder.add_shape("belt", "world", translation(0.0, 0.0, -0.05), Box{Vec3(2.0, 0.2, 0.05)});
  builder.set_material("belt", material_of(*material.static_friction));
  builder.set_surface_velocity("belt", Vec3(1.0, 0.0, 0.0));
  add_cube(translation(-1.5, 0.0, 0.025), 0.05, 1.0, material, &builder);
  return builder.build();
}

Model falling_sphere() {
  constexpr double kRadius = 0.025, kMass = 0.5;
  ModelBuilder builder("falling_sphere");
  const ContactMaterial material = steel(0.5, 500.0, 1e-3);
  add_floor(material_of(*material.static_friction), Mat3::Identity(), &builder);
  builder.add_free_body("ball", translation(0.0, 0.0, 0.05 + kRadius), solid_sphere(kMass, kRadius));
  builder.add_shape("ball", "ball", {}, Sphere{kRadius});
  builder.set_material("ball", material);
  builder.set_initial_velocity("ball", {0.0, 0.0, 0.0, 2.0, 0.0, 0.0});
  return builder.build();
}

Model sliding_rod() {
  constexpr double kLength = 0.5, kRadius = 0.005, kMass = 0.3, kAngle = 30.0 * kDegree;
  ModelBuilder builder("sliding_rod");
  const ContactMaterial material = steel(2.3, 0.2, 4e-6);
  add_floor(material_of(*material.static_friction), Mat3::Identity(), &builder);
  // In the plane x, z: the lower tip leads, its ball just touches the floor.
  const double half = kLength / 2.0 - kRadius;
  builder.add_body(
      "rod", "world", translation(0.0, 0.0, kRadius + half * std::sin(kAngle)),
      solid_cylinder(kMass, kRadius, kLength)
          .in_frame({rotation_about<double>(Vec3::UnitY(), kAngle + std::numbers::pi / 2.0), Vec3::Zero()}));
  builder.add_joint("rod", slide("x", Vec3::UnitX()));
  builder.add_joint("rod", slide("z", Vec3::UnitZ()));
  Joint turn;
  turn.name = "turn";
  turn.axis = Vec3::UnitY();
  builder.add_joint("rod", turn);
  const Vec3 tip = half * Vec3(std::cos(kAngle), 0.0, -std::sin(kAngle));
  builder.add_shape("lower_tip", "rod", translation(tip), Sphere{kRadius});
  builder.add_shape("upper_tip", "rod", translation(-tip), Sphere{kRadius});
  builder.set_material("lower_tip", material);
  builder.set_material("upper_tip", material);
  builder.set_initial_velocity("x", {10.0});
  return builder.build();
}

Model three_point_plate() {
  constexpr double kRadius = 1.5, kFoot = 0.05, kMass = 3.0;
  ModelBuilder builder("three_point_plate");
  ContactMaterial material = material_of(2.0 / 3.0);
  material.stiffness = 1e4;
  material.relaxation_time = 0.01;
  add_floor(material_of(*material.static_friction), Mat3::Identity(), &builder);
  builder.add_free_body("plate", translation(0.0, 0.0, kFoot), solid_cylinder(kMass, kRadius, 0.05));
  for (int i = 0; i < 3; ++i) {
    const std::string foot = "foot" + std::to_string(i);
    const double angle = 2.0 * std::numbers::pi * i / 3.0;
    builder.add_shape(foot, "plate", translation(kRadius * std::cos(angle), kRadius * std::sin(angle), 0.0),
                      Sphere{kFoot});
    builder.set_material(foot, material);
  }
  return builder.build();
}

Model dragged_box() {
  // A damper whose other end moves at 1 m/s is a damper at rest and a constant force of 1e4 N; the force
  // comes from a soft spring with a far neutral position.
  constexpr double kDamping = 1e4, kForce = 1e4, kSoft = 1e-4;  // N s/m, N, N/m
  const Vec3 half(0.2, 0.2, 0.05);
  ModelBuilder builder("dragged_box");
  add_floor(material_of(0.5), Mat3::Identity(), &builder);
  builder.add_body("box", "world", translation(0.0, 0.0, half.z()));
  Joint x = slide("x", Vec3::UnitX());
  x.damping = per_dof(kDamping);
  x.stiffness = per_dof(kSoft);
  x.neutral[0] = kForce / kSoft;
  builder.add_joint("box", x);
  builder.add_joint("box", slide("y", Vec3::UnitY()));
  builder.add_joint("box", slide("z", Vec3::UnitZ()));
  Joint turn;
  turn.name = "turn";
  turn.type = JointType::ball;
  builder.add_joint("box", turn);
  builder.add_solid("box", "box", {}, Box{half}, 1.0 / (8.0 * half.prod()));
  builder.set_material("box", material_of(0.5));
  return builder.build();
}

}  // namespace stiction::scenes
