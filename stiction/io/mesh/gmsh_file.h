#pragma once
// Gmsh's MSH files, versions 2.0 to 2.2 and 4.1, as text or blocks of either byte order.
//
//   $MeshFormat   version, 0 (text) or 1 (binary), bytes of a number
//   $Nodes        tags, which need not be consecutive, and coordinates; 4.1: in blocks, one per entity
//   $Elements     type 4 is a tetrahedron
//
// Points, lines, triangles and quadrangles, which lie on the surface, are counted and left out; any other solid
// element is an error that names it. All other sections are skipped. MuJoCo's MSH (msh_file.h) is another format
// of the same name.

#include <string_view>

#include "stiction/geometry/shape/tet_volume.h"

namespace stiction {

// Whether a file that ends with .msh is one of Gmsh: it begins with '$' and letters, which would be a number of
// vertices beyond any limit in MuJoCo's format.
bool is_gmsh(std::string_view bytes);

// The volume as it is in the file, not repaired. Throws UserError with the line, or the byte of a binary file.
TetVolume parse_gmsh(std::string_view bytes, std::string_view file_name, MeshReport* report);

}  // namespace stiction
