#pragma once
// Poses and contact points as packs of four doubles (x, y, z, 0), for the closed forms. A Vec3 that is
// written in one width and read in another waits for the store to finish (store forwarding fails), which
// costs more than the arithmetic of a pair of spheres.

#include <cmath>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "stiction/geometry/contact_point.h"
#include "stiction/math/simd.h"
#include "stiction/math/spatial.h"

namespace stiction::simd {

[[gnu::always_inline]] inline Pack square_root(Pack a) {
#ifdef __AVX2__
  return reinterpret_cast<Pack>(_mm256_sqrt_pd(reinterpret_cast<__m256d>(a)));
#else
  return Pack{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
#endif
}
[[gnu::always_inline]] inline Pack larger(Pack a, Pack b) { return a > b ? a : b; }
[[gnu::always_inline]] inline Pack smaller(Pack a, Pack b) { return a < b ? a : b; }
[[gnu::always_inline]] inline Pack absolute(Pack a) {
  return reinterpret_cast<Pack>(reinterpret_cast<IntPack>(a) & 0x7fffffffffffffffLL);
}
// a with its sign flipped where b is negative.
[[gnu::always_inline]] inline Pack times_sign(Pack a, Pack b) {
  constexpr long long kSign = -0x7fffffffffffffffLL - 1;
  return reinterpret_cast<Pack>(reinterpret_cast<IntPack>(a) ^ (reinterpret_cast<IntPack>(b) & kSign));
}

// The horizontal sums of four packs, one per lane.
[[gnu::always_inline]] inline Pack sums(Pack a, Pack b, Pack c, Pack d) {
  const Pack ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Pack cd = __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
  return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

[[gnu::always_inline]] inline Pack without_last(Pack a) {
  return reinterpret_cast<Pack>(reinterpret_cast<IntPack>(a) & IntPack{-1, -1, -1, 0});
}

[[gnu::always_inline]] inline Pack pack_of(const Vec3& v) { return Pack{v[0], v[1], v[2], 0.0}; }

// The twelve numbers of a pose: R column by column, then p.
[[gnu::always_inline]] inline const double* numbers(const Pose& X) {
  static_assert(sizeof(Pose) == 12 * sizeof(double));
  return reinterpret_cast<const double*>(&X);
}

// Column k of R; with the number that follows it in memory in the fourth lane, and with zero there.
template <int k>
[[gnu::always_inline]] inline Pack column_and_next(const Pose& X) {
  return load_unaligned(numbers(X) + 3 * k);
}
template <int k>
[[gnu::always_inline]] inline Pack column(const Pose& X) {
  return without_last(column_and_next<k>(X));
}

[[gnu::always_inline]] inline Pack position(const Pose& X) {
  return __builtin_shufflevector(load_unaligned(numbers(X) + 8), zero(), 1, 2, 3, 4);
}

// R v and R' v.
[[gnu::always_inline]] inline Pack rotated(const Pose& X, Pack v) {
  return without_last(column_and_next<0>(X) * spread<0>(v) + column_and_next<1>(X) * spread<1>(v) +
                      column_and_next<2>(X) * spread<2>(v));
}
[[gnu::always_inline]] inline Pack rotated_back(const Pose& X, Pack v) {
  return sums(column_and_next<0>(X) * v, column_and_next<1>(X) * v, column_and_next<2>(X) * v, zero());
}

// Writes (x, y, z) and overwrites the number after it, which the caller writes next: one full store is read
// back faster than two partial ones.
[[gnu::always_inline]] inline void write_before(Pack v, double* numbers) { store_unaligned(numbers, v); }

// The three numbers of a vector.
[[gnu::always_inline]] inline Vec3 vec3_of(Pack v) { return Vec3(v[0], v[1], v[2]); }

// Appends a point to a list that has spare capacity.
[[gnu::always_inline]] inline void append(const ContactPoint& point, ContactPoints* out) {
  if (out->size() == out->capacity()) __builtin_unreachable();
  out->push_back(point);
}

// The rare case of a full list. Out of line and with all numbers passed in registers, so that the closed
// forms need no stack frame.
[[gnu::noinline, gnu::cold]] inline void add_point_to_full(Pack p_A, Pack normal, double distance,
                                                           double weight, std::uint64_t feature,
                                                           ContactPoints* out) {
  out->reserve(2 * out->size() + 8);
  out->push_back({vec3_of(p_A), vec3_of(normal), distance, weight, feature});
}

// Appends a contact point.
[[gnu::always_inline]] inline void add_point(Pack p_A, Pack normal, double distance, double weight,
                                             std::uint64_t feature, ContactPoints* out) {
  if (out->size() == out->capacity()) {
    add_point_to_full(p_A, normal, distance, weight, feature, out);
    return;
  }
  append({vec3_of(p_A), vec3_of(normal), distance, weight, feature}, out);
}

}  // namespace stiction::simd
