#pragma once
// Friction against turning: torsion about the normal and rolling about the contact plane, beside sliding
// (contact dimensions 4 and 6; G eq. 5, and the elliptic cone of MuJoCo).
//
// With w the angular velocity of B relative to A, a point's generalised slip and the friction that goes with
// it are
//
//   u = (S vt, L w),   L = l_t n n' + l_r (1 - n n'),        gamma_t = gt S^2 vt,   m = gt L^2 w,
//
// m (N m s) the moment on B beside the impulse at the point, l_t = mu_t/mu and l_r = mu_r/mu (m) levers at
// which turning counts as slip, mu_t and mu_r (m) the largest moments over the normal force. Any isotropic
// law of (vn, |u|^2) keeps gamma and m in the ellipsoid
//
//   |S^-1 gamma_t|^2 + |L^-1 m|^2 <= (mu gn)^2,   that is   |gamma_t/mu|^2 + (m_n/mu_t)^2 + |m_t/mu_r|^2 <=
//   gn^2
//
// for S = 1 - n n', and takes from it what dissipates most. By the chain rule, with T = S^2 vt, M = L^2 w and
// gn, gt, a, b, c, e of contact_law.h at |u|^2,
//
//   G = [ a S^2 + b T T' + c n n' + e (T n' + n T')     (b T + e n) M'  ]   on (vc, w).
//       [            M (b T + e n)'                    a L^2 + b M M'   ]
//
// For sap it is a projection still: in gamma~ = (S^-1 gamma_t, L^-1 m), whose power is gamma~ . u, the cone
// is round, and sap projects y~ = -u/R_t in the norm R_t |gamma~|^2 = R_t (gamma_t' S^-2 gamma_t + m' L^-2
// m): the projection on the ellipsoidal cone in the metric R_t (S^-2, L^-2), R_n.
//
// The stiction tolerance of slip v_s holds for |u|: that of turning is v_s/l rad/s. Levers are no longer than
// kLongestFrictionLength. Where mu is smaller than that asks, down to no friction against sliding at all, the law has
//
//   mu* = max(mu, mu_t/kLongestFrictionLength, mu_r/kLongestFrictionLength)
//
// in place of mu, with S scaled by mu/mu* and L = mu_t/mu* n n' + mu_r/mu* (1 - n n'): the same ellipsoid.

#include <algorithm>

#include "stiction/math/simd.h"

namespace stiction {

inline constexpr double kLongestFrictionLength = 1.0;  // m: a tolerance of v_s per metre for turning, and none tighter

// Of one point.
struct alignas(32) FrictionLengths {
  double bias[4] =
      {};              // rad/s: the angular velocity of B relative to A that is not in J v; the last one zero
  double slide = 1.0;  // mu/mu*, beside S
  double torsion = 0.0, roll = 0.0;  // m, l_t and l_r

  // L x and L^2 x.
  simd::Pack once(simd::Pack n, simd::Pack x) const { return scaled(torsion, roll, n, x); }
  simd::Pack twice(simd::Pack n, simd::Pack x) const { return scaled(torsion * torsion, roll * roll, n, x); }

 private:
  static simd::Pack scaled(double normal, double tangential, simd::Pack n, simd::Pack x) {
    return x * tangential + n * ((normal - tangential) * simd::sum(n * x));
  }
};

// mu* of three coefficients of friction (1, m, m): what the law of the point reads.
inline double friction_scale(double mu, double torsional, double rolling) {
  return std::max({mu, torsional / kLongestFrictionLength, rolling / kLongestFrictionLength});
}

// Without bias.
inline FrictionLengths friction_lengths(double mu, double torsional, double rolling) {
  const double scale = friction_scale(mu, torsional, rolling);
  FrictionLengths friction_lengths;
  if (!(scale > 0.0)) return friction_lengths;
  friction_lengths.slide = mu / scale;
  friction_lengths.torsion = torsional / scale;
  friction_lengths.roll = rolling / scale;
  return friction_lengths;
}

}  // namespace stiction
