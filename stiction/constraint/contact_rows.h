#pragma once
// Computes the parameters that a contact law reads at one contact point.
//
//   k   = weight x stiffness of the pair
//   fe0 = -k phi0
//   n0  = h fe0+ (1 - d vn0)+
//   eps = max(v_s, sigma w mu n0)    icf_lagged, icf_similar_regularised (I eq. 26 and XII-A); others: v_s
//
//   sap (S eqs. 29, 30):
//     R_n  = max(beta^2 w/(4 pi^2), 1/(h k (h + tau)))
//     R_t  = sigma w
//     vhat = -phi0/(h + tau)
//
//   barriers: kappa = weight x kappa of the pair, fe0 = f(phi0) (law/normal_force.h); a point that overlaps
//   takes the linear law with R_n of S eq. 29 (beta = 1) and its zero at dh,
//
//     s   = 4 pi^2/w
//     j0  = s (dh - phi0)/h
//
//   force tables (law/force_table.h): f(x) = weight x scale of the pair x table, of the overlap x = -phi
//
// A point of a pressure patch (geometry/field/pressure_patch.h) comes with its elastic force and stiffness
// (PressureState), n0 as above,
//
//   j0   = h fe0
//   vhat = fe0/(k (h + tau))                                                    sap
//   w    = w of the patch/share,   share = k/sum of k
//
// so that the R_t of all points of a patch together is sigma w, whatever their number.
//
// The rigid laws use RigidOptions. convex_cone under Newton's method has R_n and R_t by sap's near-rigid rule
// or, where the pair has MuJoCo's numbers, by law/mujoco_law.h; other pairs then have R = (1 - d)/d w with one
// impedance d. MuJoCo has no restitution: a pair that has both its numbers and a restitution e keeps the numbers,
// except in the step in which a point is met, which is that of an impact, r = margin - phi0:
//
//   vn0 < -restitution_speed  and  |r| < h |vn0|:        c* = -e vn0, if that is more than MuJoCo's vhat
//
// With r < 0 the surfaces meet in this step. With r > 0 they met since the last one, which was too early to see
// it. A point that has been pressed in for longer has MuJoCo's spring and damper, however fast it sinks.
//
// With RigidOptions::material_compliance the rigid laws take the spring k and the damper k tau of
// the material instead: R_n = 1/(h k (h + tau)), c* = -phi0/(h + tau). In the step of an impact that shall
// rebound (c* = -e vn0), R_n is at most kImpactCompliance w: a softer point would lose the rebound.
//
// w is the root-mean-square of the 3x3 diagonal block of the Delassus operator (S section V-B), vn0 the
// normal velocity at the start of the step. Templated on the real type, so that derivatives by distance,
// velocity and material come from the same code.

#include <algorithm>
#include <cmath>

#include "stiction/contact/law/icf.h"
#include "stiction/contact/law/mujoco_law.h"
#include "stiction/contact/law/rigid_laws.h"
#include "stiction/contact/law/sap.h"
#include "stiction/contact/options.h"

namespace stiction {

// Reduces the speed of penetration recovery where the bodies are hard to move: near a rotation axis a point
// hardly moves, and its body would have to spin fast. W_nn is the mobility along the normal, m the mass of
// the lighter body; for a free body pushed through its centre W_nn m = 1.
inline double recovery_share(double W_nn, double m) { return std::min(1.0, std::sqrt(W_nn * m)); }

template <class T>
struct PointState {
  T distance;                   // m, phi0
  T weight;                     // share of the pair's stiffness
  T vn0;                        // m/s
  double recovery_share = 1.0;  // factor of RigidOptions::fastest_recovery
};

// The state of a point whose force and stiffness are known.
template <class T>
struct PressureState {
  T force;      // N, fe0; negative: not in contact yet
  T stiffness;  // N/m, positive
  T vn0;        // m/s
};

template <class T>
struct PointMaterial {
  T stiffness;        // N/m; for Hertz N/m^(3/2), for the log barrier J
  T dissipation;      // s/m
  T relaxation_time;  // s
  T friction;
  T restitution{};
  T barrier_distance{};  // m, dh
  int table = -1;        // of the tables in use; -1: none
  T table_scale{};
  const ForceTable* tables = nullptr;
  const MujocoContact* mujoco = nullptr;  // null: the pair has no such numbers
};

// The stiffness of a pair or of a saved point in the unit of the law's elasticity.
template <class Numbers>
double elastic_constant(const ContactOptions& options, const Numbers& numbers) {
  if (!takes_elasticity(options.law)) return numbers.stiffness;
  switch (options.elasticity) {
    case Elasticity::linear:
    case Elasticity::table:
      break;
    case Elasticity::hertz:
      return numbers.hertz_stiffness;
    case Elasticity::log_barrier:
      return numbers.barrier_energy;
    case Elasticity::ipc_barrier:
      return numbers.barrier_stiffness;
  }
  return numbers.stiffness;
}

// Whether pairs with a force table have it under these options; otherwise their stiffness counts.
constexpr bool uses_tables(const ContactOptions& options) {
  return takes_force_table(options.law) && options.dissipation != Dissipation::kelvin_voigt &&
         (options.elasticity == Elasticity::linear || options.elasticity == Elasticity::table);
}

// Whether pressure fields count under these options; otherwise their shapes touch at points.
constexpr bool takes_pressure_fields(const ContactOptions& options) {
  return law_row(options.law).family == LawFamily::compliant &&
         (!takes_elasticity(options.law) || options.elasticity == Elasticity::linear ||
          options.elasticity == Elasticity::table);
}

template <class T>
struct PointRow {
  LawParameters<T> numbers;
  bool is_near_rigid = false;  // sap: S eq. 29 overrides the stiffness
  // The shares of the velocity at the start of the step, along the contact plane and about the axes, that the
  // law wants at its end (ContactProblem::slip_targets).
  double slip_kept = 0.0;
};

constexpr double kFourPiSquared = 39.47841760435743;

// R_n and R_t of a law that projects its impulses on the friction cone (law/sap.h).
template <class T>
SapParameters<T> sap_parameters(const T& reference, const T& Rn, const T& Rt, const T& mu) {
  const T one = constant<T>(1.0);
  return {reference, one / Rn, one / Rt, mu, one / (Rn + mu * mu * Rt)};
}

// Of w: R_n of a point that rebounds. The error of the restitution is about as large.
inline constexpr double kImpactCompliance = 1e-5;

// Whether a point has MuJoCo's law.
inline bool has_mujoco_law(const SolverForm& solver, bool has_numbers) {
  return solver.works_on_velocities && solver.regularisation == Regularisation::mujoco && has_numbers;
}

// The least R_n of a rigid law, as a share of w: Newton's method on velocities needs R > 0.
inline double least_compliance(const ContactOptions& options, const SolverForm& solver) {
  if (!solver.works_on_velocities) return 0.0;
  if (solver.regularisation == Regularisation::mujoco)
    return (1.0 - options.rigid.impedance) / options.rigid.impedance;
  return options.beta * options.beta / kFourPiSquared;
}

// Whether a point is met with MuJoCo's numbers and a restitution, as of the head of this file.
template <class T>
bool is_met(double h, const RigidOptions& rigid, const PointState<T>& at, const PointMaterial<T>& material) {
  const double r = material.mujoco->margin - detail::value_of(at.distance), vn0 = detail::value_of(at.vn0);
  return detail::value_of(material.restitution) > 0.0 && vn0 < -rigid.restitution_speed &&
         std::abs(r) < -h * vn0;
}

// MuJoCo's law of a point. Its numbers are those of a pair without restitution.
template <class T>
PointRow<T> mujoco_row(double h, const PointState<T>& at, const PointMaterial<T>& material) {
  const MujocoContact& numbers = *material.mujoco;
  const T zero = constant<T>(0.0), r = constant<T>(numbers.margin) - at.distance;
  const MujocoReference reference = mujoco::reference(numbers, numbers.solref, h);
  const MujocoReference along = numbers.solref_friction == std::array<double, 2>{}
                                    ? reference
                                    : mujoco::reference(numbers, numbers.solref_friction, h);
  if (!(r > zero)) return {SapParameters<T>{zero, zero, zero, material.friction, zero}.stored()};
  const mujoco::Impedance impedance = mujoco::impedance(numbers.solimp, detail::value_of(r));
  const T d = mujoco::carried(impedance.d, impedance.slope, r);
  const T Rn = (constant<T>(1.0) - d) / d * constant<T>(numbers.inverse_mass);
  const T wanted = constant<T>(1.0 - h * reference.b) * at.vn0 + constant<T>(h * reference.k) * d * r;
  PointRow<T> row = {
      sap_parameters<T>(wanted, Rn, Rn / constant<T>(numbers.impratio), material.friction).stored()};
  row.slip_kept = 1.0 - h * along.b;
  return row;
}

// The same in the step in which it is met: with the friction of the pairs without MuJoCo's numbers, because an
// impact is over sooner than the time constants of these.
template <class T>
PointRow<T> mujoco_row(const ContactOptions& options, const SolverForm& solver, double h,
                       const PointState<T>& at, const PointMaterial<T>& material, const T& w) {
  const PointRow<T> row = mujoco_row(h, at, material);
  if (!is_met(h, options.rigid, at, material)) return row;
  const auto pressed = SapParameters<T>::from(row.numbers);
  const T rebound = -material.restitution * at.vn0;
  if (pressed.normal > constant<T>(0.0) && !(rebound > pressed.reference)) return row;
  const T Rn = constant<T>(kImpactCompliance) * w, Rt = constant<T>(least_compliance(options, solver)) * w;
  return {sap_parameters<T>(rebound, Rn, Rt, material.friction).stored()};
}

template <class T>
PointRow<T> rigid_row(const ContactOptions& options, const SolverForm& solver, double h,
                      const PointState<T>& at, const PointMaterial<T>& material, const T& w) {
  const T zero = constant<T>(0.0), one = constant<T>(1.0), step = constant<T>(h);
  const RigidOptions& rigid = options.rigid;
  if (has_mujoco_law(solver, material.mujoco != nullptr))
    return mujoco_row(options, solver, h, at, material, w);
  const T restored = minimum(constant<T>(-rigid.penetration_recovery / h) * at.distance,
                             constant<T>(rigid.fastest_recovery * at.recovery_share));
  T reference = select(at.distance > zero, -at.distance / step, restored);
  T Rn = constant<T>(rigid.normal_compliance), Rt = constant<T>(rigid.tangential_compliance);
  const T k = at.weight * material.stiffness;
  const bool has_spring = rigid.material_compliance && k > zero;
  if (has_spring) {
    const T tau = material.relaxation_time;
    reference = -at.distance / (step + tau);
    Rn = one / (step * k * (step + tau));
  }
  const auto bounces = at.vn0 < constant<T>(-rigid.restitution_speed);
  const auto touches = at.distance + step * at.vn0 < zero;
  const T rebound = select(bounces, select(touches, -material.restitution * at.vn0, reference), reference);
  const bool rebounds = rebound > reference && material.restitution > zero;
  // What does not rebound has the spring and damper of its material alone, also in the step in which it is met.
  if (rebounds || !has_spring) reference = maximum(reference, rebound);
  if (!solver.works_on_velocities) {
    if (rebounds && rigid.material_compliance) Rn = minimum(Rn, constant<T>(kImpactCompliance) * w);
    return {RigidParameters<T>{reference, Rn, Rt, material.friction}.stored()};
  }
  const double share = least_compliance(options, solver);
  Rn = maximum(Rn, constant<T>(share) * w);
  Rt = maximum(Rt, constant<T>(solver.regularisation == Regularisation::mujoco ? share : options.sigma) * w);
  if (rebounds) Rn = minimum(Rn, constant<T>(kImpactCompliance) * w);
  return {sap_parameters(reference, Rn, Rt, material.friction).stored()};
}

template <class T>
PointRow<T> sap_row(const ContactOptions& options, double h, const PointState<T>& at,
                    const PointMaterial<T>& material, const T& w) {
  const T one = constant<T>(1.0), step = constant<T>(h);
  const T k = at.weight * material.stiffness;
  const T tau = material.relaxation_time;
  const T near_rigid = constant<T>(options.beta * options.beta / kFourPiSquared) * w;
  const T compliant = one / (step * k * (step + tau));
  const T Rn = maximum(near_rigid, compliant), Rt = constant<T>(options.sigma) * w;
  return {sap_parameters<T>(-at.distance / (step + tau), Rn, Rt, material.friction).stored(),
          near_rigid > compliant};
}

// j0, slope and v_break of a point under a barrier; returns the elastic force at the start of the step.
template <class T>
[[gnu::noinline]] T set_barrier_numbers(const ContactOptions& options, double h, const PointState<T>& at,
                                        const T& kappa, const T& dh, const T& d, const T& w,
                                        IcfParameters<T>* row) {
  const T step = constant<T>(h), zero = constant<T>(0.0);
  if (!(kappa > zero && dh > zero)) {
    row->j0 = row->slope = row->v_break = zero;
    return zero;
  }
  if (at.distance > constant<T>(kBarrierFloor) * dh) {
    row->j0 = at.distance;
    row->slope = kappa;
    row->v_break = dh;
    return elastic_force(options.elasticity, kappa, dh, at.distance).force;
  }
  const T s = constant<T>(kFourPiSquared) / w;
  row->j0 = s * (dh - at.distance) / step;
  row->slope = -s;
  row->v_break = linear_break_velocity(row->j0, s, d);
  return row->j0 / step;
}

// The same of a point with a force table.
template <class T>
T set_table_numbers(const PointMaterial<T>& material, const PointState<T>& at, IcfParameters<T>* row) {
  const T scale = at.weight * material.table_scale, index = constant<T>(material.table);
  const T overlap = -at.distance;
  row->j0 = overlap;
  row->slope = -scale;
  row->v_break = index;
  return scale * table_force<T>(material.tables, index, overlap).f;
}

// What the icf laws read of friction, from the elastic force at the start of the step.
template <class T>
[[gnu::always_inline]] inline void set_icf_friction(const ContactOptions& options, PointParameters point,
                                                    double h, const T& elastic, const T& vn0, const T& mu,
                                                    const T& w, IcfParameters<T>* row) {
  const T zero = constant<T>(0.0), one = constant<T>(1.0), step = constant<T>(h);
  const T n0 = step * elastic * maximum(one - row->d * vn0, zero);
  const T regularised = constant<T>(options.sigma) * w * mu * n0;
  const T v_s = constant<T>(options.v_s);
  row->eps = is_regularised(point) ? maximum(v_s, regularised) : v_s;
  row->friction = takes_mu(point) ? mu : mu * n0;
}

template <class T>
[[gnu::always_inline]] inline PointRow<T> icf_row(const ContactOptions& options, PointParameters point,
                                                  double h, const PointState<T>& at,
                                                  const PointMaterial<T>& material, const T& w) {
  const T zero = constant<T>(0.0), one = constant<T>(1.0), step = constant<T>(h);
  IcfParameters<T> row;
  const T k = at.weight * material.stiffness;
  const T d = options.dissipation == Dissipation::hunt_crossley ? material.dissipation : zero;
  T elastic;
  if (material.table >= 0 && uses_tables(options) && at.weight > zero) {
    elastic = set_table_numbers(material, at, &row);
  } else if (options.elasticity == Elasticity::linear || options.elasticity == Elasticity::table) {
    const T damping = options.dissipation == Dissipation::kelvin_voigt ? k * material.relaxation_time : zero;
    // The law at the start of the step. Before contact, Kelvin-Voigt acts on points that approach faster than
    // phi0/tau.
    elastic = maximum(-k * at.distance - damping * at.vn0, zero);
    row.j0 = -step * k * at.distance;
    row.slope = step * (step * k + damping);
    row.v_break = linear_break_velocity(row.j0, row.slope, d);
  } else if (options.elasticity == Elasticity::hertz) {
    const T overlap = maximum(-at.distance, zero);
    elastic = k * overlap * square_root(select(overlap > zero, overlap, one));
    const T damped = select(d > zero, one / select(d > zero, d, one), constant<T>(kNeverBreaks));
    row.j0 = -at.distance;
    row.slope = step * k;
    row.v_break = minimum(-at.distance / step, damped);
  } else {
    elastic = set_barrier_numbers(options, h, at, k, material.barrier_distance, d, w, &row);
  }
  row.d = d;
  set_icf_friction(options, point, h, elastic, at.vn0, material.friction, w, &row);
  return {row.stored()};
}

// solver: the one of the options, looked up once for all points.
template <class T>
[[gnu::always_inline]] inline PointRow<T> contact_row(const ContactOptions& options, const SolverForm& solver,
                                                      double h, const PointState<T>& at,
                                                      const PointMaterial<T>& material, const T& w) {
  const PointParameters point = law_row(options.law).point;
  switch (point) {
    case PointParameters::projected:
      return sap_row(options, h, at, material, w);
    case PointParameters::rigid:
      return rigid_row(options, solver, h, at, material, w);
    case PointParameters::lagged:
    case PointParameters::lagged_regularised:
    case PointParameters::with_mu:
    case PointParameters::with_mu_regularised:
      break;
  }
  return icf_row(options, point, h, at, material, w);
}

// A point of a pressure patch, under a law that takes_pressure_fields; w: of the point, with its share.
template <class T>
PointRow<T> contact_row(const ContactOptions& options, double h, const PressureState<T>& at,
                        const PointMaterial<T>& material, const T& w) {
  const T zero = constant<T>(0.0), one = constant<T>(1.0), step = constant<T>(h);
  const T tau = material.relaxation_time;
  const PointParameters point = law_row(options.law).point;
  if (point == PointParameters::projected) {
    const T near_rigid = constant<T>(options.beta * options.beta / kFourPiSquared) * w;
    const T compliant = one / (step * at.stiffness * (step + tau));
    const T Rn = maximum(near_rigid, compliant), Rt = constant<T>(options.sigma) * w;
    return {sap_parameters<T>(at.force / (at.stiffness * (step + tau)), Rn, Rt, material.friction).stored(),
            near_rigid > compliant};
  }
  const T damping = options.dissipation == Dissipation::kelvin_voigt ? at.stiffness * tau : zero;
  IcfParameters<T> row;
  row.d = options.dissipation == Dissipation::hunt_crossley ? material.dissipation : zero;
  row.j0 = step * at.force;
  row.slope = step * (step * at.stiffness + damping);
  row.v_break = linear_break_velocity(row.j0, row.slope, row.d);
  const T elastic = maximum(at.force - damping * at.vn0, zero);
  set_icf_friction(options, point, h, elastic, at.vn0, material.friction, w, &row);
  return {row.stored()};
}

template <class T>
PointRow<T> contact_row(const ContactOptions& options, double h, const PointState<T>& at,
                        const PointMaterial<T>& material, const T& w) {
  return contact_row(options, solver_form(options), h, at, material, w);
}

}  // namespace stiction
