#include "stiction/simulation/step_record.h"

#include "stiction/base/format.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/state.h"

namespace stiction {

StepRecord::StepRecord(const Model& model)
    : q_start(VecX::Zero(model.num_q())),
      v_start(VecX::Zero(model.num_v())),
      joint_forces(VecX::Zero(model.num_v())),
      kinematics(model.forest),
      bias(VecX::Zero(model.num_v())),
      applied(VecX::Zero(model.num_v())),
      passive(VecX::Zero(model.num_v())),
      actuation(*model.tables().actuation, model.num_v()),
      body_forces(model.forest),
      collision(*model.tables().collision),
      mass(model.forest),
      added_diagonal(VecX::Zero(model.num_v())),
      v_free(VecX::Zero(model.num_v())),
      v_next(VecX::Zero(model.num_v())) {
  contact.problem.set_trees(model.tables().trees, model.tables().branches);
  constraints.owners.reserve(static_cast<std::size_t>(model.tables().constraints->most_rows()));
}

void report_contact(const Model& model, StepRecord* r) {
  r->report.contact = r->contact.solution.report;
  const SolveStatus status = r->report.contact.status;
  if (is_solved(status)) return;
  r->report.status =
      status == SolveStatus::not_finite ? StepStatus::not_finite : StepStatus::contact_not_converged;
  r->report.dof = model.forest.trees[r->report.contact.worst_tree].v_begin;
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

std::string describe(const Model& model, const StepReport& report) {
  if (report.status == StepStatus::done) return format("done in {} iterations", report.iterations);
  std::string where = format("model '{}' at t = {} s", model.name, report.time);
  if (report.dof >= 0) {
    const Node& node = model.forest.nodes[model.forest.dofs[report.dof].node];
    const JointIndices& place = model.forest.joints[node.joint];
    where += format(", body '{}', joint '{}'", model.forest.bodies[place.body].name,
                    model.forest.joint(node.joint).name);
  }
  switch (report.status) {
    case StepStatus::not_converged:
      return format("{}: the free motion is accurate to {} after {} iterations only; a smaller step helps",
                    where, report.residual, report.iterations);
    case StepStatus::contact_not_converged:
      return format("{}: contact {} with a residual of {} after {} iterations", where,
                    name_of(report.contact.status), report.contact.residual, report.contact.iterations);
    case StepStatus::not_positive_definite:
      return format("{}: the mass matrix is not positive definite there", where);
    case StepStatus::not_finite:
      return format("{}: the motion is not finite; a smaller step or an implicit scheme may help", where);
    default:
      return where;
  }
}

}  // namespace stiction
