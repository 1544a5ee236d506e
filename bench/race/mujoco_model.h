#pragma once
// MuJoCo's models and data with an owner, and its states in our coordinates.

#include <filesystem>
#include <memory>

#include "stiction/simulation/state.h"

// As mujoco.h declares them.
struct mjModel_;
struct mjData_;

namespace stiction::race {

struct DeleteMujoco {
  void operator()(mjModel_* model) const;
  void operator()(mjData_* data) const;
};
using MujocoModel = std::unique_ptr<mjModel_, DeleteMujoco>;
using MujocoData = std::unique_ptr<mjData_, DeleteMujoco>;

// Throw UserError with what MuJoCo says.
MujocoModel load_mujoco(const std::filesystem::path& file);
MujocoModel compile_mujoco(const Model& model);  // our model, as MJCF

// MuJoCo's positions and velocities as ours: bodies and their joints come in the same order on both sides.
State state_from_mujoco(const Model& model, const mjModel_* theirs, const mjData_* data);

}  // namespace stiction::race
