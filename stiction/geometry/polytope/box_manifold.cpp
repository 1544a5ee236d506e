#include "stiction/geometry/polytope/box_manifold.h"

#include <algorithm>

#include "stiction/geometry/polytope/polytope_axes.h"
#include "stiction/geometry/simd/box_packs.h"

namespace stiction {
namespace {

using simd::broadcast;
using simd::IntPack;
using simd::lane_bits;
using simd::Pack;
using simd::spread;
using simd::times_sign;

constexpr double kThin = 1e-6;       // of the sizes: shorter outlines are left to the general method
constexpr double kNoSlope = 1e-300;  // of the sizes, against division by zero
// The largest T of two boxes (polytope_manifold.h): no weights are raised above it.
constexpr double kMostWanted = 0.5 - 1e-12;
constexpr double kAxisSpread = 1.4142135623730951 * kAlignmentWindow;

// The corners of a face in the order of its sides: signs along its two axes.
constexpr Pack kFirstSign{-1.0, 1.0, 1.0, -1.0}, kSecondSign{-1.0, -1.0, 1.0, 1.0};

// The next corner in every lane, and the one before.
[[gnu::always_inline]] inline Pack next(Pack x) { return __builtin_shufflevector(x, x, 1, 2, 3, 0); }
[[gnu::always_inline]] inline Pack previous(Pack x) { return __builtin_shufflevector(x, x, 3, 0, 1, 2); }
[[gnu::always_inline]] inline IntPack previous(IntPack x) {
  return __builtin_shufflevector(x, x, 3, 0, 1, 2);
}

// One half of the feature id of the corners, of the sides that begin in them, and of face 2 k + sign itself
// (polytope.h), with axes k + 1 and k + 2 first and second.
struct FaceFeatures {
  IntPack corner, side, face;
};
constexpr long long half_feature(FeatureKind kind, int index) {
  return static_cast<long long>(pair_feature(FeatureKind::smooth, 0, kind, index));
}
constexpr std::array<FaceFeatures, 6> face_features() {
  std::array<FaceFeatures, 6> out{};
  for (int k = 0; k < 3; ++k)
    for (int sign = 0; sign < 2; ++sign) {
      const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
      const auto corner = [&](int first, int second) {
        return half_feature(FeatureKind::vertex, sign << k | first << k1 | second << k2);
      };
      // Sides along k1 at the sign of k2, and along k2 at the sign of k1.
      const auto first = [&](int second) {
        return half_feature(FeatureKind::edge, 4 * k1 + second + 2 * sign);
      };
      const auto second = [&](int at) { return half_feature(FeatureKind::edge, 4 * k2 + sign + 2 * at); };
      const long long face = half_feature(FeatureKind::face, 2 * k + sign);
      out[2 * k + sign] = {IntPack{corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)},
                           IntPack{first(0), second(1), first(1), second(0)},
                           IntPack{face, face, face, face}};
    }
  return out;
}
constexpr std::array<FaceFeatures, 6> kFaceFeatures = face_features();

// Rotates the first three lanes: k, k + 1, k + 2 modulo three.
[[gnu::always_inline]] inline Pack from(Pack a, int k) {
#ifdef __AVX2__
  alignas(32) static constexpr int kLanes[3][8] = {
      {0, 1, 2, 3, 4, 5, 6, 7}, {2, 3, 4, 5, 0, 1, 6, 7}, {4, 5, 0, 1, 2, 3, 6, 7}};
  const __m256i lanes = _mm256_load_si256(reinterpret_cast<const __m256i*>(kLanes[k]));
  return reinterpret_cast<Pack>(_mm256_permutevar8x32_ps(reinterpret_cast<__m256>(a), lanes));
#else
  return Pack{a[k], a[(k + 1) % 3], a[(k + 2) % 3], a[3]};
#endif
}

// Lane j[i] of a in lane i.
[[gnu::always_inline]] inline Pack picked(Pack a, IntPack j) {
#ifdef __AVX2__
  const IntPack twice = j + j, lanes = (twice << 32) + twice + (1LL << 32);
  return reinterpret_cast<Pack>(
      _mm256_permutevar8x32_ps(reinterpret_cast<__m256>(a), reinterpret_cast<__m256i>(lanes)));
#else
  return Pack{a[j[0]], a[j[1]], a[j[2]], a[j[3]]};
#endif
}
[[gnu::always_inline]] inline IntPack picked(IntPack a, IntPack j) {
  return reinterpret_cast<IntPack>(picked(reinterpret_cast<Pack>(a), j));
}

// The parts of four sides inside a rectangle of half extents h, from 0 at their beginnings to 1.
struct Cut {
  Pack begin, end;
  IntPack exists, is_cut_at_begin, is_cut_at_end;
  IntPack side_at_begin, side_at_end;  // of the rectangle, that cuts there
};
// The sides begin at x, y; by_x and by_y are the inverses of their extents.
[[gnu::always_inline]] inline Cut cut(Pack x, Pack y, Pack by_x, Pack by_y, Pack hx, Pack hy) {
  const Pack low_x = (-hx - x) * by_x, high_x = (hx - x) * by_x;
  const Pack low_y = (-hy - y) * by_y, high_y = (hy - y) * by_y;
  const Pack in_x = simd::smaller(low_x, high_x), out_x = simd::larger(low_x, high_x);
  const Pack in_y = simd::smaller(low_y, high_y), out_y = simd::larger(low_y, high_y);
  const Pack in = simd::larger(in_x, in_y), out = simd::smaller(out_x, out_y);
  Cut result;
  result.begin = simd::larger(in, simd::zero());
  result.end = simd::smaller(out, broadcast(1.0));
  result.exists = result.begin < result.end;
  result.is_cut_at_begin = (in > simd::zero()) & result.exists;
  result.is_cut_at_end = (out < broadcast(1.0)) & result.exists;
  // Sides are 0 at the low end of y, 1 at the high end of x, 2 and 3 opposite.
  constexpr IntPack k0{0, 0, 0, 0}, k1{1, 1, 1, 1}, k2{2, 2, 2, 2}, k3{3, 3, 3, 3};
  const IntPack x_in = by_x > simd::zero() ? k3 : k1, y_in = by_y > simd::zero() ? k0 : k2;
  result.side_at_begin = in_x > in_y ? x_in : y_in;
  result.side_at_end = (out_x < out_y ? x_in : y_in) ^ k2;
  return result;
}

// One bit for every crossing, 4 (side of B) + side of A.
[[gnu::always_inline]] inline IntPack crossing_bits(IntPack side_of_a, IntPack side_of_b, IntPack is_there) {
  constexpr IntPack kOne{1, 1, 1, 1};
  return (kOne << (side_of_b * 4 + side_of_a)) & is_there;
}

// The faces of a box that face along d, one bit for each axis.
struct Facing {
  unsigned axes, up;  // `up`: the one at the positive end of the axis
  bool is_sole() const { return (axes & (axes - 1)) == 0; }
};
[[gnu::always_inline]] inline Pack largest(Pack a) {
  const Pack pairs = simd::larger(a, __builtin_shufflevector(a, a, 2, 3, 0, 1));
  return simd::larger(pairs, __builtin_shufflevector(pairs, pairs, 1, 0, 3, 2));
}
[[gnu::always_inline]] inline Facing facing(Pack d) {
  const Pack size = simd::absolute(d);
  return {lane_bits(size > largest(size) - kAxisSpread), lane_bits(d > simd::zero())};
}
// The shares of these faces (polytope_manifold.h).
inline Pack shares_along(Pack d) {
  const Pack size = simd::absolute(d), below = largest(size) - size;
  const Pack ramp = simd::without_last(simd::larger(1.0 - below * (1.0 / kAxisSpread), simd::zero()));
  return ramp / simd::spread_sum(ramp);
}

struct Face {
  int axis, up;
  int number() const { return 2 * axis + up; }
};
inline Face first_face(const Facing& of, unsigned axes) {
  const int axis = __builtin_ctz(axes);
  return {axis, static_cast<int>(of.up >> axis & 1)};
}

// Limits on the points, m.
struct Limits {
  double least, deep, reach;  // distances: smallest possible, that of the deepest point, largest wanted
  double thin;                // shorter outlines are left to the general method
  double half_as_deep;        // half as deep as the deepest point, or half of kLeastWindow above it
};
[[gnu::always_inline]] inline Limits limits_of(const CollisionShape& A, const CollisionShape& B, double s,
                                               const CollideOptions& options) {
  const double size = A.polytope->size + B.polytope->size;
  return {s - kSamePlace * size, s + kCertificate * size, options.margin + A.rounding + B.rounding,
          std::max(-s, kThin * size), s + 0.5 * std::max(-s, kLeastWindow)};
}

// Points in reach: corners of B and of A, then the two ends of the clipped sides of B.
struct FacePoints {
  alignas(32) std::array<double, 16> x, y;  // m, in A's face
  alignas(32) std::array<double, 16> distance, weight;
  alignas(32) std::array<std::uint64_t, 16> feature;
  unsigned points, deep;  // one bit for each point; and whether any is at the depth of the axis
  bool shallow;           // whether there are corners less than half as deep as the deepest
};

// False where the two sets of cuts disagree, or the intersection is thin.
[[gnu::always_inline]] inline bool intersect_faces(const BoxPair& pair, const BoxAxis& axis, Face face_a,
                                                   Face face_b, const Limits& limits, FacePoints* out) {
  const int k = face_a.axis, k1 = k == 2 ? 0 : k + 1, k2 = k == 0 ? 2 : k - 1, l = face_b.axis;
  const Pack n = from(axis.n, k), m = from(axis.n_in_b, l), t = from(pair.t, k);
  const Pack a = from(pair.a, k), b = from(pair.b, l);

  // The centre of B's face and half its sides, in the first three lanes: along k, k1 and k2.
  constexpr Pack kMiddle{1.0, 0.0, 0.0, 0.0};
  const Pack extent = __builtin_shufflevector(times_sign(b, -m), b, 0, 5, 6, 7);
  const Pack above = from(pair.row[k], l) * extent + kMiddle * spread<0>(t - times_sign(a, n));
  const Pack along_1 = from(pair.row[k1], l) * extent + kMiddle * spread<1>(t);
  const Pack along_2 = from(pair.row[k2], l) * extent + kMiddle * spread<2>(t);
  // Projected along n onto A's face, times |n_k|. The projections of half of B's two sides have the cross
  // product b_1 b_2 m_l/n_k.
  const Pack nk = spread<0>(n), size_nk = simd::absolute(nk), rise = times_sign(above, nk);
  const Pack on_1 = size_nk * along_1 - spread<1>(n) * rise, on_2 = size_nk * along_2 - spread<2>(n) * rise;
  // 1/2 over the extents of half the sides: first, second along k1, first, second along k2.
  const Pack half_by = 0.5 / (__builtin_shufflevector(on_1, on_2, 1, 2, 5, 6) + kNoSlope);

  // B's corners in A's face.
  const auto corners = [](Pack x) {
    return spread<0>(x) + kFirstSign * spread<1>(x) + kSecondSign * spread<2>(x);
  };
  constexpr Pack kForthAndBack{1.0, 1.0, -1.0, -1.0};
  const Pack hx = spread<1>(a), hy = spread<2>(a);
  const Pack px_b = corners(on_1), py_b = corners(on_2);
  const Cut of_b =
      cut(px_b, py_b, kForthAndBack * __builtin_shufflevector(half_by, half_by, 0, 1, 0, 1),
          kForthAndBack * __builtin_shufflevector(half_by, half_by, 2, 3, 2, 3), size_nk * hx, size_nk * hy);

  // A's corners in B's face: by their cross products with half of B's sides, u = r x f_2 and v = f_1 x r,
  // with the sign flipped where f_1 x f_2 is negative.
  const Pack product = spread<1>(b) * spread<2>(b) * spread<0>(m);
  const Pack inverses =
      1.0 / __builtin_shufflevector(__builtin_shufflevector(size_nk, product, 0, 4, 0, 4), a, 0, 1, 5, 6);
  const Pack turn = times_sign(product, nk), limit = simd::absolute(product) * size_nk;
  const Pack x_a = kFirstSign * hx, y_a = kSecondSign * hy;
  const Pack rx = times_sign(size_nk * x_a - spread<0>(on_1), turn),
             ry = times_sign(size_nk * y_a - spread<0>(on_2), turn);
  const Pack u_a = rx * spread<2>(on_2) - ry * spread<2>(on_1);
  const Pack v_a = ry * spread<1>(on_1) - rx * spread<1>(on_2);
  // A's first sides move u by 2 |n_k| h_x f_2y and v by -2 |n_k| h_x f_1y, the second by -2 |n_k| h_y f_2x
  // and 2 |n_k| h_y f_1x.
  constexpr Pack kByU{1.0, -1.0, -1.0, 1.0};
  const Pack by_nk = spread<0>(inverses);
  const Pack by_h = kByU * times_sign(by_nk * __builtin_shufflevector(inverses, inverses, 2, 3, 2, 3), turn);
  const Cut of_a = cut(u_a, v_a, by_h * __builtin_shufflevector(half_by, half_by, 3, 1, 3, 1),
                       -by_h * __builtin_shufflevector(half_by, half_by, 2, 0, 2, 0), limit, limit);

  // Positions and distances.
  const Pack distance = rise * by_nk;
  const Pack x_b = px_b * by_nk, y_b = py_b * by_nk, distance_b = corners(distance);
  const Pack dx_b = next(x_b) - x_b, dy_b = next(y_b) - y_b, slope_b = next(distance_b) - distance_b;
  const Pack scale = by_nk * simd::absolute(spread<1>(inverses));
  const Pack distance_a =
      spread<0>(distance) + scale * (u_a * spread<1>(distance) + v_a * spread<2>(distance));

  // Both sets of cuts must give one outline: every corner has both of its sides, every crossing one of each.
  const IntPack inside_b = of_b.exists & ~of_b.is_cut_at_begin,
                inside_a = of_a.exists & ~of_a.is_cut_at_begin;
  const IntPack ends_b = previous(of_b.exists & ~of_b.is_cut_at_end),
                ends_a = previous(of_a.exists & ~of_a.is_cut_at_end);
  constexpr IntPack kNumbers{0, 1, 2, 3};
  const IntPack seen_by_b = crossing_bits(of_b.side_at_begin, kNumbers, of_b.is_cut_at_begin) +
                            crossing_bits(of_b.side_at_end, kNumbers, of_b.is_cut_at_end);
  const IntPack seen_by_a = crossing_bits(kNumbers, of_a.side_at_begin, of_a.is_cut_at_begin) +
                            crossing_bits(kNumbers, of_a.side_at_end, of_a.is_cut_at_end);
  const IntPack difference = seen_by_b - seen_by_a;
  const IntPack pairs = difference + __builtin_shufflevector(difference, difference, 2, 3, 0, 1);
  if (lane_bits((inside_b ^ ends_b) | (inside_a ^ ends_a)) != 0 || pairs[0] + pairs[1] != 0) return false;

  // Lengths perpendicular to n.
  const Pack slant = __builtin_shufflevector(n, m, 1, 2, 5, 6);
  const Pack length =
      2.0 * __builtin_shufflevector(a, b, 1, 2, 5, 6) * simd::square_root(1.0 - slant * slant);
  const Pack length_a = __builtin_shufflevector(length, length, 0, 1, 0, 1),
             length_b = __builtin_shufflevector(length, length, 2, 3, 2, 3);
  const Pack left_a = of_a.exists ? (of_a.end - of_a.begin) * length_a : simd::zero();
  const Pack left_b = of_b.exists ? (of_b.end - of_b.begin) * length_b : simd::zero();
  const Pack outline = simd::spread_sum(left_a + left_b);
  out->points = out->deep = 0;
  out->shallow = false;
  if (!(outline[0] > limits.thin)) return outline[0] == 0.0;

  const Pack share = 0.5 / outline;
  const Pack half_as_deep = broadcast(limits.half_as_deep);
  IntPack shallow{0, 0, 0, 0};
  const FaceFeatures &of_face_a = kFaceFeatures[face_a.number()], &of_face_b = kFaceFeatures[face_b.number()];
  const auto write = [&](int group, IntPack is_there, Pack x, Pack y, Pack height, Pack weight,
                         IntPack feature) {
    simd::store(out->x.data() + 4 * group, x);
    simd::store(out->y.data() + 4 * group, y);
    simd::store(out->distance.data() + 4 * group, height);
    simd::store(out->weight.data() + 4 * group, share * weight);
    simd::store(reinterpret_cast<double*>(out->feature.data()) + 4 * group, reinterpret_cast<Pack>(feature));
    const unsigned points =
        lane_bits(is_there & (height <= broadcast(limits.reach)) & (height >= broadcast(limits.least)));
    out->points |= points << 4 * group;
    out->deep |= points & lane_bits(height <= broadcast(limits.deep));
    shallow |= is_there & (height > half_as_deep);
  };
  write(0, inside_b, x_b, y_b, distance_b, left_b + previous(left_b),
        of_face_a.face << 32 | of_face_b.corner);
  write(1, inside_a, x_a, y_a, distance_a, left_a + previous(left_a),
        of_face_a.corner << 32 | of_face_b.face);
  write(2, of_b.is_cut_at_begin, x_b + of_b.begin * dx_b, y_b + of_b.begin * dy_b,
        distance_b + of_b.begin * slope_b, left_b + picked(left_a, of_b.side_at_begin),
        picked(of_face_a.side, of_b.side_at_begin) << 32 | of_face_b.side);
  write(3, of_b.is_cut_at_end, x_b + of_b.end * dx_b, y_b + of_b.end * dy_b, distance_b + of_b.end * slope_b,
        left_b + picked(left_a, of_b.side_at_end),
        picked(of_face_a.side, of_b.side_at_end) << 32 | of_face_b.side);
  out->shallow = lane_bits(shallow) != 0;
  return true;
}

// A's face in A's frame or in W: its centre and its axes.
struct FacePlace {
  Pack middle, e1, e2;

  FacePlace(const Pose& X, const BoxPair& pair, Face face) {
    const int k = face.axis;
    const double* columns = simd::numbers(X);
    e1 = simd::load_unaligned(columns + 3 * (k == 2 ? 0 : k + 1));
    e2 = simd::load_unaligned(columns + 3 * (k == 0 ? 2 : k - 1));
    middle = simd::position(X) + (2 * face.up - 1) * pair.a[k] * simd::load_unaligned(columns + 3 * k);
  }
  Pack at(double x, double y) const { return middle + x * e1 + y * e2; }
};

// S of the points in reach (polytope_manifold.h). It is no less than 1/2 where none is shallow.
double used_weight(const FacePoints& found, double s) {
  const double overlap = -s, by_window = 1.0 / std::max(overlap, kLeastWindow);
  double used = 0.0;
  for (unsigned bits = found.points; bits != 0; bits &= bits - 1) {
    const int i = __builtin_ctz(bits);
    used += found.weight[i] * std::clamp(1.0 - (overlap + found.distance[i]) * by_window, 0.0, 1.0);
  }
  return used;
}

// The distance of a corner (one of the first two groups) from the border of the other's face, at least, m.
double distance_from_border(const BoxPair& pair, const BoxAxis& axis, Face face_a, Face face_b,
                            const FacePoints& found, int at) {
  const int k = face_a.axis, k1 = (k + 1) % 3, k2 = (k + 2) % 3, l = face_b.axis;
  if (at < 4)
    return std::abs(axis.n[k]) *
           std::min(pair.a[k1] - std::abs(found.x[at]), pair.a[k2] - std::abs(found.y[at]));
  const Pack p = FacePlace({}, pair, face_a).at(found.x[at], found.y[at]) - pair.t;
  const Pack in_b = pair.row[0] * p[0] + pair.row[1] * p[1] + pair.row[2] * p[2];
  double least = 1e300;
  for (int j = 0; j < 3; ++j)
    if (j != l) least = std::min(least, pair.b[j] - std::abs(in_b[j]));
  return std::abs(axis.n_in_b[l]) * least;
}

// Raises the weights of a sole pair of faces to their least total where only one point bears, on a corner or
// a crossing; false where others do, and the general method decides.
[[gnu::noinline]] bool raise_weights(const BoxPair& pair, const BoxAxis& axis, Face face_a, Face face_b,
                                     const Limits& limits, FacePoints* found) {
  const double used = used_weight(*found, axis.s), window = std::max(-axis.s, kLeastWindow);
  if (used >= kMostWanted) return true;
  if (limits.reach < kLeastWindow) return false;
  int deepest = __builtin_ctz(found->points);
  for (unsigned bits = found->points; bits != 0; bits &= bits - 1)
    if (found->distance[__builtin_ctz(bits)] < found->distance[deepest]) deepest = __builtin_ctz(bits);
  bool is_alone = true;
  for (unsigned bits = found->points & ~(1u << deepest); bits != 0; bits &= bits - 1)
    is_alone = is_alone && found->distance[__builtin_ctz(bits)] >= axis.s + window;
  // Corners have 1/4, unless they are near the other's border or shorter sides than the window.
  double wanted = 0.5;
  if (deepest < 8) {
    const double shortest = std::min({pair.a[0], pair.a[1], pair.a[2], pair.b[0], pair.b[1], pair.b[2]});
    const double border = distance_from_border(pair, axis, face_a, face_b, *found, deepest);
    if (std::min(border, shortest) < window) return false;
    wanted = 0.25;
    for (unsigned bits = found->points & ~0xffu; bits != 0; bits &= bits - 1)
      if (found->distance[__builtin_ctz(bits)] < axis.s + 0.5 * window) return false;
    if (used >= wanted - 1e-12) return true;
  }
  if (!is_alone) return false;
  const double given = (wanted - used) / (1.0 - used);
  for (unsigned bits = found->points; bits != 0; bits &= bits - 1)
    found->weight[__builtin_ctz(bits)] *= 1.0 - given;
  found->weight[deepest] += given;
  return true;
}

// The case of several faces of a box along n, or of more points than wanted.
[[gnu::noinline]] bool add_mixed_manifold(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                                          const BoxPair& pair, const BoxAxis& axis,
                                          const CollideOptions& options, ContactPoints* out) {
  const Limits limits = limits_of(A, B, axis.s, options);
  const Facing of_a = facing(axis.n), of_b = facing(-axis.n_in_b);
  const Pack shares_a = shares_along(axis.n), shares_b = shares_along(axis.n_in_b);
  Manifold manifold;
  unsigned deep = 0;
  double used = 0.0;
  bool shallow = false;
  for (unsigned i = of_a.axes; i != 0; i &= i - 1)
    for (unsigned j = of_b.axes; j != 0; j &= j - 1) {
      const Face face_a = first_face(of_a, i), face_b = first_face(of_b, j);
      FacePoints found;
      if (!intersect_faces(pair, axis, face_a, face_b, limits, &found)) return false;
      deep |= found.deep;
      const FacePlace place({}, pair, face_a);
      const double share = shares_a[face_a.axis] * shares_b[face_b.axis];
      used += share * used_weight(found, axis.s);
      shallow |= found.shallow;
      for (; found.points != 0; found.points &= found.points - 1) {
        const int at = __builtin_ctz(found.points);
        ManifoldPoint point;
        point.is_mixed = false;
        simd::write_before(place.at(found.x[at], found.y[at]), point.p_A.data());
        simd::write_before(axis.n, point.normal.data());
        point.distance = found.distance[at];
        point.weight = share * found.weight[at];
        point.bearing = 0.0;
        point.feature = found.feature[at];
        manifold.add(point, true);
      }
    }
  if (deep == 0 || (shallow && used < kMostWanted)) return false;
  if (manifold.count > options.max_points) manifold.reduce(options.max_points, limits.reach);
  for (int i = 0; i < manifold.count; ++i) {
    const ManifoldPoint& point = manifold.points[i];
    const Pack n = simd::pack_of(point.normal), p = simd::pack_of(point.p_A) + A.rounding * n;
    simd::add_point(simd::position(X_WA) + simd::rotated(X_WA, p), simd::rotated(X_WA, n),
                    point.distance - A.rounding - B.rounding, point.weight, point.feature, out);
  }
  return true;
}

}  // namespace

bool add_box_manifold(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const BoxPair& pair,
                      const BoxAxis& axis, const CollideOptions& options, ContactPoints* out) {
  const Facing of_a = facing(axis.n), of_b = facing(-axis.n_in_b);
  if (!of_a.is_sole() || !of_b.is_sole()) return add_mixed_manifold(A, X_WA, B, pair, axis, options, out);

  // Usually one face of each.
  const Face face_a = first_face(of_a, of_a.axes), face_b = first_face(of_b, of_b.axes);
  FacePoints found;
  if (!intersect_faces(pair, axis, face_a, face_b, limits_of(A, B, axis.s, options), &found)) return false;
  if (found.deep == 0) return false;
  if (__builtin_popcount(found.points) > options.max_points)
    return add_mixed_manifold(A, X_WA, B, pair, axis, options, out);
  if (found.shallow && !raise_weights(pair, axis, face_a, face_b, limits_of(A, B, axis.s, options), &found))
    return false;
  FacePlace place(X_WA, pair, face_a);
  const Pack normal = simd::rotated(X_WA, axis.n);
  place.middle += A.rounding * normal;
  const double rounding = A.rounding + B.rounding;
  for (; found.points != 0; found.points &= found.points - 1) {
    const int at = __builtin_ctz(found.points);
    simd::add_point(place.at(found.x[at], found.y[at]), normal, found.distance[at] - rounding,
                    found.weight[at], found.feature[at], out);
  }
  return true;
}

}  // namespace stiction
