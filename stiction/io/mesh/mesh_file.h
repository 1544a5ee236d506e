#pragma once
// Triangle meshes from files: OBJ, STL and MuJoCo's MSH, chosen by the ending of the file name (upper or
// lower case); and the surfaces of tetrahedra from legacy VTK and Gmsh's MSH, which keep the tetrahedra with them
// (TriangleMesh::tets). The two kinds of .msh are told apart by their first bytes.
//
// Coordinates stay as they are in the file: no unit, scale or centring is applied. What cannot be read throws
// UserError with the file and the line, or the byte in binary files.

#include <filesystem>
#include <string_view>

#include "stiction/geometry/shape/triangle_mesh.h"

namespace stiction {

// Reads and repairs. A file with vertices and no triangles gives the surface of their convex hull.
TriangleMesh read_mesh(const std::filesystem::path& file, MeshReport* report = nullptr);

// The same from memory; the ending of `file_name` says the format.
TriangleMesh parse_mesh(std::string_view bytes, std::string_view file_name, MeshReport* report = nullptr);

// Whether read_mesh knows the ending of this file name.
bool is_mesh_file_name(std::string_view file_name);

}  // namespace stiction
