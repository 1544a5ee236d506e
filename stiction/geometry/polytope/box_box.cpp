#include "stiction/geometry/polytope/box_box.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/polytope/box_manifold.h"
#include "stiction/geometry/simd/box_packs.h"
#include "stiction/geometry/simd/pose_packs.h"

namespace stiction {
namespace {

using simd::absolute;
using simd::broadcast;
using simd::Pack;

constexpr double kNoAxis = -1e300;  // m, separation of an axis that does not exist

Pack yzx(Pack x) { return simd::yzx(x); }
Pack zxy(Pack x) { return __builtin_shufflevector(x, x, 2, 0, 1, 3); }

// The pair, and the quantities used by all separations. The fourth lane of the half extents is so large that
// it never separates.
struct Relative : BoxPair {
  std::array<Pack, 3> abs_row;
  Pack t_in_b;
};

[[gnu::always_inline]] inline Pack face_axes_of_a(const Relative& x) {
  return absolute(x.t) - x.a -
         simd::sums(x.abs_row[0] * x.b, x.abs_row[1] * x.b, x.abs_row[2] * x.b, simd::zero());
}

[[gnu::always_inline]] inline Pack face_axes_of_b(const Relative& x) {
  return absolute(x.t_in_b) - x.b - (x.abs_row[0] * x.a[0] + x.abs_row[1] * x.a[1] + x.abs_row[2] * x.a[2]);
}

// Separations of edge i of A with the three of B times |L|; `side` is t . L, `inverse2` 1/|L|^2.
template <int i>
[[gnu::always_inline]] inline Pack edge_axes(const Relative& x, Pack* inverse2, Pack* side) {
  constexpr int i1 = i == 2 ? 0 : i + 1, i2 = i == 0 ? 2 : i - 1;
  // L = e_i x R_j has the components -R_i2j along i1 and R_i1j along i2.
  *side = x.t[i2] * x.row[i1] - x.t[i1] * x.row[i2];
  const Pack reach_a = x.a[i1] * x.abs_row[i2] + x.a[i2] * x.abs_row[i1];
  // L . R_k = e_i . (R_j x R_k): the entry of row i that is neither j nor k.
  const Pack reach_b = yzx(x.b) * zxy(x.abs_row[i]) + zxy(x.b) * yzx(x.abs_row[i]);
  const Pack length2 = x.row[i1] * x.row[i1] + x.row[i2] * x.row[i2];
  *inverse2 = 1.0 / simd::larger(length2, broadcast(kParallelEdges * kParallelEdges));
  const Pack s = absolute(*side) - reach_a - reach_b;
  return length2 > broadcast(kParallelEdges * kParallelEdges) ? s : broadcast(kNoAxis);
}

[[gnu::always_inline]] inline Relative relative(const Vec3& a, const Pose& X_WA, const Vec3& b,
                                                const Pose& X_WB) {
  Relative x;
  x.a = Pack{a[0], a[1], a[2], -kNoAxis};
  x.b = Pack{b[0], b[1], b[2], -kNoAxis};
  // The rows of R_WB, then R_WA' times them.
  const Pack b0 = simd::column_and_next<0>(X_WB), b1 = simd::column_and_next<1>(X_WB),
             b2 = simd::column<2>(X_WB);
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

double separation_along(const Relative& x, int axis) {
  if (axis < 3) return face_axes_of_a(x)[axis];
  if (axis < 6) return face_axes_of_b(x)[axis - 3];
  Pack inverse2, side;
  const int i = (axis - 6) / 3;
  const Pack s = i == 0   ? edge_axes<0>(x, &inverse2, &side)
                 : i == 1 ? edge_axes<1>(x, &inverse2, &side)
                          : edge_axes<2>(x, &inverse2, &side);
  return (s * simd::square_root(inverse2))[(axis - 6) % 3];
}

// Relative to the best separation: axes below it by less than this may share.
constexpr double kMayShare = 1.0 + kShareWindow * 1.4142135623730951;

// All separations, and the quantities from which edge axes follow. Axes are ranked by s |s|, without a root.
struct Separations {
  std::array<Pack, 5> s;       // faces of A, faces of B, edges 0, 1, 2 of A with those of B times |L|
  std::array<Pack, 5> square;  // s |s|
  std::array<Pack, 3> inverse2, side;
  double best_square;
  int best_at;    // 4 (index of the pack) + lane
  unsigned near;  // the axes that may share with the best, one bit each; none where the best is not negative

  // One bit for each lane that is at least x.
  unsigned at_least(double x) const {
    unsigned bits = 0;
    for (int k = 0; k < 5; ++k) bits |= simd::lane_bits(square[k] >= broadcast(x)) << (4 * k);
    return bits;
  }
  // 1/|L| of edges.
  double inverse(int group, int j) const { return std::sqrt(inverse2[group - 2][j]); }
  double separation(int k) const {
    const int group = k / 4, j = k % 4;
    return group < 2 ? s[group][j] : s[group][j] * inverse(group, j);
  }
};

// False, with `separating` set, as soon as an axis is found along which the two are farther apart than reach.
[[gnu::always_inline]] inline bool find_separations(const Relative& x, double reach, int* separating,
                                                    Separations* all) {
  all->s[0] = face_axes_of_a(x);
  all->s[1] = face_axes_of_b(x);
  const unsigned apart_a = simd::lane_bits(all->s[0] > broadcast(reach)),
                 apart_b = simd::lane_bits(all->s[1] > broadcast(reach));
  if ((apart_a | apart_b) != 0) {
    *separating = apart_a != 0 ? __builtin_ctz(apart_a) : 3 + __builtin_ctz(apart_b);
    return false;
  }
  all->s[2] = edge_axes<0>(x, &all->inverse2[0], &all->side[0]);
  all->s[3] = edge_axes<1>(x, &all->inverse2[1], &all->side[1]);
  all->s[4] = edge_axes<2>(x, &all->inverse2[2], &all->side[2]);
  for (int k = 0; k < 5; ++k) all->square[k] = all->s[k] * absolute(all->s[k]);
  for (int k = 2; k < 5; ++k) all->square[k] *= all->inverse2[k - 2];
  Pack most = simd::larger(all->square[0], all->square[1]);
  for (int k = 2; k < 5; ++k) most = simd::larger(most, all->square[k]);
  most = simd::larger(most, __builtin_shufflevector(most, most, 2, 3, 0, 1));
  const double best = std::max(most[0], most[1]);
  all->best_square = best;
  all->near = all->at_least(best < 0.0 ? kMayShare * kMayShare * best : best);
  all->best_at = __builtin_ctz((all->near & (all->near - 1)) == 0 ? all->near : all->at_least(best));
  all->near = best < 0.0 ? all->near & ~(1u << all->best_at) : 0;
  if (best <= reach * std::abs(reach)) return true;
  *separating = 3 * (all->best_at / 4) + all->best_at % 4;
  return false;
}

constexpr std::array<Pack, 3> kUnit{Pack{1.0, 0.0, 0.0, 0.0}, Pack{0.0, 1.0, 0.0, 0.0},
                                    Pack{0.0, 0.0, 1.0, 0.0}};

// The unit vector of axis k, from A into B.
[[gnu::always_inline]] inline Pack normal_of(const Relative& x, const Separations& all, int k) {
  const int group = k / 4, j = k % 4;
  if (group == 0) return simd::times_sign(kUnit[j], x.t);
  const Pack of_b{x.row[0][j], x.row[1][j], x.row[2][j], 0.0};
  if (group == 1) return simd::times_sign(of_b, broadcast(x.t_in_b[j]));
  const Pack scale = simd::times_sign(broadcast(all.inverse(group, j)), broadcast(all.side[group - 2][j]));
  return simd::cross(kUnit[group - 2] * scale, of_b);
}

void make_axis(const Relative& x, const Separations& all, int k, SeparatingAxis* axis) {
  const int group = k / 4, j = k % 4;
  simd::write_before(normal_of(x, all, k), axis->n.data());
  axis->s = all.separation(k);
  axis->kind = group == 0 ? AxisKind::face_of_a : group == 1 ? AxisKind::face_of_b : AxisKind::edges_of_boxes;
  axis->i = group == 0 ? 2 * j + (std::signbit(x.t[j]) ? 0 : 1) : group == 1 ? -1 : group - 2;
  axis->j = group == 0 ? -1 : group == 1 ? 2 * j + (std::signbit(x.t_in_b[j]) ? 1 : 0) : j;
}

// Whether an axis near the best one may share with it (polytope_axes.h): it is below it by less than the
// window times the chord c. With theta the angle between the two, from sin^2(theta), which is accurate where
// it is small: c^2 <= 2 sin^2 up to a right angle, and 2 beyond.
//   face j of A     sin^2 = n_j1^2 + n_j2^2;        of B likewise, with m: n in B's axes
//   edges i, j      sin^2 = |n x L|^2/|L|^2 = m_j^2 + (n_i - m_j R_ij)^2/|L|^2
// Near axes are below by s_* - s = (s_*|s_*| - s|s|)/|s_* + s|, no less than the difference over
// (1 + kMayShare) |s_*|.
[[gnu::noinline]] bool may_share(const Relative& x, const Separations& all, const BoxAxis& best) {
  const Pack square = broadcast(all.best_square);
  const Pack window = kShareWindow * (1.0 + kMayShare) * square, window2 = window * window;
  // Slightly less than the chord below which two axes count as one.
  constexpr double kOneAxis2 = 0.9 * (1e-3 * kSameAxis) * (1e-3 * kSameAxis);
  const auto shares = [&](Pack of_axis, Pack sine2, Pack cosine) {
    const Pack below = square - of_axis;
    const Pack chord2 = cosine < simd::zero() ? broadcast(2.0) : simd::smaller(sine2 + sine2, broadcast(2.0));
    return simd::lane_bits((below * below <= chord2 * window2) & (chord2 > broadcast(2.0 * kOneAxis2)));
  };
  const Pack n2 = best.n * best.n, m = best.n_in_b, m2 = m * m;
  const auto near = [&](int group) { return all.near >> (4 * group) & 0xfu; };
  if ((near(0) & shares(all.square[0], yzx(n2) + zxy(n2), simd::times_sign(best.n, x.t))) != 0) return true;
  if ((near(1) & shares(all.square[1], yzx(m2) + zxy(m2), simd::times_sign(m, x.t_in_b))) != 0) return true;
  for (int i = 0; i < 3; ++i) {
    if (near(2 + i) == 0) continue;
    const int i1 = i == 2 ? 0 : i + 1, i2 = i == 0 ? 2 : i - 1;
    const Pack across = best.n[i] - m * x.row[i];
    const Pack cosine = simd::times_sign(best.n[i2] * x.row[i1] - best.n[i1] * x.row[i2], all.side[i]);
    if ((near(2 + i) & shares(all.square[2 + i], m2 + across * across * all.inverse2[i], cosine)) != 0)
      return true;
  }
  return false;
}

// The best axis and those that may share with it.
void list_axes(const Relative& x, const Separations& all, AxisList* axes) {
  make_axis(x, all, all.best_at, &axes->best);
  axes->count = 0;
  for (unsigned bits = all.near; bits != 0; bits &= bits - 1)
    make_axis(x, all, __builtin_ctz(bits), &axes->others[axes->count++]);
}

// The general case, out of line so that the common one stays fast.
[[gnu::noinline]] void add_shared_points(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                                         const Relative& x, const Separations& all,
                                         const CollideOptions& options, ContactPoints* out) {
  AxisList axes;
  list_axes(x, all, &axes);
  add_contact_points(A, X_WA, B, pose_of(x), axes, options, out);
}

}  // namespace

bool find_box_axes(const Vec3& a, const Vec3& b, const Pose& X_AB, double reach, int* separating,
                   AxisList* axes) {
  const Relative x = relative(a, Pose(), b, X_AB);
  Separations all;
  if (!find_separations(x, reach, separating, &all)) return false;
  list_axes(x, all, axes);
  return true;
}

void collide_box_box(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB,
                     const CollideOptions& options, PairMemory* memory, ContactPoints* out) {
  const double reach = options.margin + A.rounding + B.rounding;
  const Relative x = relative(A.size, X_WA, B.size, X_WB);
  if (memory != nullptr && memory->a >= 0 && memory->a < 15 && separation_along(x, memory->a) > reach) return;
  Separations all;
  int separating = -1;
  const bool near = find_separations(x, reach, &separating, &all);
  if (memory != nullptr) memory->a = separating;
  if (!near) return;

  // Usually no other axis has a share.
  BoxAxis best;
  best.n = normal_of(x, all, all.best_at);
  best.n_in_b = x.row[0] * best.n[0] + x.row[1] * best.n[1] + x.row[2] * best.n[2];
  best.s = all.separation(all.best_at);
  const bool is_sole = all.near == 0 || !options.share_axes || !may_share(x, all, best);
  if (is_sole && add_box_manifold(A, X_WA, B, x, best, options, out)) return;
  add_shared_points(A, X_WA, B, x, all, options, out);
}

}  // namespace stiction
