#pragma once
// Inertia times motion with the pseudo-inertia of kinematics.h: J = [Sigma h; h' m], four columns of four
// numbers.
//
//   I (s, t) = ( tr(Sigma) s - Sigma s + h x t,   m t + s x h )
//
// Fourth lanes of the results are not meaningful.

#include "stiction/math/simd.h"

namespace stiction {

struct PackWrench {
  simd::Pack angular, linear;
};

// The motion's angular part is passed as a pack and as numbers in memory, whose entries broadcast in the
// loads.
[[gnu::always_inline]] inline PackWrench apply_inertia(const double* J, const double* s_memory, simd::Pack s,
                                                       simd::Pack t) {
  using namespace simd;
  const double trace = J[0] + J[5] + J[10];
  const Pack h = load(J + 12);
  const Pack h1 = yzx(h);
  PackWrench F;
  F.angular = s * trace - multiply(J, s_memory) + yzx(h * yzx(t) - h1 * t);
  F.linear = t * J[15] + yzx(s * h1 - yzx(s) * h);
  return F;
}

// S . F for a motion whose fourth lanes are zero.
[[gnu::always_inline]] inline double power(simd::Pack s, simd::Pack t, const PackWrench& F) {
  return simd::sum(s * F.angular + t * F.linear);
}

}  // namespace stiction
