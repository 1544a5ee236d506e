#pragma once
// How one contact point moves with the pose of B in A, one function per family of pairs: the parts of
// pair_derivatives.h. A comes before B in the order of the pair table; everything is in A's frame.

#include "stiction/geometry/contact_point.h"
#include "stiction/geometry/derivative/pose_dual.h"
#include "stiction/geometry/shape/collision_shape.h"

namespace stiction {

struct PointMotion {
  MovingVector p_A, n;
  MovingNumber distance;
};

// One half of a feature id.
struct Feature {
  FeatureKind kind = FeatureKind::smooth;
  int index = 0;
};
inline Feature feature_of_a(const ContactPoint& point) {
  return {static_cast<FeatureKind>(point.feature >> 62), static_cast<int>(point.feature >> 32 & 0x3fffffffu)};
}
inline Feature feature_of_b(const ContactPoint& point) {
  return {static_cast<FeatureKind>(point.feature >> 30 & 3u), static_cast<int>(point.feature & 0x3fffffffu)};
}

// The feature that a point of a core is attached to: in `rows` directions it moves with `point`, and it is
// free in the others. A vertex has three rows, a line the two perpendicular to it, a plane its normal, a rim
// the two perpendicular to its tangent.
struct Attachment {
  int rows = 0;
  Mat3 across = Mat3::Zero();  // one direction per row
  MovingVector point;          // the current position, moving with the feature
};
Attachment on_vertex(const MovingVector& point);
Attachment on_line(const MovingVector& point, const Vec3& along);
Attachment on_plane(const MovingVector& point, const Vec3& normal);

// The point x of A's core and its distance s from that of B along n, x + s n: four conditions from the two
// attachments,
//   C_A (dx - dx_A) = 0,      C_B (dx + ds n + s dn - dy_B) = 0,
// for the four numbers dx, ds.
void move_place(const Attachment& a, const Attachment& b, const MovingVector& n, double s, MovingVector* x,
                MovingNumber* distance);

// A shape with its pose in A, and how things fixed to it move.
struct MovedShape {
  const CollisionShape& shape;
  Pose X_AS;
  bool is_b = false;

  MovingVector place(const Vec3& p) const { return is_b ? point_of_b(X_AS, p) : fixed_to_a(p); }
  MovingVector direction(const Vec3& u) const { return is_b ? direction_of_b(u) : fixed_to_a(u); }
};

// From points x and x + s n of the cores to those of the shapes, which lie on the same line along n where it
// leaves core + radius: with nu the normal of the surface there,
//   nu . (dx + w dn + dw n - dq) = 0,       w the distance from x along n, dq the motion of the body.
PointMotion rounded_point(const MovedShape& A, const MovedShape& B, const MovingVector& x,
                          const MovingVector& n, const MovingNumber& s, const ContactPoint& point);

// The nearest points themselves.
PointMotion move_nearest(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                         const ContactPoint& point);
// Boxes and hulls with each other.
PointMotion move_polytope_point(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                                const ContactPoint& point);
// B is a half-space.
PointMotion move_half_space_point(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                                  const ContactPoint& point);
// Contacts of contact_patch.h.
PointMotion move_patch_point(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                             const ContactPoint& point);
// Ends of the interval where two round shapes run side by side (capsule_pairs.h, cylinder_pairs.h).
PointMotion move_side_by_side_end(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                                  const ContactPoint& point);

}  // namespace stiction
