#pragma once
// How the nearest points of two convex cores, their normal and their distance move with the pose of B in A.
//
// x on A's core and y on B's, y - x = d n, whether the cores are apart or overlap. Near x the core of A is
// described by the Hessian H_A of its support function (the radii of curvature; zero at corners and edges)
// and by the axes T_A along which it is flat: none at a corner and on a strictly convex surface, one on an
// edge or a lateral surface, two on a face. With phi and t of pose_dual.h,
//   dx = H_A dn + T_A u,                                         T_A' dn = 0,
//   dy = phi x (y - p_AB) + t - H_B (dn - phi x n) + T_B v,      T_B' (dn - phi x n) = 0,
//   dy - dx = dd n + d dn,                                       n' dn = 0.
// Perpendicular to n this is a square system for dn (two numbers), u and v; along n, dd = n . (phi x (y -
// p_AB) + t). The matrix t'(H_A + H_B + d)t of two smooth surfaces is that of the second-order condition:
// regular except on the medial axis. Where it has no inverse (there, and on edges exactly parallel) the
// least-norm solution is taken. Where both are flat to kOnFeature the normal stays with the larger body;
// where one is flat and the other has an edge, with the flat one.

#include "stiction/geometry/derivative/pose_dual.h"
#include "stiction/geometry/shape/collision_shape.h"

namespace stiction {

inline constexpr double kOnFeature = 1e-9;  // rad: directions this close to a face or an edge belong to it

// A core near the point with a given outward normal, in A's axes.
struct LocalSurface {
  Mat3 H = Mat3::Zero();  // m
  int num_flat = 0;
  Eigen::Matrix<double, 3, 2> flat = Eigen::Matrix<double, 3, 2>::Zero();  // unit, tangential
  Vec3 point = Vec3::Zero();  // m, in A: one of the points with this normal
  double size = 0.0;          // m, infinite for a half-space
};
// n is the outward normal, in A; X_AS the pose of the shape.
LocalSurface local_surface(const CollisionShape& shape, const Pose& X_AS, const Vec3& n);

// The least-norm least-squares solution of A x = b: A may be singular.
using Mat46 = Eigen::Matrix<double, 4, 6>;
Mat46 least_solution(const Eigen::Matrix4d& A, const Mat46& b);

struct NearestMotion {
  MovingVector x, n;  // on A's core, and from A into B; in A
  MovingNumber d;     // m, of the cores
};

// At the nearest points x and x + d n. `x_moves` is the motion of x if A were a point: zero unless it slides
// along A by a rule of its own.
NearestMotion nearest_motion(LocalSurface a, LocalSurface b, const Pose& X_AB, const Vec3& n, const Vec3& x,
                             double d, const Mat36& x_moves = Mat36::Zero());

// The direction of largest separation n alone.
MovingVector normal_motion(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB, const Vec3& n);

}  // namespace stiction
