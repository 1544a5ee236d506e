#pragma once
// What changes from step to step, and what comes from outside.

#include <cstdint>
#include <vector>

#include "stiction/multibody/inverse_dynamics.h"
#include "stiction/simulation/model.h"

namespace stiction {

struct State {
  double time = 0.0;  // s
  VecX q, v;

  State() = default;
  // The model's initial positions, at rest.
  explicit State(const Model& model);
};

// Equal states have equal hashes, bit for bit; -0 and 0 differ.
std::uint64_t hash(const State& state);

// Everything that acts on a model during one step. Empty vectors mean nothing acts.
struct Input {
  VecX joint_forces;                 // N m or N by velocity
  std::vector<BodyWrench> wrenches;  // on bodies, at points in the world
  std::vector<PrescribedMotion>
      prescribed;  // of the kinematic bodies, in the order of Forest::kinematic_bodies
};

// Throws UserError where sizes do not fit the model or a number is not finite.
void check_input(const Model& model, const Input& input);

}  // namespace stiction
