#pragma once
// The mechanical energy of a state, and the work done in a step.
//
// The work of a step is the sum of impulses . (v0 + v)/2. With a constant mass matrix this is exactly the
// change of kinetic energy, because M (v - v0) = impulses:
//
//   1/2 v' M v - 1/2 v0' M v0 = (v0 + v)'/2 M (v - v0)
//
// Potential energies change with the displacement of the step, h v, instead, so that
//
//   energies after - energies before - work of the step = O(h^2),
//
// and the energy balance of a whole motion closes to first order in h.

#include "stiction/simulation/model/model.h"
#include "stiction/simulation/state.h"
#include "stiction/simulation/step_record.h"

namespace stiction {

struct Energies {
  double kinetic = 0.0;  // J, of bodies and of the rotors behind the joints (armature)
  double gravity = 0.0;  // J, -sum m g . c
  double springs = 0.0;  // J
  double total() const { return kinetic + gravity + springs; }
};

Energies energies(const Model& model, const State& state);

struct StepWork {
  double contact =
      0.0;  // J, done by contact forces on moving bodies; negative: stored in the contact or dissipated
  double dampers = 0.0;  // J, never positive
  double applied = 0.0;  // J, of joint forces and wrenches
  double rows = 0.0;  // J, of limits, loop closures, couplings, joint friction, implicit drives and tendons
  double total() const { return contact + dampers + applied + rows; }
};

// For the step of the record, summed over its parts.
StepWork work_of_step(const Model& model, const StepRecord& r);

}  // namespace stiction
