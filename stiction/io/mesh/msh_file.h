#pragma once
// MuJoCo's binary MSH, little-endian:
//
//   int32 vertices, normals, texture coordinates, triangles
//   float32 vertices[3 n], normals[3 n], texture coordinates[2 n];  int32 triangles[3 n]
//
// Normals and texture coordinates are skipped. Without triangles it is a cloud of points.

#include <string_view>

#include "stiction/geometry/shape/triangle_mesh.h"

namespace stiction {

// The mesh as it is in the file, not repaired. Throws UserError with file name and byte.
TriangleMesh parse_msh(std::string_view bytes, std::string_view file_name);

}  // namespace stiction
