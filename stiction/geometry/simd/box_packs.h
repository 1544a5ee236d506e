#pragma once
// Packs of eight single-precision numbers and the few comparisons that box tests need (broad phase, box
// tree).

#include <cstdint>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "stiction/math/simd.h"

namespace stiction::simd {

typedef float FloatPack __attribute__((vector_size(32)));
typedef float UnalignedFloatPack __attribute__((vector_size(32), aligned(4), may_alias));
typedef std::int32_t MaskPack __attribute__((vector_size(32)));

inline constexpr int kFloatLanes = 8;

[[gnu::always_inline]] inline FloatPack load_floats(const float* p) {
  return *reinterpret_cast<const UnalignedFloatPack*>(p);
}
[[gnu::always_inline]] inline FloatPack broadcast_float(float x) { return FloatPack{x, x, x, x, x, x, x, x}; }

// One bit per lane, set where the mask is set.
[[gnu::always_inline]] inline unsigned bits_of(MaskPack mask) {
#ifdef __AVX2__
  return static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(mask)));
#else
  unsigned bits = 0;
  for (int i = 0; i < kFloatLanes; ++i) bits |= static_cast<unsigned>(mask[i] & 1) << i;
  return bits;
#endif
}
[[gnu::always_inline]] inline unsigned lane_bits(IntPack mask) {
#ifdef __AVX2__
  return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(mask)));
#else
  unsigned bits = 0;
  for (int i = 0; i < kLanes; ++i) bits |= static_cast<unsigned>(mask[i] & 1) << i;
  return bits;
#endif
}
[[gnu::always_inline]] inline bool all_of(MaskPack mask) { return bits_of(mask) == 0xffu; }

}  // namespace stiction::simd
