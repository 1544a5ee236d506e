#pragma once
// A model: the forest of bodies and joints with the named frames and shapes on it. Immutable once built;
// worlds, rollouts and threads share one.

#include <string>
#include <string_view>
#include <vector>

#include "stiction/constraint/material.h"
#include "stiction/geometry/shape/shape.h"
#include "stiction/multibody/tree.h"
#include "stiction/simulation/model/elements.h"

namespace stiction {

struct Frame {
  std::string name;
  int body = 0;
  Pose X_BF;
};

struct PlacedShape {
  std::string name;
  int body = 0;
  Pose X_BS;
  Shape shape;
  double rounding = 0.0;    // m, the shape collides as if swept by a ball of this radius (collision_shape.h)
  ContactMaterial contact;  // of its surface
  Vec3 surface_velocity = Vec3::Zero();  // m/s, of its surface against the body, in B: a conveyor belt
};

struct Model {
  std::string name;
  Forest forest;
  std::vector<Frame> frames;
  std::vector<PlacedShape> shapes;
  VecX q0;  // where a new State starts: the reference position unless the builder was told otherwise
  VecX v0;  // its velocities; empty: at rest
  Elements elements;  // what a model file says beyond these

  int num_q() const { return forest.num_q; }
  int num_v() const { return forest.num_v; }
  // Index by name; throws UserError with the closest name there is.
  int body(std::string_view name) const;
  int joint(std::string_view name) const;
  int frame(std::string_view name) const;
  int shape(std::string_view name) const;
  int actuator(std::string_view name) const;  // or its number from 0
  int num_activations() const;                // of the actuators that have one
};

}  // namespace stiction
