#pragma once
// The features of two shapes that face each other along the contact normal: a segment (the core of a capsule,
// a line on the lateral surface of a cylinder), a disc (the end of a cylinder) or a polygon (a face of a box
// or a hull).

#include <array>

#include "stiction/geometry/contact_point.h"
#include "stiction/geometry/convex/direction_search.h"
#include "stiction/geometry/pair_frame.h"
#include "stiction/geometry/shape/collision_shape.h"

namespace stiction {

// The feature of a shape's core that faces a direction, in A's frame.
struct SupportFeature {
  enum class Kind { segment, disc, polygon };
  Kind kind = Kind::segment;
  FeatureKind feature = FeatureKind::smooth;
  int index = 0;               // of the feature: face of a polytope, disc of a cylinder
  Vec3 centre = Vec3::Zero();  // m, of a segment or a disc; on the plane of a polygon
  Vec3 normal = Vec3::Zero();  // unit, outward, of a disc or a polygon
  Vec3 half = Vec3::Zero();    // m, from the centre of a segment to its upper end
  double radius = 0.0;         // m, of a disc
  double end_weight = 0.5;     // of a segment
  // Corners of a polygon, counter-clockwise about the normal.
  static constexpr int kMaxCorners = 64;
  int count = 0;
  std::array<Vec3, kMaxCorners> corners;
  std::array<int, kMaxCorners> vertices;
};

// The feature of a capsule, cylinder, box or hull with pose X_AS that faces n (in A).
void support_feature(const CollisionShape& shape, const Pose& X_AS, const Vec3& n, SupportFeature* part);

// The features of both along the direction of largest separation `found` of the cores; false if the shapes
// are farther apart than `margin`.
bool support_features(const CollisionShape& A, const CollisionShape& B, const PairFrame& frame, double margin,
                      PairMemory* memory, Separation* found, SupportFeature* a, SupportFeature* b);

}  // namespace stiction
