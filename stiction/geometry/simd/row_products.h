#pragma once
// Rows of four numbers picked by a list of indices, four rows at once: products with a vector, and columns.

#include "stiction/geometry/simd/box_packs.h"
#include "stiction/geometry/simd/pose_packs.h"

namespace stiction::simd {

// The products of rows n[0] .. n[3] with x.
[[gnu::always_inline]] inline Pack products(const double* rows, const int* n, Pack x) {
  return sums(load(rows + 4 * n[0]) * x, load(rows + 4 * n[1]) * x, load(rows + 4 * n[2]) * x,
              load(rows + 4 * n[3]) * x);
}

[[gnu::always_inline]] inline Pack spread_largest(Pack x) {
  const Pack pairs = larger(x, __builtin_shufflevector(x, x, 2, 3, 0, 1));
  return larger(pairs, __builtin_shufflevector(pairs, pairs, 1, 0, 3, 2));
}

// The position in the list of the row with the largest product; `count` is a multiple of four.
[[gnu::always_inline]] inline int place_of_largest(const double* rows, const int* numbers, int count,
                                                   Pack x) {
  Pack highest = products(rows, numbers, x);
  IntPack place{0, 1, 2, 3};
  for (int i = 4; i < count; i += 4) {
    const Pack value = products(rows, numbers + i, x);
    const IntPack higher = value > highest;
    highest = higher ? value : highest;
    place = higher ? IntPack{i, i + 1LL, i + 2LL, i + 3LL} : place;
  }
  const unsigned best = lane_bits(highest == spread_largest(highest));
  return best == 0 ? 0 : static_cast<int>(place[__builtin_ctz(best)]);  // 0: not a number
}

// Packs the indices and values of the lanes that are set to the front; writes four of each. Returns how many
// are set.
[[gnu::always_inline]] inline int pack_set_lanes(unsigned lanes, const int* numbers, Pack values,
                                                 int* out_numbers, double* out_values) {
#ifdef __AVX2__
  // For every mask the source of each lane: as pairs of 32-bit lanes of the values, and as lanes of the
  // indices.
  alignas(32) static constexpr int kFrom[16][8] = {
      {0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}, {2, 3, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7},
      {4, 5, 2, 3, 4, 5, 6, 7}, {0, 1, 4, 5, 4, 5, 6, 7}, {2, 3, 4, 5, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7},
      {6, 7, 2, 3, 4, 5, 6, 7}, {0, 1, 6, 7, 4, 5, 6, 7}, {2, 3, 6, 7, 4, 5, 6, 7}, {0, 1, 2, 3, 6, 7, 6, 7},
      {4, 5, 6, 7, 4, 5, 6, 7}, {0, 1, 4, 5, 6, 7, 6, 7}, {2, 3, 4, 5, 6, 7, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}};
  alignas(16) static constexpr int kNumberFrom[16][4] = {
      {0, 1, 2, 3}, {0, 1, 2, 3}, {1, 1, 2, 3}, {0, 1, 2, 3}, {2, 1, 2, 3}, {0, 2, 2, 3},
      {1, 2, 2, 3}, {0, 1, 2, 3}, {3, 1, 2, 3}, {0, 3, 2, 3}, {1, 3, 2, 3}, {0, 1, 3, 3},
      {2, 3, 2, 3}, {0, 2, 3, 3}, {1, 2, 3, 3}, {0, 1, 2, 3}};
  const __m256i from = _mm256_load_si256(reinterpret_cast<const __m256i*>(kFrom[lanes]));
  const __m128i number_from = _mm_load_si128(reinterpret_cast<const __m128i*>(kNumberFrom[lanes]));
  store_unaligned(out_values,
                  reinterpret_cast<Pack>(_mm256_permutevar8x32_ps(reinterpret_cast<__m256>(values), from)));
  const __m128 four = _mm_loadu_ps(reinterpret_cast<const float*>(numbers));
  _mm_storeu_ps(reinterpret_cast<float*>(out_numbers), _mm_permutevar_ps(four, number_from));
  return __builtin_popcount(lanes);
#else
  int count = 0;
  for (int k = 0; k < 4; ++k) {
    out_numbers[count] = numbers[k];
    out_values[count] = values[k];
    count += static_cast<int>(lanes >> k & 1u);
  }
  return count;
#endif
}

// Columns of four rows: a 4 x 4 transpose.
struct Columns {
  Pack x, y, z, w;
};
[[gnu::always_inline]] inline Columns columns_of(Pack a, Pack b, Pack c, Pack d) {
  const Pack ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6),
             ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Pack cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6),
             cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  return {__builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5),
          __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5),
          __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7),
          __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7)};
}

[[gnu::always_inline]] inline Columns columns_of_rows(const double* rows, const int* n) {
  return columns_of(load(rows + 4 * n[0]), load(rows + 4 * n[1]), load(rows + 4 * n[2]),
                    load(rows + 4 * n[3]));
}

}  // namespace stiction::simd
