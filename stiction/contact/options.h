#pragma once
// Options of contact modelling and solving, the same for all points of a problem.

#include "stiction/contact/law/law_list.h"

namespace stiction {

// Options of the rigid laws. c* is the smallest normal velocity allowed at the end of the step:
//
//   vn >= c*,   c* = -phi0/h                                      apart: the gap may close
//               c* = min(-penetration_recovery phi0/h, fastest)   overlap: this fraction is removed per step
//               c* = -e vn0, if that is larger                    impact faster than restitution_speed
struct RigidOptions {
  double penetration_recovery = 0.2;
  double fastest_recovery = 0.5;       // m/s
  double restitution_speed = 0.05;     // m/s
  double normal_compliance = 0.0;      // 1/kg, R of the normal row: 1/(h^2 k) of a spring k
  double tangential_compliance = 0.0;  // 1/kg
  // d of R = (1 - d)/d w, for the solver newton_mujoco and pairs without MuJoCo's own numbers
  double impedance = 0.95;
  // R and c* from the spring and the damper of the material (N/m, s) in place of normal_compliance
  bool material_compliance = false;
};

// How a solver on velocities regularises a rigid law; without regularisation it could not determine the
// impulses.
enum class Regularisation : std::uint8_t {
  near_rigid,  // R of SAP's near-rigid rule (S eqs. 29, 30)
  mujoco,      // R = (1 - d)/d w
};

// Properties of the solver that a law depends on.
struct SolverForm {
  bool works_on_velocities = false;  // Newton's method on the convex cost; the others find impulses
  Regularisation regularisation = Regularisation::near_rigid;
};

struct ContactOptions {
  LawKind law = LawKind::icf_lagged;
  Elasticity elasticity = Elasticity::linear;
  Dissipation dissipation = Dissipation::hunt_crossley;  // of the icf laws
  double v_s = 1e-4;                                     // m/s, stiction tolerance
  double sigma = 1e-3;  // fraction of w: tangential regularisation of sap and of the regularised icf laws
  double beta = 1.0;    // near-rigid rule of sap
  const char* solver = "newton";  // one of catalog.h; where the law has none of that name, its first
  RigidOptions rigid;             // of the rigid laws
};

// Of the solver that the options ask for (catalog.cpp).
SolverForm solver_form(const ContactOptions& options);

}  // namespace stiction
