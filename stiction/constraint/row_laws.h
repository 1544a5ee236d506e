#pragma once
// Parameters of scalar constraint rows (RowLaw in stiction/contact/problem.h): limits, equalities, dry
// friction in joints, drives and springs. All act at the end of the step: phi1 = phi0 + h u.
//
//   spring and damper   gamma = -h (k phi1 + d u)
//                       slope = h (h k + d),  offset = -h k phi0
//   limit               the same, with gamma >= 0 (outside it: but for a brake, see below)
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
// has that of an oscillator with the row's effective mass 1/w and the period T = beta h, no shorter than a
// minimum period,
//
//   k = (2 pi/T)^2 / w.
//
// At rest under a force F the violation is then F/k = F w (beta h/2 pi)^2, which is (beta/2 pi)^2 of the
// displacement that F would cause in a step of free motion. A constraint whose own stiffness and damping are
// stiffer than this acts as if it had none. Dry friction has the critical damping d = k T/pi of this spring.
//
// Relaxation: with critical damping a violation phi would be gone after one step, at a speed of phi/h. So the
// damper of an equality, and of a limit that is violated, is
//
//   d = k tau,    so that  u = -phi0/(h + tau)  without a load,
//
// tau the relaxation time: a violation decays by exp(-t/tau), nothing leaves it faster than phi/tau, and the
// violation at rest is the same. A limit that is not reached yet keeps critical damping: it acts where the
// joint gets to it within the step, not before.
//
// A limit pushes. What it pushed would go on at phi/tau once it is inside; so as long as it is outside it is
// braked again, by no more than twice what the relaxation phi'' = phi/tau^2 itself takes,
//
//   gamma >= 2 h phi0/(tau^2 w)      (phi0 < 0)
//
// which is some millionth of the load at the violation of a joint at rest: nothing sticks to its limit.
//
// Under rigid laws a violation is left no faster than contacts
// leave an overlap (RigidOptions of contact/options.h): by a share of it per step, and at most at a speed,
//
//   tau >= h/share - h,    u <= fastest.
//
// Curvature: a row is straight within a step, its constraint is not. What is left is of second order in a step,
// but relaxation would let it add up over tau/h steps. So the row takes out the curvature c = (dJ/dt) v at the
// start of the step, as a part of the rate. Where the scheme moves by theta_vq v + (1 - theta_vq) v0,
//
//   phi1 = phi0 + h u + (3/2 - theta_vq) h^2 c
//
// leaves phi constant in a steady motion: with J v0 = -(1/2 - theta_vq) h c left by the step before, the motion
// of the step and the curvature on the way add to zero.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "stiction/contact/problem.h"

namespace stiction {

struct ConstraintOptions {
  double beta = 0.1;  // period of a rigid constraint, in units of the step
  // s. Without it a step much shorter than the previous ones would at once remove a violation left by them,
  // at a speed of violation/h.
  double minimum_period = 2e-5;
  // s, tau; 0: a violation goes within a step; negative: that of the model.
  double relaxation_time = -1.0;
};

inline constexpr double kDefaultRelaxationTime = 0.05;  // s, of models that say nothing

// How fast violations go at most under rigid laws.
struct RowRecovery {
  double share = 1.0;                                        // of the violation, per step
  double fastest = std::numeric_limits<double>::infinity();  // m/s or rad/s
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
  double curvature = 0.0;     // m/s or rad/s, (3/2 - theta_vq) h c
};

inline RowCompliance near_rigid(const ConstraintOptions& options, double h, double inverse_mass) {
  const double period = std::max(options.beta * h, options.minimum_period);
  const double rate = 2.0 * std::numbers::pi / period;
  const double stiffness = rate * rate / inverse_mass;
  return {stiffness, stiffness * period / std::numbers::pi};
}

// The relaxation time of a violation (s).
inline double relaxation_time(const ConstraintOptions& options, double h, const RowRecovery& recovery) {
  // A share of zero would never leave; a millionth of the violation per step is as slow.
  constexpr double kLeastShare = 1e-6;
  const double asked = options.relaxation_time < 0.0 ? kDefaultRelaxationTime : options.relaxation_time;
  return std::max(asked, h / std::clamp(recovery.share, kLeastShare, 1.0) - h);
}

// A rigid row whose violation goes within tau; 0: with critical damping.
inline RowLaw relaxing_law(const ConstraintOptions& options, double h, const RowState& state, double tau,
                           double fastest) {
  const RowCompliance rigid = near_rigid(options, h, state.inverse_mass);
  const double delay = h + std::max(tau, rigid.damping / rigid.stiffness);
  RowLaw law;
  law.slope = h * rigid.stiffness * delay;
  law.offset = law.slope * (std::clamp(-state.phi / delay, -fastest, fastest) - state.bias - state.curvature);
  return law;
}

// A spring and damper that the model gives; both softened to the slope of the near-rigid rule.
inline RowLaw spring_law(const ConstraintOptions& options, double h, const RowState& state,
                         const RowCompliance& given) {
  const RowCompliance rigid = near_rigid(options, h, state.inverse_mass);
  const double slope = h * (h * given.stiffness + given.damping),
               steepest = h * (h * rigid.stiffness + rigid.damping);
  const double share = slope > steepest ? steepest / slope : 1.0;
  RowLaw law;
  law.slope = share * slope;
  law.offset = -h * share * given.stiffness * state.phi - law.slope * state.bias;
  return law;
}

// Whether a compliance makes a row softer than the near-rigid rule; if not, the row is a rigid one.
inline bool is_softer(const ConstraintOptions& options, double h, double inverse_mass,
                      const RowCompliance& given) {
  const RowCompliance rigid = near_rigid(options, h, inverse_mass);
  return !given.is_rigid() && h * given.stiffness + given.damping < h * rigid.stiffness + rigid.damping;
}

inline RowLaw equality_law(const ConstraintOptions& options, double h, const RowState& state,
                           const RowCompliance& given, const RowRecovery& recovery = {}) {
  if (is_softer(options, h, state.inverse_mass, given)) return spring_law(options, h, state, given);
  return relaxing_law(options, h, state, relaxation_time(options, h, recovery), recovery.fastest);
}

// Keeps phi >= 0.
inline RowLaw limit_law(const ConstraintOptions& options, double h, const RowState& state,
                        const RowCompliance& given, const RowRecovery& recovery = {}) {
  constexpr double kBrake = 2.0;  // the inverse mass is that of the diagonal: in a chain the motion has less
  RowLaw law;
  if (is_softer(options, h, state.inverse_mass, given)) {
    law = spring_law(options, h, state, given);
    law.lower = 0.0;
  } else if (state.phi >= 0.0) {
    law = relaxing_law(options, h, state, 0.0, std::numeric_limits<double>::infinity());
    law.lower = 0.0;
  } else {
    const double tau = relaxation_time(options, h, recovery), slow = std::max(tau, h);
    law = relaxing_law(options, h, state, tau, recovery.fastest);
    law.lower = kBrake * h * state.phi / (slow * slow * state.inverse_mass);
  }
  return law;
}

// Of a row that keeps its phi >= 0, and not at 0 or between two bounds of its force.
inline bool is_limit(const RowLaw& law) {
  const RowLaw none;
  return law.lower > none.lower && law.upper == none.upper;
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
