// Any bytes as OBJ text: a mesh without defects, or UserError.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "stiction/base/check.h"
#include "stiction/geometry/shape/mass_properties.h"
#include "stiction/io/mesh/mesh_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stiction;
  try {
    const TriangleMesh mesh = parse_mesh({reinterpret_cast<const char*>(data), size}, "fuzz.obj");
    STICTION_ASSERT(mesh_defect(mesh).empty());
    unit_density_inertia(mesh, MeshInertia::shell);
  } catch (const UserError&) {
  }
  return 0;
}
