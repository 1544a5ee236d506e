// Any bytes as Gmsh's MSH: a volume with its surface, or UserError; and its pressures, if it is sound.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "stiction/base/check.h"
#include "stiction/geometry/field/tet_mesh.h"
#include "stiction/io/mesh/gmsh_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stiction;
  try {
    MeshReport report;
    const TriangleMesh mesh =
        mesh_of_tets(parse_gmsh({reinterpret_cast<const char*>(data), size}, "fuzz.msh", &report), &report);
    STICTION_ASSERT(mesh_defect(mesh).empty() && mesh.tets != nullptr);
    STICTION_ASSERT(is_surface_of(mesh, *mesh.tets));
    STICTION_ASSERT(tet_mesh(*mesh.tets).depth > 0.0);
  } catch (const UserError&) {
  }
  return 0;
}
