#pragma once
// The energy audit of a step: every work, loss and energy by a formula of its own.
//
// The step solves for v, with the mass matrix M^ at q^ (q0, or q^theta of the motion without contact),
//
//   M^ (v - v_b) = h sum of generalised forces f + J' impulses,
//
// v_b = v0, for free bodies under semi_implicit_euler v0 turned by its gyroscopic moment, which has the same
// energy. Positions move along v_q = theta_vq v + (1 - theta_vq) v0, so the work of a force is h f . v_q: a
// damper's is that at the velocity where its force is taken times v_q, a contact's gamma . vc(v_q), and so on.
// The product of the equation with v_q is the balance of energy:
//
//   1/2 v' M^ v - 1/2 v_b' M^ v_b + dv' M^ (v_q - (v + v_b)/2) = sum of works,   dv = v - v_b.
//
// numerical.velocities is the last term on the left: 1/2 dv' M dv where positions move along v (the dissipation
// of symplectic and implicit steps), 0 at the midpoint, -1/2 dv' M dv where they move along v0.
//
// Along the step's path q(s) = q0 + s h v_q a potential V with the force f(q) = -dV/dq changes by the integral of
// -f(q(s)) . h v_q, while the step works with one force for its whole length:
//
//   numerical.V = int f(q(s)) . h v_q ds - h f_step . v_q        gravity, springs, tendons, bushings
//   numerical.inertia = h c . v_q - int 1/2 v' (dM/ds) v ds      from q^ to q with v, from q0 to q^ with v0
//
// with the Coriolis forces c of the step. Integrals by Gauss's formula with six points (exact to order 12; where a
// tendon becomes slack or changes its way around a shape within the step, to second order). For a spring on one
// axis under semi_implicit_euler numerical.springs is 1/2 h^2 v' K v.
//
// A contact point with the elastic energy E(phi) of its distance, its normal impulse n and the velocity vn_q: its
// law, compliant or rigid with material_compliance, gives the elastic force f_e and the damping force f_d
// (contact_energy.h), and
//
//   dissipated  -h f_d vn_q as contact_normal, -gamma_t . vt_q and -moment . w_q as contact_friction
//   numerical   contacts = int f_e(phi) dphi - h f_e vn_q, over phi from phi0 to phi0 + h vn_q
//               geometry = sum of E(phi0 + h vn_q) - energy of the contact points at the end of the step;
//                          for a pressure patch the energy of the overlap + sum of its changes of E - that at the end
//
//               solver = -(n - that of the law at v) vn_q, where the solver has not come to its end
//
// so that the books close only if E is the potential of f_e and h (f_e + f_d) the impulse of the law at v. For a linear
// spring that stays closed contacts is 1/2 k (h vn)^2 in a step of implicit Euler.
//
// The layers of geometric_quasi_rigid have E = 1/2 d' K d of their deflections d, which are state
// (scheme/geometric/layers.h; D the change of d, p the normal impulse, g0 the gap at the start):
//
//   dissipated  layer_dampers = D' C D/h,   contact_normal = core D_n/h,   contact_friction of the slip, which is
//               the velocity less the rate of the shear
//   numerical   contacts = 1/2 D' K D + p g0/h
//               geometry = -p (u_n + (D_nA + D_nB + g0)/h)
//                          + E at the start - E there in the axes of the step
//                          + E at the end in these axes - E that is found at the end
//               solver = what the law of a layer leaves, times D/h
//
// At the end nothing is found of pairs that have come too far apart to have points, and of islands that have
// fallen back on the explicit geometry, which keeps no deflections.
//
// What the books cannot see: with E(phi0 + h vn_q) in geometry the energy of the points found at the end
// cancels whatever the motion beyond first order may be, and with the law in solver so does an impulse beside
// it. Both entries are made to be small: geometry and contacts fall with h, solver with the tolerance
// (energy_orders_test.cpp).
//
// Other rigid points, and contacts of geometric_ncp, have no elastic energy: all their work along the normal is
// contact_normal, that is restitution, penetration recovery, the R_n that a solver needs, and MuJoCo's law,
// which has no potential (contact_energy.h).
//
// The springs and dampers that the model gives equalities and limits have their entries like contact points, with phi to
// first order and the difference to what is found at the end in geometry (constraint_energy.h).
//
// Drives: damping -h D u' u_q while the force is within its bounds; everything else is the work of the actuator.
// Bushings and springs of tendons likewise; a bushing that is stiffer than its step allows (row_laws.h) has its
// softening in numerical.bushings. Trees on a moving base: what the base puts in is the force at the root times
// the base's velocity, as at q^; the books of such a tree close to first order, all others exactly.

#include "stiction/simulation/energy.h"
#include "stiction/simulation/step.h"

namespace stiction {

class EnergyAudit {
 public:
  explicit EnergyAudit(const Model& model);

  // Of a state, with the contact points that a step of h would find there.
  Energies energies(const State& state, const Input& input, double h, const Formulation& f);
  // The books of the step in the record, which led to `after`. Uses the switches and prescribed motions of the
  // step's input.
  EnergyBooks audit(const StepRecord& record, const State& after, const Input& input, const Formulation& f);

 private:
  struct Span;
  void add_part(const Span& span, EnergyBooks* books);
  Energies energies_at(const Kinematics& kinematics, const VecX& q, const VecX& v, const Input& input);
  double add_contacts(const Span& span, const Formulation& f, EnergyBooks* books);
  void add_rows(const Span& span, EnergyBooks* books, double* tendons, double* bushings);
  void add_path(const Span& span, EnergyBooks* books);
  void add_base(const Span& span, EnergyBooks* books);
  double change_of_inertia(const VecX& from, const VecX& to, const VecX& v, const Kinematics& bases);
  double contact_energy_at(const State& state, const Input& input, double h, const Formulation& f);

  const Model& model_;
  Forest weightless_;  // the forest without gravity
  StepRecord posed_;
  StepWorkspace work_;
  Kinematics kinematics_, moving_, resting_;
  TransmissionState transmissions_;
  InverseDynamicsDerivatives derivatives_;
  MassMatrix mass_;
  NodeForces node_forces_;
  VecX gravity_;  // by velocity
};

}  // namespace stiction
