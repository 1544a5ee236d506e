#pragma once
// Wavefront OBJ: vertices (v) and faces (f) of text lines. Polygons are cut into triangles around their first
// corner. Corners may be v, v/vt, v//vn or v/vt/vn, counted from 1, or from the end with negative numbers;
// a backslash continues a line. Everything else (texture coordinates, normals, groups, materials) is skipped
// and counted in MeshReport::ignored_statements, vt and vn excepted.

#include <string_view>

#include "stiction/geometry/shape/triangle_mesh.h"

namespace stiction {

// The mesh as it is in the text, not repaired. Throws UserError with file name and line.
TriangleMesh parse_obj(std::string_view text, std::string_view file_name, MeshReport* report = nullptr);

}  // namespace stiction
