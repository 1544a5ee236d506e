#pragma once
// MuJoCo's contact as MuJoCo has it (its manual, "Computation": constraint model, and "Modeling": solver
// parameters), for the formulation convex_cone+newton_mujoco. A point whose distance is below the margin,
// r = margin - phi > 0, is given an impedance d and a reference acceleration a*, and a compliance R:
//
//   d  = d0 + y (dmax - d0),  y = x^p/m^(p-1) for x = r/width <= m, 1 - (1 - x)^p/(1 - m)^(p-1) up to 1, then 1
//   a* = -b vn + k d r,       along the contact plane  a* = -b vt
//   R  = (1 - d)/d A,         along the contact plane  R/impratio;  A: sum of both bodies' inverse masses
//   k  = 1/(dmax T Z)^2,  b = 2/(dmax T)     solref = (T, Z): time constant and damping ratio, T at least 2 h
//   k  = K/dmax^2,        b = B/dmax         solref = (-K, -B)
//
// solimp = (d0, dmax, width, m, p). MuJoCo's problem in accelerations is ours in velocities, with the reference
//
//   vhat = vc0 + h a* = (1 - h b) vc0 + h k d r n,    vc0 the velocity at the start of the step,
//
// and the same R: gamma is the projection of -R^-1 (vc - vhat) on the cone (sap.h). The tangential part of vhat
// is a target of the slip, ContactProblem::slip_targets. At or beyond the margin there is no force.
//
// At rest (vc = 0, no acceleration) the force of a point is R^-1 k d r,
//
//   f(r) = d^2/(1 - d) k r / A,
//
// the curve that the compliant laws take as a force table (simulation/contact/soft_contact.h).

#include <algorithm>
#include <array>
#include <cmath>

#include "stiction/contact/law/force_table.h"

namespace stiction {

// The numbers of one pair of shapes.
struct MujocoContact {
  bool is_given = false;
  bool keeps_two_steps = true;  // T is at least 2 h: MuJoCo's flag refsafe
  std::array<double, 2> solref = {0.02, 1.0};
  std::array<double, 2> solref_friction = {0.0, 0.0};  // along the contact plane, where not zero
  std::array<double, 5> solimp = {0.9, 0.95, 0.001, 0.5, 2.0};
  double inverse_mass = 0.0;  // 1/kg, A
  double margin = 0.0;        // m
  double impratio = 1.0;
  bool operator==(const MujocoContact&) const = default;
};

// k (1/s^2) and b (1/s).
struct MujocoReference {
  double k = 0.0, b = 0.0;
};

namespace mujoco {
inline constexpr double kLeastImpedance = 1e-4, kLargestImpedance = 0.9999;
inline constexpr double kTiny = 1e-15;  // MuJoCo's smallest number that counts

inline double clamped(double d) { return std::clamp(d, kLeastImpedance, kLargestImpedance); }

inline MujocoReference reference(const MujocoContact& contact, std::array<double, 2> solref, double h) {
  const double dmax = clamped(contact.solimp[1]);
  // A pair of a positive and a negative number means nothing, and counts as the default.
  if ((solref[0] > 0.0) != (solref[1] > 0.0)) solref = {0.02, 1.0};
  if (solref[0] <= 0.0)
    return {-solref[0] / std::max(kTiny, dmax * dmax), -solref[1] / std::max(kTiny, dmax)};
  const double T = contact.keeps_two_steps ? std::max(solref[0], 2.0 * h) : solref[0];
  const double root = dmax * T * solref[1];
  return {1.0 / std::max(kTiny, root * root), 2.0 / std::max(kTiny, dmax * T)};
}

// d and its derivative by r (1/m).
struct Impedance {
  double d = 0.0, slope = 0.0;
};

inline Impedance impedance(const std::array<double, 5>& solimp, double r) {
  const double d0 = clamped(solimp[0]), dmax = clamped(solimp[1]), width = std::max(0.0, solimp[2]);
  const double m = clamped(solimp[3]), p = std::max(1.0, solimp[4]);
  if (d0 == dmax || width <= kTiny) return {0.5 * (d0 + dmax), 0.0};
  const double x = r / width;
  if (x >= 1.0) return {dmax, 0.0};
  if (x <= 0.0) return {d0, 0.0};
  double y = x, slope = 1.0;
  if (p != 1.0 && x <= m) {
    slope = p * std::pow(x / m, p - 1.0);
    y = slope * x / p;
  } else if (p != 1.0) {
    slope = p * std::pow((1.0 - x) / (1.0 - m), p - 1.0);
    y = 1.0 - slope * (1.0 - x) / p;
  }
  return {d0 + y * (dmax - d0), slope * (dmax - d0) / width};
}

// A function of r as one of T, from its value and slope at r.
inline double carried(double value, double, double) { return value; }
inline Dual carried(double value, double slope, const Dual& r) { return {value, slope * r.derivative}; }
}  // namespace mujoco

}  // namespace stiction
