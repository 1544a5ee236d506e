#pragma once
// The few functions that let the same source of a formula run on doubles, on dual numbers and on four doubles
// at once. A comparison gives a mask (bool, or one per lane); select takes a where it is true and b
// elsewhere.

#include <cmath>

#include "stiction/math/dual.h"
#include "stiction/math/simd.h"

namespace stiction {

// What comparing two Packs gives.
using LaneMask = decltype(simd::Pack{} < simd::Pack{});

inline double select(bool mask, double a, double b) { return mask ? a : b; }
inline Dual select(bool mask, const Dual& a, const Dual& b) { return mask ? a : b; }
[[gnu::always_inline]] inline simd::Pack select(LaneMask mask, simd::Pack a, simd::Pack b) {
  return mask ? a : b;
}

inline double minimum(double a, double b) { return a < b ? a : b; }
inline double maximum(double a, double b) { return a > b ? a : b; }
inline Dual minimum(const Dual& a, const Dual& b) { return a < b ? a : b; }
inline Dual maximum(const Dual& a, const Dual& b) { return a > b ? a : b; }
[[gnu::always_inline]] inline simd::Pack minimum(simd::Pack a, simd::Pack b) { return a < b ? a : b; }
[[gnu::always_inline]] inline simd::Pack maximum(simd::Pack a, simd::Pack b) { return a > b ? a : b; }

inline double square_root(double a) { return std::sqrt(a); }
inline Dual square_root(const Dual& a) { return sqrt(a); }
[[gnu::always_inline]] inline simd::Pack square_root(simd::Pack a) {
  return simd::Pack{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
}

// The number c in every lane.
template <class T>
[[gnu::always_inline]] inline T constant(double c) {
  return T(c);
}
template <>
[[gnu::always_inline]] inline simd::Pack constant<simd::Pack>(double c) {
  return simd::broadcast(c);
}

}  // namespace stiction
