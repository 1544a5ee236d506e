#include "stiction/simulation/step.h"

#include <algorithm>
#include <cmath>

#include "stiction/contact/catalog.h"
#include "stiction/multibody/passive_forces.h"
#include "stiction/simulation/actuation/adhesion.h"
#include "stiction/simulation/certificate.h"
#include "stiction/simulation/collision/collision.h"
#include "stiction/simulation/constraint/constraint_rows.h"
#include "stiction/simulation/contact/assemble.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/simulated_time.h"

namespace stiction {
namespace {

void begin(const Model& model, const State& now, const Input& input, double h, StepRecord* r) {
  r->h = h;
  r->report = {};
  r->report.time = now.time;
  r->q_start = now.q;
  r->v_start = now.v;
  if (input.joint_forces.size() > 0)
    r->joint_forces = input.joint_forces;
  else
    r->joint_forces.setZero();
  r->wrenches.assign(input.wrenches.begin(), input.wrenches.end());
  r->deflections.assign(now.memory.deflections.begin(), now.memory.deflections.end());
  set_surface_velocities(model, input.surface_velocities, &r->contact.surface_velocities);
  r->parts.clear();
}

void compute_kinematics(const Model& model, const State& now, const Input& input, Kinematics* kinematics) {
  set_prescribed(model.forest, input.prescribed, kinematics);
  compute_positions(model.forest, now.q.data(), kinematics);
  compute_velocities(model.forest, now.v.data(), kinematics);
}

void compute_forces(const Model& model, const State& now, const Input& input, const StepTheta& theta,
                    StepRecord* r, StepWorkspace* w) {
  const ModelTables& tables = model.tables();
  const ActuationModel& actuation = *tables.actuation;
  compute_bias(model.forest, r->kinematics, &w->node_forces, r->bias.data());
  r->applied = r->joint_forces;
  for (const BodyWrench& wrench : r->wrenches)
    add_wrench(model.forest, r->kinematics, wrench.body, wrench.p_W, wrench.wrench, r->applied.data());
  r->passive.setZero();
  add_spring_forces(model.forest, now.q.data(), r->passive.data());
  add_damping_forces(model.forest, now.v.data(), r->passive.data());
  choose_implicit_drives(*tables.constraints, actuation, theta, &r->actuation);
  set_controls(actuation, input.controls, &r->actuation);
  compute_tendon_forces(actuation, r->kinematics, now.q.data(), now.v.data(), &r->actuation);
  r->passive += r->actuation.tendon_forces;
  compute_body_forces(model.forest, *tables.body_forces, r->kinematics, &w->node_wrenches, &r->body_forces);
  add_body_forces(*tables.body_forces, actuation, r->body_forces, r->passive.data());
  compute_actuator_forces(actuation, now.v.data(), now.activations, r->h,
                          r->body_forces.gravity_compensation.data(), &r->actuation, 0.0, now.time == 0.0);
  r->applied += r->actuation.joint_forces;
}

void find_touching(const Model& model, const Input& input, const Formulation& f, StepRecord* r,
                   CollisionWorkspace* w) {
  if (!f.finds_contacts) return clear_contacts(&r->collision);
  set_disabled(input.disabled_contacts, model, w);
  const SlidingGap gap = sliding_gap(*model.tables().contact, f.contact, r->contact.surface_velocities, r->h);
  find_pairs(model, r->kinematics, r->h, gap, &r->collision, w);
  find_contacts(model, r->h, gap, &r->collision, w);
  add_adhesion(model, r->kinematics, r->collision, &r->applied, &r->actuation);
}

void pose_problem(const Model& model, const State& now, const Input& input, const Formulation& f,
                  const Scheme& scheme, StepRecord* r, StepWorkspace* w) {
  const ModelTables& tables = model.tables();
  const ConstraintOptions options = tables.constraints->completed(f.constraints);
  const StepTheta at_start = {scheme.theta().theta, scheme.theta().theta_vq};
  const RowRecovery recovery = row_recovery(f.contact);
  const RowInputs rows = {model.forest, r->kinematics, r->mass, r->added_diagonal, now.q,   now.v,
                          r->v_free,    r->h,          options, at_start,          recovery};
  const SchemeWorkspace& at = w->scheme;
  const RowInputs rows_there = {model.forest,  at.theta_kinematics, r->mass,   r->added_diagonal,
                                at.q_theta,    at.v_theta,          r->v_free, r->h,
                                f.constraints, scheme.theta()};
  const ForceRowsThere there = {at.actuation, rows_there};
  add_constraint_rows(*tables.constraints, input.constraints, *tables.actuation, r->actuation, rows,
                      scheme.theta().is_iterated ? &there : nullptr, &w->locks, &r->contact.problem,
                      &r->constraints);
  assemble_problem(
      model, scheme.posed_contact(f.contact),
      {r->h, f.stiffness_step > 0.0 ? f.stiffness_step : r->h, now.v, now.acceleration, now.last_acceleration,
       r->kinematics, r->mass, r->added_diagonal, r->v_free, r->collision},
      &r->contact, &w->contact);
}

}  // namespace

StepReport step(const Model& model, const State& now, const Input& input, double h, const Formulation& f,
                StepRecord* r, StepWorkspace* w, State* next) {
  return scheme_of(f).step(model, now, input, h, f, r, w, next);
}

bool pose_step(const Scheme& scheme, const Model& model, const State& now, const Input& input, double h,
               const Formulation& f, StepRecord* r, StepWorkspace* w) {
  StageClock clock(f.times_stages ? &w->timers : nullptr);
  begin(model, now, input, h, r);
  // Where is everything, and which forces act on it?
  compute_kinematics(model, now, input, &r->kinematics);
  clock.ends(kKinematics);
  compute_forces(model, now, input, scheme.theta(), r, w);
  clock.ends(kForces);
  // What touches?
  find_touching(model, input, f, r, &w->collision);
  clock.ends(kCollision);
  // How does it move without contact?      A (v - v_free) = J' gamma
  scheme.free_motion(model, now, input, r, &w->scheme);
  clock.ends(kFreeMotion);
  if (!r->report.ok()) return false;
  pose_problem(model, now, input, f, scheme, r, w);
  clock.ends(kAssemble);
  return true;
}

StepReport single_step(const Scheme& scheme, const Model& model, const State& now, const Input& input,
                       double h, const Formulation& f, StepRecord* r, StepWorkspace* w, State* next) {
  // Pose the contact problem and solve it.
  if (!pose_step(scheme, model, now, input, h, f, r, w)) return r->report;
  StageClock clock(f.times_stages ? &w->timers : nullptr);
  scheme.solve_contact(model, now, f, r, w);
  report_contact(model, r);
  clock.ends(kSolve);
  if (f.certifies)
    r->report.certificate =
        certified(model, *r, scheme.posed_contact(f.contact), w->contact.solver, f.dual.pyramid);
  if (!r->report.ok()) return r->report;
  r->v_next = r->contact.solution.v;
  report_drives(r->constraints, r->contact.solution.row_impulses, h, &r->actuation);
  // Move, remember, check.
  scheme.advance(model, now, *r, next);
  next->activations = Eigen::Map<const VecX>(r->actuation.next_activations.data(), now.activations.size());
  next->last_acceleration = now.acceleration;
  next->acceleration = (next->v - now.v) / h;
  next->time = time_after(now.time, h);
  scheme.remember(f, *r, *w, &next->memory);
  check_finite(model, *next, &r->report);
  clock.ends(kAdvance);
  return r->report;
}

}  // namespace stiction
