#include "stiction/simulation/contact_energy.h"

#include <algorithm>
#include <cmath>

#include "stiction/constraint/contact_rows.h"
#include "stiction/contact/law/compliant_laws.h"
#include "stiction/contact/residual.h"
#include "stiction/simulation/collision/pressure_pairs.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/scheme/geometric/layers.h"
#include "stiction/simulation/step.h"

namespace stiction {
namespace {

Vec3 normal_of(const ContactProblem& problem, int point) {
  return Eigen::Map<const Vec3>(problem.frames[static_cast<std::size_t>(point)].n);
}

// c*, R and mu of a point that has the numbers of sap.
RigidParameters<double> projected_row(const LawParameters<double>& stored) {
  const auto sap = SapParameters<double>::from(stored);
  return {sap.reference, 1.0 / sap.normal, 1.0 / sap.tangential, sap.mu};
}

bool slip_opens(const ContactProblem& problem) {
  return with_compliant_law(problem.law, problem.elasticity,
                            [](auto chosen) { return decltype(chosen)::kSlipOpens; });
}

// The integral of f from a to b by Lobatto's formula with four points; `size` gets that of |f|. With both ends, so
// that no corner of f is overlooked.
template <class Force>
double lobatto(const Force& f, double a, double b, double* size) {
  constexpr double kOut = 0.44721359549995794;  // 1/sqrt(5)
  const double centre = 0.5 * (a + b), half = 0.5 * (b - a);
  const double ends[] = {f(a), f(b)}, inner[] = {f(centre - kOut * half), f(centre + kOut * half)};
  *size =
      half / 6.0 * (std::abs(ends[0]) + std::abs(ends[1]) + 5.0 * (std::abs(inner[0]) + std::abs(inner[1])));
  return half / 6.0 * (ends[0] + ends[1] + 5.0 * (inner[0] + inner[1]));
}

// By halves until these agree with the whole to round-off: where a force bends (a point opens, a table has a corner)
// a few of the halves are halved on.
template <class Force>
double integral(const Force& f, double a, double b, double whole, double slack, int halvings) {
  double size = 0.0;
  const double middle = 0.5 * (a + b);
  const double left = lobatto(f, a, middle, &size), right = lobatto(f, middle, b, &size);
  if (halvings == 0 || !(std::abs(left + right - whole) > slack)) return left + right;
  --halvings;
  return integral(f, a, middle, left, slack, halvings) + integral(f, middle, b, right, slack, halvings);
}

}  // namespace

bool stores_contact_energy(const ContactOptions& options) {
  switch (law_row(options.law).family) {
    case LawFamily::compliant:
      return true;
    case LawFamily::rigid:
      return options.rigid.material_compliance;
    case LawFamily::geometric:
      break;
  }
  return options.law == LawKind::geometric_quasi_rigid;
}

ContactSpring::ContactSpring(const StepRecord& r, const ContactOptions& options, std::size_t pair, int k) {
  if (!stores_contact_energy(options) || is_geometric(options.law)) return;
  const ContactProblem& problem = r.contact.problem;
  const PairMaterial& material = r.contact.materials[pair];
  const ShapePair& of = r.collision.pairs[pair];
  const ContactPoint point = r.collision.contact(of, of.begin + k);
  place_ = r.contact.places[pair].begin + k;
  distance_ = point.distance;
  if (is_rigid(options.law)) {
    set_rigid(r, options, material, point.weight);
    return;
  }
  const LawParameters<double> parameters = problem.parameters_at(place_);
  const double tau = material.relaxation_time < 0.0 ? r.h : material.relaxation_time;
  if (problem.law == LawKind::sap) {
    // R_n = 1/(h k (h + tau)), unless the near-rigid rule has raised it.
    is_sap_ = true;
    row_ = projected_row(parameters);
    relaxation_time_ = tau;
    stiffness_ = 1.0 / (row_.normal_compliance * r.h * (r.h + tau));
    return;
  }
  const auto p = IcfParameters<double>::from(parameters);
  d_ = p.d;
  kind_ = problem.elasticity;
  if (kind_ == Elasticity::table && material.table >= 0 && p.slope < 0.0) {
    stiffness_ = -p.slope;
    table_ = problem.tables->data() + material.table;
    return;
  }
  if (kind_ == Elasticity::table) kind_ = Elasticity::linear;
  if (kind_ == Elasticity::linear) {
    stiffness_ = of.has_patch ? r.collision.pressure_points[static_cast<std::size_t>(of.begin + k)].stiffness
                              : point.weight * material.stiffness;
    // slope = h (h k + D).
    if (stiffness_ > 0.0 && p.slope > r.h * r.h * stiffness_ * (1.0 + 1e-12)) relaxation_time_ = tau;
  } else if (kind_ == Elasticity::hertz) {
    stiffness_ = point.weight * material.hertz_stiffness;
  } else if (p.slope < 0.0) {  // overlaps
    kind_ = Elasticity::linear;
    zero_ = material.barrier_distance;
    stiffness_ = -p.slope / (r.h * r.h);
  } else {
    stiffness_ = p.slope;
    barrier_distance_ = material.barrier_distance;
  }
}

// With the spring of the steps without a rebound, which has a compliance of its own.
void ContactSpring::set_rigid(const StepRecord& r, const ContactOptions& options,
                              const PairMaterial& material, double weight) {
  const SolverForm solver = solver_form(options);
  const double k = weight * material.stiffness;
  if (!(k > 0.0) || has_mujoco_law(solver, material.mujoco.is_given)) return;
  const ContactProblem& problem = r.contact.problem;
  const double tau = material.relaxation_time < 0.0 ? r.h : material.relaxation_time;
  const double least = least_compliance(options, solver) * problem.inverse_masses[place_];
  const double delay = r.h + tau, compliance = std::max(least, 1.0 / (r.h * k * delay));
  const LawParameters<double> stored = problem.parameters_at(place_);
  row_ = solver.works_on_velocities ? projected_row(stored) : RigidParameters<double>::from(stored);
  if (!(row_.normal_compliance > 0.0)) return;  // an impact on what does not give way
  is_rigid_ = true;
  slip_opens_ = options.law == LawKind::convex_cone;
  rebounds_ = material.restitution > 0.0 && row_.reference > -distance_ / delay;
  relaxation_time_ = tau;
  stiffness_ = 1.0 / (compliance * r.h * delay);
}

ElasticForce<double> ContactSpring::spring_at(double distance) const {
  if (table_ == nullptr) return elastic_force(kind_, stiffness_, barrier_distance_, distance - zero_);
  const TableForce<double> at = table_force<double>(table_, 0.0, -distance);
  return {stiffness_ * at.F, stiffness_ * at.f, -stiffness_ * at.slope};
}

double ContactSpring::energy(double distance) const {
  if (!is_elastic()) return 0.0;
  return spring_at(distance).energy;
}

double ContactSpring::work(double from, double to) const {
  if (!is_elastic()) return 0.0;
  constexpr int kMostHalvings = 50;
  const auto force = [&](double distance) { return spring_at(distance).force; };
  const double low = std::min(from, to), high = std::max(from, to);
  double size = 0.0;
  const double whole = lobatto(force, low, high, &size);
  const double sum = integral(force, low, high, whole, 1e-15 * size, kMostHalvings);
  return to > from ? sum : -sum;
}

double ContactSpring::velocity(const StepRecord& r, const VecX& v) const {
  const ContactProblem& problem = r.contact.problem;
  const double vn = normal_of(problem, place_).dot(point_velocity(problem, place_, v));
  if (has_reference()) {
    const double gn = law_impulse(r, v);
    return gn > 0.0 ? row_.reference - gn * row_.normal_compliance : vn;
  }
  if (!slip_opens(problem)) return vn;
  const auto p = IcfParameters<double>::from(problem.parameters_at(place_));
  return similar_velocity(p.friction, p.eps, vn, law_slip(problem, place_, v).squaredNorm());
}

NormalForce ContactSpring::force(const StepRecord& r, const VecX& v) const {
  if (!is_elastic()) return {};
  const double h = r.h, z = velocity(r, v), phi = distance_ + h * z;
  const ElasticForce<double> spring = spring_at(phi);
  if (has_reference()) {
    const double gn = law_impulse(r, v);
    if (!(gn > 0.0)) return {spring.force, -spring.force};
    if (rebounds_) return {spring.force, gn / h - spring.force};
  }
  if (relaxation_time_ > 0.0) {
    const double all = stiffness_ * (zero_ - phi - relaxation_time_ * z);
    return {spring.force, std::max(all, 0.0) - spring.force};
  }
  if (!(1.0 - d_ * z > 0.0)) return {spring.force, -spring.force};
  const double floor = kBarrierFloor * barrier_distance_, u = (floor - distance_) / h;
  if (!is_barrier(kind_) || z >= u) return {spring.force, -d_ * z * spring.force};
  // The tangent of h f (1 - d z) at u.
  const ElasticForce<double> at = elastic_force(kind_, stiffness_, barrier_distance_, floor);
  return {spring.force, -d_ * (z * at.force + h * at.slope * u * (z - u))};
}

// Sticking or sliding as under sap (law/sap.h); R_t may be zero.
double ContactSpring::rigid_impulse(double vn, double slip) const {
  const double closing = row_.reference - vn, Rn = row_.normal_compliance, Rt = row_.tangential_compliance;
  const double mu = slip_opens_ ? row_.friction : 0.0;
  if (slip * Rn < mu * closing * Rt) return closing / Rn;
  return std::max(0.0, closing + mu * slip) / (Rn + mu * mu * Rt);
}

double ContactSpring::law_impulse(const StepRecord& r, const VecX& v) const {
  const ContactProblem& problem = r.contact.problem;
  if (!is_elastic()) return 0.0;
  const double vn = normal_of(problem, place_).dot(point_velocity(problem, place_, v));
  const double slip2 = law_slip(problem, place_, v).squaredNorm();
  return is_rigid_ ? rigid_impulse(vn, std::sqrt(slip2)) : law_value(problem, place_, vn, slip2).gn;
}

double contact_energy(const Model& model, const StepRecord& r, const Formulation& f) {
  if (f.contact.law == LawKind::geometric_quasi_rigid) return layer_energy(model, f.geometric, r);
  double energy = 0.0;
  for_each_point(r, [&](std::size_t pair, int k) {
    const ShapePair& of = r.collision.pairs[pair];
    if (of.has_patch) return;
    energy += ContactSpring(r, f.contact, pair, k).energy(r.collision.contact(of, of.begin + k).distance);
  });
  return energy + pressure_energy(*model.tables().collision, r.collision);
}

}  // namespace stiction
