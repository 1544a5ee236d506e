#pragma once
// From one point of contact to the numbers its law reads.
//
//   k = weight x stiffness of the pair, fe0 = -k phi0, n0 = h fe0+ (1 - d vn0)+
//   eps = max(v_s, sigma w mu n0)  (icf_lagged, I eq. 26; the other icf laws: v_s)
//   sap: R_n = max(beta^2 w/(4 pi^2), 1/(h k (h + tau))),  R_t = sigma w,  vhat = -phi0/(h + tau)   (S 29,
//   30)
//
// w is the root-mean-square of the 3x3 diagonal block of the Delassus operator (S section V-B), vn0 the
// normal velocity at the start of the step. Templated on the real type: derivatives with respect to distance,
// velocity and material run through the same text.

#include <algorithm>

#include "stiction/contact/law/icf.h"
#include "stiction/contact/law/sap.h"

namespace stiction {

// How contact is modelled, the same for all points of a problem.
struct ContactOptions {
  LawKind law = LawKind::icf_lagged;
  Elasticity elasticity = Elasticity::linear;
  Dissipation dissipation = Dissipation::hunt_crossley;  // of the icf laws
  double v_s = 1e-4;                                     // m/s, stiction tolerance
  double sigma = 1e-3;  // share of w: tangential regularisation of sap, and of icf_lagged in impacts
  double beta = 1.0;    // near-rigid rule of sap
};

template <class T>
struct PointState {
  T distance;  // m, phi0
  T weight;    // share of the pair's stiffness
  T vn0;       // m/s
};

template <class T>
struct PointMaterial {
  T stiffness;        // N/m; for Hertz N/m^(3/2)
  T dissipation;      // s/m
  T relaxation_time;  // s
  T friction;
};

template <class T>
struct PointRow {
  LawNumbers<T> numbers;
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
