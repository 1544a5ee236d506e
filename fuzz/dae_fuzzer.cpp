// Any text as COLLADA: triangles whose corners exist, or UserError.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/xml_mutator.h"
#include "stiction/base/check.h"
#include "stiction/io/mesh/dae_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stiction;
  try {
    TriangleMesh mesh = parse_dae({reinterpret_cast<const char*>(data), size}, "fuzz.dae");
    for (const Triangle& triangle : mesh.triangles)
      for (const int corner : triangle) STICTION_ASSERT(corner >= 0 && corner < int(mesh.vertices.size()));
    MeshReport report;
    repair(&mesh, &report);
  } catch (const UserError&) {
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  static const stiction::XmlSchema anything = {{"COLLADA", "*", "*"}};
  return stiction::fuzz::mutate_xml(data, size, max_size, seed, anything, "COLLADA");
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second, std::size_t second_size,
                                                 std::uint8_t* out, std::size_t max_size, unsigned seed) {
  return stiction::fuzz::cross_xml(first, first_size, second, second_size, out, max_size, seed);
}
