#pragma once
// Support functions of convex shapes.
//
// Every convex shape is a core and a radius: all points no farther from the core than the radius (the
// Minkowski sum of the core and a ball). The core of a sphere is a point, that of a capsule a segment; every
// other shape is its own core, with its rounding as the radius. In direction d the core extends to
//   h(d) = max over the core of d . x  =  d . s(d),          s(d) the support point,
// h is convex and h(t d) = t h(d) for t > 0, so d . grad h = h and the Hessian has d in its kernel:
//   ellipsoid        h = |D d|, D = diag(radii);  s = D^2 d/h;  H = (D^2 - s s')/h
//   superellipsoid   h = |(|(a d_x, b d_y)|_q2, c d_z)|_q1 with the dual exponents q = 2/(2 - e)
//   cylinder         h = r |d_xy| + l |d_z|, on the rim; not smooth at d_z = 0 (lateral surface) and
//                    d_xy = 0 (discs)
//   segment          h = l |d_z|
//   box              h = sum of e_i |d_i|
//   hull             h = max over the vertices
// H is the matrix of the radii of curvature: zero at corners and edges.

#include "stiction/geometry/shape/collision_shape.h"

namespace stiction {

// The radius in core + radius.
inline double core_radius(const CollisionShape& shape) {
  return shape.kind == ShapeKind::sphere || shape.kind == ShapeKind::capsule ? shape.size[0] + shape.rounding
                                                                             : shape.rounding;
}

// Half the diagonal of the bounding box of the core: tolerances are relative to it.
double core_extent(const CollisionShape& shape);

struct SupportPoint {
  Vec3 p = Vec3::Zero();  // m, in S
  // Its index: the vertex of a hull; the corner of a box, bit i set where coordinate i is positive; the
  // end of a segment, 0 lower, 1 upper; the disc of a cylinder likewise; 0 for smooth shapes and points.
  int vertex = 0;
};

// The point of the core farthest in direction d (any length, in S). `hint`: the vertex to start climbing
// from, for hulls with many. Not for half-spaces, meshes, height fields.
SupportPoint core_support(const CollisionShape& shape, const Vec3& d, int hint = 0);

// Value, support point and Hessian of h in the unit direction n (in S); one-sided where h is not smooth.
struct SupportJet {
  double h = 0.0;         // m
  Vec3 s = Vec3::Zero();  // m
  Mat3 H = Mat3::Zero();  // m
};
SupportJet support_jet(const CollisionShape& shape, const Vec3& n);

// h alone.
double core_reach(const CollisionShape& shape, const Vec3& n);

}  // namespace stiction
