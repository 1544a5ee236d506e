#include "stiction/simulation/constraint_energy.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "stiction/constraint/row_laws.h"
#include "stiction/math/rotation.h"
#include "stiction/multibody/jacobian.h"
#include "stiction/simulation/model_tables.h"

namespace stiction {
namespace {

bool has_spring(const RowCompliance& compliance) { return !compliance.is_rigid(); }

// Where the constraints of a state are.
struct Places {
  const Kinematics& kinematics;
  const std::vector<double>& tendon_lengths;
  const VecX& q;
};

// One row of a constraint: phi, and the direction along or about which it takes the velocity of A relative to B.
struct Violation {
  int component = 0;
  double phi = 0.0;
  bool is_limit = false;
  Vec3 along = Vec3::Zero(), about = Vec3::Zero();
};
struct Violations {
  std::array<Violation, 6> rows;
  int count = 0;
  void add(const Violation& row) { rows[count++] = row; }
};

void find_violations(const Coupling& coupling, const Places& at, Violations* out) {
  const auto position = [&](int q, int tendon) {
    return coupling.of_tendons ? at.tendon_lengths[tendon] : at.q[q];
  };
  const double x = coupling.second < 0 ? 0.0 : position(coupling.q2, coupling.second) - coupling.reference2;
  const double apart = position(coupling.q1, coupling.first) - coupling.reference1;
  out->add({.phi = apart - coupling.at(x).value});
}

void find_violations(const Ball& ball, const Places& at, Violations* out) {
  const Vec3 apart = pose_of(at.kinematics, ball.a).p - pose_of(at.kinematics, ball.b).p;
  for (int i = 0; i < 3; ++i) out->add({.component = i, .phi = apart[i], .along = Vec3::Unit(i)});
}

void find_violations(const Weld& weld, const Places& at, Violations* out) {
  const Pose X_A = pose_of(at.kinematics, weld.a), X_B = pose_of(at.kinematics, weld.b);
  const Vec3 apart = X_A.p - X_B.p,
             rotation = quaternion_log<double>(quaternion_from_rotation(X_A.R * X_B.R.transpose()));
  for (int i = 0; i < 3; ++i) out->add({.component = i, .phi = apart[i], .along = Vec3::Unit(i)});
  for (int i = 0; i < 3; ++i) out->add({.component = 3 + i, .phi = rotation[i], .about = Vec3::Unit(i)});
}

void find_violations(const Distance& distance, const Places& at, Violations* out) {
  const Vec3 apart = pose_of(at.kinematics, distance.a).p - pose_of(at.kinematics, distance.b).p;
  const double length = apart.norm();
  const Vec3 axis = length > 0.0 ? Vec3(apart / length) : Vec3(Vec3::Zero());
  if (distance.is_rod()) return out->add({.phi = length - distance.upper, .along = axis});
  out->add({.phi = distance.upper - length, .is_limit = true, .along = -axis});
  if (distance.lower > 0.0)
    out->add({.component = 1, .phi = length - distance.lower, .is_limit = true, .along = axis});
}

void find_violations(const Slot& slot, const Places& at, Violations* out) {
  const Pose X_B = pose_of(at.kinematics, slot.b);
  const Vec3 r = X_B.R.transpose() * (pose_of(at.kinematics, slot.a).p - X_B.p), x_B = X_B.R.col(0);
  for (int i = 0; i < 2; ++i) out->add({.component = i, .phi = r[1 + i], .along = X_B.R.col(1 + i)});
  if (std::isfinite(slot.upper))
    out->add({.component = 2, .phi = slot.upper - r[0], .is_limit = true, .along = -x_B});
  if (std::isfinite(slot.lower))
    out->add({.component = 3, .phi = r[0] - slot.lower, .is_limit = true, .along = x_B});
}

// Bushings have an entry of their own, supports no springs.
void find_violations(const BushingSprings&, const Places&, Violations*) {}
void find_violations(const Support&, const Places&, Violations*) {}

// Of a constraint that has a compliance.
Violations violations_of(const Constraint& constraint, const Places& at) {
  Violations out;
  const LoopClosure* closure = constraint.loop_closure();
  if (!has_spring(constraint.compliance) || (closure != nullptr && closure->is_within_one_node())) return out;
  std::visit([&](const auto& what) { find_violations(what, at, &out); }, constraint.what);
  return out;
}

// The rate of a row that prescribed motions make.
double outside_rate(const Forest& forest, const Kinematics& bases, const LoopClosure& closure,
                    const Violation& row) {
  const Vec3 a = pose_of(bases, closure.a).p, b = pose_of(bases, closure.b).p;
  const int body_A = closure.a.body, body_B = closure.b.body;
  const Vec3 v = point_velocity(forest, bases, body_A, closure.acts_at_second ? b : a) -
                 point_velocity(forest, bases, body_B, closure.acts_at_first ? a : b);
  const Vec6 V = body_velocity(forest, bases, body_A) - body_velocity(forest, bases, body_B);
  return row.along.dot(v) + row.about.dot(V.head<3>());
}

double gap(const TendonLimit& limit, int component, double length) {
  return component == 0 ? length - limit.lower : limit.upper - length;
}

RowSpring spring_of(const RowCompliance& compliance, double phi, bool is_limit, const RowLaw& law, double h) {
  RowSpring spring;
  spring.is_limit = is_limit;
  spring.stiffness = compliance.stiffness;
  spring.damping = compliance.damping;
  spring.phi = phi;
  // As constraint/row_laws.h writes the rows of springs; those of rigid rows are steeper or less steep.
  constexpr double kRoundOff = 1e-12;
  const double slope = h * (h * compliance.stiffness + compliance.damping);
  spring.acts = std::abs(law.slope - slope) <= kRoundOff * slope;
  return spring;
}

}  // namespace

double RowSpring::energy(double at) const {
  const double stretch = is_limit ? std::min(0.0, at) : at;
  return 0.5 * stiffness * stretch * stretch;
}

double RowSpring::work(double from, double to) const {
  if (is_limit) {
    from = std::min(0.0, from);
    to = std::min(0.0, to);
  }
  return -stiffness * 0.5 * (from + to) * (to - from);
}

RowSpring::Force RowSpring::force(double u, double h) const {
  if (!acts) return {};
  const double elastic = -stiffness * (phi + h * u), damping_force = -damping * u;
  if (!is_limit) return {elastic, damping_force};
  const double pushes = std::max(0.0, elastic);
  return {pushes, std::max(0.0, elastic + damping_force) - pushes};
}

std::optional<RowSpring> row_spring(const Model& model, const StepRecord& r, std::size_t row,
                                    const Kinematics& bases) {
  const ConstraintModel& constraints = *model.tables().constraints;
  const RowOwner& owner = r.constraints.owners[row];
  const RowLaw& law = r.contact.problem.row_laws[row];
  if (owner.kind == RowKind::tendon_limit) {
    const auto limit = std::find_if(constraints.tendon_limits.begin(), constraints.tendon_limits.end(),
                                    [&](const TendonLimit& one) { return one.tendon == owner.index; });
    if (limit == constraints.tendon_limits.end() || !has_spring(limit->compliance)) return std::nullopt;
    const double phi = gap(*limit, owner.component, r.actuation.tendons[owner.index].length);
    return spring_of(limit->compliance, phi, true, law, r.h);
  }
  if (owner.kind != RowKind::constraint) return std::nullopt;
  const Constraint& constraint = constraints.constraints[owner.index];
  const Violations found =
      violations_of(constraint, {r.kinematics, r.actuation.transmissions.tendon_lengths, r.q_start});
  for (int i = 0; i < found.count; ++i) {
    const Violation& one = found.rows[i];
    if (one.component != owner.component) continue;
    RowSpring spring = spring_of(constraint.compliance, one.phi, one.is_limit, law, r.h);
    if (const LoopClosure* closure = constraint.loop_closure())
      spring.outside = outside_rate(model.forest, bases, *closure, one);
    return spring;
  }
  return std::nullopt;
}

double add_row_spring(const RowSpring& spring, double impulse, double u, double u_law, double h,
                      EnergyBooks* books) {
  const double phi_dot = u + spring.outside, there = spring.phi + h * phi_dot;
  const RowSpring::Force force = spring.force(u_law + spring.outside, h);
  (spring.is_limit ? books->numerical.limits : books->numerical.equalities) +=
      spring.work(spring.phi, there) - h * force.elastic * phi_dot;
  books->numerical.geometry += spring.energy(there) - spring.energy(spring.phi);
  if (!spring.acts) return impulse * u;
  (spring.is_limit ? books->dissipated.limit_dampers : books->dissipated.equality_dampers) -=
      h * force.damping * phi_dot;
  books->numerical.solver -= (impulse - h * (force.elastic + force.damping)) * phi_dot;
  books->work.prescribed_motion -= impulse * spring.outside;
  return 0.0;
}

void add_constraint_energies(const Model& model, const ConstraintSwitches& switches,
                             const Kinematics& kinematics, const std::vector<double>& tendon_lengths,
                             const VecX& q, Energies* e) {
  const ConstraintModel& constraints = *model.tables().constraints;
  const Places at = {kinematics, tendon_lengths, q};
  const auto add = [e](const RowCompliance& compliance, bool is_limit, double phi) {
    const double energy = RowSpring{.stiffness = compliance.stiffness, .is_limit = is_limit}.energy(phi);
    (is_limit ? e->limits : e->equalities) += energy;
  };
  for (std::size_t i = 0; i < constraints.constraints.size(); ++i) {
    const Constraint& constraint = constraints.constraints[i];
    if (!constraints.is_active(switches, i)) continue;
    const Violations found = violations_of(constraint, at);
    for (int k = 0; k < found.count; ++k)
      add(constraint.compliance, found.rows[k].is_limit, found.rows[k].phi);
  }
  for (const TendonLimit& limit : constraints.tendon_limits)
    for (const int component : {0, 1})
      add(limit.compliance, true, gap(limit, component, tendon_lengths[limit.tendon]));
}

}  // namespace stiction
