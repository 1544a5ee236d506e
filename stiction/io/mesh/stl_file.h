#pragma once
// STL, text and binary. Each triangle has three corners of its own, so equal ones are welded here; normals
// are skipped: the order of the corners says which side is outside.
//
// Binary files may begin with "solid" like text: a file whose size fits the count of triangles at byte 80 is
// binary, any other that begins with "solid" is text.

#include <string_view>

#include "stiction/geometry/shape/triangle_mesh.h"

namespace stiction {

// The mesh with equal vertices welded, otherwise not repaired. Throws UserError with file name and line, or
// byte. A binary file longer than its count says is read up to the count; a shorter one is an error.
TriangleMesh parse_stl(std::string_view bytes, std::string_view file_name);

}  // namespace stiction
