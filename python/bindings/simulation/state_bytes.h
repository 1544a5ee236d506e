#pragma once
// A State as bytes and back, bit for bit, for pickles. The format is this build's own.

#include <string>
#include <string_view>

#include "stiction/simulation/state.h"

namespace stiction::python {

std::string state_to_bytes(const State& state);
// Throws UserError where the bytes are not those of a state.
State state_from_bytes(std::string_view bytes);

bool same_bits(const State& a, const State& b);

}  // namespace stiction::python
