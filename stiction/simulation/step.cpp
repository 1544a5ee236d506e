#include "stiction/simulation/step.h"

#include <algorithm>
#include <cmath>

#include "stiction/multibody/passive_forces.h"
#include "stiction/simulation/actuation/adhesion.h"
#include "stiction/simulation/contact/assemble.h"
#include "stiction/simulation/certificate.h"
#include "stiction/simulation/collision/collision.h"
#include "stiction/simulation/constraint/constraint_rows.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/scheme/geometric/stepper.h"

namespace stiction {

namespace {

// How the problem with the points at the start of the step is posed.
ContactOptions posed_options(const Formulation& f) {
  return is_geometric(f.contact.law) ? explicit_options(f.contact) : f.contact;
}

const Scheme& scheme_of(const Formulation& f) {
  static const Scheme& geometrically_implicit = find_scheme("geometrically_implicit");
  return is_geometric(f.contact.law) ? geometrically_implicit : *f.scheme;
}

void begin(const Model& model, const State& now, const Input& input, double h, const Formulation& f,
           StepRecord* r) {
  r->h = h;
  r->report = {};
  r->report.time = now.time;
  if (input.joint_forces.size() > 0) {
    r->joint_forces = input.joint_forces;
  } else {
    r->joint_forces.setZero();
  }
  set_controls(input.controls, &r->actuation);
  r->wrenches.assign(input.wrenches.begin(), input.wrenches.end());
  set_prescribed(model.forest, input.prescribed, &r->kinematics);
  set_disabled(input.disabled_contacts, model, &r->collision);
  r->constraints.switches = input.constraints;
  choose_implicit_drives(scheme_of(f).theta(), r);
  set_surface_velocities(input.surface_velocities, model, *r->collision.model, &r->contact);
  r->collision.sliding_gap_time = sliding_gap_time(*r->contact.model, f.contact, h);
  r->collision.spin_gap_time = spin_gap_time(*r->contact.model, f.contact, h);
  double fastest = 0.0;
  for (const Vec3& v : r->contact.surface_velocities) fastest = std::max(fastest, v.norm());
  r->collision.added_speed = fastest + r->contact.model->largest_friction * r->collision.model->gravity * h;
}

void compute_kinematics(const Model& model, const State& now, StepRecord* r) {
  compute_positions(model.forest, now.q.data(), &r->kinematics);
  compute_velocities(model.forest, now.v.data(), &r->kinematics);
}

void compute_forces(const Model& model, const State& now, StepRecord* r) {
  compute_bias(model.forest, r->kinematics, &r->node_forces, r->bias.data());
  r->applied = r->joint_forces;
  for (const BodyWrench& w : r->wrenches)
    add_wrench(model.forest, r->kinematics, w.body, w.p_W, w.wrench, r->applied.data());
  r->passive.setZero();
  add_spring_forces(model.forest, now.q.data(), r->passive.data());
  add_damping_forces(model.forest, now.v.data(), r->passive.data());
  compute_tendon_forces(r->kinematics, now.q.data(), now.v.data(), &r->actuation);
  r->passive += r->actuation.tendon_forces;
  compute_body_forces(model.forest, r->kinematics, &r->body_forces);
  add_body_forces(*r->actuation.model, r->body_forces, r->passive.data());
  compute_actuator_forces(now.v.data(), now.activations, r->h, r->body_forces.gravity_compensation.data(),
                          &r->actuation);
  r->applied += r->actuation.joint_forces;
}

void solve_contact(const Model& model, const State& now, const Formulation& f, StepRecord* r) {
  ContactRecord& c = r->contact;
  const ContactOptions posed = posed_options(f);
  if (solves_primal(posed)) {
    c.solver.solve(c.problem, f.newton, &c.solution);
  } else {
    recall(now.memory, r);
    c.rigid_solver.solve(c.problem, solver_of(posed), f.dual, c.guess, &c.solution);
  }
  if (is_geometric(f.contact.law)) {
    // That was the guess, and stays where this does not succeed.
    if (!r->geometric_stepper) r->geometric_stepper = std::make_shared<GeometricStepper>();
    r->geometric_stepper->solve(model, now, f, r);
  }
  r->report.contact = c.solution.report;
  const SolveStatus status = c.solution.report.status;
  if (is_solved(status)) return;
  r->report.status =
      status == SolveStatus::not_finite ? StepStatus::not_finite : StepStatus::contact_not_converged;
  r->report.dof = model.forest.trees[c.solution.report.worst_tree].v_begin;
}

void check_finite(const Model& model, const State& next, StepReport* report) {
  if (next.q.allFinite() && next.v.allFinite() && next.activations.allFinite()) return;
  report->status = StepStatus::not_finite;
  for (const Node& node : model.forest.nodes) {
    if (next.q.segment(node.q_begin, node.num_q).allFinite() &&
        next.v.segment(node.v_begin, node.num_v).allFinite())
      continue;
    report->dof = node.v_begin;
    return;
  }
}

// Gives the time since the last stage to one that ends.
class StageClock {
 public:
  StageClock(bool is_on, StageTimers* timers)
      : timers_(is_on ? timers : nullptr), last_(is_on ? steady_seconds() : 0.0) {}
  void ends(StepStage stage) {
    if (timers_ == nullptr) return;
    const double now = steady_seconds();
    timers_->add(stage, now - last_);
    last_ = now;
  }

 private:
  StageTimers* timers_;
  double last_;  // s
};

// One step, or a part of one that is taken in halves.
StepReport take_step(const Model& model, const State& now, const Input& input, double h, const Formulation& f,
                     StepRecord* r, State* next) {
  const Scheme& scheme = scheme_of(f);
  begin(model, now, input, h, f, r);
  StageClock clock(f.times_stages, &r->timers);
  // Where is everything, and what pushes on it?
  compute_kinematics(model, now, r);
  clock.ends(kKinematics);
  compute_forces(model, now, r);
  clock.ends(kForces);
  // What touches?
  if (f.finds_contacts) {
    find_pairs(model, r);
    find_contacts(model, r);
    add_adhesion(model, r);
  } else {
    clear_contacts(&r->collision);
  }
  clock.ends(kCollision);
  // How does it move if nothing touches?      A (v - v_free) = J' gamma
  scheme.free_motion(model, now, r);
  clock.ends(kFreeMotion);
  if (!r->report.ok()) return r->report;
  // Pose the contact problem and solve it.
  add_constraint_rows(model, now, f.constraints, scheme.theta(), r);
  assemble_problem(model, now, posed_options(f), r);
  clock.ends(kAssemble);
  solve_contact(model, now, f, r);
  clock.ends(kSolve);
  if (f.certifies)
    r->report.certificate = std::make_shared<const Certificate>(certify(model, *r, posed_options(f)));
  if (!r->report.ok()) return r->report;
  r->v_next = r->contact.solution.v;
  report_drives(r);
  // Move and check.
  scheme.advance(model, now, *r, next);
  next->activations = Eigen::Map<const VecX>(r->actuation.next_activations.data(), now.activations.size());
  next->last_acceleration = now.acceleration;
  next->acceleration = (next->v - now.v) / h;
  next->time = now.time + h;
  next->memory.points.clear();
  next->memory.rows.clear();
  next->memory.deflections.clear();
  if (!solves_primal(posed_options(f))) remember(*r, &next->memory);
  if (is_geometric(f.contact.law)) r->geometric_stepper->remember(*r, &next->memory);
  check_finite(model, *next, &r->report);
  clock.ends(kAdvance);
  return r->report;
}

// Of both halves of a step: the worst status, all iterations.
void add_first_half(const StepReport& half, StepReport* report) {
  report->time = half.time;
  SolveReport& contact = report->contact;
  if (half.contact.status > contact.status) {
    contact.status = half.contact.status;
    contact.worst_tree = half.contact.worst_tree;
  }
  contact.islands = std::max(contact.islands, half.contact.islands);
  contact.iterations = std::max(contact.iterations, half.contact.iterations);
  contact.total_iterations += half.contact.total_iterations;
  contact.factorisations += half.contact.factorisations;
  contact.line_evaluations += half.contact.line_evaluations;
  contact.products += half.contact.products;
  contact.dropped_stabilisation += half.contact.dropped_stabilisation;
  contact.residual = std::max(contact.residual, half.contact.residual);
  add_to_report(half.geometric, &report->geometric);
  ++report->geometric.halvings;
}

// Two halves in place of a step whose geometric problem was not solved, and so on.
StepReport step_in_halves(const Model& model, const State& now, const Input& input, double h,
                          const Formulation& f, int halvings, StepRecord* r, State* next) {
  StepReport report = take_step(model, now, input, h, f, r, next);
  if (!report.geometric.may_be_halved() || !report.ok() || halvings == 0) return report;
  State middle = now;
  StepReport half = step_in_halves(model, now, input, 0.5 * h, f, halvings - 1, r, &middle);
  if (!half.ok()) return half;
  // Prescribed motions go on.
  Input later = input;
  for (PrescribedMotion& motion : later.prescribed) motion.X_WB = pose_after(motion, 0.5 * h);
  report = step_in_halves(model, middle, later, 0.5 * h, f, halvings - 1, r, next);
  add_first_half(half, &report);
  r->report = report;
  return report;
}

}  // namespace

StepReport step(const Model& model, const State& now, const Input& input, double h, const Formulation& f,
                StepRecord* r, State* next) {
  if (!is_geometric(f.contact.law)) return take_step(model, now, input, h, f, r, next);
  return step_in_halves(model, now, input, h, f, f.geometric.most_halvings, r, next);
}

}  // namespace stiction
