#pragma once
// The state of a simulation, which changes from step to step, and the inputs from outside.

#include <cstdint>
#include <vector>

#include "stiction/multibody/inverse_dynamics.h"
#include "stiction/simulation/collision/collision_filter.h"
#include "stiction/simulation/constraint/constraint_record.h"
#include "stiction/simulation/contact/contact_memory.h"
#include "stiction/simulation/contact/contact_record.h"
#include "stiction/simulation/model/model.h"

namespace stiction {

// Everything that is carried from one step to the next.
struct State {
  double time = 0.0;  // s
  VecX q, v;
  VecX activations;  // of the actuators that have one, in their order
  // Change of v in the last step and in the one before it, divided by their lengths; zero before the first
  // step. The contact solvers extrapolate their initial guess from them. Both may be empty.
  VecX acceleration, last_acceleration;
  ContactMemory memory;

  State() = default;
  // The model's initial positions and velocities, activations zero.
  explicit State(const Model& model);
};

// Equal states, bit for bit, have equal hashes; -0 and 0 differ.
std::uint64_t hash(const State& state);

// Everything that acts on a model during one step. Empty vectors mean nothing acts.
struct Input {
  VecX controls;                     // one per actuator; empty: zeros
  VecX joint_forces;                 // N m or N by velocity
  std::vector<BodyWrench> wrenches;  // on bodies, at points in the world
  // Of the kinematic bodies, in the order of Forest::kinematic_bodies; empty: they rest at their poses in the
  // model.
  std::vector<PrescribedMotion> prescribed;
  DisabledContacts disabled_contacts;
  ConstraintSwitches constraints;
  std::vector<SurfaceVelocity> surface_velocities;  // replace the model's values for the shapes listed
};

// Passes the prescribed motions of an input to the kinematics.
void set_prescribed(const Forest& forest, const std::vector<PrescribedMotion>& prescribed,
                    Kinematics* kinematics);

// Throws UserError if sizes do not match the model or a number is not finite.
void check_input(const Model& model, const Input& input);

}  // namespace stiction
