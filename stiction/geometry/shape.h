#pragma once
// Shapes with a closed form, centred on their own frame S; cylinders and capsules point along z.

#include <string>
#include <variant>

#include "stiction/math/spatial.h"

namespace stiction {

struct Sphere {
  double radius = 0.0;
};  // m
struct Box {
  Vec3 half_extents = Vec3::Zero();
};  // m
struct Cylinder {
  double radius = 0.0, length = 0.0;
};  // m
struct Capsule {
  double radius = 0.0, length = 0.0;
};  // m, length without the caps
struct Ellipsoid {
  Vec3 radii = Vec3::Zero();
};                    // m
struct HalfSpace {};  // fills z < 0

using Shape = std::variant<Sphere, Box, Cylinder, Capsule, Ellipsoid, HalfSpace>;

const char* name_of(const Shape& shape);

// Volume in m^3; infinite for a half-space.
double volume(const Shape& shape);

// Mass properties of the shape filled with `density` kg/m^3, in S. A half-space has none: throws UserError.
Inertia solid_inertia(const Shape& shape, double density);

// Empty if every size is finite and positive, otherwise what is wrong.
std::string shape_defect(const Shape& shape);

}  // namespace stiction
