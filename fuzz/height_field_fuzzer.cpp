// Any bytes as a PNG picture and as MuJoCo's binary height field: terrain without defects, or UserError.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "stiction/base/check.h"
#include "stiction/io/mesh/height_field_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stiction;
  for (const char* name : {"fuzz.png", "fuzz.bin"}) {
    try {
      const HeightField field =
          parse_height_field({reinterpret_cast<const char*>(data), size}, name, {1.0, 1.0, 1.0, 0.1});
      STICTION_ASSERT(height_field_defect(field).empty());
    } catch (const UserError&) {
    }
  }
  return 0;
}
