// Any text as our own JSON: a model that moves for a step and is the same after the way to JSON and back, or
// UserError.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/json_mutator.h"
#include "fuzz/loaded_model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stiction;
  return fuzz::try_model([&](CompatibilityReport*) {
    return model_from_json(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.json");
  });
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return stiction::fuzz::mutate_json(data, size, max_size, seed);
}
