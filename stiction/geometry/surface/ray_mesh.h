#pragma once
// A ray against triangles (T. Möller, B. Trumbore, "Fast, minimum storage ray/triangle intersection", 1997).

#include "stiction/geometry/shape/mesh_tree.h"

namespace stiction {

struct MeshHit {
  int triangle = -1;  // -1: none
  double t = 0.0;     // in units of the ray's direction
};

// The first triangle that the ray hits, from either side.
MeshHit first_hit(const MeshTree& mesh, const Ray& ray);

// t where the ray hits the triangle (a, b, c), or a negative number. Edges belong to it, with a tolerance of
// round-off, so that no ray passes between two triangles.
double hit_triangle(const Ray& ray, const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace stiction
