#pragma once
// The contact manifold of two polytopes along a direction n: the faces that face each other, projected along
// n and intersected.
//
//   M(n) = sum over faces f of A and g of B of  b_f b_g [f and g projected along n, intersected]
//
// Each corner of an intersection corresponds to a point on f and one on g; the distance between the two along
// n is its own, and its weight is the corner's share of the outline (polygon.h). Usually one face of either
// body faces n. Where several are nearly equally aligned all are taken: with a_f = n . n_f,
//   b_f ~ min over better aligned faces j of  ramp((a_j - a_f)/(kAlignmentWindow |n_f - n_j|)),
// ramp(x) = max(0, 1 - x), b normalised (of more than kMaxFacing the best, less the share of the next one),
// so that weights change over a rotation of kAlignmentWindow instead of jumping. Points of equal feature are
// merged, their weights added. An intersection whose outline is shorter than the overlap has a proportionally
// smaller weight, so that it does not vanish with a jump. M is thus Lipschitz in n and in the poses.
//
// Least total weight. One corner of a fine hull has a tiny share of the outline, and a pair that touches there
// would have lost its stiffness. With D the overlap along n, D_i that of corner i of an intersection (negative
// above the surface), l the lengths of the sides and u in [0, 1] the part of a side where b is positive,
//   b_i = ramp((D - D_i)/max(D, kLeastWindow)),       p_i ~ b_i (u l_{i-1} + u l_i), sum p_i = 1,
//   T^_i = max(T_i, max over corners v of the two faces of  T'_v - distance(i, v)/max(D, kLeastWindow)),
//   T = max T^_i b_i,       S = sum w_i b_i,
// a manifold with S < T becomes
//   w_i := (1 - c) w_i + c p_i,            c = (T - S)/(1 - S),
// so that its weights sum to at least S + c (1 - S) = T and to no more than 1: what is missing goes to the
// deepest corners, in proportion to the outline that overlaps. T_i is T_v of the vertex on the other's face,
// or the smaller T_e of two edges that cross, T'_v the largest T_v or T_e at a vertex (shape/least_weights.h;
// for a vertex itself the distance is that to the border of the other's face): where features change into
// each other T^ is the same for both, so that it is Lipschitz in the poses over max(D, kLeastWindow), and so
// are b, p and the force D T. Weighing p by the outline that overlaps, not by w, keeps it so however fine the
// hull is, and a deeper pose from having less force. Of several faces, S is the mean by their shares, T and
// p by these times the fourth power of the largest b. A box has S = 1 flat, 1/2 on an edge and T = 1/4 on a
// corner; hulls of a smooth body have T near 1, which is the weight of the body. All corners count, also those
// out of reach: nothing here depends on the margin.
//
// So the sum is at least max T_i b_i, to round-off, where one face of either body faces the only direction
// and the deepest point is on these faces. Elsewhere T is between those of what is blended: of several
// directions and faces the mean above; and b of a vertex that is deeper than all corners grows from 0 with
// how much deeper it is, within kShareWindow max(D, kLeastWindow). There a sum can be less than T_i of the
// deepest point.

#include <array>
#include <cstdint>

#include "stiction/geometry/shape/polytope.h"
#include "stiction/math/spatial.h"

namespace stiction {

inline constexpr double kSamePlace = 1e-12;  // of the mean size: some thousand times round-off
// m: smaller overlaps, and gaps, blend weights over this: less than surfaces are flat, more than a body sinks
// in a step at rest.
inline constexpr double kLeastWindow = 1e-5;

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
  double bearing;  // p of its face pair times the pair's share, not yet normalised
  std::uint64_t feature;
  Vec3 gap;       // m, p_B - p_A, of a merged point
  bool is_mixed;  // whether it is merged from several
};

// What the face pairs of a manifold say about its least total weight.
struct LeastTotal {
  double overlap = 0.0;  // m, D: along the direction, negative for a gap
  double used = 0.0;     // S times the share of the direction
  double wanted = 0.0;   // T times `bearing`
  double bearing = 0.0;  // the sum of all points, those out of reach too

  double window() const { return overlap > kLeastWindow ? overlap : kLeastWindow; }
};

// u: the part of a side along which b is positive, from 1 - (D - D_i)/window at its ends.
inline double overlapping_part(double from, double to) {
  if (from >= 0.0 && to >= 0.0) return 1.0;
  return from > 0.0 || to > 0.0 ? (from > to ? from : to) / (from > to ? from - to : to - from) : 0.0;
}

struct Manifold {
  static constexpr int kCapacity = 64;
  int count = 0;
  LeastTotal total;
  std::array<ManifoldPoint, kCapacity> points;

  // Adds a point. With `merge` it is merged with one of equal feature: p_A and p_B become weighted means,
  // which lie on the same faces, edges or vertices and give the same force for a linear law.
  void add(const ManifoldPoint& point, bool merge);

  // Raises the weights of a direction that has the given share to their least total. Points left without
  // weight are removed.
  void raise(double share);

  // Scales the weights by the part of the share of a direction whose faces overlap as deep as they can;
  // returns this part.
  double scale_by_bearing(double share);

  // Computes normal and distance of merged points: along p_B - p_A.
  void finish();

  // Removes points until `max_points` are left: the one with the least weight times depth is removed, never
  // the deepest one, and its weight goes to the two nearest points in inverse proportion to their distances.
  // The sum of the weights is conserved. The wrench is continuous if the removed point has no force;
  // otherwise it jumps by its share times the deviation of its depth from the interpolation between the
  // neighbours.
  void reduce(int max_points, double reach);
};

// Adds share * M(n), its weights not yet raised: n in A's frame, from A into B. Along n the separation is at
// least `least` (m, negative for overlap): corners with less are round-off of a thin intersection and are left
// out. So are corners farther apart than `reach`. manifold->total.overlap must be known.
void add_manifold(const Polytope& A, const Polytope& B, const Pose& X_AB, const Vec3& n, double share,
                  double least, double reach, bool merge, Manifold* manifold);

}  // namespace stiction
