#pragma once
// From one point of contact to the numbers its law reads.
//
//   k = weight x stiffness of the pair, fe0 = -k phi0, n0 = h fe0+ (1 - d vn0)+
//   eps = max(v_s, sigma w mu n0)  (icf_lagged, I eq. 26; the other icf laws: v_s)
//   sap: R_n = max(beta^2 w/(4 pi^2), 1/(h k (h + tau))),  R_t = sigma w,  vhat = -phi0/(h + tau)   (S 29,
//   30)
//
// The rigid laws: RigidOptions. convex_cone under Newton's method: R_n and R_t as sap's near-rigid rule or
// MuJoCo's have them.
//
// w is the root-mean-square of the 3x3 diagonal block of the Delassus operator (S section V-B), vn0 the
// normal velocity at the start of the step. Templated on the real type: derivatives with respect to distance,
// velocity and material run through the same text.

#include <algorithm>
#include <cmath>
#include <string_view>

#include "stiction/contact/law/icf.h"
#include "stiction/contact/law/rigid_laws.h"
#include "stiction/contact/law/sap.h"

namespace stiction {

// Of the rigid laws: where the normal velocity has to be at the end of the step, c* in
//
//   vn >= c*,   c* = -phi0/h                          apart: it may close the gap
//               c* = min(-penetration_recovery phi0/h, fastest)   overlap: a share of it is taken back in a step
//               c* = -e vn0, if that is larger        touching in this step faster than restitution_speed
struct RigidOptions {
  double penetration_recovery = 0.2;
  double fastest_recovery = 0.5;       // m/s
  double restitution_speed = 0.05;     // m/s
  double normal_compliance = 0.0;      // 1/kg, R of the normal row: 1/(h^2 k) of a spring k
  double tangential_compliance = 0.0;  // 1/kg
  double impedance = 0.95;             // d of MuJoCo's rule R = (1 - d)/d w, for the solver newton_mujoco
};

// How fast an overlap is pushed out depends on how well the bodies move there: beside an axis a point hardly
// moves, and its body would have to spin. W_nn is the mobility along the normal, m the lighter body's mass; a
// free body pushed through its centre has W_nn m = 1.
inline double recovery_share(double W_nn, double m) { return std::min(1.0, std::sqrt(W_nn * m)); }

// How contact is modelled, the same for all points of a problem.
struct ContactOptions {
  LawKind law = LawKind::icf_lagged;
  Elasticity elasticity = Elasticity::linear;
  Dissipation dissipation = Dissipation::hunt_crossley;  // of the icf laws
  double v_s = 1e-4;                                     // m/s, stiction tolerance
  double sigma = 1e-3;  // share of w: tangential regularisation of sap, and of icf_lagged in impacts
  double beta = 1.0;    // near-rigid rule of sap
  const char* solver = "newton";  // one of contact/catalog.h; where the law has none of that name, its first
  RigidOptions rigid;             // of the rigid laws
};

// Whether Newton's method on velocities solves it: all compliant laws, and convex_cone with a compliance.
inline bool solves_primal(const ContactOptions& options) {
  return !is_rigid(options.law) ||
         (options.law == LawKind::convex_cone && std::string_view(options.solver).substr(0, 6) == "newton");
}

template <class T>
struct PointState {
  T distance;                   // m, phi0
  T weight;                     // share of the pair's stiffness
  T vn0;                        // m/s
  double recovery_share = 1.0;  // of RigidOptions::fastest_recovery
};

template <class T>
struct PointMaterial {
  T stiffness;        // N/m; for Hertz N/m^(3/2)
  T dissipation;      // s/m
  T relaxation_time;  // s
  T friction;
  T restitution{};
};

template <class T>
struct PointRow {
  LawParameters<T> numbers;
  bool is_near_rigid = false;  // sap: S eq. 29 overrides the stiffness
};

template <class T>
PointRow<T> contact_row(const ContactOptions& options, double h, const PointState<T>& at,
                        const PointMaterial<T>& material, const T& w) {
  constexpr double kFourPiSquared = 39.47841760435743;
  const T zero = constant<T>(0.0), one = constant<T>(1.0), step = constant<T>(h);
  PointRow<T> row;
  for (T& number : row.numbers.x) number = zero;
  const T k = at.weight * material.stiffness;
  if (is_rigid(options.law)) {
    const RigidOptions& rigid = options.rigid;
    const T restored = minimum(constant<T>(-rigid.penetration_recovery / h) * at.distance,
                               constant<T>(rigid.fastest_recovery * at.recovery_share));
    T reference = select(at.distance > zero, -at.distance / step, restored);
    const auto bounces = at.vn0 < constant<T>(-rigid.restitution_speed);
    const auto touches = at.distance + step * at.vn0 < zero;
    const T rebound = select(bounces, select(touches, -material.restitution * at.vn0, reference), reference);
    reference = maximum(reference, rebound);
    T Rn = constant<T>(rigid.normal_compliance), Rt = constant<T>(rigid.tangential_compliance);
    if (!solves_primal(options)) {
      row.numbers.x[kReference] = reference;
      row.numbers.x[kNormalCompliance] = Rn;
      row.numbers.x[kTangentialCompliance] = Rt;
      row.numbers.x[kRigidFriction] = material.friction;
      return row;
    }
    // The primal solver needs R > 0.
    const bool is_mujoco = std::string_view(options.solver) == "newton_mujoco";
    const double share = (1.0 - rigid.impedance) / rigid.impedance;
    Rn = maximum(Rn, constant<T>(is_mujoco ? share : options.beta * options.beta / kFourPiSquared) * w);
    Rt = maximum(Rt, constant<T>(is_mujoco ? share : options.sigma) * w);
    row.numbers.x[kBias] = reference;
    row.numbers.x[kNormal] = one / Rn;
    row.numbers.x[kTangential] = one / Rt;
    row.numbers.x[kMu] = material.friction;
    row.numbers.x[kSliding] = one / (Rn + material.friction * material.friction * Rt);
    return row;
  }
  if (options.law == LawKind::sap) {
    const T tau = material.relaxation_time;
    const T near_rigid = constant<T>(options.beta * options.beta / kFourPiSquared) * w;
    const T compliant = one / (step * k * (step + tau));
    row.is_near_rigid = near_rigid > compliant;
    const T Rn = maximum(near_rigid, compliant), Rt = constant<T>(options.sigma) * w;
    row.numbers.x[kBias] = -at.distance / (step + tau);
    row.numbers.x[kNormal] = one / Rn;
    row.numbers.x[kTangential] = one / Rt;
    row.numbers.x[kMu] = material.friction;
    row.numbers.x[kSliding] = one / (Rn + material.friction * material.friction * Rt);
    return row;
  }

  const bool is_hertz = options.elasticity == Elasticity::hertz;
  const T d = options.dissipation == Dissipation::hunt_crossley ? material.dissipation : zero;
  const T overlap = maximum(-at.distance, zero);
  T elastic;
  if (is_hertz) {
    elastic = k * overlap * square_root(select(overlap > zero, overlap, one));
    const T damped = select(d > zero, one / select(d > zero, d, one), constant<T>(kNeverBreaks));
    row.numbers.x[kJ0] = -at.distance;
    row.numbers.x[kSlope] = step * k;
    row.numbers.x[kBreak] = minimum(-at.distance / step, damped);
  } else {
    const T damping = options.dissipation == Dissipation::kelvin_voigt ? k * material.relaxation_time : zero;
    // The law at the start of the step. At a distance Kelvin-Voigt acts on what comes faster than phi0/tau.
    elastic = maximum(-k * at.distance - damping * at.vn0, zero);
    row.numbers.x[kJ0] = -step * k * at.distance;
    row.numbers.x[kSlope] = step * (step * k + damping);
    row.numbers.x[kBreak] = linear_break_velocity(row.numbers.x[kJ0], row.numbers.x[kSlope], d);
  }
  row.numbers.x[kHuntCrossley] = d;
  const T n0 = step * elastic * maximum(one - d * at.vn0, zero);
  const T regularised = constant<T>(options.sigma) * w * material.friction * n0;
  const bool softens = options.law == LawKind::icf_lagged;
  row.numbers.x[kEpsilon] =
      softens ? maximum(constant<T>(options.v_s), regularised) : constant<T>(options.v_s);
  row.numbers.x[kFriction] = options.law == LawKind::icf_similar ? material.friction : material.friction * n0;
  return row;
}

}  // namespace stiction
