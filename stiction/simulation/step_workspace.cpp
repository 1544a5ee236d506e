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

SchemeWorkspace::SchemeWorkspace(const Forest& forest)
    : theta_kinematics(forest),
      theta_derivatives(forest),
      q_theta(VecX::Zero(forest.num_q)),
      v_theta(VecX::Zero(forest.num_v)),
      acceleration(VecX::Zero(forest.num_v)),
      force(VecX::Zero(forest.num_v)),
      step(VecX::Zero(forest.num_v)),
      lu(largest_tree_block(forest)),
      pivots(forest.max_tree_v) {}

StepWorkspace::StepWorkspace(const Model& model)
    : node_forces(model.forest), collision(*model.tables().collision), scheme(model.forest) {}

StepWorkspace::~StepWorkspace() = default;
StepWorkspace::StepWorkspace(StepWorkspace&&) noexcept = default;
StepWorkspace& StepWorkspace::operator=(StepWorkspace&&) noexcept = default;

}  // namespace stiction
