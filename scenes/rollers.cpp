#include "scenes/rollers.h"

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

void add_floor(const ContactMaterial& material, const Mat3& R, ModelBuilder* builder) {
  builder->add_shape("floor", "world", {R, Vec3::Zero()}, HalfSpace{});
  builder->set_material("floor", material);
}

}  // namespace

Model spring_cylinder(double mu) {
  constexpr double kRadius = 0.05, kMass = 0.5, kLength = 0.1;
  ModelBuilder builder("spring_cylinder");
  ContactMaterial material = material_of(mu);
  material.stiffness = 1e4;
  material.relaxation_time = 0.02;
  add_floor(material_of(*material.static_friction), Mat3::Identity(), &builder);
  const Mat3 lying = rotation_about<double>(Vec3::UnitX(), std::numbers::pi / 2.0);
  const Inertia inertia = solid_cylinder(kMass, kRadius, kLength).in_frame({lying, Vec3::Zero()});
  builder.add_body("cylinder", "world", translation(0.0, 0.0, kRadius), inertia);
  Joint x;
  x.name = "x";
  x.type = JointType::prismatic;
  x.axis = Vec3::UnitX();
  x.stiffness = per_dof(100.0);
  builder.add_joint("cylinder", x);
  Joint z;
  z.name = "z";
  z.type = JointType::prismatic;
  z.axis = Vec3::UnitZ();
  builder.add_joint("cylinder", z);
  Joint turn;
  turn.name = "turn";
  turn.axis = Vec3::UnitY();
  builder.add_joint("cylinder", turn);
  builder.add_shape("cylinder", "cylinder", {lying, Vec3::Zero()}, Cylinder{kRadius, kLength});
  builder.set_material("cylinder", material);
  builder.set_initial("x", {0.1});
  return builder.build();
}
Model rolling_spring_cylinder() { return spring_cylinder(1.0); }

Model rolling_sphere(double angle) {
  constexpr double kRadius = 0.05;
  ModelBuilder builder("rolling_sphere");
  const Mat3 R = rotation_about<double>(Vec3::UnitY(), angle);  // downhill is +x
  add_floor(material_of(0.5), R, &builder);
  builder.add_free_body("ball", translation(R * Vec3(0.0, 0.0, kRadius)), solid_sphere(1.0, kRadius));
  builder.add_shape("ball", "ball", {}, Sphere{kRadius});
  builder.set_material("ball", material_of(0.5));
  return builder.build();
}
Model rolling_sphere_on_15_degrees() { return rolling_sphere(15.0 * kDegree); }

Model bowling() {
  constexpr double kRadius = 0.11;
  ModelBuilder builder("bowling");
  add_floor(material_of(0.2), Mat3::Identity(), &builder);
  builder.add_free_body("ball", translation(0.0, 0.0, kRadius), solid_sphere(6.0, kRadius));
  builder.add_shape("ball", "ball", {}, Sphere{kRadius});
  builder.set_material("ball", material_of(0.2));
  builder.set_initial_velocity("ball", {0.0, 0.0, 0.0, 5.0, 0.0, 0.0});
  return builder.build();
}

Model lawn_ball() {
  constexpr double kRadius = 0.05, kSpeed = 0.5;
  ModelBuilder builder("lawn_ball");
  ContactMaterial lawn = material_of(0.8);
  lawn.rolling_friction = 3e-3;
  add_floor(lawn, Mat3::Identity(), &builder);
  builder.add_free_body("ball", translation(0.0, 0.0, kRadius), solid_sphere(0.5, kRadius));
  builder.add_shape("ball", "ball", {}, Sphere{kRadius});
  builder.set_material("ball", material_of(0.8));
  builder.set_initial_velocity("ball", {0.0, kSpeed / kRadius, 0.0, kSpeed, 0.0, 0.0});
  return builder.build();
}

Model spinning_top() {
  constexpr double kMass = 0.05, kRadius = 0.03, kThickness = 0.01, kTip = 0.005, kHeight = 0.02;
  ModelBuilder builder("spinning_top");
  add_floor(material_of(0.5), Mat3::Identity(), &builder);
  const Inertia disc =
      solid_cylinder(kMass, kRadius, kThickness).in_frame({Mat3::Identity(), Vec3(0.0, 0.0, kHeight)});
  builder.add_free_body("top", {}, disc);
  builder.add_shape("disc", "top", translation(0.0, 0.0, kHeight), Cylinder{kRadius, kThickness});
  builder.add_shape("tip", "top", translation(0.0, 0.0, kTip), Sphere{kTip});
  ContactMaterial steel = material_of(0.5);
  steel.torsional_friction = 5e-4;
  builder.set_material("tip", steel);
  builder.set_initial_velocity("top", {0.0, 0.0, 100.0, 0.0, 0.0, 0.0});
  return builder.build();
}

Model newtons_cradle() {
  constexpr int kBalls = 5;
  constexpr double kRadius = 0.02, kString = 0.25;  // m
  ModelBuilder builder("newtons_cradle");
  ContactMaterial steel = material_of(0.1);
  steel.stiffness = 1e7;
  steel.dissipation = 0.0;
  for (int i = 0; i < kBalls; ++i) {
    const std::string name = "ball" + std::to_string(i);
    builder.add_body(name, "world", translation(2.0 * kRadius * i, 0.0, kString));
    Joint hinge;
    hinge.axis = Vec3::UnitY();
    builder.add_joint(name, hinge);
    builder.add_solid(name, name, translation(0.0, 0.0, -kString), Sphere{kRadius}, 7800.0);
    builder.set_material(name, steel);
  }
  builder.set_initial("ball0", {30.0 * kDegree});
  return builder.build();
}

Model rattleback() {
  const Vec3 radii(0.1, 0.02, 0.015);  // m
  ModelBuilder builder("rattleback");
  ContactMaterial material = material_of(0.8);
  material.dissipation = 0.0;
  add_floor(material_of(*material.static_friction), Mat3::Identity(), &builder);
  // The mass of the lower half, with principal axes rotated by 5 degrees about the vertical against the
  // ellipsoid's.
  constexpr double kMass = 0.2;
  Inertia inertia = solid_ellipsoid(kMass, radii);
  const Mat3 R = rotation_about<double>(Vec3::UnitZ(), 5.0 * kDegree);
  inertia.I_com = R * inertia.I_com * R.transpose();
  inertia.com = Vec3(0.0, 0.0, -3.0 / 8.0 * radii.z());
  inertia.I_com -= kMass * (9.0 / 64.0) * radii.z() * radii.z() * Vec3(1.0, 1.0, 0.0).asDiagonal();
  builder.add_free_body("stone", translation(0.0, 0.0, radii.z()), inertia);
  builder.add_shape("stone", "stone", {}, Ellipsoid{radii});
  builder.set_material("stone", material);
  builder.set_initial_velocity("stone", {0.01, 0.02, -5.0, 0.0, 0.0, 0.0});
  return builder.build();
}

}  // namespace stiction::scenes
