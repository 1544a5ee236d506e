#pragma once
// Solid parts with a given mass, for building bodies of scenes.

#include <string>

#include "stiction/simulation/model/model_builder.h"

namespace stiction::scenes {

// A capsule of `mass` (kg) whose axis runs from one point to the other (m, in the body).
void add_rod(const std::string& name, const std::string& body, const Vec3& from, const Vec3& to,
             double radius, double mass, ModelBuilder* builder);

// Any closed shape with a given mass (kg) instead of a density.
void add_part(const std::string& name, const std::string& body, const Pose& X_BS, const Shape& shape,
              double mass, ModelBuilder* builder);

// A motor's joint: hinge about `axis` through the body's origin, with reflected inertia, damping, limits
// (rad) and effort limit (N m).
struct Motor {
  double armature = 0.0;  // kg m^2
  double damping = 0.0;   // N m s/rad
  double effort = 0.0;    // N m
};
Joint motor_hinge(const std::string& name, const Vec3& axis, double lower, double upper, const Motor& motor);

}  // namespace stiction::scenes
