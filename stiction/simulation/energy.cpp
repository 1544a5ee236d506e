#include "stiction/simulation/energy.h"

#include "stiction/multibody/jacobian.h"
#include "stiction/multibody/passive_forces.h"

namespace stiction {

Energies energies(const Model& model, const State& state) {
  Kinematics kinematics(model.forest);
  compute_positions(model.forest, state.q.data(), &kinematics);
  compute_velocities(model.forest, state.v.data(), &kinematics);
  Energies e;
  e.kinetic = kinetic_energy(model.forest, kinematics) + rotor_energy(model.forest, state.v.data());
  e.gravity = gravity_energy(model.forest, kinematics);
  e.springs = spring_energy(model.forest, state.q.data());
  return e;
}

}  // namespace stiction
