#pragma once
// Reads the triangles of COLLADA files (.dae), which URDF files use
// (https://www.khronos.org/files/collada_spec_1_4.pdf).
//
// All geometries that the scene places are put together, each by the transforms of the nodes above it
// (matrix, translate, rotate, scale), then brought to metres by <unit> and to z upwards by <up_axis>.
// <triangles>, <polylist>, <polygons> without holes, <tristrips> and <trifans> are read; polygons are cut
// into fans. Colours, normals, skins and animations are not read.

#include <string_view>

#include "stiction/geometry/shape/triangle_mesh.h"

namespace stiction {

// Throws UserError with file and line. The mesh is as the file has it: `repair` comes after.
TriangleMesh parse_dae(std::string_view text, std::string_view file_name);

}  // namespace stiction
