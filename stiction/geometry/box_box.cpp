#include "stiction/geometry/box_box.h"

#include <cmath>

#include "stiction/math/simd.h"

namespace stiction {
namespace {

using simd::broadcast;
using simd::Pack;

Pack absolute(Pack x) { return x < simd::zero() ? -x : x; }
Pack yzx(Pack x) { return simd::yzx(x); }
Pack zxy(Pack x) { return __builtin_shufflevector(x, x, 2, 0, 1, 3); }

// Rows of R_AB and the centre of B, in A's axes.
struct Relative {
  std::array<Pack, 3> row, abs_row;
  Pack t, t_in_b;
};

struct Boxes {
  Pack a, b;
};

Pack face_axes_of_a(const Relative& x, const Boxes& box) {
  const double r0 = simd::sum(x.abs_row[0] * box.b), r1 = simd::sum(x.abs_row[1] * box.b),
               r2 = simd::sum(x.abs_row[2] * box.b);
  return absolute(x.t) - box.a - Pack{r0, r1, r2, 0.0};
}

Pack face_axes_of_b(const Relative& x, const Boxes& box) {
  return absolute(x.t_in_b) - box.b -
         (x.abs_row[0] * box.a[0] + x.abs_row[1] * box.a[1] + x.abs_row[2] * box.a[2]);
}

// Numerator and square of the denominator of s for edge i of A with the three of B; `side` is t . L.
void edge_axes(const Relative& x, const Boxes& box, int i, Pack* numerator, Pack* length2, Pack* side) {
  const int i1 = i == 2 ? 0 : i + 1, i2 = i == 0 ? 2 : i - 1;
  // L = e_i x R_j has the components -R_i2j along i1 and R_i1j along i2.
  *side = x.t[i2] * x.row[i1] - x.t[i1] * x.row[i2];
  const Pack reach_a = box.a[i1] * x.abs_row[i2] + box.a[i2] * x.abs_row[i1];
  // L . R_k = e_i . (R_j x R_k): the entry of row i that is neither j nor k.
  const Pack reach_b = yzx(box.b) * zxy(x.abs_row[i]) + zxy(box.b) * yzx(x.abs_row[i]);
  *numerator = absolute(*side) - reach_a - reach_b;
  *length2 = x.row[i1] * x.row[i1] + x.row[i2] * x.row[i2];
}

Relative relative(const Pose& X) {
  Relative x;
  for (int i = 0; i < 3; ++i) {
    x.row[i] = Pack{X.R(i, 0), X.R(i, 1), X.R(i, 2), 0.0};
    x.abs_row[i] = absolute(x.row[i]);
  }
  x.t = Pack{X.p[0], X.p[1], X.p[2], 0.0};
  x.t_in_b = x.row[0] * X.p[0] + x.row[1] * X.p[1] + x.row[2] * X.p[2];
  return x;
}

double separation_along(const Relative& x, const Boxes& box, int axis) {
  if (axis < 3) return face_axes_of_a(x, box)[axis];
  if (axis < 6) return face_axes_of_b(x, box)[axis - 3];
  Pack numerator, length2, side;
  edge_axes(x, box, (axis - 6) / 3, &numerator, &length2, &side);
  const int j = (axis - 6) % 3;
  return length2[j] > kParallelEdges * kParallelEdges ? numerator[j] / std::sqrt(length2[j]) : -1e300;
}

bool find_axes(const Relative& x, const Boxes& box, const Pose& X_AB, double reach, int* separating,
               AxisList* axes) {
  alignas(32) std::array<double, 20> s;
  const Pack of_a = face_axes_of_a(x, box), of_b = face_axes_of_b(x, box);
  for (int k = 0; k < 3; ++k) {
    if (of_a[k] > reach || of_b[k] > reach) {
      *separating = of_a[k] > reach ? k : 3 + k;
      return false;
    }
  }
  // Fifteen separations, in packs of four with one unused.
  alignas(32) std::array<double, 12> numerator, length2, side;
  for (int i = 0; i < 3; ++i) {
    Pack number, length, toward;
    edge_axes(x, box, i, &number, &length, &toward);
    simd::store(&numerator[4 * i], number);
    simd::store(&length2[4 * i], length);
    simd::store(&side[4 * i], toward);
  }
  simd::store(&s[0], of_a);
  simd::store(&s[4], of_b);
  for (int k = 0; k < 12; ++k) {
    const double sane = length2[k] > kParallelEdges * kParallelEdges ? length2[k] : 1.0;
    s[8 + k] = length2[k] > kParallelEdges * kParallelEdges ? numerator[k] / std::sqrt(sane) : -1e300;
  }
  double best = -1e300;
  int best_at = 0;
  for (int k = 0; k < 20; ++k) {
    if ((k & 3) == 3 || s[k] <= best) continue;
    best = s[k];
    best_at = k;
  }
  if (best > reach) {
    *separating = 3 * (best_at / 4) + best_at % 4;
    return false;
  }

  // Only axes that may share are made.
  const double threshold = best < 0.0 ? (1.0 + kShareWindow * 1.4142135623730951) * best : best;
  const auto axis_of = [&](int k) {
    SeparatingAxis axis;
    axis.s = s[k];
    axis.i = axis.j = -1;
    const int group = k / 4, j = k % 4;
    if (group == 0) {
      const bool up = X_AB.p[j] > 0.0;
      axis.n = Vec3::Unit(j) * (up ? 1.0 : -1.0);
      axis.kind = AxisKind::face_of_a;
      axis.i = 2 * j + (up ? 1 : 0);
    } else if (group == 1) {
      const bool up = x.t_in_b[j] > 0.0;
      axis.n = X_AB.R.col(j) * (up ? 1.0 : -1.0);
      axis.kind = AxisKind::face_of_b;
      axis.j = 2 * j + (up ? 0 : 1);
    } else {
      const int i = group - 2, at = 4 * i + j;
      const double scale = (side[at] > 0.0 ? 1.0 : -1.0) / std::sqrt(length2[at]);
      axis.n = Vec3::Unit(i).cross(X_AB.R.col(j)) * scale;
      axis.kind = AxisKind::edges_of_boxes;
      axis.i = i;
      axis.j = j;
    }
    return axis;
  };
  axes->best = axis_of(best_at);
  axes->count = 0;
  for (int k = 0; k < 20; ++k)
    if ((k & 3) != 3 && k != best_at && s[k] >= threshold && best < 0.0)
      axes->others[axes->count++] = axis_of(k);
  return true;
}

Boxes boxes(const Vec3& a, const Vec3& b) {
  return {Pack{a[0], a[1], a[2], 0.0}, Pack{b[0], b[1], b[2], 0.0}};
}

}  // namespace

bool find_box_axes(const Vec3& a, const Vec3& b, const Pose& X_AB, double reach, int* separating,
                   AxisList* axes) {
  return find_axes(relative(X_AB), boxes(a, b), X_AB, reach, separating, axes);
}

void collide_box_box(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB,
                     const CollideOptions& options, PairMemory* memory, ContactPoints* out) {
  const double reach = options.margin + A.rounding + B.rounding;
  const Pose X_AB{X_WA.R.transpose() * X_WB.R, X_WA.R.transpose() * (X_WB.p - X_WA.p)};
  const Relative x = relative(X_AB);
  const Boxes box = boxes(A.size, B.size);
  if (memory != nullptr && memory->a >= 0 && memory->a < 15 && separation_along(x, box, memory->a) > reach)
    return;
  AxisList axes;
  int separating = -1;
  const bool near = find_axes(x, box, X_AB, reach, &separating, &axes);
  if (memory != nullptr) memory->a = separating;
  if (near) add_contact_points(A, X_WA, B, X_AB, axes, options, out);
}

}  // namespace stiction
