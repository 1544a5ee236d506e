#pragma once
// The mechanical energy of a state, and the work done in a step.
//
// The work of a step is sum of impulses . (v0 + v)/2, which is exactly what changes the kinetic energy while
// the mass matrix stays: of M (v - v0) = impulses,
//
//   1/2 v' M v - 1/2 v0' M v0 = (v0 + v)'/2 M (v - v0).
//
// Potential energies change by the way of the step, h v, instead, so that
//
//   energies after - energies before - work of the step = O(h^2),
//
// and the sum over a motion closes at first order in h.

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
      0.0;  // J, done by contact forces on what moves: stored in the contact and lost if negative
  double dampers = 0.0;  // J, never positive
  double applied = 0.0;  // J, of joint forces and wrenches
  double rows = 0.0;     // J, of limits, ties, couplings, friction in joints, implicit drives and tendons
  double total() const { return contact + dampers + applied + rows; }
};

// Of the step that filled the record, summed over its parts.
StepWork work_of_step(const Model& model, const StepRecord& r);

}  // namespace stiction
