#pragma once
// The layers of geometric_quasi_rigid (G 5): which shapes have one, and where the work goes that they take.
//
// A layer of the stiffness K and the damping C, with the deflection d = (d_n, d_t1, d_t2), d0 before the step
// and D = d - d0, has the elastic energy E(d) = 1/2 d' K d and bears (contact_conditions.h)
//
//   s = (p, -p_t1, -p_t2) = h K d + C D + (core, 0, 0)
//
// The product of this with D/h is the balance of its energy:
//
//   s . D/h = E(d) - E(d0) + 1/2 D' K D + D' C D/h + D' K_a d + core D_n/h
//
//   1/2 D' K D      numerical: what implicit Euler takes out of a spring in a step
//   D' C D/h        of the damper; D' K_a d, of the antisymmetric part of K, has no potential and counts there
//   core D_n/h      of the rigid core, in the step in which the layer becomes flat
//
// The bodies give -p u_n - f . u_t with the velocities u of the closest points at the end of the step and the
// friction f. The slip is u_t less the rates of the shear deflections, so that
//
//   -f . u_t = -f . slip + (s_t . D_t/h, of both layers)
//   -p u_n   = (p D_n/h, of both layers) + p g0/h - p (u_n + (D_nA + D_nB + g0)/h),
//
// g0 = max(0, distance + d0_nA + d0_nB) the gap that the surfaces close before they touch within the step. The
// last term is zero where the distance is linear in the motion.
//
// Where d is kept in world axes, its shear turns with the tangents of the next step.

#include "stiction/simulation/model/model.h"
#include "stiction/simulation/scheme/geometric/contact_conditions.h"
#include "stiction/simulation/step_record.h"

namespace stiction {

struct PairLayers {
  SoftLayer A, B;
};

// Of a pair of a posed step, without deflections.
PairLayers pair_layers(const Model& model, const GeometricOptions& options, const StepRecord& r, int pair);

// The terms of the balance above of both layers of a contact (J).
struct LayerWork {
  double before = 0.0, after = 0.0;  // E, in the axes of the step
  double spring = 0.0;               // 1/2 D' K D
  double damper = 0.0;               // D' C D/h + D' K_a d
  double core = 0.0;                 // core D_n/h
  double pressed = 0.0;              // p D_n/h
  double closing = 0.0;              // p g0/h
  double sheared = 0.0;              // s_t . D_t/h
  double beside = 0.0;               // (s - h K d - C D - core) . D/h: what the solver has left
};
LayerWork layer_work(const PairLayers& layers, const GeometricContact& contact, double h);

// E of all deflections at the start of a posed step (J). Those of pairs without contact points are not counted:
// the step does not take them over.
double layer_energy(const Model& model, const GeometricOptions& options, const StepRecord& r);

}  // namespace stiction
