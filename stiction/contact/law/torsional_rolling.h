#pragma once
// Torsional and rolling friction (contact dimensions 4 and 6): a moment about the normal and one in the
// contact plane, beside the friction that resists sliding (G eq. 5; the elliptic cone of MuJoCo).
//
// With w the angular velocity of B relative to A, the generalised slip u of a point and its friction are
//
//   u = (S vt, L w),   L = l_t n n' + l_r (1 - n n'),        gamma_t = gt S^2 vt,   m = gt L^2 w,
//
//   m          moment on B (N m s), beside the impulse at the point
//   l_t, l_r   torsional and rolling length (m), mu_t/mu and mu_r/mu: l w counts as slip
//   mu_t, mu_r coefficients of torsional and rolling friction (m): largest moment over normal force
//
// Any isotropic law of (vn, |u|^2) keeps gamma and m in the ellipsoid
//
//   |S^-1 gamma_t|^2 + |L^-1 m|^2 <= (mu gn)^2,
//
// which for S = 1 - n n' is
//
//   |gamma_t/mu|^2 + (m_n/mu_t)^2 + |m_t/mu_r|^2 <= gn^2,
//
// and picks the point of it that dissipates the most. By the chain rule, with T = S^2 vt, M = L^2 w and
// gn, gt, a, b, c, e of contact_law.h at |u|^2,
//
//   G = [ a S^2 + b T T' + c n n' + e (T n' + n T')     (b T + e n) M'  ]   on (vc, w).
//       [            M (b T + e n)'                    a L^2 + b M M'   ]
//
// For sap this is still a projection: in gamma~ = (S^-1 gamma_t, L^-1 m), whose power is gamma~ . u, the cone
// is circular, and sap projects y~ = -u/R_t in the norm
//
//   R_t |gamma~|^2 = R_t (gamma_t' S^-2 gamma_t + m' L^-2 m):
//
// the projection on the ellipsoidal cone in the metric R_t (S^-2, L^-2), R_n.
//
// The stiction tolerance v_s (m/s) is that of |u|: for w alone it is v_s/l (rad/s). Lengths are limited to
// kLongestFrictionLength, so that this tolerance is never too tight. Where mu_t or mu_r would ask for more
// (mu small, or zero: no friction against sliding), the law has
//
//   mu* = max(mu, mu_t/kLongestFrictionLength, mu_r/kLongestFrictionLength)
//
// in place of mu, with S scaled by mu/mu* and L = mu_t/mu* n n' + mu_r/mu* (1 - n n'): the same ellipsoid.

#include <algorithm>

#include "stiction/math/simd.h"

namespace stiction {

inline constexpr double kLongestFrictionLength = 1.0;  // m: angular slip up to v_s/1 m counts as sticking

// L of one point.
struct alignas(32) FrictionLengths {
  // rad/s: the angular velocity of B relative to A that is not in J v; the last one zero.
  double bias[4] = {};
  double slide = 1.0;                // mu/mu*, beside S
  double torsion = 0.0, roll = 0.0;  // m, l_t and l_r

  // L x and L^2 x.
  simd::Pack once(simd::Pack n, simd::Pack x) const { return scaled(torsion, roll, n, x); }
  simd::Pack twice(simd::Pack n, simd::Pack x) const { return scaled(torsion * torsion, roll * roll, n, x); }

 private:
  static simd::Pack scaled(double normal, double tangential, simd::Pack n, simd::Pack x) {
    return x * tangential + n * ((normal - tangential) * simd::sum(n * x));
  }
};

// mu*, the coefficient of friction that the law of the point is given. Units: 1, m, m.
inline double friction_scale(double mu, double torsional, double rolling) {
  return std::max({mu, torsional / kLongestFrictionLength, rolling / kLongestFrictionLength});
}

// L and mu/mu* from the three coefficients; bias zero.
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
