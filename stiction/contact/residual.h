#pragma once
// The residual check of a contact problem, one for all solvers: how far a solution (v, gamma) is from what
// the equations and the law ask for. It reads nothing but the problem, the velocities, the impulses and
// moments.
//
// With vc = J v + bias the velocities of the points, lambda = gamma/h the forces, and D = diag(A)^(-1/2):
//
//   momentum            |D (A (v - v_free) - J' gamma)|,  over max(|D A v|, |D J' gamma|)           S eq. 32
//                       A tree that nothing touches moves freely; its A is not known and counts as 1.
//   law                 largest |gamma - law(vc)|/h: is the force that of the law at the velocity? The force
//                       of a rigid law is no function of the velocity; of it only what no law allows counts:
//                       friction and moments along directions and about axes that have no friction
//   rows                largest |gamma - clamp(offset - slope u)|/h of the scalar rows: the same question,
//                       over the largest |gamma|/h of a row
//   slackness           mean |g . gamma| over the points, g = vc - vhat + R gamma;  over l(v)       S eq. 33
//
// Further, how far the motion is from that of rigid bodies with Coulomb friction, which no compliant law
// meets exactly (C eqs. 11 to 15). With c = vc + max(phi0, 0)/h n, or c = vc - c* n under the rigid laws (c*
// the reference velocity of the problem),
//
//   primal              distance of lambda from the friction cone K, which is flat where there is no
//                       friction                                                                    N
//   dual                distance of c + mu |c_t| n from the dual cone K*                            m/s
//   complementarity     |lambda . (c + mu |c_t| n)|                                                 W
//   signorini           |lambda_n c_n|                                                              W
//   dissipation         lambda_t . c_t + mu lambda_n |c_t|, the power missing to the most dissipation  W
//
// each the largest of all points. With anisotropic, torsional or rolling friction (law/anisotropic.h,
// law/torsional_rolling.h) c_t and lambda_t are the variables in which the cone is circular: (S vt, L w) and
// (S^-1 gamma_t, L^-1 m)/h, moments divided by their friction lengths, or by 1 m where the length is zero.
//
// Scales of the relative errors: forces by the largest force F; velocities by V, the largest of w |gamma|
// over the points, w the inverse mass at the point; powers by F V. Where nothing pushes, or w is not known, V is
// |g| h of the problem, and where that is not known either the largest speed of a point. An error with a scale
// of zero is 1, all of it; one that is no number stays none.

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "stiction/contact/law/mujoco_law.h"
#include "stiction/contact/problem.h"

namespace stiction {

// The physical data of a contact point, from which every law computes its parameters: a saved problem can be
// solved under any law. Units as in stiction/constraint/contact_rows.h.
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
  double recovery_share = 1.0;     // of the penetration, recovered in a step under the rigid laws
  double barrier_stiffness = 0.0;  // N/m, of this point
  double barrier_energy = 0.0;     // J, likewise
  double barrier_distance = 0.0;   // m
  double table = -1.0;             // index in ContactProblem::tables; -1: none
  double table_scale = 0.0;        // factor of the table's force, of this point
  MujocoContact mujoco;            // of law/mujoco_law.h, if it is given
  bool operator==(const PhysicalPoint&) const = default;
};

struct Error {
  double absolute = 0.0;
  double relative = 0.0;  // to the scale
};

// The larger of the two. Once NaN it stays NaN: what could not be computed has not been checked.
inline void raise(double value, double* worst) {
  if (value > *worst || std::isnan(value)) *worst = value;
}
inline void raise(double value, Error* worst) { raise(value, &worst->absolute); }

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

// The larger of each error and scale, of two parts of a step; one that is NaN stays NaN. The cost stays.
void take_larger(const ContactResidual& other, ContactResidual* worst);

// points: one for each point of the problem, padding included (Island::point_end). impulses: four numbers a
// point, world axes, on B. moments: likewise; empty for a problem without torsional and rolling friction.
// row_impulses: by row of the problem; empty: zeros.
ContactResidual check_residual(const ContactProblem& problem, const std::vector<PhysicalPoint>& points,
                               const VecX& v, const AlignedVector<double>& impulses,
                               const AlignedVector<double>& moments = {},
                               std::span<const double> row_impulses = {});

// Of the scalar rows alone; zero if there are none.
Error check_rows(const ContactProblem& problem, const VecX& v, std::span<const double> row_impulses);

// vc of a point at the velocities v; w, in a problem with torsional and rolling friction.
Vec3 point_velocity(const ContactProblem& problem, int point, const VecX& v);
Vec3 point_angular_velocity(const ContactProblem& problem, int point, const VecX& v);

// (S vt, L w) of a point, whose square the laws read (law/torsional_rolling.h).
Vec6 law_slip(const ContactProblem& problem, int point, const VecX& v);

// The cost and impulse of a point of the problem under its law.
LawValue<double> law_value(const ContactProblem& problem, int point, double vn, double vt2);

// What a point puts on its body B, and the opposite on A; in W.
struct PointImpulse {
  Vec3 impulse = Vec3::Zero();  // N s, at the point
  Vec3 moment = Vec3::Zero();   // N m s, beside it
};

// From the normal impulse gn (N s) and the friction f (N s) in the variables of law_slip, in which its power
// is f . (S vt, L w): gn n + S f_t and the moment L f_w.
PointImpulse point_impulse(const ContactProblem& problem, int point, double gn, const Vec6& friction);
// out += J' of the impulse and moment of a point, by velocity.
void add_point_impulse(const ContactProblem& problem, int point, const PointImpulse& on_B, VecX* out);

}  // namespace stiction
