// Any text as URDF, without access to files: a model that moves for a step and survives the way to JSON and
// back, or UserError.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/loaded_model.h"
#include "fuzz/xml_mutator.h"
#include "stiction/io/urdf/schema.h"
#include "stiction/io/urdf/urdf.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stiction;
  // The size, which any change of the text changes, chooses the base.
  const UrdfOptions options = {.floating_base = size % 2 == 1, .load_meshes = false};
  return fuzz::try_model([&](CompatibilityReport* report) {
    return parse_urdf(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.urdf", options,
                      report);
  });
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return stiction::fuzz::mutate_xml(data, size, max_size, seed, stiction::urdf_schema(), "robot");
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second, std::size_t second_size,
                                                 std::uint8_t* out, std::size_t max_size, unsigned seed) {
  return stiction::fuzz::cross_xml(first, first_size, second, second_size, out, max_size, seed);
}
