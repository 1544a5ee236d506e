#include "stiction/geometry/shape/triangle_mesh.h"

#include <limits>

#include <gtest/gtest.h>

#include "test/geometry/test_meshes.h"

namespace stiction {
namespace {

constexpr double kRoundOff = 1e-14;  // relative; a dozen operations on numbers near 1

TriangleMesh unit_cube() { return box_mesh(Vec3::Zero(), Vec3::Ones()); }

MeshReport report_of_repair(TriangleMesh mesh) {
  MeshReport report;
  repair(&mesh, &report);
  return report;
}

// Every triangle with corners of its own, as in an STL file.
TriangleMesh loose(const TriangleMesh& mesh) {
  TriangleMesh out;
  for (const Triangle& t : mesh.triangles) {
    const int first = static_cast<int>(out.vertices.size());
    for (int v : t) out.vertices.push_back(mesh.vertices[v]);
    out.triangles.push_back({first, first + 1, first + 2});
  }
  return out;
}

TEST(MeshRepair, LeavesAGoodMeshAlone) {
  TriangleMesh mesh = unit_cube();
  MeshReport report;
  repair(&mesh, &report);
  EXPECT_EQ(mesh.vertices, unit_cube().vertices);
  EXPECT_EQ(mesh.triangles, unit_cube().triangles);
  EXPECT_EQ(describe(report), "");
}

TEST(MeshRepair, WeldsTheCornersOfLooseTriangles) {
  TriangleMesh mesh = loose(unit_cube());
  MeshReport report;
  repair(&mesh, &report);
  EXPECT_EQ(mesh.vertices.size(), 8u);
  EXPECT_EQ(report.welded_vertices, 36 - 8);
  EXPECT_TRUE(report.is_watertight());
}

TEST(MeshRepair, TakesPlusAndMinusZeroForOnePlace) {
  TriangleMesh mesh = unit_cube();
  for (Vec3& p : mesh.vertices) p = -p;
  for (const Vec3& p : unit_cube().vertices) mesh.vertices.push_back(p);
  EXPECT_EQ(weld_equal_vertices(&mesh), 1);  // the origin
}

TEST(MeshRepair, RemovesTrianglesWithNumbersThatAreNotFinite) {
  TriangleMesh mesh = unit_cube();
  mesh.vertices[7].y() = std::numeric_limits<double>::quiet_NaN();
  MeshReport report;
  repair(&mesh, &report);
  EXPECT_EQ(report.nonfinite_triangles, 3);  // around corner 7
  EXPECT_EQ(mesh.vertices.size(), 7u);
  EXPECT_EQ(mesh_defect(mesh), "");
}

TEST(MeshRepair, RemovesTrianglesWithCornersThatDoNotExist) {
  TriangleMesh mesh = unit_cube();
  mesh.triangles.push_back({0, 1, 8});
  mesh.triangles.push_back({-1, 1, 2});
  EXPECT_EQ(report_of_repair(mesh).out_of_range_triangles, 2);
}

TEST(MeshRepair, RemovesTrianglesWithTwoCornersInOnePlace) {
  TriangleMesh mesh = unit_cube();
  mesh.vertices.push_back(mesh.vertices[0]);
  mesh.triangles.push_back({0, 8, 3});
  const MeshReport report = report_of_repair(mesh);
  EXPECT_EQ(report.degenerate_triangles, 1);
  EXPECT_TRUE(report.is_watertight());
}

TEST(MeshRepair, KeepsAndCountsTrianglesOnALine) {
  TriangleMesh mesh = unit_cube();
  mesh.vertices.push_back(Vec3(0.5, 0, 0));
  mesh.triangles.push_back({0, 1, 8});
  MeshReport report;
  repair(&mesh, &report);
  EXPECT_EQ(mesh.triangles.size(), 13u);
  EXPECT_EQ(report.flat_triangles, 1);
}

TEST(MeshRepair, TurnsAClosedSurfaceThatIsInsideOut) {
  TriangleMesh mesh = inside_out(unit_cube());
  MeshReport report;
  repair(&mesh, &report);
  EXPECT_TRUE(report.turned_inside_out);
  EXPECT_NEAR(signed_volume(mesh), 1.0, kRoundOff);
}

TEST(MeshRepair, DoesNotTurnAnOpenSurface) {
  TriangleMesh mesh = inside_out(unit_cube());
  mesh.triangles.pop_back();
  EXPECT_FALSE(report_of_repair(mesh).turned_inside_out);
}

TEST(MeshRepair, RemovesVerticesWithoutTrianglesButKeepsACloud) {
  TriangleMesh mesh = unit_cube();
  mesh.vertices.insert(mesh.vertices.begin(), Vec3(9, 9, 9));
  for (Triangle& t : mesh.triangles)
    for (int& v : t) ++v;
  MeshReport report;
  repair(&mesh, &report);
  EXPECT_EQ(report.unused_vertices, 1);
  EXPECT_EQ(mesh.triangles, unit_cube().triangles);

  TriangleMesh cloud{unit_cube().vertices, {}};
  EXPECT_EQ(report_of_repair(cloud).unused_vertices, 0);
}

TEST(MeshRepair, OfNothingIsNothing) {
  TriangleMesh mesh;
  MeshReport report;
  repair(&mesh, &report);
  EXPECT_EQ(mesh_defect(mesh), "has no triangles");
}

TEST(MeshInspection, CountsTheThreeEdgesOfAMissingTriangle) {
  TriangleMesh mesh = unit_cube();
  mesh.triangles.pop_back();
  const MeshReport report = report_of_repair(mesh);
  EXPECT_EQ(report.open_edges, 3);
  EXPECT_FALSE(report.is_watertight());
}

TEST(MeshInspection, CountsEdgesOfThreeTriangles) {
  TriangleMesh mesh = unit_cube();
  mesh.vertices.push_back(Vec3(2, 2, 2));
  mesh.triangles.push_back({0, 1, 8});  // one side on an edge of the cube, two in the open
  const MeshReport report = report_of_repair(mesh);
  EXPECT_EQ(report.nonmanifold_edges, 1);
  EXPECT_EQ(report.open_edges, 2);
}

TEST(MeshInspection, CountsTheEdgesAroundATriangleThatIsTurned) {
  TriangleMesh mesh = unit_cube();
  std::swap(mesh.triangles[0][0], mesh.triangles[0][1]);
  EXPECT_EQ(report_of_repair(mesh).misoriented_edges, 3);
}

TEST(MeshInspection, CountsParts) {
  const TriangleMesh apart = both(unit_cube(), box_mesh(Vec3::Constant(2.0), Vec3::Constant(3.0)));
  EXPECT_EQ(report_of_repair(apart).components, 2);
}

TEST(MeshTransform, ThatMirrorsKeepsTheOutsideOutside) {
  const Vec3 scale(-2.0, 3.0, 4.0);
  const TriangleMesh mesh = transformed(unit_cube(), scale.asDiagonal(), Vec3(1, 2, 3));
  EXPECT_NEAR(signed_volume(mesh), 24.0, 24.0 * kRoundOff);
  EXPECT_TRUE(bounding_box(mesh.vertices).min().isApprox(Vec3(-1, 2, 3)));
  EXPECT_TRUE(bounding_box(mesh.vertices).max().isApprox(Vec3(1, 5, 7)));
}

TEST(MeshVolume, FarFromTheOriginIsThatAtTheOrigin) {
  const Vec3 far = Vec3::Constant(1e6);
  // The corners themselves are rounded to 1e6 * 1e-16.
  EXPECT_NEAR(signed_volume(box_mesh(far, far + Vec3::Ones())), 1.0, 1e-9);
}

}  // namespace
}  // namespace stiction
