#include "stiction/io/mesh/msh_file.h"

#include <cstdint>

#include "stiction/base/check.h"
#include "stiction/io/mesh/binary_cursor.h"

namespace stiction {
namespace {

std::size_t take_count(BinaryCursor* cursor, const char* what, std::size_t limit) {
  const std::int32_t count = cursor->take<std::int32_t>();
  if (count < 0 || static_cast<std::size_t>(count) > limit)
    cursor->fail(format("{} {}, which must be 0 to {}", count, what, limit));
  return static_cast<std::size_t>(count);
}

}  // namespace

TriangleMesh parse_msh(std::string_view bytes, std::string_view file_name) {
  BinaryCursor cursor(bytes, file_name);
  const std::size_t vertices = take_count(&cursor, "vertices", kMaxMeshVertices);
  const std::size_t normals = take_count(&cursor, "normals", kMaxMeshVertices);
  const std::size_t texture = take_count(&cursor, "texture coordinates", kMaxMeshVertices);
  const std::size_t triangles = take_count(&cursor, "triangles", kMaxMeshTriangles);
  const std::size_t expected = 4 * (3 * vertices + 3 * normals + 2 * texture + 3 * triangles);
  if (cursor.left() != expected)
    cursor.fail(format("{} bytes follow where the counts say {}", cursor.left(), expected));

  TriangleMesh mesh;
  mesh.vertices.reserve(vertices);
  for (std::size_t i = 0; i < vertices; ++i) {
    const double x = cursor.take<float>(), y = cursor.take<float>(), z = cursor.take<float>();
    mesh.vertices.emplace_back(x, y, z);
  }
  cursor.skip(4 * (3 * normals + 2 * texture));
  mesh.triangles.resize(triangles);
  for (Triangle& t : mesh.triangles) {
    for (int& corner : t) {
      corner = cursor.take<std::int32_t>();
      if (corner < 0 || static_cast<std::size_t>(corner) >= vertices)
        cursor.fail(format("vertex {} of {} does not exist", corner, vertices));
    }
  }
  return mesh;
}

}  // namespace stiction
