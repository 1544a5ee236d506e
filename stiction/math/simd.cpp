#include "stiction/math/simd.h"

#include <cmath>

namespace stiction::simd {

namespace {

// A cast between vector types of one size keeps the bits.
IntPack bits(Pack a) { return (IntPack)a; }
Pack from_bits(IntPack a) { return (Pack)a; }
Pack select(IntPack mask, Pack yes, Pack no) { return from_bits((bits(yes) & mask) | (bits(no) & ~mask)); }

// pi/2 in three parts of 33, 33 and 53 bits: k times the first two is exact for |k| < 2^20.
constexpr double kHalfPi1 = 1.57079632673412561417e+00;
constexpr double kHalfPi2 = 6.07710050630396597660e-11;
constexpr double kHalfPi3 = 2.02226624879595063154e-21;
constexpr double kTwoOverPi = 6.36619772367581382433e-01;
constexpr double kRound =
    6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer held in the low bits

[[gnu::always_inline]] inline void sincos_kernel(Pack x, Pack* sine, Pack* cosine) {
  // x = k pi/2 + r, |r| <= pi/4.
  const Pack shifted = x * kTwoOverPi + kRound;
  const Pack k = shifted - kRound;
  const Pack r = ((x - k * kHalfPi1) - k * kHalfPi2) - k * kHalfPi3;
  const Pack z = r * r;

  // Taylor with the minimax corrections of the last terms on [-pi/4, pi/4]; error below 2^-57.
  const Pack s =
      r + r * z *
              (-1.66666666666666324348e-01 +
               z * (8.33333333332248946124e-03 +
                    z * (-1.98412698298579493134e-04 +
                         z * (2.75573137070700676789e-06 +
                              z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))));
  const Pack c =
      1.0 -
      (0.5 * z - z * z *
                     (4.16666666666666019037e-02 +
                      z * (-1.38888888888741095749e-03 +
                           z * (2.48015872894767294178e-05 +
                                z * (-2.75573143513906633035e-07 +
                                     z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))))));

  // Quadrant k mod 4: odd swaps sine and cosine; the sign bits follow from the two low bits of k.
  const IntPack quadrant = bits(shifted);
  const IntPack swap = -(quadrant & 1);
  const IntPack sine_sign = (quadrant & 2) << 62;
  const IntPack cosine_sign = ((quadrant + 1) & 2) << 62;
  *sine = from_bits(bits(select(swap, c, s)) ^ sine_sign);
  *cosine = from_bits(bits(select(swap, s, c)) ^ cosine_sign);
}

}  // namespace

void sincos(Pack x, Pack* sine, Pack* cosine) { sincos_kernel(x, sine, cosine); }

void sincos(const double* x, int n, double* sine, double* cosine) {
  IntPack large = {};
  for (int i = 0; i < n; i += kLanes) {
    const Pack a = load_unaligned(x + i);
    Pack s, c;
    sincos_kernel(a, &s, &c);
    store_unaligned(sine + i, s);
    store_unaligned(cosine + i, c);
    // Not (-max < a < max): also where a is not a number.
    large |= ~((a < broadcast(kMaxAngle)) & (a > broadcast(-kMaxAngle)));
  }
  if ((large[0] | large[1] | large[2] | large[3]) == 0) return;
  for (int i = 0; i < n; ++i) {
    if (std::abs(x[i]) < kMaxAngle) continue;
    sine[i] = std::sin(x[i]);
    cosine[i] = std::cos(x[i]);
  }
}

}  // namespace stiction::simd
