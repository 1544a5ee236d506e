#pragma once
// Shapes as level sets: f(x) <= 0 inside, with gradient and Hessian, for methods whose contact points are
// unknowns of the step (geometrically implicit stepping of convex bodies given as intersections of convex
// functions).
//
// A shape is the set where all functions of its list are at most zero; all are convex and in metres:
//   sphere           (|x|^2 - r^2)/(2 r)
//   ellipsoid        s/2 (sum (x_i/r_i)^2 - 1),       s the smallest radius
//   superellipsoid   s/2 (N(x)^2 - 1),  N = |(|(x/a, y/b)|_p2, z/c)|_p1 with p = 2/e: the gauge of the body;
//                    N^2 = F^e1 for Barr's F; twice differentiable except at the centre
//   cylinder         lateral surface (x^2 + y^2 - r^2)/(2 r), discs -z - l and z - l
//   capsule          |x - nearest point of the segment| - r, the distance itself
//   box              -x_i - e_i and x_i - e_i for i = 0, 1, 2
//   hull             n . x - offset for every face
//   half-space       z
// Shapes with one smooth function use multiples of squares, which have a gradient at the centre too; on the
// surface of a sphere and on planes the gradient has length 1.
//
// Rounding (core + radius c) turns a box, a cylinder, an ellipsoid or a superellipsoid into one function, the
// distance from the core minus c; a hull keeps its faces, each moved outward by c: its edges stay sharp.

#include "stiction/geometry/shape/collision_shape.h"

namespace stiction {

struct ImplicitValue {
  double f = 0.0;                // m, negative inside
  Vec3 gradient = Vec3::Zero();  // dimensionless
  Mat3 hessian = Mat3::Zero();   // 1/m
};

// How many functions the shape has; 0 for meshes and height fields.
int num_implicit_functions(const CollisionShape& shape);

// Function i at x (m, in S).
ImplicitValue implicit(const CollisionShape& shape, int i, const Vec3& x);

// The function of an ellipsoid or a superellipsoid without its rounding.
ImplicitValue implicit_of_core(const CollisionShape& shape, const Vec3& x);

}  // namespace stiction
