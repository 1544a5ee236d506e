#pragma once
// Four doubles at once, and the few operations that the recursions need. A 3-vector is stored as four numbers
// (x, y, z, 0), a 3x3 matrix as three such columns; the fourth lane may hold something else (often the mass).
//
// Built on the compilers' vector types, so that the same source becomes AVX2 + FMA or, on a baseline build,
// pairs of SSE2. Loads and stores go through a type that may alias plain doubles.

namespace stiction::simd {

typedef double Pack __attribute__((vector_size(32)));
typedef double AliasedPack __attribute__((vector_size(32), may_alias));
typedef double UnalignedPack __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long IntPack __attribute__((vector_size(32)));

inline constexpr int kLanes = 4;

// The smallest multiple of four that holds n numbers.
inline constexpr int padded(int n) { return (n + 3) & ~3; }

[[gnu::always_inline]] inline Pack load(const double* p) { return *reinterpret_cast<const AliasedPack*>(p); }
[[gnu::always_inline]] inline Pack load_unaligned(const double* p) {
  return *reinterpret_cast<const UnalignedPack*>(p);
}
[[gnu::always_inline]] inline void store(double* p, Pack a) { *reinterpret_cast<AliasedPack*>(p) = a; }
[[gnu::always_inline]] inline void store_unaligned(double* p, Pack a) {
  *reinterpret_cast<UnalignedPack*>(p) = a;
}
[[gnu::always_inline]] inline Pack broadcast(double x) { return Pack{x, x, x, x}; }
[[gnu::always_inline]] inline Pack zero() { return Pack{0.0, 0.0, 0.0, 0.0}; }

// (y, z, x, w)
[[gnu::always_inline]] inline Pack yzx(Pack a) { return __builtin_shufflevector(a, a, 1, 2, 0, 3); }

// a x b in the first three lanes; the fourth becomes a_w b_w - a_w b_w = 0.
[[gnu::always_inline]] inline Pack cross(Pack a, Pack b) { return yzx(a * yzx(b) - yzx(a) * b); }

// Lane i in all four.
template <int i>
[[gnu::always_inline]] inline Pack spread(Pack a) {
  return __builtin_shufflevector(a, a, i, i, i, i);
}

// The sum of all four lanes, in every lane.
[[gnu::always_inline]] inline Pack spread_sum(Pack a) {
  const Pack pairs = a + __builtin_shufflevector(a, a, 2, 3, 0, 1);
  return pairs + __builtin_shufflevector(pairs, pairs, 1, 0, 3, 2);
}

// Sum of all four lanes.
[[gnu::always_inline]] inline double sum(Pack a) {
  const Pack pairs = a + __builtin_shufflevector(a, a, 2, 3, 0, 1);
  return pairs[0] + pairs[1];
}
[[gnu::always_inline]] inline double dot(Pack a, Pack b) { return sum(a * b); }

// M x for three columns in memory and a vector in memory (its entries are broadcast by the loads).
[[gnu::always_inline]] inline Pack multiply(const double* columns, const double* x) {
  return load(columns) * x[0] + load(columns + 4) * x[1] + load(columns + 8) * x[2];
}
[[gnu::always_inline]] inline Pack multiply(Pack c0, Pack c1, Pack c2, const double* x) {
  return c0 * x[0] + c1 * x[1] + c2 * x[2];
}

// Sine and cosine of four angles to about 1 ulp for |x| < kMaxAngle (rad), up to which Cody-Waite reduction
// in three parts is exact to round-off; beyond it call the scalar functions.
inline constexpr double kMaxAngle = 1e5;
void sincos(Pack x, Pack* sine, Pack* cosine);

// sine[i], cosine[i] for i < n, at any angle. All three arrays must be readable / writable up to padded(n).
void sincos(const double* x, int n, double* sine, double* cosine);

}  // namespace stiction::simd
