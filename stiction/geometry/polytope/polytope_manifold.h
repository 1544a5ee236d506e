#pragma once
// The points where two polytopes meet along a direction n: the faces that look at each other, projected along
// n and intersected.
//
//   M(n) = sum over faces f of A and g of B of  b_f b_g [f and g projected along n, intersected]
//
// Each corner of an intersection lies on f and on g; the distance between the two along n is its own, and its
// weight is the corner's share of the outline (polygon.h). Usually one face of either side looks along n.
// Where two are nearly equally aligned both are taken: with a = n . n_f, the best aligned face * and the
// chord c = |n_f - n_*|,
//   b_f ~ ramp((a_* - a_f)/(kAlignmentWindow c)),      ramp(x) = max(0, 1 - x), b normalised,
// so that weights move over a rotation of kAlignmentWindow rather than jump. Points of equal feature are one
// point with the sum of the weights. An intersection whose outline is shorter than the overlap fades in
// proportion, so that it does not vanish with a jump. M is thus Lipschitz in n and in the poses.

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
// The faces of P that look along the unit vector d, the best aligned first, with their shares; at most
// kMaxFacing. Returns how many.
int facing_faces(const Polytope& P, const Vec3& d, FaceShare* faces);

// In A's frame. Without initial values: lists of these are written before they are read.
struct ManifoldPoint {
  Vec3 p_A, normal;
  double distance, weight;
  std::uint64_t feature;
  Vec3 gap;       // m, p_B - p_A, of a point made of several
  bool is_mixed;  // whether it is
};

struct Manifold {
  static constexpr int kCapacity = 64;
  int count = 0;
  std::array<ManifoldPoint, kCapacity> points;

  // Adds a point. With `merge` one of equal feature takes it in: p_A and p_B become weighted means, which lie
  // on the same faces, edges or vertices and keep the force of a linear law.
  void add(const ManifoldPoint& point, bool merge);

  // Gives points made of several their normal and distance: along p_B - p_A.
  void finish();

  // Hands points to their neighbours until `max_points` are left: the one with the least weight times depth
  // goes, its weight to the two nearest points in inverse proportion to their distances; never the deepest
  // one. The weights always sum to what they summed to. Which point goes is a choice between points that bear
  // least; the wrench is continuous where the one that goes bears nothing, and otherwise jumps by its share
  // times the unevenness of the depths between the neighbours.
  void reduce(int max_points, double reach);
};

// Adds share * M(n): n in A's frame, from A into B. Along n the two are at least `least` apart (m, negative
// where they overlap): what seems nearer is round-off of an intersection as thin, and left out. So are
// corners farther apart than `reach`.
void add_manifold(const Polytope& A, const Polytope& B, const Pose& X_AB, const Vec3& n, double share,
                  double least, double reach, bool merge, Manifold* manifold);

}  // namespace stiction
