#pragma once
// The normal impulse n(v) of a compliant contact as a function of the normal velocity v at the end of the
// step, and its antiderivative N (I eqs. 6, 7, 22, 23).
//
// Linear elasticity, with the distance taken to first order, phi = phi0 + h v, and any of the dissipations:
//
//   n(v) = (j0 - s v)+ (1 - d v)+,     j0 = h fe0,   s = h (h k + D),
//
// fe0 = -k phi0 the elastic force at the start of the step, which is negative for a point that does not touch
// yet; D = k tau (N s/m) for Kelvin-Voigt, d (s/m) for Hunt & Crossley, both zero for none. Written on fe0,
// the law is valid at k = 0 (a given force). The impulse vanishes from the velocity v_break = min(j0/s, 1/d)
// on. For v < v_break
//
//   N(v) = j0 v - (s + d j0) v^2/2 + d s v^3/3,     N' = n.
//
// Hertz: f = k_h x^(3/2) with x = x0 - h v the overlap at the end of the step, with Hunt & Crossley's factor
// or none. N = -integral over x:
//
//   N(v) = -k_h x+^(5/2) [ (1 - d x0/h) 2/5 + (d/h) (2/7) x+ ].

#include "stiction/contact/law/contact_law.h"
#include "stiction/math/lanes.h"

namespace stiction {

template <class T>
struct NormalImpulse {
  T n;      // N s
  T slope;  // n', never positive
  T N;      // J
};

// Break velocity of a contact that no velocity opens.
inline constexpr double kNeverBreaks = 1e30;  // m/s

template <class T>
T linear_break_velocity(const T& j0, const T& s, const T& d) {
  const T zero = constant<T>(0.0), never = constant<T>(kNeverBreaks);
  // At s = 0 (no elasticity) the force does not depend on the distance: it ends at no velocity, or where it
  // would pull (j0 <= 0) at every one.
  const T elastic = select(s > zero, j0 / select(s > zero, s, constant<T>(1.0)),
                           select(j0 > zero, never, constant<T>(-kNeverBreaks)));
  const T damped = select(d > zero, constant<T>(1.0) / select(d > zero, d, constant<T>(1.0)), never);
  return minimum(elastic, damped);
}

template <class T>
[[gnu::always_inline]] inline NormalImpulse<T> linear_normal_impulse(const T& j0, const T& s, const T& d,
                                                                     const T& v_break, const T& v) {
  const T zero = constant<T>(0.0), one = constant<T>(1.0);
  const auto touches = v < v_break;
  const T u = select(touches, v, v_break);
  const T elastic = j0 - s * u, damping = one - d * u;
  NormalImpulse<T> out;
  out.n = select(touches, elastic * damping, zero);
  out.slope = select(touches, -(s * damping + d * elastic), zero);
  out.N = u * (j0 - u * (constant<T>(0.5) * (s + d * j0) - constant<T>(1.0 / 3.0) * d * s * u));
  return out;
}

// k_h in N/m^(3/2), times h: jh. v_break = min(x0/h, 1/d).
template <class T>
[[gnu::always_inline]] inline NormalImpulse<T> hertz_normal_impulse(const T& x0, const T& jh, const T& d,
                                                                    const T& v_break, const T& v, double h) {
  const T zero = constant<T>(0.0), one = constant<T>(1.0), step = constant<T>(h);
  const auto touches = v < v_break;
  const T u = select(touches, v, v_break);
  const T x = maximum(x0 - step * u, zero);
  // sqrt(x) has no derivative at 0, but x^(3/2) has: keep it out of the derivative there.
  const T root = select(x > zero, square_root(select(x > zero, x, one)), zero);
  const T damping = one - d * u;
  const T elastic = jh * x * root;
  NormalImpulse<T> out;
  out.n = select(touches, elastic * damping, zero);
  out.slope = select(touches, -(constant<T>(1.5 * h) * jh * root * damping + d * elastic), zero);
  out.N = -(elastic * x) *
          (constant<T>(0.4 / h) * (one - d * x0 / step) + constant<T>(2.0 / 7.0 / h / h) * d * x);
  return out;
}

}  // namespace stiction
