#pragma once
// One judge for every solver: how far a solution (v, gamma) of a contact problem is from what it should be.
// It trusts nothing but the problem, the velocities, the impulses and their moments.
//
// With vc = J v + bias the velocities of the points, lambda = gamma/h the forces, and D = diag(A)^(-1/2):
//
//   momentum            |D (A (v - v_free) - J' gamma)|,  over max(|D A v|, |D J' gamma|)           S eq. 32
//   law                 largest |gamma - law(vc)|/h: is the force that of the law at the velocity? Not for
//                       the rigid laws, whose force is no function of it
//   rows                largest |gamma - clamp(offset - slope u)|/h of the scalar rows: likewise, over the
//                       largest |gamma|/h of a row
//   slackness           mean |g . gamma| over the points, g = vc - vhat + R gamma;  over l(v)       S eq. 33
//
// and, how far the motion is from rigid bodies with Coulomb's friction, which no compliant law meets exactly
// (C eqs. 11 to 15): with c = vc + max(phi0, 0)/h n the velocity against an open gap, under the rigid laws
// against the reference velocity c* of the problem,
//
//   primal              distance of lambda from the friction cone K                                 N
//   dual                distance of c + mu |c_t| n from the dual cone K*                            m/s
//   complementarity     |lambda . (c + mu |c_t| n)|                                                 W
//   signorini           |lambda_n c_n|                                                              W
//   dissipation         lambda_t . c_t + mu lambda_n |c_t|, the power that friction falls short of  W
//
// each the largest of all points. Where friction has directions or acts against turning, c_t and lambda_t
// stand for what is round: (S vt, L w) and (S^-1 gamma_t, L^-1 m)/h, moments divided by their levers
// (anisotropic.h, law/torsional_rolling.h; where a lever is zero, by a metre). Divided by a physical scale: forces by the
// largest force F, velocities by V, the largest of w |gamma| over the points (the speed that the impulse of a
// point takes from what it pushes), powers by F V.

#include <optional>
#include <span>
#include <vector>

#include "stiction/contact/problem.h"

namespace stiction {

// A point of contact before a law makes its numbers of it, so that a saved problem can be solved under any
// law. Units as in stiction/constraint/contact_rows.h.
struct PhysicalPoint {
  double distance = 0.0;         // m, phi0
  double stiffness = 0.0;        // N/m, of this point: its weight times that of the pair
  double hertz_stiffness = 0.0;  // N/m^(3/2), likewise
  double dissipation = 0.0;      // s/m
  double relaxation_time = 0.0;  // s
  double friction = 0.0;         // mu; mu* of law/torsional_rolling.h
  double vn0 = 0.0;              // m/s, normal velocity at the start of the step
  double inverse_mass = 0.0;     // w, 1/kg
  double restitution = 0.0;
  double recovery_share = 1.0;  // of the rigid laws
  bool operator==(const PhysicalPoint&) const = default;
};

struct Error {
  double absolute = 0.0;
  double relative = 0.0;  // to the scale
};

struct ContactResidual {
  Error momentum;                  // sqrt(J)
  Error law;                       // N
  std::optional<Error> rows;       // N or N m; of problems with scalar rows
  std::optional<Error> slackness;  // J; of sap, whose law is a projection
  Error primal;                    // N
  Error dual;                      // m/s
  Error complementarity;           // W
  Error signorini;                 // W
  Error dissipation;               // W
  double force_scale = 0.0;        // N
  double velocity_scale = 0.0;     // m/s
  double cost = 0.0;               // J, l(v)
};

// points: one for each point of the problem, those that no patch owns included. impulses: four numbers a
// point, in the world, on B. moments: likewise, empty for a problem without levers. row_impulses: by row of
// the problem; empty: zeros.
ContactResidual check_residual(const ContactProblem& problem, const std::vector<PhysicalPoint>& points, const VecX& v,
                      const AlignedVector<double>& impulses, const AlignedVector<double>& moments = {},
                      std::span<const double> row_impulses = {});

// vc of a point at the velocities v, and w of a problem with levers.
Vec3 point_velocity(const ContactProblem& problem, int point, const VecX& v);
Vec3 point_angular_velocity(const ContactProblem& problem, int point, const VecX& v);

// The cost and impulse of a point of the problem under its law.
LawValue<double> law_value(const ContactProblem& problem, int point, double vn, double vt2);

}  // namespace stiction
