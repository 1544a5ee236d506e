#pragma once
// A shape prepared for collision detection: plain numbers instead of a variant, bounds precomputed.

#include <algorithm>
#include <cstdint>
#include <limits>

#include "stiction/geometry/shape/shape_list.h"

namespace stiction {

struct Polytope;  // stiction/geometry/shape/polytope.h: a box or a hull as rows of numbers
struct MeshTree;  // stiction/geometry/shape/mesh_tree.h: a triangle mesh with its facets, edges and boxes

struct CollisionShape {
  ShapeKind kind = ShapeKind::sphere;
  // sphere (r, 0, 0); capsule and cylinder (r, half the length, 0); ellipsoid and superellipsoid: radii; box:
  // half extents; otherwise zero. m
  Vec3 size = Vec3::Zero();
  double e1 = 1.0, e2 = 1.0;  // of a superellipsoid
  // Radius (m) of a ball added to the shape (Minkowski sum): rounds its edges and makes it larger. Not for
  // half-spaces, meshes and height fields; zero for spheres and capsules, where it is part of the radius.
  double rounding = 0.0;

  std::shared_ptr<const ConvexHull> hull;
  std::shared_ptr<const Polytope> polytope;  // of a box and of a hull, without the rounding
  std::shared_ptr<const MeshTree> mesh;
  std::shared_ptr<const HeightField> field;

  // The bounding box in S, rounding included, and the ball around its centre; infinite for a half-space.
  Vec3 box_centre = Vec3::Zero(), box_half = Vec3::Zero();  // m
  double ball_radius = 0.0;                                 // m, around box_centre
  // Smallest extent of the shape, m: a motion in one step is fast relative to it; infinite for a half-space.
  double thickness = 0.0;

  bool is_convex() const { return row_of(kind).is_convex; }
};

// Radius of the smaller of the two bounding balls, m; half-spaces do not count.
inline double smaller_size(const CollisionShape& A, const CollisionShape& B) {
  const double a = A.kind == ShapeKind::half_space ? std::numeric_limits<double>::infinity() : A.ball_radius;
  return B.kind == ShapeKind::half_space ? a : std::min(a, B.ball_radius);
}

// Throws UserError if the shape has a defect or cannot be rounded. A mesh collides as a surface; pass its
// hull for it to collide as a convex body.
CollisionShape collision_shape(const Shape& shape, double rounding = 0.0);

}  // namespace stiction
