#pragma once
// A point mass on a belt: the smallest contact problem, one point with known normal and slip.

#include "stiction/simulation/model/model_builder.h"

namespace stiction::claims {

struct PointOnBelt {
  double mass = 1.0;             // kg
  double stiffness = 1e4;        // N/m
  double dissipation = 0.0;      // s/m
  double relaxation_time = 0.0;  // s
  double mu = 0.5;
  double belt = 0.0;         // m/s along x
  double gravity = 9.81;     // m/s^2
  bool moves_along = false;  // it may slide along x and y, too; otherwise up and down alone
};

// Joints "x", "y" and "z"; z is the height of the lowest point above the belt.
inline Model point_on_belt(const PointOnBelt& options) {
  constexpr double kRadius = 0.05;  // m
  ModelBuilder builder("point_on_belt");
  builder.set_gravity(Vec3(0.0, 0.0, -options.gravity));
  ContactMaterial material;
  material.stiffness = options.stiffness;
  material.dissipation = options.dissipation;
  material.relaxation_time = options.relaxation_time;
  material.static_friction = options.mu;
  builder.add_shape("belt", "world", {}, HalfSpace{});
  builder.set_surface_velocity("belt", Vec3(options.belt, 0.0, 0.0));
  builder.add_body("mass", "world", translation(0.0, 0.0, kRadius), solid_sphere(options.mass, kRadius));
  const auto slide = [&builder](const char* name, const Vec3& axis) {
    Joint joint;
    joint.name = name;
    joint.type = JointType::prismatic;
    joint.axis = axis;
    builder.add_joint("mass", joint);
  };
  if (options.moves_along) {
    slide("x", Vec3::UnitX());
    slide("y", Vec3::UnitY());
  }
  slide("z", Vec3::UnitZ());
  builder.add_shape("mass", "mass", {}, Sphere{kRadius});
  // Given on one side: the numbers of the pair.
  builder.set_material("mass", material);
  return builder.build();
}

}  // namespace stiction::claims
