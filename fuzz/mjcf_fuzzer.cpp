// Any text as MJCF, without access to files: a model whose dynamics can be set up, or UserError.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "stiction/base/check.h"
#include "stiction/io/mjcf.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stiction;
  MjcfOptions options;
  options.allow_files = false;
  options.max_elements = 2000;  // `replicate` makes much of little
  try {
    CompatibilityReport report;
    const Model model =
        parse_mjcf(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.xml", options, &report);
    STICTION_ASSERT(model.q0.size() == model.num_q());
    STICTION_ASSERT(model.elements.shapes.size() == model.shapes.size());
  } catch (const UserError&) {
  }
  return 0;
}
