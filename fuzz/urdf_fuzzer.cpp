// Any bytes given to the URDF reader end in a model or in a UserError, and never in a crash (libFuzzer).

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "stiction/base/check.h"
#include "stiction/io/urdf.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    stiction::CompatibilityReport report;
    // The first byte, which belongs to the text as well, chooses the base; files are never opened.
    const bool floats = size > 0 && data[0] % 2 == 1;
    stiction::parse_urdf(text, "fuzz.urdf", {.floating_base = floats, .load_meshes = false}, &report);
  } catch (const stiction::UserError&) {
    // Bad input, as expected.
  }
  return 0;
}
