#pragma once
// A State as bytes and back, bit for bit, for pickles. The bytes begin with "stiction state " and the version
// of their format; numbers are those of this kind of processor.

#include <string>
#include <string_view>

#include "stiction/simulation/state.h"

namespace stiction::python {

std::string state_to_bytes(const State& state);
// Throws UserError where the bytes are not those of a state, or of a version that is not read.
State state_from_bytes(std::string_view bytes);

bool same_bits(const State& a, const State& b);

}  // namespace stiction::python
