#pragma once
// The shortest translation that separates two overlapping convex shapes (expanding polytope algorithm), by
// growing a polytope inside the Minkowski difference b - a until its face nearest to the origin lies on the
// boundary (G. van den Bergen, "Proximity queries and penetration depth computation on 3D game objects",
// GDC 2001).
//
// For a face with outward unit normal m at distance t from the origin, t <= depth in direction m, and the
// support difference w in direction m gives m . w >= t; the least t of all faces is a lower bound of the
// depth, the least m . w an upper one. For polytopes the result is exact; for smooth shapes it ends where the
// two bounds agree to `tolerance` of the depth, or when the room for faces is used up. The result is a start
// for Newton's method (direction_search.h), and the global minimum up to that tolerance.

#include "stiction/geometry/convex/gjk.h"

namespace stiction {

struct EpaResult {
  double depth = 0.0;             // m, upper bound, of the cores
  double lower_bound = 0.0;       // m
  Vec3 normal = Vec3::UnitZ();    // unit, from A to B, in A: moving B by depth along it separates
  std::array<GjkVertex, 3> face;  // of the nearest face
  // Normals of other faces, far from each other, that may be as good within the bounds; least overlap first.
  static constexpr int kMaxOthers = 8;
  std::array<Vec3, kMaxOthers> others;
  int num_others = 0;
  int iterations = 0;
};

// `start` is the result of gjk_distance with overlap.
EpaResult epa_depth(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                    const GjkResult& start, double tolerance);

}  // namespace stiction
