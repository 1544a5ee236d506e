// Any text as MJCF, without access to files: a model that moves for a step and survives the way to JSON and
// back, or UserError.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/loaded_model.h"
#include "fuzz/xml_mutator.h"
#include "stiction/io/mjcf/mjcf.h"
#include "stiction/io/mjcf/schema.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stiction;
  MjcfOptions options;
  options.allow_files = false;
  options.max_elements = 2000;  // `replicate` makes much of little
  return fuzz::try_model([&](CompatibilityReport* report) {
    return parse_mjcf(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.xml", options,
                      report);
  });
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return stiction::fuzz::mutate_xml(data, size, max_size, seed, stiction::mjcf_schema(), "mujoco");
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second, std::size_t second_size,
                                                 std::uint8_t* out, std::size_t max_size, unsigned seed) {
  return stiction::fuzz::cross_xml(first, first_size, second, second_size, out, max_size, seed);
}
