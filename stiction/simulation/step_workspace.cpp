#include "stiction/simulation/step_workspace.h"

#include <algorithm>

#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/scheme/geometric/stepper.h"

namespace stiction {
namespace {

int largest_tree_block(const Forest& forest) {
  int size = 0;
  for (const Tree& tree : forest.trees) size = std::max(size, tree.num_v() * TreeBlocks::stride(tree));
  return size;
}

}  // namespace

SchemeWorkspace::SchemeWorkspace(const Model& model)
    : theta_kinematics(model.forest),
      theta_derivatives(model.forest),
      q_theta(VecX::Zero(model.num_q())),
      v_theta(VecX::Zero(model.num_v())),
      acceleration(VecX::Zero(model.num_v())),
      force(VecX::Zero(model.num_v())),
      step(VecX::Zero(model.num_v())),
      lu(largest_tree_block(model.forest)),
      pivots(model.forest.max_tree_v),
      actuation(*model.tables().actuation, model.num_v()),
      group_step(VecX::Zero(model.num_v())) {
  rows.set_trees(model.tables().trees, model.tables().branches);
}

StepWorkspace::StepWorkspace(const Model& model)
    : node_forces(model.forest), collision(*model.tables().collision), scheme(model) {}

StepWorkspace::~StepWorkspace() = default;
StepWorkspace::StepWorkspace(StepWorkspace&&) noexcept = default;
StepWorkspace& StepWorkspace::operator=(StepWorkspace&&) noexcept = default;

}  // namespace stiction
