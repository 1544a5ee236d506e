#pragma once
// The least total weight of polytope_manifold.h for corners of an outline that is not made of straight sides
// alone: with b_i, T_i, S and c from there,
//   w_i := (1 - c) w_i + c p_i,       p_i = b_i^4 w_i / sum b_j^4 w_j,       c = (T - S)/(1 - S),
// T = max T_i b_i. The fourth power keeps the deepest corner ahead of many shallow ones with more outline.

#include <algorithm>

#include "stiction/geometry/polytope/polytope_manifold.h"

namespace stiction {

struct WeighedCorner {
  double weight = 0.0;  // of all corners at most 1
  double inside = 0.0;  // 1 - (D - D_i)/max(D, kLeastWindow); b_i where it is positive
  double least = 0.0;   // T_i
};

inline void raise_weights(WeighedCorner* corners, int count) {
  double used = 0.0, wanted = 0.0, sum = 0.0;
  const auto bears = [](const WeighedCorner& corner) {
    const double b2 = corner.inside > 0.0 ? corner.inside * corner.inside : 0.0;
    return b2 * b2 * corner.weight;
  };
  for (int i = 0; i < count; ++i) {
    used += std::max(0.0, corners[i].inside) * corners[i].weight;
    wanted = std::max(wanted, corners[i].inside * corners[i].least);
    sum += bears(corners[i]);
  }
  if (!(used < wanted && used < 1.0 && sum > 0.0)) return;
  const double given = (wanted - used) / (1.0 - used);
  for (int i = 0; i < count; ++i)
    corners[i].weight = (1.0 - given) * corners[i].weight + given * bears(corners[i]) / sum;
}

// T_i of a place that is no vertex of the polytope itself: T_v of a vertex less the distance in windows.
inline double least_beside(const Polytope& P, int vertex, double distance, double window) {
  return std::max(0.0, P.least.of_vertex[vertex] - distance / window);
}

}  // namespace stiction
