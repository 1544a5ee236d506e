#include "stiction/simulation/contact_energy.h"

#include <algorithm>
#include <cmath>

#include "stiction/contact/law/compliant_laws.h"
#include "stiction/contact/residual.h"
#include "stiction/simulation/collision/pressure_pairs.h"
#include "stiction/simulation/model_tables.h"

namespace stiction {
namespace {

Vec3 normal_of(const ContactProblem& problem, int point) {
  return Eigen::Map<const Vec3>(problem.frames[static_cast<std::size_t>(point)].n);
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

ContactSpring::ContactSpring(const StepRecord& r, std::size_t pair, int k) {
  const ContactProblem& problem = r.contact.problem;
  if (law_row(problem.law).family != LawFamily::compliant) return;
  const PairMaterial& material = r.contact.materials[pair];
  const ShapePair& of = r.collision.pairs[pair];
  const ContactPoint point = r.collision.contact(of, of.begin + k);
  place_ = r.contact.places[pair].begin + k;
  distance_ = point.distance;
  const LawParameters<double> parameters = problem.parameters_at(place_);
  const double tau = material.relaxation_time < 0.0 ? r.h : material.relaxation_time;
  if (problem.law == LawKind::sap) {
    // R_n = 1/(h k (h + tau)), unless the near-rigid rule has raised it.
    relaxation_time_ = tau;
    stiffness_ = SapParameters<double>::from(parameters).normal / (r.h * (r.h + tau));
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
  const LawParameters<double> parameters = problem.parameters_at(place_);
  const double vn = normal_of(problem, place_).dot(point_velocity(problem, place_, v));
  if (problem.law == LawKind::sap) {
    const auto sap = SapParameters<double>::from(parameters);
    const double gn = law_impulse(r, v);
    return gn > 0.0 ? sap.reference - gn / sap.normal : vn;
  }
  if (!slip_opens(problem)) return vn;
  const auto p = IcfParameters<double>::from(parameters);
  return similar_velocity(p.friction, p.eps, vn, law_slip(problem, place_, v).squaredNorm());
}

NormalForce ContactSpring::force(const StepRecord& r, const VecX& v) const {
  if (!is_elastic()) return {};
  const double h = r.h, z = velocity(r, v), phi = distance_ + h * z;
  const ElasticForce<double> spring = spring_at(phi);
  if (r.contact.problem.law == LawKind::sap && !(law_impulse(r, v) > 0.0))
    return {spring.force, -spring.force};
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

double ContactSpring::law_impulse(const StepRecord& r, const VecX& v) const {
  const ContactProblem& problem = r.contact.problem;
  if (!is_elastic()) return 0.0;
  const double vn = normal_of(problem, place_).dot(point_velocity(problem, place_, v));
  return law_value(problem, place_, vn, law_slip(problem, place_, v).squaredNorm()).gn;
}

double contact_energy(const Model& model, const StepRecord& r) {
  double energy = 0.0;
  for_each_point(r, [&](std::size_t pair, int k) {
    const ShapePair& of = r.collision.pairs[pair];
    if (of.has_patch) return;
    energy += ContactSpring(r, pair, k).energy(r.collision.contact(of, of.begin + k).distance);
  });
  return energy + pressure_energy(*model.tables().collision, r.collision);
}

}  // namespace stiction
