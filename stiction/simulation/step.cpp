#include "stiction/simulation/step.h"

#include <cmath>

#include "stiction/multibody/passive_forces.h"

namespace stiction {

namespace {

void begin(const State& now, const Input& input, double h, StepRecord* r) {
  r->h = h;
  r->report = {};
  r->report.time = now.time;
  if (input.joint_forces.size() > 0) {
    r->joint_forces = input.joint_forces;
  } else {
    r->joint_forces.setZero();
  }
  r->wrenches.assign(input.wrenches.begin(), input.wrenches.end());
  if (!input.prescribed.empty()) r->kinematics.prescribed = input.prescribed;
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
}

void check_finite(const Model& model, const State& next, StepReport* report) {
  if (next.q.allFinite() && next.v.allFinite()) return;
  report->status = StepStatus::not_finite;
  for (const Node& node : model.forest.nodes) {
    if (next.q.segment(node.q_begin, node.num_q).allFinite() &&
        next.v.segment(node.v_begin, node.num_v).allFinite())
      continue;
    report->dof = node.v_begin;
    return;
  }
}

}  // namespace

StepReport step(const Model& model, const State& now, const Input& input, double h, const Formulation& f,
                StepRecord* r, State* next) {
  begin(now, input, h, r);
  // Where is everything, and what pushes on it?
  compute_kinematics(model, now, r);
  compute_forces(model, now, r);
  // How does it move if nothing touches?      A (v - v_free) = J' gamma
  f.scheme->free_motion(model, now, r);
  if (!r->report.ok()) return r->report;
  r->v_next = r->v_free;
  // Move and check.
  f.scheme->advance(model, now, *r, next);
  next->time = now.time + h;
  check_finite(model, *next, &r->report);
  return r->report;
}

}  // namespace stiction
