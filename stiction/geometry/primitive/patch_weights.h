#pragma once
// The least total weight of the points of a contact patch (contact_patch.h), as that of two polytopes
// (polytope/polytope_manifold.h).
//
// A vertex of a fine hull has a tiny share of the outline of the face that it belongs to, a corner where a rim
// is cut off may have one too. With D the overlap of the cores along the normal, D_i that of point i, s_i the
// length of the outline around it where there is overlap, and window = max(D, kLeastWindow),
//
//   b_i = ramp(1 - (D - D_i)/window),       p_i ~ b_i s_i, sum p_i = 1,
//   T = max T_i b_i,       S = sum w_i b_i,
//
// a patch with S < T becomes w_i := (1 - c) w_i + c p_i, c = (T - S)/(1 - S): its weights sum to at least T and
// to no more than 1. T_i is the least of either feature that touches there:
//
//   face of a polytope, end of a cylinder, lateral surface                    1
//   vertex v, edge e of a polytope                                           T_v, T_e (shape/least_weights.h)
//   end of the core of a capsule                                             1/2
//   rim of a cylinder (a point of it has the weight of a corner of a box)     1/4
//
// So that T does not jump where one feature becomes another, T_i grows from that of a rim or of an end of a core
// by (distance from it)/window, and falls from T' of a vertex of the polygon, the largest of T_v and T_e of the
// edges there, by the same. Where another face of a polytope takes over, weights may jump, as they did.

#include <cstdint>
#include <span>

#include "stiction/geometry/convex/support_feature.h"

namespace stiction {

inline constexpr double kCornerWeight = 0.25;  // of a point of a rim

// Without initial values: lists of these are written before they are read.
struct PatchPoint {
  Vec3 on_a;        // m, on A's core
  double distance;  // m, of the cores along the normal
  double weight;
  double bearing;  // s_i, of any unit
  double least;    // T_i
  std::uint64_t feature;
};

// m: over which weights are blended, of an overlap of this depth.
double least_window(double overlap);

// Raises the weights; `nearest`: the distance of the cores, D of the header and its b are counted from there.
void raise_to_least(double nearest, double window, std::span<PatchPoint> points);

// The polygon of a polytope in the common plane, its corners in the order of the polytope's own; no polytope:
// a disc, or a shape without its features, of which nothing is known.
struct PolygonLeast {
  const Polytope* polytope = nullptr;
  const SupportFeature* part = nullptr;
  const Eigen::Vector2d* corners = nullptr;
  double window = 0.0;  // m

  double least_of_vertex(int vertex) const;
  // T_i of a segment at a point of the border.
  double least_at_border(const Eigen::Vector2d& x) const;
};

}  // namespace stiction
