#pragma once
// How steps are taken, as JSON and back with the same bits: scheme, law, solver and all their numbers.

#include <string>
#include <string_view>

#include "stiction/simulation/step.h"

namespace stiction {

std::string formulation_to_json(const Formulation& formulation);

// Timers and certificates, which do not change a step, are off. Throws UserError, naming the key, for what is
// missing, unknown or of a wrong type. `file` is the name in notes about old keys.
Formulation formulation_from_json(std::string_view text, const std::string& file = "formulation");

}  // namespace stiction
