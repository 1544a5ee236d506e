#pragma once
// The rigid laws of contact (paper C), one block of rows at a time. The law sees the velocity
//
//   s = (W + R) lambda + r,   r = J v_free + bias - c*,
//
// W = J A^-1 J' the Delassus operator, R >= 0 a diagonal compliance, c* the reference velocity of the normal
// row (gap to close, penetration to recover, restitution), rows ordered (tangents, normal). With the friction
// cone K = {|lambda_t| <= mu lambda_n} and its dual K*:
//
//   coulomb_ncp   lambda_n >= 0, s_n >= 0, lambda_n s_n = 0; |lambda_t| <= mu lambda_n, and   C eqs. 8 to 15
//                 friction dissipates the most power that it can at s_t. Equivalently
//                 lambda in K, s + mu |s_t| n in K*, and the two orthogonal
//   pyramid_lcp   the same with a polygon in place of the disc |lambda_t| <= mu lambda_n      C III-A
//   convex_cone   lambda in K, s in K*, orthogonal: without the term mu |s_t| n, so that      C eqs. 16 to 20
//                 bodies that slide separate at the velocity mu |s_t|
//   sap           that of convex_cone with R > 0, which is the dual of SAP's problem            S eq. 22
//   raisim        s_n = 0 where lambda_n > 0; of the impulses in K that keep s_n = 0, the     C eqs. 23, 24
//                 one of least energy, which is not the one that dissipates the most
//
// A scalar row (equality, limit, dry friction, drive) is the same under every law: lambda in [lower, upper],
// s >= 0 at the lower bound, s <= 0 at the upper one and s = 0 in between.
//
// Solutions are fixed points, for any rho > 0 (kg):
//
//   coulomb_ncp, convex_cone   lambda = P_K(lambda - rho s~),   s~ = s + mu |s_t| n,   or s for convex_cone
//   coulomb_ncp, pyramid_lcp   lambda_n = max(0, lambda_n - rho s_n),
//                              lambda_t = P(lambda_t - rho s_t) on the section of the cone at mu lambda_n
//
// The distance from the fixed point, over rho, is a velocity (m/s): the natural map error, by which solvers
// stop. C stops by another one, the largest of three errors of a contact on forces f = lambda/h and
// accelerations a = s~/h (C II, after eq. 15):
//
//   eps_p = distance of f from K (N),   eps_d = distance of a from K* (m/s^2),   eps_c = |f . a| (N m/s^2)
//
// with s in place of s~ for convex_cone (C III-B). C has no such errors for the other laws. For pyramid_lcp
// we measure them on the pyramid, with the support function of its section in place of |t|; eps_d is how far
// s_n is below zero.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stiction/contact/law/contact_law.h"

namespace stiction {

// The law whose conditions the impulses of a law meet: sap is convex_cone with the R and c* of S eq. 29.
inline LawKind dual_law(LawKind law) { return law == LawKind::sap ? LawKind::convex_cone : law; }

// The parameters of a point under the rigid laws. (convex_cone under the primal Newton solver has those of
// sap.)
template <class T>
struct RigidParameters {
  T reference;              // m/s, c*
  T normal_compliance;      // 1/kg, R of the normal row
  T tangential_compliance;  // 1/kg, R of the other rows
  T friction;               // mu

  static RigidParameters from(const LawParameters<T>& p) { return {p.x[0], p.x[1], p.x[2], p.x[3]}; }
  LawParameters<T> stored() const {
    return {{reference, normal_compliance, tangential_compliance, friction, T{}, T{}}};
  }
};
// Where they are stored.
enum RigidNumber { kReference, kNormalCompliance, kTangentialCompliance, kRigidFriction };

inline constexpr int kMostTangents = 5;  // two of sliding, one of torsion, two of rolling
inline constexpr int kMostRows = kMostTangents + 1;

// The section of the friction pyramid at normal impulse 1/mu: a regular polygon of `facets` edges around a
// disc of radius 1, or inscribed in it. The first edge is perpendicular to the first tangent.
struct Pyramid {
  int facets = 4;  // even, 4 or more
  bool is_inscribed = false;

  // Distance of the edges from the centre.
  double apothem() const { return is_inscribed ? std::cos(std::numbers::pi / facets) : 1.0; }
};

// worst := the larger of the two; a NaN stays.
inline void keep_worst(double error, double* worst) {
  if (error > *worst || std::isnan(error)) *worst = error;
}

inline double norm_of(const double* x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

// x := the nearest point of the ball.
inline void project_on_ball(double radius, int n, double* x) {
  const double length = norm_of(x, n);
  if (length <= radius) return;
  const double share = radius > 0.0 ? radius / length : 0.0;
  for (int i = 0; i < n; ++i) x[i] *= share;
}

// x := the nearest point of the cone |t| <= mu n, x = (t, n) with t of `tangents` numbers.
inline void project_on_cone(double mu, int tangents, double* x) {
  const double t = norm_of(x, tangents), n = x[tangents];
  if (n >= 0.0 && t <= mu * n) return;  // without friction 0 <= -0 would let n < 0 pass
  if (mu * t <= -n) {
    std::fill(x, x + tangents + 1, 0.0);
    return;
  }
  const double normal = (n + mu * t) / (1.0 + mu * mu);
  for (int i = 0; i < tangents; ++i) x[i] *= t > 0.0 ? mu * normal / t : 0.0;
  x[tangents] = normal;
}

// x := the nearest point of the pyramid's section scaled by `radius`; two tangents.
inline void project_on_polygon(const Pyramid& pyramid, double radius, double* x) {
  const double step = 2.0 * std::numbers::pi / pyramid.facets, apothem = radius * pyramid.apothem();
  const double length = norm_of(x, 2);
  if (length <= apothem) return;
  // The edge whose sector holds x, then along it no further than its ends.
  const double at = std::round(std::atan2(x[1], x[0]) / step);
  const double half = apothem * std::tan(0.5 * step);
  double best_x = x[0], best_y = x[1], best = -1.0;
  for (int k = -1; k <= 1; ++k) {
    const double c = std::cos((at + k) * step), s = std::sin((at + k) * step);
    const double out = c * x[0] + s * x[1], along = std::clamp(c * x[1] - s * x[0], -half, half);
    if (k == 0 && out <= apothem) return;
    const double px = apothem * c - along * s, py = apothem * s + along * c;
    const double gap = (px - x[0]) * (px - x[0]) + (py - x[1]) * (py - x[1]);
    if (best < 0.0 || gap < best) {
      best = gap;
      best_x = px;
      best_y = py;
    }
  }
  x[0] = best_x;
  x[1] = best_y;
}

// x := the nearest point of a law's friction set, radius = mu lambda_n: a disc or, for sliding under
// pyramid_lcp, a polygon; a pyramid bounds torsion and each direction of rolling separately.
inline void project_on_section(LawKind law, const Pyramid& pyramid, double radius, int tangents, double* x) {
  if (law != LawKind::pyramid_lcp) {
    project_on_ball(radius, tangents, x);
    return;
  }
  if (tangents >= 2) project_on_polygon(pyramid, radius, x);
  for (int i = 2; i < tangents; ++i) x[i] = std::clamp(x[i], -radius, radius);
}

// Natural map error (m/s) of (lambda, s) of one contact, rho in kg. raisim is measured as coulomb_ncp here;
// its solver has a criterion of its own.
inline double natural_error(LawKind law, const Pyramid& pyramid, double mu, int tangents, double rho,
                            const double* lambda, const double* s) {
  double x[kMostRows], error = 0.0;
  if (dual_law(law) == LawKind::convex_cone) {
    for (int i = 0; i <= tangents; ++i) x[i] = lambda[i] - rho * s[i];
    project_on_cone(mu, tangents, x);
  } else {
    x[tangents] = std::max(0.0, lambda[tangents] - rho * s[tangents]);
    for (int i = 0; i < tangents; ++i) x[i] = lambda[i] - rho * s[i];
    // The section at the present normal impulse, so that an error of lambda_n hides none of lambda_t.
    project_on_section(law, pyramid, mu * std::max(0.0, lambda[tangents]), tangents, x);
  }
  for (int i = 0; i <= tangents; ++i) error += (lambda[i] - x[i]) * (lambda[i] - x[i]);
  return std::sqrt(error) / rho;
}

// The largest of (c0, c1) . t over the section of the pyramid at normal impulse 1/mu.
inline double support_of_polygon(const Pyramid& pyramid, const double* c) {
  // At the corner next to the direction of c.
  const double step = 2.0 * std::numbers::pi / pyramid.facets;
  const double at = (std::floor(std::atan2(c[1], c[0]) / step) + 0.5) * step;
  const double corner = pyramid.apothem() / std::cos(0.5 * step);
  return corner * (std::cos(at) * c[0] + std::sin(at) * c[1]);
}

// C's absolute criterion of one contact, max(eps_p, eps_d, eps_c): force in N, acceleration s/h in m/s^2.
inline double absolute_error(LawKind law, const Pyramid& pyramid, double mu, int tangents,
                             const double* force, const double* acceleration) {
  const int m = tangents;
  double near[kMostRows], a[kMostRows], primal = 0.0, power = 0.0;
  std::copy_n(force, m + 1, near);
  std::copy_n(acceleration, m + 1, a);
  double dual = 0.0;
  if (law == LawKind::pyramid_lcp) {
    near[m] = std::max(0.0, force[m]);
    project_on_section(law, pyramid, mu * near[m], m, near);
    dual = std::max(0.0, -a[m]);
    if (m >= 2) a[m] += mu * support_of_polygon(pyramid, acceleration);
    for (int i = 2; i < m; ++i) a[m] += mu * std::abs(acceleration[i]);
  } else {
    project_on_cone(mu, m, near);
    if (dual_law(law) != LawKind::convex_cone) a[m] += mu * norm_of(acceleration, m);
    // The distance of a from K* is the length of the projection of -a on K (Moreau).
    double away[kMostRows];
    for (int i = 0; i <= m; ++i) away[i] = -a[i];
    project_on_cone(mu, m, away);
    dual = norm_of(away, m + 1);
  }
  for (int i = 0; i <= m; ++i) {
    primal += (force[i] - near[i]) * (force[i] - near[i]);
    power += force[i] * a[i];
  }
  double worst = 0.0;
  for (const double error : {std::sqrt(primal), dual, std::abs(power)}) keep_worst(error, &worst);
  return worst;
}

// The same of a scalar row, bounds of the force in N: a in the dual cone of the set at its bounds, and
// complementary.
inline double absolute_error(double lower, double upper, double force, double acceleration) {
  constexpr double kNone = 1e290;  // a bound, divided by h, that is none
  const double up = std::max(0.0, acceleration), down = std::max(0.0, -acceleration);
  const double primal = std::abs(force - std::clamp(force, lower, upper));
  const double below = lower <= -kNone ? up : up * std::max(0.0, force - lower);
  const double above = upper >= kNone ? down : down * std::max(0.0, upper - force);
  double worst = 0.0;
  for (const double error : {primal, below, above})
    keep_worst(std::isnan(acceleration) ? acceleration : error, &worst);
  return worst;
}

// Natural map error of a scalar row.
inline double natural_error(double lower, double upper, double rho, double lambda, double s) {
  return std::abs(lambda - std::clamp(lambda - rho * s, lower, upper)) / rho;
}

}  // namespace stiction
