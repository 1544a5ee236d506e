#pragma once
// The mechanical energy of a state.

#include "stiction/simulation/model.h"
#include "stiction/simulation/state.h"

namespace stiction {

struct Energies {
  double kinetic = 0.0;  // J, of bodies and of the rotors behind the joints (armature)
  double gravity = 0.0;  // J, -sum m g . c
  double springs = 0.0;  // J
  double total() const { return kinetic + gravity + springs; }
};

Energies energies(const Model& model, const State& state);

}  // namespace stiction
