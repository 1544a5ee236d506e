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
//
// Barriers (I IX), potentials l of the distance phi that grow without bound towards phi = 0, with Hunt &
// Crossley's factor or none:
//
//   log   l = -kappa ln(phi/dh),                f = kappa/phi                                     (I eq. 27)
//   IPC   l = -kappa (dh - phi)+^2 ln(phi/dh),  f = kappa (dh - phi)+ [(dh - phi)+/phi - 2 ln(phi/dh)]
//
// kappa in J (log) or N/m (IPC). IPC's force is zero for phi >= dh. That of log is never zero: there dh is
// only where the potential is zero, and contact points are sought up to that distance. With v = (phi -
// phi0)/h the factor is a - b phi,
//
//   n(v) = h f(phi) (a - b phi),   a = 1 + d phi0/h,   b = d/h
//   N(v) = -(a - b phi) l(phi) - b M(phi),   M' = l
//   log   M = -kappa phi (ln(phi/dh) - 1)
//   IPC   M = -kappa dh^3 (Q(x) - Q(1)),   x = phi/dh,   Q = (x - x^2 + x^3/3) ln x - x + x^2/2 - x^3/9
//
// Ours, I leaves it open: (1) Newton's method never lets a point with phi > 0 go to phi <= 0 (newton.h).
// Where it has no such start (a kinematic body on its way through another) it needs values beyond: n goes on
// as its tangent from phi = kBarrierFloor dh on downwards. (2) A point that overlaps at the start of the step
// (phi0 <= kBarrierFloor dh) takes the linear law, near-rigid, with its zero at dh
// (constraint/contact_rows.h).

#include <cmath>

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

// Potential (J), force (N) and its derivative (N/m) of an elasticity at a distance.
template <class T>
struct ElasticForce {
  T energy, force, slope;
};

// Of dh: below it a barrier is continued by its tangent.
inline constexpr double kBarrierFloor = 1e-8;

// ln(phi/dh), accurate on both ends.
inline double log_ratio(double phi, double dh) {
  return phi > 0.5 * dh ? std::log1p((phi - dh) / dh) : std::log(phi / dh);
}
inline Dual log_ratio(const Dual& phi, const Dual& dh) {
  return {log_ratio(phi.value, dh.value), phi.derivative / phi.value - dh.derivative / dh.value};
}
inline simd::Pack log_ratio(simd::Pack phi, simd::Pack dh) {
  return simd::Pack{log_ratio(phi[0], dh[0]), log_ratio(phi[1], dh[1]), log_ratio(phi[2], dh[2]),
                    log_ratio(phi[3], dh[3])};
}

// integral: M, in J m. phi > 0.
template <Elasticity elasticity, class T>
inline ElasticForce<T> barrier_force(const T& kappa, const T& dh, const T& phi, T* integral) {
  static_assert(is_barrier(elasticity));
  const T one = constant<T>(1.0), two = constant<T>(2.0);
  if constexpr (elasticity == Elasticity::log_barrier) {
    const T log = log_ratio(phi, dh), force = kappa / phi;
    *integral = -kappa * phi * (log - one);
    return {-kappa * log, force, -force / phi};
  } else {
    const T near = minimum(phi, dh);  // beyond dh there is no force
    const T log = log_ratio(near, dh), D = dh - near, x = near / dh, q = D / near;
    const T Q = x * ((one - x * (one - constant<T>(1.0 / 3.0) * x)) * log - one +
                     x * (constant<T>(0.5) - constant<T>(1.0 / 9.0) * x));
    *integral = -kappa * dh * dh * dh * (Q + constant<T>(11.0 / 18.0));
    return {-kappa * D * D * log, kappa * D * (q - two * log),
            kappa * (two * log - q * (constant<T>(4.0) + q))};
  }
}

// The elastic force at a distance phi, of a point of any elasticity, without dissipation. k: its stiffness in
// the unit of the elasticity; dh (m): of the barriers.
template <class T>
ElasticForce<T> elastic_force(Elasticity elasticity, const T& k, const T& dh, const T& phi) {
  const T zero = constant<T>(0.0), half = constant<T>(0.5), x = maximum(-phi, zero);
  T integral;
  switch (elasticity) {
    case Elasticity::linear:
      return {half * k * x * x, k * x, select(x > zero, -k, zero)};
    case Elasticity::hertz: {
      const T root = select(x > zero, square_root(select(x > zero, x, constant<T>(1.0))), zero);
      return {constant<T>(0.4) * k * x * x * root, k * x * root, constant<T>(-1.5) * k * root};
    }
    case Elasticity::log_barrier:
    case Elasticity::ipc_barrier:
      break;
  }
  const T floor = constant<T>(kBarrierFloor) * dh, at = maximum(phi, floor), beyond = phi - at;
  ElasticForce<T> out = elasticity == Elasticity::log_barrier
                            ? barrier_force<Elasticity::log_barrier>(k, dh, at, &integral)
                            : barrier_force<Elasticity::ipc_barrier>(k, dh, at, &integral);
  out.energy = out.energy - beyond * (out.force + half * out.slope * beyond);
  out.force = out.force + out.slope * beyond;
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

// Of a barrier, for a point with phi0 > kBarrierFloor dh.
template <Elasticity elasticity, class T>
NormalImpulse<T> barrier_normal_impulse(const T& phi0, const T& kappa, const T& d, const T& dh, const T& v,
                                        double h) {
  const T zero = constant<T>(0.0), one = constant<T>(1.0), step = constant<T>(h);
  T v_break = select(d > zero, one / select(d > zero, d, one), constant<T>(kNeverBreaks));
  if constexpr (elasticity == Elasticity::ipc_barrier) v_break = minimum(v_break, (dh - phi0) / step);
  const T floor = constant<T>(kBarrierFloor) * dh, v_floor = minimum((floor - phi0) / step, v_break);
  const auto touches = v < v_break;
  const T u = maximum(select(touches, v, v_break), v_floor);
  const T phi = select(v > v_floor, phi0 + step * u, floor);  // the sum has the round-off of phi0
  T integral;
  const ElasticForce<T> elastic = barrier_force<elasticity>(kappa, dh, phi, &integral);
  const T damping = one - d * u, beyond = minimum(v - v_floor, zero);
  NormalImpulse<T> out;
  out.slope = select(touches, step * (step * elastic.slope * damping - d * elastic.force), zero);
  const T n = step * elastic.force * damping;
  out.n = select(touches, n + out.slope * beyond, zero);
  out.N =
      -damping * elastic.energy - d / step * integral + beyond * (n + constant<T>(0.5) * out.slope * beyond);
  return out;
}

}  // namespace stiction
