#pragma once
// Parameters of the model that differ from world to world, by the names of World's functions: set_mass is
// "mass".

#include <string>
#include <vector>

#include "stiction/simulation/world.h"

namespace stiction::python {

// One value for each world.
struct Override {
  std::string kind, name;  // "friction", "floor"
  VecX values;
};

// What can differ: mass, friction, gain, ...
std::vector<std::string> override_kinds();

// Throws UserError for an unknown kind.
void apply_override(const std::string& kind, const std::string& name, double value, World* world);

}  // namespace stiction::python
