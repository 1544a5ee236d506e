#pragma once
// Anisotropic friction: two coefficients along perpendicular directions of the contact plane (I Appendix B).
//
// With the friction tensor mu S, S = s1 t1 t1' + s2 t2 t2', the change of variables vt~ = S vt turns the
// elliptic friction cone into a circular one, and any isotropic law of (vn, |vt~|^2) gives
//
//   gamma = gn n + gt S vt~,
//   G     = a S^2 + b (S vt~)(S vt~)' + c n n' + e (S vt~ n' + n (S vt~)'),
//
// gn, gt, a, b, c, e of contact_law.h at vt~. For the icf laws this is I eq. 31, gamma_t = -mu S gamma_n
// t(mu S vt), with the soft norm of S vt instead of mu S vt, so that S = 1 - n n' gives the isotropic law
// exactly; the stiction tolerance along t_i is v_s/s_i. For sap it is the projection on the elliptic cone in
// the norm of R_t S^-2.

#include "stiction/math/matrix.h"
#include "stiction/math/simd.h"

namespace stiction {

// S of one point. Directions are four numbers, the last one zero.
struct alignas(32) FrictionTensor {
  double t1[4], t2[4];  // unit, perpendicular to each other and to the normal
  double s1 = 1.0, s2 = 1.0;

  simd::Pack operator()(simd::Pack x) const {
    const simd::Pack a = simd::load(t1), b = simd::load(t2);
    return a * (s1 * simd::sum(a * x)) + b * (s2 * simd::sum(b * x));
  }
};

// s1 along the projection of `along` on the contact plane, s2 perpendicular to it. Where `along` is the
// normal itself there is no such direction, and friction is isotropic with the mean of both.
inline FrictionTensor friction_tensor(const Vec3& n, const Vec3& along, double s1, double s2) {
  constexpr double kSmall = 1e-6;  // of the length of `along`
  const Vec3 in_plane = along - n.dot(along) * n;
  const bool has_direction = in_plane.norm() > kSmall * along.norm();
  const Vec3 t1 = (has_direction ? in_plane : n.unitOrthogonal()).normalized(), t2 = n.cross(t1);
  FrictionTensor S;
  for (int i = 0; i < 3; ++i) {
    S.t1[i] = t1[i];
    S.t2[i] = t2[i];
  }
  S.t1[3] = S.t2[3] = 0.0;
  S.s1 = has_direction ? s1 : 0.5 * (s1 + s2);
  S.s2 = has_direction ? s2 : 0.5 * (s1 + s2);
  return S;
}

}  // namespace stiction
