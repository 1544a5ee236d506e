#pragma once
// Irrotational Contact Fields' forces with Coulomb friction by the normal impulse of the same step, and no
// gap:
//
//   gamma = n(vn) n - mu n(vn) t,    t = vt/S,   S = sqrt(|vt|^2 + eps^2).
//
// The impulse is that of icf.h's lagged law with n(vn) in place of n0: a point that touches for the first
// time, is hit, or rebounds has friction in that step. No function has this impulse as its gradient, since
// the slope
//
//   G = -dgamma/dvc = mu n/S (1 - n n' - t t') - n' n n' + mu n' t n'
//
// is not symmetric: friction depends on vn, the normal impulse not on vt (I V calls this strong coupling; its
// Similar gets it by a cost, and pays with a gap). G + G' is positive semidefinite only near sticking, where
// 4 n eps^2 >= mu |n'| |vt|^2 S: a solution need not be unique, and may be hard to find where mu is large
// (Painleve's paradox). Solved by newton/coupled_newton.h.
//
// eps is v_s, without I eq. 26's growth in impacts. Then the law has the limits
//
//   h -> 0                  those of the lagged law and of Similar: n(vn) and n0 differ by O(h)
//   k -> infinity, v_s -> 0 coulomb_ncp without restitution, penetration recovery 1 and no limit to its
//   speed.

#include "stiction/contact/law/icf.h"

namespace stiction {

template <class T>
[[gnu::always_inline]] inline LawValue<T> coupled_value(const NormalImpulse<T>& normal, const T& mu,
                                                        const T& eps, const T& vt2) {
  const T inverse = constant<T>(1.0) / square_root(vt2 + eps * eps);
  const T slip = mu * inverse;
  LawValue<T> out;
  out.cost = -normal.N;
  out.gn = normal.n;
  out.gt = -slip * normal.n;
  out.a = slip * normal.n;
  out.b = -slip * inverse * inverse * normal.n;
  out.c = -normal.slope;
  out.e = constant<T>(0.0);
  out.f = slip * normal.slope;
  return out;
}

template <Elasticity elasticity, class T>
[[gnu::always_inline]] inline LawValue<T> icf_coupled(const IcfParameters<T>& p, const T& vn, const T& vt2,
                                                      double h) {
  if constexpr (is_barrier(elasticity))
    return coupled_value(barrier_impulse<elasticity>(p, vn, h), p.friction, p.eps, vt2);
  else if constexpr (elasticity == Elasticity::hertz)
    return coupled_value(hertz_normal_impulse(p.j0, p.slope, p.d, p.v_break, vn, h), p.friction, p.eps, vt2);
  else
    return coupled_value(linear_normal_impulse(p.j0, p.slope, p.d, p.v_break, vn), p.friction, p.eps, vt2);
}

}  // namespace stiction
