#pragma once
// Inverse dynamics under contact: the joint forces and contact impulses that take the state to given
// velocities in one step.
//
// The step solves A (v - v_free) = J' gamma with v_free = v_0 + h A^-1 tau, tau the joint forces. With v
// given, this is a sum, if gamma follows from v (S eqs. 7, 22, I eq. 3):
//
//   tau = (A (v - v_0) - J' gamma(v))/h,      v_0 = v_free without tau.
//
// gamma has the impulse of a point along its normal, gamma_n, and its friction f. With torsional, rolling and
// anisotropic friction (contact/law/torsional_rolling.h) slip and friction are in the variables in which the
// friction cone is circular, so that each law has one formula for all kinds of friction,
//
//   u = (S vt, L w), less the slip that MuJoCo's law wants (SlipTarget of contact/problem.h)
//   gamma_n n + S f_t and the moment L f_w on body B.
//
//   law              gamma_n and f at a point with the velocity c = (vn - c*, u), vn and u of J v + bias
//   compliant laws   gn and gt u: the law itself, a function of vn and |u|^2
//   convex_cone      P_K^R(-R^-1 c), the nearest point of the cone in the norm of R (C, below eq. 22)
//   coulomb_ncp      gamma_n = max(0, -c_n/R_n),
//                    f = the point of |f| <= mu gamma_n that is nearest to -u/R_t
//   rows             clamp(offset - slope u, lower, upper)
//
// Both rigid laws ask for R > 0 in their normal and tangential rows: without compliance impulses are no
// function of the velocity, and where contacts are redundant they are not unique (C section V,
// "underdetermined contact problems"). pyramid_lcp and raisim are left out: raisim's impulse depends on all
// of W.
//
// tau changes v_free, and with it which joints come near their limits and have rows. The sum is therefore
// repeated with the forces just found until they no longer change, as a rule twice.
//
// Velocities of free joints have no actuator. What tau would have to be there is the residual: zero if
// contact and inertia alone can give the motion.

#include "stiction/simulation/step.h"

namespace stiction {

struct InverseDynamics {
  VecX joint_forces;  // N m or N by velocity, beyond those of the input; zero for free joints
  VecX unactuated;    // likewise, of free joints: (moment, force) in W that no joint gives; zero for others
  std::vector<Vec3> contact_impulses;  // N s, in W, on body B, by point of the record's contact problem
  std::vector<Vec3> contact_moments;   // N m s, likewise, of torsional and rolling friction; zeros without
  std::vector<double> row_impulses;    // N s or N m s, by its rows
};

// v_next by velocity, as in State. The record gets the collision and the contact problem. Throws UserError
// for formulations that do not determine the forces: rigid laws without compliance, pyramid_lcp and raisim
// (see above); schemes whose A depends on tau (implicit_euler, midpoint) or whose contact points do
// (geometrically_implicit).
InverseDynamics inverse_dynamics_with_contact(const Model& model, const State& now, const VecX& v_next,
                                              double h, const Formulation& f, const Input& input,
                                              StepRecord* r, StepWorkspace* w);
InverseDynamics inverse_dynamics_with_contact(const Model& model, const State& now, const VecX& v_next,
                                              double h, const Formulation& f, const Input& input = {});

}  // namespace stiction
