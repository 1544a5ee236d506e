#pragma once
// Shapes in their own frame S. Those with a closed form are centred on its origin, cylinders and capsules
// along z; the vertices of meshes, hulls and height fields are given in S, and their data is shared, never
// copied.

#include <memory>
#include <string>
#include <variant>

#include "stiction/math/spatial.h"

namespace stiction {

struct Sphere {
  double radius = 0.0;  // m
};
struct Box {
  Vec3 half_extents = Vec3::Zero();  // m
};
struct Cylinder {
  double radius = 0.0, length = 0.0;  // m
};
struct Capsule {
  double radius = 0.0, length = 0.0;  // m, length without the caps
};
struct Ellipsoid {
  Vec3 radii = Vec3::Zero();  // m
};
struct HalfSpace {};  // all z < 0

// (|x/a|^(2/e2) + |y/b|^(2/e2))^(e2/e1) + |z/c|^(2/e1) <= 1 with radii (a, b, c) (A. H. Barr, "Superquadrics
// and angle-preserving transformations", 1981): an ellipsoid at e1 = e2 = 1, a box as both go to 0.
struct Superellipsoid {
  Vec3 radii = Vec3::Zero();  // m
  double e1 = 1.0, e2 = 1.0;  // from kMinExponent to 1: convex, without sharp edges
};
inline constexpr double kMinExponent = 0.1;

struct ConvexHull;    // stiction/geometry/shape/convex_hull.h
struct TriangleMesh;  // stiction/geometry/shape/triangle_mesh.h
struct HeightField;   // stiction/geometry/shape/height_field.h
using SharedHull = std::shared_ptr<const ConvexHull>;
using SharedMesh = std::shared_ptr<const TriangleMesh>;
using SharedHeightField = std::shared_ptr<const HeightField>;

using Shape = std::variant<Sphere, Box, Cylinder, Capsule, Ellipsoid, HalfSpace, SharedHull, SharedMesh,
                           SharedHeightField, Superellipsoid>;

const char* name_of(const Shape& shape);

// Volume in m^3; infinite for a half-space.
double volume(const Shape& shape);

// Mass properties of the shape filled with `density` kg/m^3, in S; a mesh is taken as the solid it bounds. A
// half-space and a height field have none: throws UserError.
Inertia solid_inertia(const Shape& shape, double density);

// Empty if every size is finite and positive and no mesh, hull or field is missing; otherwise what is wrong.
std::string shape_defect(const Shape& shape);

}  // namespace stiction
