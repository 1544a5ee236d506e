#pragma once
// Derivatives of a contact point with respect to the poses of both shapes, for every pair of convex shapes.
//
// The 12 columns are the rotation of A about its origin (rad, in W), its translation (m), and the same of B.
//
// The features of the point do not change. With that its normal n moves by one of these rules, and its
// position by four conditions along n:
//   normal   of a face: with its body
//            of two edges: n ~ e_A x e_B
//            otherwise: the direction between the nearest points of the cores, with the curvature of smooth
//            surfaces (nearest_motion.h)
//   point    smooth and single points: the nearest points themselves
//            corners of intersections (polytope_manifold.h, contact_patch.h): a vertex over a plane, two
//            edges, an edge and a rim, or two rims that lie above each other along n; corners of a rim keep
//            their angle to its lowest point; the ends of a line on a cylinder move around its lateral
//            surface with n
//            ends of the interval side by side (capsule_pairs.h): at the same height as the end of one axis
//   radius   of core + radius: from the point of the core along n to where the line leaves the shape, where
//            it follows the tangent plane (pair_motion.h)
//
// Also held fixed: the weights; which points a reduction to max_points kept; and, where polytopes have
// contact points along several axes at once (CollideOptions::share_axes), the factors with which the axes'
// normals make up that of a shared point. The change of such a normal, and of the place of a point that
// several axes share, due to their factors is left out: all other points of such pairs are exact.
//
// On the medial axis, and where a face lies exactly on a face or an edge along an edge, the points have no
// derivative: a one-sided one is returned, or one in between (nearest_motion.h).

#include "stiction/geometry/narrow_phase.h"

namespace stiction {

struct PointDerivatives {
  Eigen::Matrix<double, 3, 12> d_p_A = Eigen::Matrix<double, 3, 12>::Zero();
  Eigen::Matrix<double, 3, 12> d_p_B = Eigen::Matrix<double, 3, 12>::Zero();
  Eigen::Matrix<double, 3, 12> d_normal = Eigen::Matrix<double, 3, 12>::Zero();
  Eigen::Matrix<double, 1, 12> d_distance = Eigen::Matrix<double, 1, 12>::Zero();
};

// Of a point that collide() or signed_distance() has given for the same shapes and poses. Throws UserError
// unless both shapes are convex and have an entry in the pair table.
PointDerivatives point_derivatives(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                                   const Pose& X_WB, const ContactPoint& point);

}  // namespace stiction
