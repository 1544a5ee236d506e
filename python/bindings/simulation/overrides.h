#pragma once
// Numbers of the model that differ from world to world, by the words of World: set_mass is "mass".

#include <string>
#include <vector>

#include "stiction/simulation/world.h"

namespace stiction::python {

// One number for each world.
struct Override {
  std::string kind, name;  // "friction", "floor"
  VecX values;
};

// Words for what can differ: mass, friction, gain, ...
std::vector<std::string> override_kinds();

// Throws UserError for a kind that is not there.
void apply_override(const std::string& kind, const std::string& name, double value, World* world);

}  // namespace stiction::python
