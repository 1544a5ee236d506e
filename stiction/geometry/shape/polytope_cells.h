#pragma once
// Lookup by direction: for every cell of directions, short lists of the vertices and faces of a polytope
// among which the answer to a query over all of them must be.
//
// The directions are those of a cube around the centre, side x side cells on each of its faces; a cell is the
// cone of the directions c_0 .. c_3 of its corners. What is linear in the direction d has its extremes at the
// corners, so that on the whole cell
//   vertex v is nowhere the farthest one            if  c_k . (w - v) > 0             for one w and all k;
//   face f is nowhere within w of the best one      if  c_k . (n_g - n_f) > w |c_k|   for one g and all k,
// w being kAlignmentWindow times the largest chord to a face that may be the best. The part of the polytope
// in the cone lies below the plane of any face g, within the pyramid of the centre and the points x_gk where
// the corner directions intersect that plane. No point of it is higher above face f than
//   b_f = min over some g of max over k of  n_f . x_gk - offset_f.
// Each cell lists the faces with the largest b_f, in descending order, and the value of b below which faces
// are not listed.

#include <algorithm>
#include <vector>

#include "stiction/geometry/simd/box_packs.h"
#include "stiction/geometry/simd/pose_packs.h"

namespace stiction {

inline constexpr double kAlignmentWindow = 0.02;  // rad, see polytope_manifold.h

struct Polytope;  // stiction/geometry/shape/polytope.h

// For every cell a list of indices, padded to a multiple of four by repeating the last. Empty: too many.
struct CellLists {
  std::vector<int> begin;  // of cell i; one more than cells
  std::vector<int> numbers;
};

struct PolytopeCells {
  static constexpr int kMaxListed = 32;  // longer lists cost more than climbing and groups of faces
  int side = 0;                          // 0: there are no cells
  std::vector<int> first_vertex;         // of each cell: the farthest along its central direction
  CellLists vertices, facing, near;
  std::vector<double> near_bounds;    // m, b_f, as in near.numbers
  std::vector<double> missing_below;  // m, of each cell: faces with a smaller b_f are not listed
  double farthest_face = 0.0;         // m, from the centre
};

// The cell of d = (x, y, z, 0), any length; 0 if d is zero or not finite.
[[gnu::always_inline]] inline int cell_of(int side, simd::Pack d) {
  constexpr double kFarAway = 1e300;
  const simd::Pack size = simd::absolute(d);
  const simd::Pack pairs = simd::larger(size, __builtin_shufflevector(size, size, 2, 3, 0, 1));
  const simd::Pack most = simd::larger(pairs, __builtin_shufflevector(pairs, pairs, 1, 0, 3, 2));
  if (!(most[0] > 0.0 && most[0] < kFarAway)) return 0;
  // The axis of its largest component, and the next two.
  const int k = __builtin_ctz(simd::lane_bits(size == most));
  alignas(32) double number[8];
  simd::store(number, d);
  simd::store_unaligned(number + 3, d);
  const double half = 0.5 * side, scale = half / most[0];
  const int i = std::min(static_cast<int>(scale * number[k + 1] + half), side - 1);
  const int j = std::min(static_cast<int>(scale * number[k + 2] + half), side - 1);
  return ((2 * k + (number[k] > 0.0 ? 1 : 0)) * side + i) * side + j;
}

// The cells of a hull whose other fields are filled in.
PolytopeCells polytope_cells(const Polytope& P);

}  // namespace stiction
