#pragma once
// Legacy VTK files with an unstructured grid, of the versions 1.0 to 5.1, as text (ASCII) or big-endian blocks
// (BINARY).
//
//   # vtk DataFile Version 3.0        POINTS n float      x y z ...
//   any title                         CELLS n size        up to 4.2: 4 i j k l ...
//   ASCII                             CELLS n+1 size      from 5.0: OFFSETS type ... CONNECTIVITY type ...
//   DATASET UNSTRUCTURED_GRID         CELL_TYPES n        10 ...
//
// Tetrahedra (cell type 10) are read; vertices, lines, triangles and other flat cells are counted and left out;
// any other solid cell is an error that names it. Data of points and cells is not read.

#include <string_view>

#include "stiction/geometry/shape/tet_volume.h"

namespace stiction {

// The volume as it is in the file, not repaired. Throws UserError with the line, or the byte of a binary file.
TetVolume parse_vtk(std::string_view bytes, std::string_view file_name, MeshReport* report);

}  // namespace stiction
