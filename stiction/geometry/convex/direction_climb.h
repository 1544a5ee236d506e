#pragma once
// Ascent of the separation g(n) of two cores over unit directions (direction_search.h): Newton's method with
// a Levenberg shift on the sphere, or on the great circle perpendicular to an edge. With P = 1 - n n',
//   gradient  P (p_AB + s_B - s_A),     Hessian  -(P (H_A + H_B) P + g P).
// g never decreases by more than round-off.

#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/shape/collision_shape.h"
#include "stiction/math/spatial.h"

namespace stiction {

// g, its gradient p + s_B - s_A, and the support functions of both with their Hessians.
struct DirectionValue {
  Vec3 n = Vec3::UnitZ();
  double g = -1e300;  // m
  Vec3 gradient = Vec3::Zero();
  SupportJet a, b;  // b in B's frame
};

struct DirectionSearch {
  const CollisionShape& A;
  const CollisionShape& B;
  const Pose& X_AB;
  double size;  // m, of both cores and the distance between them: tolerances are relative to it

  DirectionValue at(const Vec3& n) const;
  // s . (H_A + H_B) t.
  double curvature(const DirectionValue& v, const Vec3& s, const Vec3& t) const;

  // On the whole sphere; on the great circle perpendicular to e.
  DirectionValue climb(const Vec3& start) const;
  DirectionValue climb_across(const Vec3& e, const Vec3& start) const;

  // The same for superellipsoids. The support point hardly depends on n at an edge and very strongly on a
  // flat side, while n is a smooth function of the surface point x everywhere. So the unknown is x: with r
  // the slope and K the curvatures,
  //   (1 + (H_other + g) K) dx = r,      n = normal at x + dx,
  // on whichever body is flatter there; perpendicular to e by bisection of the slope.
  DirectionValue climb_on_surface(const Vec3& start) const;
  DirectionValue bisect_across(const Vec3& e, const Vec3& start) const;
};

}  // namespace stiction
