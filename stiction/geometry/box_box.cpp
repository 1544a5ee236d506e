#include "stiction/geometry/box_box.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/box_packs.h"
#include "stiction/geometry/pose_packs.h"

namespace stiction {
namespace {

using simd::absolute;
using simd::broadcast;
using simd::Pack;

constexpr double kNoAxis = -1e300;  // m, separation of what is none

Pack yzx(Pack x) { return simd::yzx(x); }
Pack zxy(Pack x) { return __builtin_shufflevector(x, x, 2, 0, 1, 3); }

// Rows of R_AB and the centre of B, in A's axes and in B's.
struct Relative {
  std::array<Pack, 3> row, abs_row;
  Pack t, t_in_b;
};

// Half extents; the fourth lane is so large that it never separates.
struct Boxes {
  Pack a, b;
};

[[gnu::always_inline]] inline Pack face_axes_of_a(const Relative& x, const Boxes& box) {
  return absolute(x.t) - box.a -
         simd::sums(x.abs_row[0] * box.b, x.abs_row[1] * box.b, x.abs_row[2] * box.b, simd::zero());
}

[[gnu::always_inline]] inline Pack face_axes_of_b(const Relative& x, const Boxes& box) {
  return absolute(x.t_in_b) - box.b -
         (x.abs_row[0] * box.a[0] + x.abs_row[1] * box.a[1] + x.abs_row[2] * box.a[2]);
}

// Separations of edge i of A with the three of B; `side` is t . L, `length2` its squared length.
template <int i>
[[gnu::always_inline]] inline Pack edge_axes(const Relative& x, const Boxes& box, Pack* length2, Pack* side) {
  constexpr int i1 = i == 2 ? 0 : i + 1, i2 = i == 0 ? 2 : i - 1;
  // L = e_i x R_j has the components -R_i2j along i1 and R_i1j along i2.
  *side = x.t[i2] * x.row[i1] - x.t[i1] * x.row[i2];
  const Pack reach_a = box.a[i1] * x.abs_row[i2] + box.a[i2] * x.abs_row[i1];
  // L . R_k = e_i . (R_j x R_k): the entry of row i that is neither j nor k.
  const Pack reach_b = yzx(box.b) * zxy(x.abs_row[i]) + zxy(box.b) * yzx(x.abs_row[i]);
  *length2 = x.row[i1] * x.row[i1] + x.row[i2] * x.row[i2];
  const Pack length = simd::square_root(simd::larger(*length2, broadcast(kParallelEdges * kParallelEdges)));
  const Pack s = (absolute(*side) - reach_a - reach_b) / length;
  return *length2 > broadcast(kParallelEdges * kParallelEdges) ? s : broadcast(kNoAxis);
}

[[gnu::always_inline]] inline Relative relative(const Pose& X_WA, const Pose& X_WB) {
  Relative x;
  // The rows of R_WB, then R_WA' times them.
  const Pack b0 = simd::column<0>(X_WB), b1 = simd::column<1>(X_WB), b2 = simd::column<2>(X_WB);
  const Pack even = __builtin_shufflevector(b0, b1, 0, 4, 2, 6),
             odd = __builtin_shufflevector(b0, b1, 1, 5, 3, 7);
  const Pack of_b0 = __builtin_shufflevector(even, b2, 0, 1, 4, 7);
  const Pack of_b1 = __builtin_shufflevector(odd, b2, 0, 1, 5, 7);
  const Pack of_b2 = __builtin_shufflevector(even, b2, 2, 3, 6, 7);
  for (int i = 0; i < 3; ++i) {
    x.row[i] = of_b0 * X_WA.R(0, i) + of_b1 * X_WA.R(1, i) + of_b2 * X_WA.R(2, i);
    x.abs_row[i] = absolute(x.row[i]);
  }
  x.t = simd::rotated_back(X_WA, simd::position(X_WB) - simd::position(X_WA));
  x.t_in_b = x.row[0] * x.t[0] + x.row[1] * x.t[1] + x.row[2] * x.t[2];
  return x;
}

Relative relative(const Pose& X_AB) { return relative(Pose(), X_AB); }

Pose pose_of(const Relative& x) {
  Pose X_AB;
  double* numbers = reinterpret_cast<double*>(&X_AB);
  const Pack even = __builtin_shufflevector(x.row[0], x.row[1], 0, 4, 2, 6);
  const Pack odd = __builtin_shufflevector(x.row[0], x.row[1], 1, 5, 3, 7);
  const Pack last = __builtin_shufflevector(even, x.row[2], 2, 3, 6, 7);
  simd::store_unaligned(numbers, __builtin_shufflevector(even, x.row[2], 0, 1, 4, 7));
  simd::store_unaligned(numbers + 3, __builtin_shufflevector(odd, x.row[2], 0, 1, 5, 7));
  simd::store_unaligned(numbers + 6, last);
  simd::store_unaligned(numbers + 8, Pack{last[2], x.t[0], x.t[1], x.t[2]});
  return X_AB;
}

double separation_along(const Relative& x, const Boxes& box, int axis) {
  if (axis < 3) return face_axes_of_a(x, box)[axis];
  if (axis < 6) return face_axes_of_b(x, box)[axis - 3];
  Pack length2, side;
  const int i = (axis - 6) / 3;
  const Pack s = i == 0   ? edge_axes<0>(x, box, &length2, &side)
                 : i == 1 ? edge_axes<1>(x, box, &length2, &side)
                          : edge_axes<2>(x, box, &length2, &side);
  return s[(axis - 6) % 3];
}

// All separations, and what the axes of edges are made of.
struct Separations {
  std::array<Pack, 5> s;  // faces of A, faces of B, edges 0, 1, 2 of A with those of B
  std::array<Pack, 3> length2, side;

  // One bit for each lane that is at least x.
  unsigned at_least(double x) const {
    unsigned bits = 0;
    for (int k = 0; k < 5; ++k) bits |= simd::lane_bits(s[k] >= broadcast(x)) << (4 * k);
    return bits;
  }
};

void make_axis(const Relative& x, const Separations& all, int k, SeparatingAxis* axis) {
  const int group = k / 4, j = k % 4;
  Pack n;
  axis->i = axis->j = -1;
  if (group == 0) {
    const bool up = x.t[j] > 0.0;
    const double sign = up ? 1.0 : -1.0;
    n = Pack{j == 0 ? sign : 0.0, j == 1 ? sign : 0.0, j == 2 ? sign : 0.0, 0.0};
    axis->kind = AxisKind::face_of_a;
    axis->i = 2 * j + (up ? 1 : 0);
  } else {
    const Pack of_b{x.row[0][j], x.row[1][j], x.row[2][j], 0.0};
    if (group == 1) {
      const bool up = x.t_in_b[j] > 0.0;
      n = up ? of_b : -of_b;
      axis->kind = AxisKind::face_of_b;
      axis->j = 2 * j + (up ? 0 : 1);
    } else {
      const int i = group - 2;
      const double scale = (all.side[i][j] > 0.0 ? 1.0 : -1.0) / std::sqrt(all.length2[i][j]);
      const Pack unit{i == 0 ? scale : 0.0, i == 1 ? scale : 0.0, i == 2 ? scale : 0.0, 0.0};
      n = simd::cross(unit, of_b);
      axis->kind = AxisKind::edges_of_boxes;
      axis->i = i;
      axis->j = j;
    }
  }
  simd::write_before(n, axis->n.data());
  axis->s = all.s[group][j];
}

[[gnu::always_inline]] inline bool find_axes(const Relative& x, const Boxes& box, double reach,
                                             int* separating, AxisList* axes) {
  Separations all;
  all.s[0] = face_axes_of_a(x, box);
  all.s[1] = face_axes_of_b(x, box);
  const unsigned apart_a = simd::lane_bits(all.s[0] > broadcast(reach)),
                 apart_b = simd::lane_bits(all.s[1] > broadcast(reach));
  if ((apart_a | apart_b) != 0) {
    *separating = apart_a != 0 ? __builtin_ctz(apart_a) : 3 + __builtin_ctz(apart_b);
    return false;
  }
  all.s[2] = edge_axes<0>(x, box, &all.length2[0], &all.side[0]);
  all.s[3] = edge_axes<1>(x, box, &all.length2[1], &all.side[1]);
  all.s[4] = edge_axes<2>(x, box, &all.length2[2], &all.side[2]);
  Pack most = simd::larger(all.s[0], all.s[1]);
  for (int k = 2; k < 5; ++k) most = simd::larger(most, all.s[k]);
  most = simd::larger(most, __builtin_shufflevector(most, most, 2, 3, 0, 1));
  const double best = std::max(most[0], most[1]);
  const int best_at = __builtin_ctz(all.at_least(best));
  if (best > reach) {
    *separating = 3 * (best_at / 4) + best_at % 4;
    return false;
  }
  make_axis(x, all, best_at, &axes->best);
  axes->count = 0;
  if (best >= 0.0) return true;

  // Only axes that may share are made.
  const double threshold = (1.0 + kShareWindow * 1.4142135623730951) * best;
  for (unsigned bits = all.at_least(threshold) & ~(1u << best_at); bits != 0; bits &= bits - 1)
    make_axis(x, all, __builtin_ctz(bits), &axes->others[axes->count++]);
  return true;
}

Boxes boxes(const Vec3& a, const Vec3& b) {
  return {Pack{a[0], a[1], a[2], -kNoAxis}, Pack{b[0], b[1], b[2], -kNoAxis}};
}

}  // namespace

bool find_box_axes(const Vec3& a, const Vec3& b, const Pose& X_AB, double reach, int* separating,
                   AxisList* axes) {
  return find_axes(relative(X_AB), boxes(a, b), reach, separating, axes);
}

void collide_box_box(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB,
                     const CollideOptions& options, PairMemory* memory, ContactPoints* out) {
  const double reach = options.margin + A.rounding + B.rounding;
  const Relative x = relative(X_WA, X_WB);
  const Boxes box = boxes(A.size, B.size);
  if (memory != nullptr && memory->a >= 0 && memory->a < 15 && separation_along(x, box, memory->a) > reach)
    return;
  AxisList axes;
  int separating = -1;
  const bool near = find_axes(x, box, reach, &separating, &axes);
  if (memory != nullptr) memory->a = separating;
  if (near) add_contact_points(A, X_WA, B, pose_of(x), axes, options, out);
}

}  // namespace stiction
