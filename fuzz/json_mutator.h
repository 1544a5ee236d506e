#pragma once
// Changes a JSON text so that it stays JSON: values are replaced, swapped, copied and removed, list elements
// are repeated, numbers become awkward ones.

#include <cstddef>
#include <cstdint>

namespace stiction::fuzz {

// For LLVMFuzzerCustomMutator: rewrites data[0, size) and returns its new size, at most `max_size`.
std::size_t mutate_json(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed);

}  // namespace stiction::fuzz
