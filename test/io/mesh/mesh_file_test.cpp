#include "stiction/io/mesh/mesh_file.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/base/shared_files.h"

namespace stiction {
namespace {

const std::string kCorners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";

std::string error_of(const std::string& bytes, const std::string& file_name) {
  try {
    parse_mesh(bytes, file_name);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(MeshFile, RepairsWhatItReads) {
  MeshReport report;
  const TriangleMesh mesh =
      parse_mesh(kCorners + "v 0 0 1\nf 1 2 3\nf 1 4 2\nf 1 3 5\nf 2 5 3\nf 2 2 3\n", "mesh.OBJ", &report);
  EXPECT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.triangles.size(), 4u);
  EXPECT_EQ(report.welded_vertices, 1);
  EXPECT_EQ(report.degenerate_triangles, 1);
  EXPECT_TRUE(report.turned_inside_out);
  EXPECT_NEAR(signed_volume(mesh), 1.0 / 6.0, 1e-15);
}

TEST(MeshFile, WithVerticesOnlyIsTheirHull) {
  MeshReport report;
  const TriangleMesh mesh = parse_mesh(kCorners + "v 0.1 0.1 0.1\n", "mesh.obj", &report);
  EXPECT_TRUE(report.made_from_hull);
  EXPECT_EQ(mesh.triangles.size(), 4u);
  EXPECT_NEAR(signed_volume(mesh), 1.0 / 6.0, 1e-15);
}

TEST(MeshFileError, SaysWhyThereIsNothing) {
  EXPECT_EQ(error_of("", "a/b.obj"), "a/b.obj: there are no vertices");
  EXPECT_EQ(error_of("solid\n", "b.gltf"), "b.gltf: meshes are read from .obj, .stl, .msh and .vtk files");
  EXPECT_NE(error_of("v 0 0 0\nv 1 0 0\n", "b.obj").find("there are no triangles"), std::string::npos);
  EXPECT_NE(error_of("v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "b.obj").find("no triangle is left"),
            std::string::npos);
}

TEST(MeshFileError, NamesAFileThatIsNotThere) {
  try {
    read_mesh("no/such/mesh.stl");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("no/such/mesh.stl: cannot be read", 0), 0u);
  }
}

TEST(MeshFile, ReadsEveryMeshOfTheSharedRobots) {
  const auto folder = shared_file("models");
  if (!folder) GTEST_SKIP() << missing_shared_file("models");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*folder)) {
    if (!entry.is_regular_file() || !is_mesh_file_name(entry.path().string())) continue;
    SCOPED_TRACE(entry.path());
    EXPECT_EQ(mesh_defect(read_mesh(entry.path())), "");
  }
}

}  // namespace
}  // namespace stiction
