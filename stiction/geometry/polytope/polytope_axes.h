#pragma once
// Directions along which two polytopes are farthest apart or overlap least, and the contact points they give.
//
// Along a unit vector n, from A into B, the separation is s(n) = min over B of n . x - max over A of n . x;
// the signed distance of overlapping polytopes is the largest s(n), reached at the normal of a face of A (n =
// n_f), of a face of B (n = -n_g) or perpendicular to an edge of each. Where the largest two are nearly equal
// the normal would jump with the poses at a finite overlap, and with it the force. So the axes share: with
// the chords c_ij = min(|n_i - n_j|, sqrt(2)) and ramp(x) = max(0, 1 - x),
//   r_i = min over better axes j of  ramp((s_j - s_i)/(kShareWindow c_ij |s_*|)),        r_* = 1,
//   b_i ~ r_i max_j(k_ij r_j) / sum_j(k_ij r_j),     k_ij = ramp(c_ij),     sum b_i = 1,
// and the contact points are sum b_i M(n_i) (polytope_manifold.h). Without the second factor of b_i a
// direction would count once for every feature that has it, and flat faces on top of each other have it four
// to six times. |s_i| changes at most by the displacement of a point, so that the total force of weight times
// overlap obeys, with delta the largest displacement of any point of the bodies relative to each other
// between two poses,
//   |F(X') - F(X)| <= kWrenchLipschitz k delta,
// and the moment about a point of the smaller body the same times its diagonal. Axes with the same normal
// (chord below kSameAxis) are one. No kind of axis is preferred: M(n) of an edge pair becomes that of the
// adjacent faces as n approaches their normal. The shares fade out between kShareDepth and twice that,
// relative to the diameter of the smaller inscribed ball: at larger overlaps, where many directions are
// equally bad, only the best counts, and the force is bounded but may jump.
//
// b_i counts by the part of M(n_i) that bears (LeastTotal of polytope_manifold.h), b_i := b_i m_i/sum b_j m_j:
// an axis whose features do not overlap along it gives its share to the others.
//
// Axes within kAveraged of the best do not get contact points of their own: the normal becomes their mean.
//
// Separated polytopes: if M(n_*) has a point whose distance is s_*, that is the distance of the two.
// Otherwise vertices or edges are nearest, the direction is that of GJK, and M is taken along it.

#include <algorithm>
#include <array>

#include "stiction/geometry/collide_options.h"
#include "stiction/geometry/polytope/polytope_manifold.h"
#include "stiction/geometry/shape/collision_shape.h"

namespace stiction {

inline constexpr double kShareWindow = 0.25;
inline constexpr double kSameAxis = 1e-5;
inline constexpr double kAveraged = 0.01;
inline constexpr double kShareDepth = 0.1;
inline constexpr double kWrenchLipschitz = 10.0;
// A point counts as the deepest if its distance is s to within this fraction of the sizes: some hundred times
// round-off.
inline constexpr double kCertificate = 1e-13;

enum class AxisKind { face_of_a, face_of_b, edges, edges_of_boxes, none };

// Without initial values: lists of these are written before they are read.
struct SeparatingAxis {
  Vec3 n;         // unit, in A's frame, from A into B
  double s;       // m
  AxisKind kind;  // which features: face i of A, face j of B, edge i of A and edge j of B; of two boxes the
                  // axes i and j that the edges run along
  int i, j;
};

// The best axis and all others that may share with it.
struct AxisList {
  SeparatingAxis best{Vec3::UnitZ(), -1e300, AxisKind::none, -1, -1};
  static constexpr int kCapacity = 32;
  std::array<SeparatingAxis, kCapacity> others;
  int count = 0;

  double floor = -1e300;         // the best s is known to be at least this, m; not positive
  double deepest_share = 1e300;  // m: axes share up to this overlap

  // Axes with s below this (m) have no share. It never decreases while better axes are found, so that the
  // result does not depend on the order in which axes are offered.
  double threshold() const {
    constexpr double kWindow = 1.0 + kShareWindow * 1.4142135623730951;
    const double s = best.s > floor ? best.s : floor;
    if (s >= 0.0) return s;
    return -s < deepest_share ? kWindow * s : std::min(s, -kWindow * deepest_share);
  }
  // Among equal ones the first by kind, i and j is the best, independent of the order of the calls.
  void offer(const SeparatingAxis& axis);
  // Removes the others of a kind.
  void remove(AxisKind kind);
  // Sorts the others by kind, i and j.
  void sort();
};

// The contact points, given the axes of the pair.
void add_contact_points(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_AB,
                        const AxisList& axes, const CollideOptions& options, ContactPoints* out);

// The point that realises the signed distance.
ContactPoint distance_from_axes(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                                const Pose& X_AB, const AxisList& axes);

}  // namespace stiction
