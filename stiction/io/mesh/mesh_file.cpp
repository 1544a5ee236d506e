#include "stiction/io/mesh/mesh_file.h"

#include "stiction/base/check.h"
#include "stiction/base/file_bytes.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/io/mesh/gmsh_file.h"
#include "stiction/io/mesh/msh_file.h"
#include "stiction/io/mesh/obj_file.h"
#include "stiction/io/mesh/stl_file.h"
#include "stiction/io/mesh/vtk_file.h"

namespace stiction {
namespace {

constexpr const char* kEndings = "meshes are read from .obj, .stl, .msh and .vtk files";

bool is_volume(std::string_view bytes, std::string_view file_name) {
  const std::string ending = lower_case_ending(file_name);
  return ending == "vtk" || (ending == "msh" && is_gmsh(bytes));
}

// The surface of the tetrahedra of a VTK or Gmsh file, with them.
TriangleMesh parse_volume(std::string_view bytes, std::string_view file_name, MeshReport* report) {
  TetVolume volume =
      is_gmsh(bytes) ? parse_gmsh(bytes, file_name, report) : parse_vtk(bytes, file_name, report);
  try {
    return mesh_of_tets(std::move(volume), report);
  } catch (const UserError& error) {
    throw_user_error(format("{}: {}", file_name, error.what()));
  }
}

TriangleMesh parse_unrepaired(std::string_view bytes, std::string_view file_name, MeshReport* report) {
  const std::string ending = lower_case_ending(file_name);
  if (ending == "obj") return parse_obj(bytes, file_name, report);
  if (ending == "stl") return parse_stl(bytes, file_name);
  if (ending == "msh") return parse_msh(bytes, file_name);
  throw_user_error(format("{}: {}", file_name, kEndings));
}

// Points without triangles mean their convex hull.
TriangleMesh hull_of_cloud(const TriangleMesh& cloud, std::string_view file_name) {
  try {
    return surface_mesh(convex_hull(cloud.vertices));
  } catch (const UserError& error) {
    throw_user_error(
        format("{}: there are no triangles, and of the vertices alone: {}", file_name, error.what()));
  }
}

}  // namespace

TriangleMesh parse_mesh(std::string_view bytes, std::string_view file_name, MeshReport* report) {
  MeshReport own;
  if (report == nullptr) report = &own;
  *report = {};
  if (is_volume(bytes, file_name)) return parse_volume(bytes, file_name, report);
  TriangleMesh mesh = parse_unrepaired(bytes, file_name, report);
  STICTION_USER_CHECK(!mesh.vertices.empty(), "{}: there are no vertices", file_name);
  const bool is_cloud = mesh.triangles.empty();
  repair(&mesh, report);
  if (is_cloud) {
    mesh = hull_of_cloud(mesh, file_name);
    report->made_from_hull = true;
    inspect(mesh, report);
  }
  STICTION_USER_CHECK(!mesh.triangles.empty(), "{}: no triangle is left: {}", file_name, describe(*report));
  return mesh;
}

TriangleMesh read_mesh(const std::filesystem::path& file, MeshReport* report) {
  STICTION_USER_CHECK(is_mesh_file_name(file.string()), "{}: {}", file.string(), kEndings);
  return parse_mesh(read_file_bytes(file), file.string(), report);
}

bool is_mesh_file_name(std::string_view file_name) {
  const std::string ending = lower_case_ending(file_name);
  return ending == "obj" || ending == "stl" || ending == "msh" || ending == "vtk";
}

}  // namespace stiction
