#pragma once
// Irrotational Contact Fields: Lagged and Similar (I section V).
//
// With S = sqrt(|vt|^2 + eps^2), the soft norm |vt|_s = S - eps and the soft direction t = vt/S:
//
//   lagged    l = mu n0 |vt|_s - N(vn),   gamma = n(vn) n - mu n0 t                        (I eqs. 10, 18)
//   similar   l = -N(z),  z = vn - mu |vt|_s,   gamma = n(z) (n - mu t)                    (I eqs. 19 to 21)
//
// n0 is the normal impulse at the start of the step, eps = v_s, or the larger of v_s and sigma w mu n0 in the
// regularised form (I eq. 26). Hessians, by differentiating the impulses:
//
//   lagged    mu n0/S (1 - n n' - t t') - n' n n'
//   similar   mu n/S (1 - n n' - t t') - n' (n - mu t)(n - mu t)'
//
// The Hessian printed in I for Similar lacks the factor mu on its n' f^2 term (it should be mu^2 n' f^2) and
// the normal and mixed entries.

#include "stiction/contact/law/normal_force.h"

namespace stiction {

// The parameters of a point under these laws and icf_coupled.h. j0, s, d and v_break are those of the normal
// impulse (normal_force.h).
template <class T>
struct IcfParameters {
  T j0;        // N s; Hertz: x0 in m; barriers: phi0 in m
  T slope;     // N s per m/s; Hertz: h k_h; barriers: kappa, or -s of a point that overlaps
  T d;         // s/m, of Hunt & Crossley
  T v_break;   // m/s; barriers: dh in m, or v_break of a point that overlaps
  T friction;  // lagged: mu n0 in N s; similar and coupled: mu
  T eps;       // m/s

  [[gnu::always_inline]] static IcfParameters from(const LawParameters<T>& p) {
    return {p.x[0], p.x[1], p.x[2], p.x[3], p.x[4], p.x[5]};
  }
  LawParameters<T> stored() const { return {{j0, slope, d, v_break, friction, eps}}; }
};
// Where they are stored.
enum IcfNumber { kJ0, kSlope, kHuntCrossley, kBreak, kFriction, kEpsilon };

template <class T>
[[gnu::always_inline]] inline LawValue<T> lagged_value(const NormalImpulse<T>& normal, const T& mu_n0,
                                                       const T& eps, const T& vt2) {
  const T S = square_root(vt2 + eps * eps);
  const T inverse = constant<T>(1.0) / S;
  const T a = mu_n0 * inverse;
  LawValue<T> out;
  // S - eps without cancellation.
  out.cost = mu_n0 * vt2 / (S + eps) - normal.N;
  out.gn = normal.n;
  out.gt = -a;
  out.a = a;
  out.b = -a * inverse * inverse;
  out.c = -normal.slope;
  out.e = constant<T>(0.0);
  return out;
}

template <class T>
[[gnu::always_inline]] inline LawValue<T> icf_lagged(const IcfParameters<T>& p, const T& vn, const T& vt2) {
  const NormalImpulse<T> normal = linear_normal_impulse(p.j0, p.slope, p.d, p.v_break, vn);
  return lagged_value(normal, p.friction, p.eps, vt2);
}

// z of Similar.
template <class T>
[[gnu::always_inline]] inline T similar_velocity(const T& mu, const T& eps, const T& vn, const T& vt2) {
  return vn - mu * vt2 / (square_root(vt2 + eps * eps) + eps);
}

template <class T>
[[gnu::always_inline]] inline LawValue<T> similar_value(const NormalImpulse<T>& normal, const T& mu,
                                                        const T& eps, const T& vt2) {
  const T inverse = constant<T>(1.0) / square_root(vt2 + eps * eps);
  const T slip = mu * inverse;
  LawValue<T> out;
  out.cost = -normal.N;
  out.gn = normal.n;
  out.gt = -slip * normal.n;
  out.a = slip * normal.n;
  out.b = -slip * inverse * inverse * normal.n - slip * slip * normal.slope;
  out.c = -normal.slope;
  out.e = slip * normal.slope;
  return out;
}

template <class T>
[[gnu::always_inline]] inline LawValue<T> icf_similar(const IcfParameters<T>& p, const T& vn, const T& vt2) {
  const T z = similar_velocity(p.friction, p.eps, vn, vt2);
  const NormalImpulse<T> normal = linear_normal_impulse(p.j0, p.slope, p.d, p.v_break, z);
  return similar_value(normal, p.friction, p.eps, vt2);
}

// The same with a Hertz force: x0 and h k_h instead of j0 and s.
template <class T>
[[gnu::always_inline]] inline LawValue<T> icf_lagged_hertz(const IcfParameters<T>& p, const T& vn,
                                                           const T& vt2, double h) {
  const NormalImpulse<T> normal = hertz_normal_impulse(p.j0, p.slope, p.d, p.v_break, vn, h);
  return lagged_value(normal, p.friction, p.eps, vt2);
}

template <class T>
[[gnu::always_inline]] inline LawValue<T> icf_similar_hertz(const IcfParameters<T>& p, const T& vn,
                                                            const T& vt2, double h) {
  const T z = similar_velocity(p.friction, p.eps, vn, vt2);
  const NormalImpulse<T> normal = hertz_normal_impulse(p.j0, p.slope, p.d, p.v_break, z, h);
  return similar_value(normal, p.friction, p.eps, vt2);
}

// The same with a barrier. A point that overlaps has the numbers of the linear law, with -s for s.
template <Elasticity elasticity, class T>
NormalImpulse<T> barrier_impulse(const IcfParameters<T>& p, const T& v, double h) {
  const T zero = constant<T>(0.0), one = constant<T>(1.0);
  const auto is_apart = p.slope > zero;
  // Where it is not, numbers at which a barrier is finite.
  const NormalImpulse<T> apart =
      barrier_normal_impulse<elasticity>(select(is_apart, p.j0, one), select(is_apart, p.slope, one), p.d,
                                         select(is_apart, p.v_break, one), select(is_apart, v, zero), h);
  const NormalImpulse<T> pressed =
      linear_normal_impulse<T>(p.j0, select(is_apart, one, -p.slope), p.d, p.v_break, v);
  return {select(is_apart, apart.n, pressed.n), select(is_apart, apart.slope, pressed.slope),
          select(is_apart, apart.N, pressed.N)};
}

template <Elasticity elasticity, class T>
LawValue<T> icf_lagged_barrier(const IcfParameters<T>& p, const T& vn, const T& vt2, double h) {
  return lagged_value(barrier_impulse<elasticity>(p, vn, h), p.friction, p.eps, vt2);
}

template <Elasticity elasticity, class T>
LawValue<T> icf_similar_barrier(const IcfParameters<T>& p, const T& vn, const T& vt2, double h) {
  const T z = similar_velocity(p.friction, p.eps, vn, vt2);
  return similar_value(barrier_impulse<elasticity>(p, z, h), p.friction, p.eps, vt2);
}

}  // namespace stiction
