#pragma once
// Where a ray first hits the surface of a shape, for every kind of shape.
//
// Closed forms for spheres, ellipsoids, boxes, cylinders and half-spaces; the planes of a hull; the tree of a
// mesh; a traversal of the cells of a height field. Capsules, superellipsoids and rounded shapes: from the
// current point of the ray, advance to the tangent plane of the shape at its nearest point, and repeat: all
// of a convex shape lies behind that plane, so that no step passes the surface, and near it they are Newton
// steps.

#include "stiction/geometry/shape/box_tree.h"
#include "stiction/geometry/shape/collision_shape.h"

namespace stiction {

struct RayHit {
  bool hit = false;
  double t = 0.0;              // along the ray, in units of its direction
  Vec3 normal = Vec3::Zero();  // unit, in W, outward; of a mesh that of the triangle
  int triangle = -1;           // of a mesh; of a height field 2 (row (cols - 1) + col) + (0 or 1)
};

// A ray that starts inside a solid hits it at t = 0, with a normal against the ray. Meshes are surfaces: they
// are hit from both sides, with the normal on the side of the ray's origin.
RayHit cast_ray(const CollisionShape& shape, const Pose& X_WS, const Ray& ray_W);

// Whether two shapes have a point in common, by their contacts: a shape wholly inside a mesh, which is a
// surface, does not touch it. Pairs that the table leaves empty never overlap.
bool overlap(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB);

}  // namespace stiction
