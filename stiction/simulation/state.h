#pragma once
// What changes from step to step, and what comes from outside.

#include <cstdint>
#include <vector>

#include "stiction/multibody/inverse_dynamics.h"
#include "stiction/simulation/collision/collision_filter.h"
#include "stiction/simulation/constraint/constraint_record.h"
#include "stiction/simulation/contact/contact_memory.h"
#include "stiction/simulation/contact/contact_record.h"
#include "stiction/simulation/model/model.h"

namespace stiction {

// All that a step remembers: the compliant laws start from v or from where it was going, the rigid ones
// from v and the forces.
struct State {
  double time = 0.0;  // s
  VecX q, v;
  VecX activations;  // of the actuators that have one, in their order
  // How v changed in the last step and in the one before, over their lengths: zero before the first step.
  // The contact solver's guesses go on from them; may both be empty.
  VecX acceleration, last_acceleration;
  ContactMemory memory;

  State() = default;
  // The model's initial positions and velocities, activations zero.
  explicit State(const Model& model);
};

// Equal states have equal hashes, bit for bit; -0 and 0 differ.
std::uint64_t hash(const State& state);

// Everything that acts on a model during one step. Empty vectors mean nothing acts.
struct Input {
  VecX controls;                     // one per actuator; empty: zeros
  VecX joint_forces;                 // N m or N by velocity
  std::vector<BodyWrench> wrenches;  // on bodies, at points in the world
  // Of the kinematic bodies, in the order of Forest::kinematic_bodies; empty: they stand where the model put
  // them.
  std::vector<PrescribedMotion> prescribed;
  DisabledContacts disabled_contacts;
  ConstraintSwitches constraints;
  std::vector<SurfaceVelocity> surface_velocities;  // in place of the model's, for the shapes that are here
};

// The prescribed motions of an input, as the kinematics takes them.
void set_prescribed(const Forest& forest, const std::vector<PrescribedMotion>& prescribed,
                    Kinematics* kinematics);

// Throws UserError where sizes do not fit the model or a number is not finite.
void check_input(const Model& model, const Input& input);

}  // namespace stiction
