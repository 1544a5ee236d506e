#pragma once
// Parameters of scalar constraint rows (RowLaw in stiction/contact/problem.h): limits, equalities, dry
// friction in joints, drives and springs. All act at the end of the step: phi1 = phi0 + h u.
//
//   spring and damper   gamma = -h (k phi1 + d u)
//                       slope = h (h k + d),  offset = -h k phi0
//   limit               the same, with gamma >= 0
//   dry friction        gamma = -slope u, within +-h f
//   drive               gamma = h f, within h times the bounds of its force, f linearised about the start,
//                         f  = f0 - K (l - l0) - D (u' - u0),
//                       and evaluated at the scheme's time for forces (S eq. 6):
//                         u' = theta u + (1 - theta) u0
//                         l  = l0 + theta h (theta_vq u + (1 - theta_vq) u0)
//                       slope  = h theta (D + h theta_vq K)
//                       offset = h (f0 + theta u0 (D - h (1 - theta_vq) K))
//
// Near-rigid rule (S section V-B, eqs. 28 to 30, for any row): a constraint without a stiffness of its own
// has that of a critically damped oscillator with the row's effective mass 1/w and the period T = beta h, no
// shorter than a minimum period,
//
//   k = (2 pi/T)^2 / w,    d = k T/pi.
//
// At rest under a force F the violation is then F/k = F w (beta h/2 pi)^2, which is (beta/2 pi)^2 of the
// displacement that F would cause in a step of free motion. A spring that is stiffer than this is softened to
// it.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stiction/contact/problem.h"

namespace stiction {

struct ConstraintOptions {
  double beta = 0.1;  // period of a rigid constraint, in units of the step
  // s. Without it a step much shorter than the previous ones would at once remove a violation left by them,
  // at a speed of violation/h.
  double minimum_period = 2e-5;
};

// Compliance of one row. Both zero: as rigid as the step allows.
struct RowCompliance {
  double stiffness = 0.0;  // N/m or N m/rad
  double damping = 0.0;    // N s/m or N m s/rad
  bool is_rigid() const { return stiffness <= 0.0 && damping <= 0.0; }
};

// State of a constraint at the start of the step.
struct RowState {
  double phi = 0.0;           // m or rad, violation, or gap of a limit
  double bias = 0.0;          // m/s or rad/s, the part of its rate that is not J v
  double inverse_mass = 0.0;  // w, positive
};

inline RowCompliance near_rigid(const ConstraintOptions& options, double h, double inverse_mass) {
  const double period = std::max(options.beta * h, options.minimum_period);
  const double rate = 2.0 * std::numbers::pi / period;
  const double stiffness = rate * rate / inverse_mass;
  return {stiffness, stiffness * period / std::numbers::pi};
}

inline RowLaw equality_law(const ConstraintOptions& options, double h, const RowState& state,
                           const RowCompliance& given) {
  const RowCompliance rigid = near_rigid(options, h, state.inverse_mass);
  RowCompliance c = given.is_rigid() ? rigid : given;
  RowLaw law;
  law.slope = h * (h * c.stiffness + c.damping);
  const double steepest = h * (h * rigid.stiffness + rigid.damping);
  if (law.slope > steepest) {
    c.stiffness *= steepest / law.slope;
    law.slope = steepest;
  }
  law.offset = -h * c.stiffness * state.phi - law.slope * state.bias;
  return law;
}

// Keeps phi >= 0.
inline RowLaw limit_law(const ConstraintOptions& options, double h, const RowState& state,
                        const RowCompliance& given) {
  RowLaw law = equality_law(options, h, state, given);
  law.lower = 0.0;
  return law;
}

inline RowLaw friction_law(const ConstraintOptions& options, double h, double inverse_mass, double force) {
  const RowCompliance rigid = near_rigid(options, h, inverse_mass);
  RowLaw law;
  law.slope = h * (h * rigid.stiffness + rigid.damping);
  law.lower = -h * force;
  law.upper = h * force;
  return law;
}

// A force that depends on the length and the rate of the row.
struct ForceElement {
  double force = 0.0;                    // N or N m, f0 at the start of the step, before clamping
  double stiffness = 0.0;                // K = -df/dl
  double damping = 0.0;                  // D = -df/du
  double rate = 0.0;                     // u0
  double lower = -1e300, upper = 1e300;  // of the force
};

// The time within the step at which a scheme evaluates forces; theta 0: at its start.
struct StepTheta {
  double theta = 1.0, theta_vq = 1.0;
  // True: drives, springs of tendons and bushings belong to the motion without contact, at its (q^theta,
  // v^theta), and their rows have only the change of their forces by contact. False: their forces are
  // extrapolated from the start of the step and are in the rows alone.
  bool is_iterated = false;
};

// A force element at (q^theta, v^theta) of the motion without contact, with the rate u_free of its row there
// at the end of the step. The whole impulse, from what e has there:
//   gamma = clamp(h f - slope (u - u_free)),   slope = h theta (D + h theta_vq K)
inline RowLaw force_law_there(const ForceElement& e, const StepTheta& at, double h, double u_free) {
  RowLaw law;
  law.slope = h * at.theta * (e.damping + h * at.theta_vq * e.stiffness);
  law.offset = h * e.force + law.slope * u_free;
  law.lower = h * e.lower;
  law.upper = h * e.upper;
  return law;
}

inline RowLaw force_law(const ForceElement& e, const StepTheta& at, double h) {
  RowLaw law;
  law.slope = h * at.theta * (e.damping + h * at.theta_vq * e.stiffness);
  law.offset = h * (e.force + at.theta * e.rate * (e.damping - h * (1.0 - at.theta_vq) * e.stiffness));
  law.lower = h * e.lower;
  law.upper = h * e.upper;
  law.is_drive = true;
  return law;
}

}  // namespace stiction
