#pragma once
// The contact manifold of two polytopes along a direction n: the faces that face each other, projected along
// n and intersected.
//
//   M(n) = sum over faces f of A and g of B of  b_f b_g [f and g projected along n, intersected]
//
// Each corner of an intersection corresponds to a point on f and one on g; the distance between the two along
// n is its own, and its weight is the corner's share of the outline (polygon.h). Usually one face of either
// body faces n. Where two are nearly equally aligned both are taken: with a = n . n_f, the best aligned face
// * and the chord c = |n_f - n_*|,
//   b_f ~ ramp((a_* - a_f)/(kAlignmentWindow c)),      ramp(x) = max(0, 1 - x), b normalised,
// so that weights change over a rotation of kAlignmentWindow instead of jumping. Points of equal feature are
// merged, their weights added. An intersection whose outline is shorter than the overlap has a proportionally
// smaller weight, so that it does not vanish with a jump. M is thus Lipschitz in n and in the poses.

#include <array>
#include <cstdint>

#include "stiction/geometry/shape/polytope.h"
#include "stiction/math/spatial.h"

namespace stiction {

inline constexpr double kSamePlace = 1e-12;  // of the mean size: some thousand times round-off

struct FaceShare {
  int face;
  double share;
};
inline constexpr int kMaxFacing = 6;
// The faces of P that face along the unit vector d, the best aligned first, with their shares; at most
// kMaxFacing. Returns how many.
int facing_faces(const Polytope& P, const Vec3& d, FaceShare* faces);

// In A's frame. Without initial values: lists of these are written before they are read.
struct ManifoldPoint {
  Vec3 p_A, normal;
  double distance, weight;
  std::uint64_t feature;
  Vec3 gap;       // m, p_B - p_A, of a merged point
  bool is_mixed;  // whether it is merged from several
};

struct Manifold {
  static constexpr int kCapacity = 64;
  int count = 0;
  std::array<ManifoldPoint, kCapacity> points;

  // Adds a point. With `merge` it is merged with one of equal feature: p_A and p_B become weighted means,
  // which lie on the same faces, edges or vertices and give the same force for a linear law.
  void add(const ManifoldPoint& point, bool merge);

  // Computes normal and distance of merged points: along p_B - p_A.
  void finish();

  // Removes points until `max_points` are left: the one with the least weight times depth is removed, never
  // the deepest one, and its weight goes to the two nearest points in inverse proportion to their distances.
  // The sum of the weights is conserved. The wrench is continuous if the removed point has no force;
  // otherwise it jumps by its share times the deviation of its depth from the interpolation between the
  // neighbours.
  void reduce(int max_points, double reach);
};

// Adds share * M(n): n in A's frame, from A into B. Along n the separation is at least `least` (m, negative
// for overlap): corners with less are round-off of a thin intersection and are left out. So are corners
// farther apart than `reach`.
void add_manifold(const Polytope& A, const Polytope& B, const Pose& X_AB, const Vec3& n, double share,
                  double least, double reach, bool merge, Manifold* manifold);

}  // namespace stiction
