// Longer than other files: the terms of one balance stand together, so that whoever changes one sees the others.
#include "stiction/simulation/energy_audit.h"

#include <array>
#include <cmath>

#include "stiction/constraint/row_laws.h"
#include "stiction/contact/residual.h"
#include "stiction/multibody/jacobian.h"
#include "stiction/multibody/passive_forces.h"
#include "stiction/multibody/positions.h"
#include "stiction/simulation/collision/pressure_pairs.h"
#include "stiction/simulation/constraint_energy.h"
#include "stiction/simulation/contact/surface_velocity.h"
#include "stiction/simulation/contact_energy.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/output/contact_forces.h"
#include "stiction/simulation/scheme/geometric/layers.h"
#include "stiction/simulation/scheme/semi_implicit_euler.h"
#include "stiction/simulation/scheme/theta_method.h"

namespace stiction {
namespace {

// Gauss-Legendre on [0, 1].
struct GaussPoint {
  double s, weight;
};
constexpr std::array<GaussPoint, 6> kGauss = {{{0.033765242898423975, 0.08566224618958517},
                                               {0.16939530676686776, 0.18038078652406930},
                                               {0.38069040695840156, 0.23395696728634552},
                                               {0.61930959304159844, 0.23395696728634552},
                                               {0.83060469323313224, 0.18038078652406930},
                                               {0.96623475710157603, 0.08566224618958517}}};

Vec3 vec3(const double* p) { return Vec3(p[0], p[1], p[2]); }

// (angular, linear) at p_W of B relative to A.
Vec6 relative_velocity(const Forest& forest, const Kinematics& k, int body_A, const Vec3& p_A, int body_B,
                       const Vec3& p_B) {
  const Vec3 w = body_velocity(forest, k, body_B).head<3>() - body_velocity(forest, k, body_A).head<3>();
  const Vec3 v = point_velocity(forest, k, body_B, p_B) - point_velocity(forest, k, body_A, p_A);
  return stack<double>(w, v);
}

void set_kinematics(const Forest& forest, const std::vector<PrescribedMotion>& from, double t, const VecX& q,
                    const VecX& v, Kinematics* k) {
  move_prescribed(from, t, &k->prescribed);
  compute_positions(forest, q.data(), k);
  compute_velocities(forest, v.data(), k);
}

// Of a row of the problem: J v.
double rate(const ContactProblem& problem, std::size_t row, const VecX& v) {
  double sum = 0.0;
  for (int p = problem.rows[row].part_begin; p < problem.rows[row].part_end; ++p) {
    const RowPart& part = problem.row_parts[p];
    for (int e = part.begin; e < part.end; ++e)
      sum += problem.row_values[e] * v[problem.trees[part.tree].v_begin + problem.row_dofs[e]];
  }
  return sum;
}

// Power of the impulses of a contact problem at v, as the problem itself has them.
double power(const StepRecord& r, const VecX& v) {
  const ContactProblem& problem = r.contact.problem;
  const ContactSolution& solution = r.contact.solution;
  const VecX none = VecX::Zero(v.size());
  double sum = 0.0;
  for (const Patch& patch : problem.patches) {
    for (int p = patch.begin; p < patch.end; ++p) {
      const Vec3 impulse = vec3(solution.impulses.data() + 4 * p);
      sum += impulse.dot(point_velocity(problem, p, v) - point_velocity(problem, p, none));
      if (solution.moments.empty()) continue;
      const Vec3 moment = vec3(solution.moments.data() + 4 * p);
      sum += moment.dot(point_angular_velocity(problem, p, v) - point_angular_velocity(problem, p, none));
    }
  }
  for (std::size_t row = 0; row < problem.rows.size(); ++row)
    sum += solution.row_impulses[row] * rate(problem, row, v);
  return sum;
}

// normal: what the bodies give along the normal, -p u_n. Returns by how much the energy of the layers has changed.
double add_layers(const GeometricContact& contact, double normal, const PairLayers& layers, double h,
                  EnergyBooks* books) {
  const LayerWork work = layer_work(layers, contact, h);
  books->dissipated.contact_normal += work.core;
  books->dissipated.contact_friction -= work.sheared;  // slip is less than u_t
  books->dissipated.layer_dampers += work.damper;
  books->numerical.contacts += work.spring + work.closing;
  books->numerical.geometry += normal - work.pressed - work.closing;
  books->numerical.solver += work.beside;
  return work.after - work.before;
}

}  // namespace

// One part of a step.
struct EnergyAudit::Span {
  const StepRecord& r;
  const VecX& q;  // at the end
  const Input& input;
  StepTheta theta;
  VecX v_q;      // moves the positions
  VecX v_there;  // at which dampers act
  double h;

  Span(const StepRecord& record, const VecX& q_end, const Input& in, const StepTheta& at)
      : r(record),
        q(q_end),
        input(in),
        theta(at),
        v_q(at.theta_vq * record.v_next + (1.0 - at.theta_vq) * record.v_start),
        v_there(at.theta * record.v_next + (1.0 - at.theta) * record.v_start),
        h(record.h) {}
  bool is_semi_implicit() const { return theta.theta > 0.0 && !theta.is_iterated; }
};

EnergyAudit::EnergyAudit(const Model& model)
    : model_(model),
      weightless_(model.forest),
      posed_(model),
      work_(model),
      kinematics_(model.forest),
      moving_(model.forest),
      resting_(model.forest),
      transmissions_(model.tables().actuation->transmissions),
      derivatives_(model.forest),
      mass_(model.forest),
      node_forces_(model.forest),
      gravity_(VecX::Zero(model.num_v())) {
  weightless_.gravity.setZero();
}

double EnergyAudit::contact_energy_at(const State& state, const Input& input, double h,
                                      const Formulation& f) {
  if (!f.finds_contacts || !stores_contact_energy(f.contact)) return 0.0;
  Formulation posed = f;
  posed.times_stages = false;
  pose_step(scheme_of(f), model_, state, input, h, posed, &posed_, &work_);
  return contact_energy(model_, posed_, f);
}

Energies EnergyAudit::energies(const State& state, const Input& input, double h, const Formulation& f) {
  Energies e = stiction::energies(model_, state, input);
  e.contacts = contact_energy_at(state, input, h, f);
  return e;
}

Energies EnergyAudit::energies_at(const Kinematics& kinematics, const VecX& q, const VecX& v,
                                  const Input& input) {
  model_.tables().actuation->transmissions.compute(kinematics, q.data(), &transmissions_);
  return stiction::energies(model_, input.constraints, kinematics, transmissions_.tendon_lengths, q, v);
}

EnergyBooks EnergyAudit::audit(const StepRecord& record, const State& after, const Input& input,
                               const Formulation& f) {
  const StepTheta theta = scheme_of(f).theta();
  EnergyBooks books;
  const std::size_t count = std::max<std::size_t>(1, record.parts.size());
  for (std::size_t i = 0; i < count; ++i) {
    const StepRecord& part = record.parts.empty() ? record : record.parts[i];
    const bool is_last = i + 1 == count;
    const Span span(part, is_last ? after.q : record.parts[i + 1].q_start, input, theta);
    if (i == 0) {
      books.before = energies_at(part.kinematics, part.q_start, part.v_start, input);
      books.before.contacts = contact_energy(model_, part, f);
    }
    add_part(span, &books);
    const double moved = add_contacts(span, f, &books);
    double found = 0.0;
    if (is_last) {
      Input later = input;
      if (!later.prescribed.empty()) move_prescribed(part.kinematics.prescribed, part.h, &later.prescribed);
      found = contact_energy_at(after, later, part.h, f);
      set_kinematics(model_.forest, part.kinematics.prescribed, part.h, after.q, after.v, &kinematics_);
      books.after = energies_at(kinematics_, after.q, after.v, input);
      books.after.contacts = found;
    } else {
      found = contact_energy(model_, record.parts[i + 1], f);
    }
    books.numerical.geometry += moved - found;
  }
  // add_rows has how much these would have changed to first order.
  books.numerical.geometry -= books.after.equalities - books.before.equalities;
  books.numerical.geometry -= books.after.limits - books.before.limits;
  return books;
}

// Everything but contacts.
void EnergyAudit::add_part(const Span& s, EnergyBooks* books) {
  const Forest& forest = model_.forest;
  const StepRecord& r = s.r;
  const ActuationModel& actuation = *model_.tables().actuation;
  const double h = s.h;
  const auto power_of = [&](const VecX& force) { return h * force.dot(s.v_q); };

  // q^, and the velocity at which the scheme takes the Coriolis forces.
  VecX q_mass = r.q_start, v_mass = r.v_start;
  if (s.theta.is_iterated) {
    const VecX along = s.theta.theta_vq * r.v_free + (1.0 - s.theta.theta_vq) * r.v_start;
    integrate_positions(forest, r.q_start.data(), along.data(), s.theta.theta * h, q_mass.data());
    v_mass = s.theta.theta * r.v_free + (1.0 - s.theta.theta) * r.v_start;
  }
  const double t_mass = s.theta.is_iterated ? s.theta.theta * h : 0.0;

  // Gravity and Coriolis forces.
  std::vector<PrescribedMotion> still = r.kinematics.prescribed;
  move_prescribed(r.kinematics.prescribed, t_mass, &still);
  for (PrescribedMotion& motion : still) motion.V = motion.A = Vec6::Zero();
  set_kinematics(forest, still, 0.0, q_mass, VecX::Zero(forest.num_v), &resting_);
  compute_bias(forest, resting_, &node_forces_, gravity_.data());
  gravity_ = -gravity_;
  // On a base at rest: what its motion does is in add_base.
  set_kinematics(weightless_, still, 0.0, q_mass, v_mass, &kinematics_);
  VecX coriolis = VecX::Zero(forest.num_v);
  compute_bias(weightless_, kinematics_, &node_forces_, coriolis.data());

  // Momentum.
  compute_mass_matrix(forest, kinematics_, &mass_);
  VecX v_begin = r.v_start;
  if (s.is_semi_implicit()) {
    turn_free_bodies(forest, r.kinematics, h, &v_begin);
    for (const Tree& tree : forest.trees)
      if (tree.is_free_body) coriolis.segment<3>(tree.v_begin).setZero();
  }
  const VecX dv = r.v_next - v_begin;
  VecX momentum = VecX::Zero(forest.num_v);
  multiply(forest, mass_, dv.data(), momentum.data());
  books->numerical.velocities += momentum.dot(s.v_q - 0.5 * (r.v_next + v_begin));
  books->numerical.inertia += power_of(coriolis) - change_of_inertia(q_mass, s.q, r.v_next, kinematics_) -
                              change_of_inertia(r.q_start, q_mass, r.v_start, kinematics_);

  // Springs and dampers of joints, as the scheme has them.
  VecX springs = VecX::Zero(forest.num_v);
  add_spring_forces(forest, q_mass.data(), springs.data());
  double damped = 0.0;
  for (int d = 0; d < forest.num_v; ++d) {
    const double from = s.theta.is_iterated ? r.v_free[d] : 0.0;
    springs[d] -= h * s.theta.theta * s.theta.theta_vq * forest.dofs[d].stiffness * (r.v_next[d] - from);
    damped += h * forest.dofs[d].damping * s.v_there[d] * s.v_q[d];
  }
  books->dissipated.joint_dampers += damped;

  // Applied forces, actuators that are no rows, forces on bodies.
  VecX applied = r.joint_forces;
  for (const BodyWrench& one : r.wrenches) {
    const Vec3 p_B = body_pose(forest, r.kinematics, one.body).inverse() * one.p_W;
    add_wrench(forest, kinematics_, one.body, body_pose(forest, kinematics_, one.body) * p_B, one.wrench,
               applied.data());
  }
  books->work.applied += power_of(applied);
  books->work.actuators += power_of(r.actuation.joint_forces);
  books->work.fluid += power_of(r.body_forces.fluid);
  VecX compensation = r.body_forces.gravity_compensation;
  for (const int d : actuation.compensating_dofs) compensation[d] = 0.0;
  books->work.gravity_compensation += power_of(compensation);
  double tendons = 0.0, bushings = 0.0;
  for (const int t : actuation.elastic_tendons) {
    const TendonRecord& tendon = r.actuation.tendons[t];
    if (tendon.is_implicit) continue;
    const double damping = tendon.damping * tendon.velocity;
    const double u = r.actuation.transmissions.tendon_rows.dot(t, s.v_q.data());
    books->dissipated.tendon_dampers += h * damping * u;
    tendons += h * (tendon.force + damping) * u;
  }
  add_rows(s, books, &tendons, &bushings);
  add_base(s, books);

  // Potentials along the path, less what the forces of the step did.
  books->numerical.gravity -= power_of(gravity_);
  books->numerical.springs -= power_of(springs);
  books->numerical.tendons -= tendons;
  books->numerical.bushings -= bushings;
  add_path(s, books);
}

void EnergyAudit::add_rows(const Span& s, EnergyBooks* books, double* tendons, double* bushings) {
  const StepRecord& r = s.r;
  const ContactProblem& problem = r.contact.problem;
  const ConstraintModel& constraints = *model_.tables().constraints;
  // The rate of phi has a part from prescribed motions; resting_ has velocities of zero and no prescribed ones.
  set_kinematics(model_.forest, r.kinematics.prescribed, 0.0, r.q_start, VecX::Zero(model_.num_v()),
                 &moving_);
  for (std::size_t row = 0; row < r.constraints.owners.size(); ++row) {
    const RowOwner& owner = r.constraints.owners[row];
    const RowLaw& law = problem.row_laws[row];
    const double contact = r.contact.solution.row_impulses[row];
    const double impulse = r.constraints.free_impulse(row) + contact;
    const double u = rate(problem, row, s.v_q), there = rate(problem, row, s.v_there);
    // Without what is that of a spring.
    const auto rigid_work = [&] {
      const std::optional<RowSpring> spring = row_spring(model_, r, row, moving_);
      if (!spring) return impulse * u;
      return add_row_spring(*spring, impulse, u, rate(problem, row, r.v_next), s.h, books);
    };
    switch (owner.kind) {
      case RowKind::limit:
      case RowKind::tendon_limit:
        books->work.limits += rigid_work();
        break;
      case RowKind::friction:
      case RowKind::tendon_friction:
        books->dissipated.joint_friction -= impulse * u;
        break;
      case RowKind::lock:
        books->work.equalities += impulse * u;
        break;
      case RowKind::tendon_spring: {
        const double damped = s.h * r.actuation.tendons[owner.index].damping * there * u;
        books->dissipated.tendon_dampers += damped;
        *tendons += impulse * u + damped;
        break;
      }
      case RowKind::actuator: {
        const bool is_free = contact > law.lower && contact < law.upper;
        const double damped = is_free ? s.h * r.actuation.actuators[owner.index].damping * there * u : 0.0;
        books->dissipated.drive_damping += damped;
        books->work.actuators += impulse * u + damped;
        break;
      }
      case RowKind::constraint: {
        const auto& what = constraints.constraints[owner.index].what;
        if (std::holds_alternative<Support>(what)) {
          const double outside = -law.offset / law.slope;  // the plane's own motion
          books->dissipated.support_friction -= impulse * (u + outside);
          books->work.prescribed_motion -= impulse * outside;
          break;
        }
        const auto* bushing = std::get_if<BushingSprings>(&what);
        if (bushing == nullptr) {
          (is_limit(law) ? books->work.limits : books->work.equalities) += rigid_work();
          break;
        }
        const RowCompliance& spring = bushing->springs[owner.component];
        const Pose X_A = pose_of(moving_, bushing->a), X_B = pose_of(moving_, bushing->b);
        const auto velocity = [&](const AttachedFrame& frame, const Pose& X) {
          return stack<double>(Vec3(body_velocity(model_.forest, moving_, frame.body).head<3>()),
                               point_velocity(model_.forest, moving_, frame.body, X.p));
        };
        const double outside =
            deflection_rate(X_A, X_B, velocity(bushing->a, X_A), velocity(bushing->b, X_B))[owner.component];
        // Stiffer than the step allows: both constants are scaled.
        const double given = s.h * (s.h * spring.stiffness + spring.damping);
        const double share = s.theta.is_iterated ? 1.0 : law.slope / given;
        const double damped = s.h * share * spring.damping * (there + outside) * (u + outside);
        books->dissipated.bushing_dampers += damped;
        books->work.prescribed_motion -= impulse * outside;
        *bushings += impulse * (u + outside) + damped;
        break;
      }
    }
  }
}

// The integrals of the forces of potentials along the path of the step.
void EnergyAudit::add_path(const Span& s, EnergyBooks* books) {
  const Forest& forest = model_.forest;
  const ActuationModel& actuation = *model_.tables().actuation;
  const ConstraintModel& constraints = *model_.tables().constraints;
  VecX q = s.r.q_start, force(forest.num_v);
  for (const GaussPoint& point : kGauss) {
    const double h = s.h * point.weight, t = s.h * point.s;
    integrate_positions(forest, s.r.q_start.data(), s.v_q.data(), t, q.data());
    set_kinematics(forest, s.r.kinematics.prescribed, t, q, s.v_q, &moving_);
    books->numerical.gravity += h * forest.gravity.dot(totals(forest, moving_).momentum);
    force.setZero();
    add_spring_forces(forest, q.data(), force.data());
    books->numerical.springs += h * force.dot(s.v_q);
    if (!actuation.elastic_tendons.empty()) {
      actuation.transmissions.compute(moving_, q.data(), &transmissions_);
      for (const int i : actuation.elastic_tendons) {
        const TendonLaw& law = actuation.tendons[i];
        const double length = transmissions_.tendon_lengths[i];
        const double stretch = length - std::clamp(length, law.shortest, law.longest);
        books->numerical.tendons -=
            h * law.stiffness * stretch * transmissions_.tendon_rows.dot(i, s.v_q.data());
      }
    }
    for_each_bushing(constraints, s.input.constraints, [&](const BushingSprings& bushing) {
      const Pose X_A = pose_of(moving_, bushing.a), X_B = pose_of(moving_, bushing.b);
      const auto velocity = [&](const AttachedFrame& frame, const Pose& X) {
        return stack<double>(Vec3(body_velocity(forest, moving_, frame.body).head<3>()),
                             point_velocity(forest, moving_, frame.body, X.p));
      };
      const Vec6 phi = deflection(X_A, X_B);
      const Vec6 change = deflection_rate(X_A, X_B, velocity(bushing.a, X_A), velocity(bushing.b, X_B));
      for (int i = 0; i < 6; ++i)
        books->numerical.bushings -= h * bushing.springs[i].stiffness * phi[i] * change[i];
    });
  }
}

// 1/2 v' M v at the end of a path less that at its start: the integral of 1/2 v' (dM/ds) v, from the derivative of
// inverse dynamics M vdot at rest by q.
double EnergyAudit::change_of_inertia(const VecX& from, const VecX& to, const VecX& v,
                                      const Kinematics& bases) {
  const Forest& forest = weightless_;
  VecX along(forest.num_v), q = from;
  position_difference(forest, from.data(), to.data(), 1.0, along.data());
  if (along.isZero(0.0)) return 0.0;
  std::vector<PrescribedMotion> still = bases.prescribed;
  for (PrescribedMotion& motion : still) motion.V = motion.A = Vec6::Zero();
  const VecX rest = VecX::Zero(forest.num_v);
  double sum = 0.0;
  for (const GaussPoint& point : kGauss) {
    integrate_positions(forest, from.data(), along.data(), point.s, q.data());
    set_kinematics(forest, still, 0.0, q, rest, &moving_);
    inverse_dynamics_derivatives(forest, moving_, v.data(), &derivatives_);
    for (std::size_t t = 0; t < forest.trees.size(); ++t) {
      const Tree& tree = forest.trees[t];
      const TreeBlock dq = derivatives_.dq.block(forest, static_cast<int>(t));
      sum += 0.5 * point.weight *
             v.segment(tree.v_begin, tree.num_v()).dot(dq * along.segment(tree.v_begin, tree.num_v()));
    }
  }
  return sum;
}

// The force at the roots of trees on moving bases, times the velocity of the base.
void EnergyAudit::add_base(const Span& s, EnergyBooks* books) {
  const Forest& forest = model_.forest;
  bool moves = false;
  for (const PrescribedMotion& motion : s.r.kinematics.prescribed) moves = moves || !motion.V.isZero(0.0);
  if (!moves) return;
  const VecX vdot = (s.r.v_next - s.r.v_start) / s.h;
  VecX tau(forest.num_v);
  set_kinematics(forest, s.r.kinematics.prescribed, 0.0, s.r.q_start, s.r.v_start, &moving_);
  inverse_dynamics(forest, moving_, vdot.data(), &node_forces_, tau.data());
  for (std::size_t t = 0; t < forest.trees.size(); ++t) {
    const Tree& tree = forest.trees[t];
    if (tree.kinematic_base < 0) continue;
    const PrescribedMotion& base = moving_.prescribed[tree.kinematic_base];
    const Vec6 V = velocity_at(base, vec3(moving_.origins.data() + 4 * t));
    for (int n = tree.node_begin; n < tree.node_end; ++n) {
      if (forest.nodes[n].parent >= 0) continue;
      const double* f = node_forces_.forces.data() + 8 * n;
      books->work.prescribed_motion += s.h * (V.head<3>().dot(vec3(f)) + V.tail<3>().dot(vec3(f + 4)));
    }
  }
  // Gravity of the step on what the base carries along; add_path has that of the whole motion.
  set_kinematics(forest, s.r.kinematics.prescribed, 0.0, s.r.q_start, VecX::Zero(forest.num_v), &moving_);
  books->numerical.gravity -= s.h * forest.gravity.dot(totals(forest, moving_).momentum);
}

// Returns the elastic energy of the points moved to first order, and of the layers as the step left them.
double EnergyAudit::add_contacts(const Span& s, const Formulation& f, EnergyBooks* books) {
  const Forest& forest = model_.forest;
  const StepRecord& r = s.r;
  const double h = s.h;
  const VecX rest = VecX::Zero(forest.num_v);
  const auto is_geometric = [&](std::size_t pair) {
    return std::any_of(r.geometric_contacts.begin(), r.geometric_contacts.end(),
                       [&](const GeometricContact& c) { return c.pair == static_cast<int>(pair); });
  };
  const auto belt_of = [&](const ShapePair& pair) {
    const std::vector<Vec3>& velocities = r.contact.surface_velocities;
    return Vec3(surface_velocity(model_, r.collision, velocities, pair.item_B) -
                surface_velocity(model_, r.collision, velocities, pair.item_A));
  };
  // Work that the contact takes from what is outside, and what it takes in all, along the normal and by friction.
  const auto take = [&](const ShapePair& pair, const Vec3& n, const Vec6& moving, const Vec6& resting,
                        const Vec3& impulse, const Vec3& moment) {
    const Vec3 belt = belt_of(pair), v = moving.tail<3>() + belt;
    const double normal = -n.dot(impulse) * n.dot(v);
    const Vec3 tangential = impulse - n.dot(impulse) * n;
    books->work.belts -= impulse.dot(belt);
    books->work.prescribed_motion -= impulse.dot(resting.tail<3>()) + moment.dot(resting.head<3>());
    books->dissipated.contact_friction -= tangential.dot(v) + moment.dot(moving.head<3>());
    return normal;
  };

  set_kinematics(forest, r.kinematics.prescribed, 0.0, r.q_start, s.v_q, &moving_);
  set_kinematics(forest, r.kinematics.prescribed, 0.0, r.q_start, rest, &resting_);
  double moved = f.contact.law == LawKind::geometric_quasi_rigid
                     ? layer_energy(model_, f.geometric, r)
                     : pressure_energy(*model_.tables().collision, r.collision);
  for_each_point(r, [&](std::size_t k, int i) {
    if (is_geometric(k)) return;
    const ShapePair& pair = r.collision.pairs[k];
    const ContactPoint point = r.collision.contact(pair, pair.begin + i);
    const Vec3 p = point.p_A + 0.5 * point.distance * point.normal, n = point.normal;
    const Vec3 impulse = h * contact_force(r, static_cast<int>(k), i);
    const Vec3 moment = h * contact_moment(r, static_cast<int>(k), i);
    const Vec6 moving = relative_velocity(forest, moving_, pair.body_A, p, pair.body_B, p);
    const Vec6 resting = relative_velocity(forest, resting_, pair.body_A, p, pair.body_B, p);
    const double normal = take(pair, n, moving, resting, impulse, moment);
    const ContactSpring spring(r, f.contact, k, i);
    if (!spring.is_elastic()) {
      books->dissipated.contact_normal += normal;
      return;
    }
    const double vn_q = n.dot(moving.tail<3>() + belt_of(pair));
    const double gn = n.dot(impulse);
    const NormalForce force = spring.force(r, r.v_next);
    const double there = point.distance + h * vn_q;
    books->dissipated.contact_normal -= h * force.damping * vn_q;
    books->numerical.solver -= (gn - spring.law_impulse(r, r.v_next)) * vn_q;
    // The integral is that of the force, not a difference of energies: a potential that is not that of the force
    // must leave the books open.
    books->numerical.contacts += spring.work(point.distance, there) - h * force.elastic * vn_q;
    moved += spring.energy(there) - (pair.has_patch ? spring.energy(point.distance) : 0.0);
  });

  // Contacts with the geometry at the end of the step.
  if (!r.geometric_contacts.empty()) {
    set_kinematics(forest, r.kinematics.prescribed, h, s.q, s.v_q, &moving_);
    set_kinematics(forest, r.kinematics.prescribed, h, s.q, rest, &resting_);
    const bool has_layers = f.contact.law == LawKind::geometric_quasi_rigid;
    for (const GeometricContact& contact : r.geometric_contacts) {
      const ShapePair& pair = r.collision.pairs[contact.pair];
      const double normal =
          take(pair, contact.n,
               relative_velocity(forest, moving_, pair.body_A, contact.a_A, pair.body_B, contact.a_B),
               relative_velocity(forest, resting_, pair.body_A, contact.a_A, pair.body_B, contact.a_B),
               contact.impulse, contact.moment);
      if (has_layers)
        moved += add_layers(contact, normal, pair_layers(model_, f.geometric, r, contact.pair), h, books);
      else
        books->dissipated.contact_normal += normal;
    }
    return moved;
  }

  // What the solver left of the momentum.
  const VecX change = r.v_next - r.v_free;
  VecX momentum = VecX::Zero(forest.num_v);
  multiply(forest, r.mass, change.data(), momentum.data());
  momentum += r.added_diagonal.cwiseProduct(change);
  books->numerical.solver += power(r, s.v_q) - momentum.dot(s.v_q);
  return moved;
}

}  // namespace stiction
