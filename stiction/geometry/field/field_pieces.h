#pragma once
// The linear pieces of a field that matter in one query, in the frame Q of the query, and the planes that
// replace round shapes.
//
// A round shape is replaced by planes tangent to it in directions u around the contact direction u0, at which
// the other shape's plane meets it: rings at the angles w, 2 w, ... from u0, with 6, 12, ... directions, or a
// row at multiples of w across a lateral surface. They cover the angle alpha up to which the shapes overlap,
//
//   cos alpha = 1 - delta/R,   w = alpha/(rings + 1/2),
//
// so that the number of facets does not depend on the depth. delta is the overlap alone for what presses, and the overlap
// with the margin for what may press: the two have facets of their own (pressure_patch.cpp), because the force must not
// depend on the margin. Planes are pulled in so that the force on a plane is right where the overlap is shallow: by about
// R w^2/11 for rings, by R w^2/24, the mean distance between plane and surface, for a row. The error is of second order
// in w. Facets are laid once for all planes of the other shape, around the direction to it (round_direction.h): where
// a ball comes to an edge, facets around the normals of the faces would reach beyond the ball.

#include "stiction/geometry/field/pressure_field.h"
#include "stiction/math/spatial.h"

namespace stiction {

using FieldPieces = std::vector<FieldPiece>;

inline FieldPiece difference(const FieldPiece& a, const FieldPiece& b) {
  return {a.slope - b.slope, a.value - b.value, 0};
}

// The piece seen from Q; X_QS: the pose of its shape.
FieldPiece moved_piece(const FieldPiece& piece, const Pose& X_QS);

// Keeps those that can be the least one somewhere in the ball of this radius around the origin.
void keep_relevant(double radius, FieldPieces* pieces);

// The same in the box of these axes (columns) and half extents around the origin.
void keep_relevant(const Mat3& axes, const Vec3& half, FieldPieces* pieces);

// Planes in place of a round shape (sphere, capsule, cylinder, ellipsoid), appended to `out`, in Q.
//   towards   unit, in Q: the direction from the shape to the other one, normal to a plane of that one
//   overlap   m, how far the shape reaches beyond that plane. Nothing is appended if it is not positive
//   near      m, in Q, of the other shape where it is nearest: the row of a cylinder that touches with an end is around it
//   phase     a direction in Q that fixes where rings begin; need not be normal to `towards` (facet_phase.h)
void append_facets(const PressureField& field, const Pose& X_QS, const Vec3& towards, double overlap,
                   const Vec3& near, const Vec3& phase, int rings, FieldPieces* out);

// The same for directions towards a ball at `target` (Q) of this radius: the vector from the nearest point of a
// convex core to x changes by no more than x, so they lie within asin(radius/distance) of each other. Returns
// that angle, pi where the core reaches into the ball; with `most` (rad) less than it nothing is appended.
double append_facets_around(const PressureField& field, const Pose& X_QS, const Vec3& target, double radius,
                            const Vec3& phase, double most, int rings, FieldPieces* out);

// The angle that append_facets covers.
double facet_angle(const PressureField& field, const Pose& X_QS, const Vec3& towards, double overlap);

// The support function of a round shape: its reach along a unit vector of S, from the shape's origin (m).
double reach_of(const PressureField& field, const Vec3& direction);

}  // namespace stiction
