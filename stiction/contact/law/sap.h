#pragma once
// SAP: linear elasticity with Kelvin-Voigt dissipation, friction regularised by R_t (S section V).
//
//   y = -R^-1 (vc - vhat),   vhat = (0, 0, -phi0/(h + tau)),   R = diag(R_t, R_t, R_n)        (S eq. 23)
//   gamma = projection of y on the friction cone in the norm of R                             (S eq. 27)
//
//   stick   y_r <= mu y_n                 gamma = y
//   slide   -mu^ y_r < y_n < y_r/mu       gamma_n = (y_n + mu^ y_r)/(1 + mu~^2),  gamma_t = mu gamma_n t
//   apart   otherwise                     0
//
// with y_r = |y_t|, mu^ = mu R_t/R_n, mu~^2 = mu^2 R_t/R_n. The cost is gamma' R gamma/2 (S eq. 35), the
// Hessian S eq. 37 in velocities. With u = |vt| and t = vt/u the sliding law is
//
//   gamma_n = K (vhat_n - vn + mu u),   K = 1/(R_n (1 + mu~^2))
//   gamma_t = -mu gamma_n t
//   cost    = gamma_n^2 / (2 K)

#include "stiction/contact/law/contact_law.h"
#include "stiction/math/lanes.h"

namespace stiction {

// The parameters of a point.
template <class T>
struct SapParameters {
  T reference;   // m/s, vhat_n
  T normal;      // kg, 1/R_n
  T tangential;  // kg, 1/R_t
  T mu;
  T sliding;  // kg, K

  [[gnu::always_inline]] static SapParameters from(const LawParameters<T>& p) {
    return {p.x[0], p.x[1], p.x[2], p.x[3], p.x[4]};
  }
  LawParameters<T> stored() const { return {{reference, normal, tangential, mu, sliding, constant<T>(0.0)}}; }
};
// Where they are stored.
enum SapNumber { kBias, kNormal, kTangential, kMu, kSliding };

template <class T>
[[gnu::always_inline]] inline LawValue<T> sap(const SapParameters<T>& p, const T& vn, const T& vt2) {
  const T zero = constant<T>(0.0), half = constant<T>(0.5);
  const T mu = p.mu, K = p.sliding;
  const T u = square_root(vt2);
  const T closing = p.reference - vn;
  const T yn = p.normal * closing, yr = p.tangential * u;
  // Strict inequality: without friction no point sticks, and a separating point has no impulse.
  const auto sticks = yr < mu * yn;
  const T reach = closing + mu * u;  // gamma_n / K when sliding
  const auto slides = reach > zero;
  const T gn = select(slides, K * reach, zero);
  const T safe = select(u > zero, u, constant<T>(1.0));
  const T inverse = constant<T>(1.0) / safe;
  const T friction = mu * gn * inverse;
  const T stiffness = select(slides, K, zero);
  LawValue<T> out;
  out.cost = select(sticks, half * (yn * closing + yr * u), half * gn * reach);
  out.gn = select(sticks, yn, gn);
  out.gt = select(sticks, -p.tangential, -friction);
  out.a = select(sticks, p.tangential, friction);
  out.b = select(sticks, zero, (mu * mu * stiffness - friction) * inverse * inverse);
  out.c = select(sticks, p.normal, stiffness);
  out.e = select(sticks, zero, -mu * stiffness * inverse);
  return out;
}

}  // namespace stiction
