#include "stiction/simulation/step_record.h"

#include <utility>

#include "stiction/base/format.h"

namespace stiction {

namespace {

int largest_tree_block(const Forest& forest) {
  int size = 0;
  for (const Tree& tree : forest.trees) size = std::max(size, tree.num_v() * TreeBlocks::stride(tree));
  return size;
}

}  // namespace

StepRecord::StepRecord(const Model& model) : StepRecord(model, make_collision_model(model)) {}

StepRecord::StepRecord(const Model& model, std::shared_ptr<const CollisionModel> collision_model)
    : joint_forces(VecX::Zero(model.num_v())),
      kinematics(model.forest),
      node_forces(model.forest),
      bias(VecX::Zero(model.num_v())),
      applied(VecX::Zero(model.num_v())),
      passive(VecX::Zero(model.num_v())),
      actuation(std::make_shared<const ActuationModel>(model), model.num_v()),
      body_forces(std::make_shared<const BodyForcesModel>(model), model.forest),
      collision(std::move(collision_model)),
      mass(model.forest),
      added_diagonal(VecX::Zero(model.num_v())),
      v_free(VecX::Zero(model.num_v())),
      contact(make_contact_model(model, *collision.model), model, *collision.model),
      constraints(std::make_shared<const ConstraintModel>(model, *actuation.model)),
      v_next(VecX::Zero(model.num_v())),
      theta_kinematics(model.forest),
      theta_derivatives(model.forest),
      q_theta(VecX::Zero(model.num_q())),
      v_theta(VecX::Zero(model.num_v())),
      acceleration(VecX::Zero(model.num_v())),
      force(VecX::Zero(model.num_v())),
      step(VecX::Zero(model.num_v())),
      lu(largest_tree_block(model.forest)),
      pivots(model.forest.max_tree_v) {}

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
