#pragma once
// The set of points of a core that is farthest in a direction, and how far points lie outside a core.

#include "stiction/geometry/shape/collision_shape.h"

namespace stiction {

inline constexpr double kOnNonsmoothDirection = 1e-9;  // rad: closer than this counts as exactly on it

// The set of points of a core that is farthest in direction n (both in S): a point, a segment c + s e with
// |s| <= half, or a flat part, of which `centre` is some corner.
struct SupportSet {
  enum class Kind { point, segment, flat };
  Kind kind = Kind::point;
  Vec3 centre = Vec3::Zero(), axis = Vec3::Zero();
  double half = 0.0;  // m
};
SupportSet support_set(const CollisionShape& shape, const Vec3& n);

// The midpoint of the edge or flat part that contains the support point in direction n; the support point
// itself if there is none.
Vec3 middle_of_support(const CollisionShape& shape, const Vec3& n);

// How far q (in S) lies outside the core, m, negative inside. For ellipsoids and superellipsoids to first
// order: (N - 1)/|grad N| with the gauge N, which is 1 on the surface.
double outside_core(const CollisionShape& shape, const Vec3& q);

}  // namespace stiction
