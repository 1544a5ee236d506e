#include "scenes/geometric.h"

#include <cmath>
#include <numbers>
#include <string>

#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction::scenes {
namespace {

constexpr double kPi = std::numbers::pi;

ContactMaterial material_of(double mu) {
  ContactMaterial material;
  material.static_friction = mu;
  return material;
}

Joint slide(const char* name, const Vec3& axis) {
  Joint joint;
  joint.name = name;
  joint.type = JointType::prismatic;
  joint.axis = axis;
  return joint;
}

Joint hinge(const char* name, const Vec3& axis) {
  Joint joint;
  joint.name = name;
  joint.axis = axis;
  return joint;
}

// A disc of 1 m and 1 kg in the plane y = 0, without its shape.
void add_disc(double height, ModelBuilder* builder) {
  const Inertia inertia{1.0, Vec3::Zero(), 0.5 * Mat3::Identity()};
  builder->add_body("disc", "world", translation(0.0, 0.0, height), inertia);
  builder->add_joint("disc", slide("x", Vec3::UnitX()));
  builder->add_joint("disc", slide("z", Vec3::UnitZ()));
  builder->add_joint("disc", hinge("turn", Vec3::UnitY()));
}

void roll(ModelBuilder* builder) {
  constexpr double kSpeed = -3.0;
  builder->set_material("disc", material_of(0.4));
  builder->add_shape("floor", "world", {}, HalfSpace{});
  builder->set_material("floor", material_of(0.4));
  builder->set_initial_velocity("x", {kSpeed});
  builder->set_initial_velocity("turn", {kSpeed});
}

}  // namespace

Model rolling_disc() {
  ModelBuilder builder("rolling_disc");
  add_disc(1.0, &builder);
  builder.add_shape("disc", "disc", {}, Sphere{1.0});
  roll(&builder);
  return builder.build();
}

Model rolling_polygon(int sides) {
  ModelBuilder builder("rolling_polygon");
  add_disc(1.0, &builder);
  constexpr double kHalfWidth = 0.1;  // m
  std::vector<Vec3> points;
  for (int i = 0; i < sides; ++i) {
    const double angle = 2.0 * kPi * i / sides;
    for (const double y : {-kHalfWidth, kHalfWidth})
      points.emplace_back(std::sin(angle), y, -std::cos(angle));
  }
  builder.add_shape("disc", "disc", {}, std::make_shared<const ConvexHull>(convex_hull(points)));
  roll(&builder);
  return builder.build();
}

Model sphere_on_two_spheres() {
  ModelBuilder builder("sphere_on_two_spheres");
  builder.set_gravity(Vec3(1.0, 2.6, -9.81));
  ContactMaterial material = material_of(0.2);
  material.torsional_friction = 0.2 * 0.3;
  builder.add_shape("first", "world", {}, Sphere{10.0});
  builder.add_shape("second", "world", translation(0.0, 11.4, 0.0), Sphere{9.0});
  builder.add_free_body("sphere", translation(0.0, 6.62105263157895, 8.78417110772903),
                        solid_sphere(1.0, 1.0));
  builder.add_shape("sphere", "sphere", {}, Sphere{1.0});
  for (const char* name : {"first", "second", "sphere"}) builder.set_material(name, material);
  return builder.build();
}

namespace {

Model disc_on_layer(const char* name, double max_deflection) {
  ModelBuilder builder(name);
  add_disc(1.5, &builder);
  builder.add_shape("disc", "disc", {}, Sphere{1.0});
  builder.set_material("disc", material_of(0.0));
  builder.add_shape("floor", "world", {}, HalfSpace{});
  ContactMaterial soft = material_of(0.0);
  soft.stiffness = 1000.0;
  soft.relaxation_time = 0.0;
  soft.max_deflection = max_deflection;
  builder.set_material("floor", soft);
  return builder.build();
}

}  // namespace

Model disc_on_shallow_layer() { return disc_on_layer("disc_on_shallow_layer", 0.05); }
Model disc_on_deep_layer() { return disc_on_layer("disc_on_deep_layer", 1.0); }

Model ellipsoid_on_slope() {
  const Vec3 radii(0.1, 0.15, 0.1);  // m, long across the slope
  ModelBuilder builder("ellipsoid_on_slope");
  const Mat3 R = rotation_about<double>(Vec3::UnitY(), kPi / 18.0);  // downhill is +x
  builder.add_shape("slope", "world", {R, Vec3::Zero()}, HalfSpace{});
  builder.set_material("slope", material_of(0.6));
  builder.add_free_body("ellipsoid", translation(R * Vec3(0.0, 0.0, radii.z())), solid_ellipsoid(1.0, radii));
  builder.add_shape("ellipsoid", "ellipsoid", {}, Ellipsoid{radii});
  builder.set_material("ellipsoid", material_of(0.6));
  return builder.build();
}

Model superellipsoids_in_bowl() {
  constexpr int kSides = 8, kBodies = 5;
  ModelBuilder builder("superellipsoids_in_bowl");
  builder.add_shape("bottom", "world", {}, HalfSpace{});
  for (int i = 0; i < kSides; ++i) {
    const Mat3 around = rotation_about<double>(Vec3::UnitZ(), 2.0 * kPi * i / kSides);
    const Mat3 R = around * rotation_about<double>(Vec3::UnitY(), -kPi / 4.0);
    builder.add_shape("side" + std::to_string(i), "world", {R, around * Vec3(0.3, 0.0, 0.0)}, HalfSpace{});
  }
  const double exponents[kBodies] = {1.0, 0.8, 0.6, 0.5, 0.4};
  for (int i = 0; i < kBodies; ++i) {
    const std::string name = "body" + std::to_string(i);
    const Mat3 R = rotation_about<double>(Vec3(0.6, 0.8, 0.0), 0.7 * i);
    const Vec3 radii(0.1, 0.08, 0.06);  // m
    builder.add_free_body(name, {R, Vec3(0.02 * i, 0.01 * i, 0.2 + 0.25 * i)}, solid_ellipsoid(1.0, radii));
    builder.add_shape(name, name, {}, Superellipsoid{radii, exponents[i], exponents[i]});
  }
  return builder.build();
}

Model gear_in_jaws(double x, double y) {
  constexpr double kMillimetre = 1e-3, kRadius = 20.75 * kMillimetre, kMass = 0.02, kForce = 2.0;
  constexpr double kTeeth[] = {4.103727, 4.253125, 4.402522, 5.022255, 5.171653, 5.321051};  // rad
  ModelBuilder builder("gear_in_jaws");
  builder.set_gravity(Vec3::Zero());  // gravity is along z, where the support bears the weight
  builder.add_body("gear", "world", {},
                   Inertia{kMass, Vec3::Zero(), 0.5 * kMass * kRadius * kRadius * Mat3::Identity()});
  builder.add_joint("gear", slide("gear_x", Vec3::UnitX()));
  builder.add_joint("gear", slide("gear_y", Vec3::UnitY()));
  builder.add_joint("gear", hinge("gear_turn", Vec3::UnitZ()));
  builder.add_frame("centre", "gear", {});
  SupportFriction support;
  support.name = "support";
  support.frame1 = "centre";
  support.load = kMass * 9.81;  // N, its weight
  support.friction = 0.25;
  support.radius = kRadius;
  builder.add_constraint(support);
  builder.add_shape("disc", "gear", {}, Sphere{kRadius});
  builder.set_material("disc", material_of(0.2));
  // G eq. 57: |x/2.3|^4 + |y/1.1|^4 = 1 is a superellipse with 2/e = 4; the long axis is radial.
  for (int i = 0; i < 6; ++i) {
    const std::string name = "tooth" + std::to_string(i);
    const Mat3 R = rotation_about<double>(Vec3::UnitZ(), kTeeth[i]);
    const Vec3 place(kRadius * std::cos(kTeeth[i]), kRadius * std::sin(kTeeth[i]), 0.0);
    builder.add_shape(name, "gear", {R, place}, Superellipsoid{Vec3(2.3, 1.1, 1.1) * kMillimetre, 1.0, 0.5});
    builder.set_material(name, material_of(0.2));
  }
  // Fingertips: the vertex where the inner face and the upper edge meet, on either side.
  const double start = 40.0 * kMillimetre;
  for (const bool is_right : {true, false}) {
    const std::string name = is_right ? "right" : "left";
    const double side = is_right ? 1.0 : -1.0;
    const Vec3 half(10.0 * kMillimetre, 30.0 * kMillimetre, 30.0 * kMillimetre);
    builder.add_body(name, "world", translation(side * start + x, y, 0.0), point_mass(0.2));
    Joint close = slide(is_right ? "right_x" : "left_x", -side * Vec3::UnitX());
    close.damping = per_dof(20.0);  // N s/m: slow force control
    builder.add_joint(name, close);
    builder.add_shape(name, name, translation(side * half.x(), -half.y(), 0.0), Box{half});
    builder.set_material(name, material_of(0.2));
    Actuator motor;
    motor.name = name;
    motor.target = is_right ? "right_x" : "left_x";
    motor.gain_parameters = {0.0};
    motor.bias = "affine";
    motor.bias_parameters = {kForce};
    builder.add_actuator(motor);
  }
  builder.exclude_contacts("left", "right");
  return builder.build();
}

Model gear_in_jaws_at_sweet_spot() { return gear_in_jaws(0.0, -11e-3); }

}  // namespace stiction::scenes
