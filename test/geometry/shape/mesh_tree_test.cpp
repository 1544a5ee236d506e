#include "stiction/geometry/shape/mesh_tree.h"

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "test/geometry/surface/surface_meshes.h"
#include "test/geometry/test_meshes.h"

namespace stiction {
namespace {

int count_sides(const MeshTree& tree, SideKind kind) {
  int count = 0;
  for (const auto& sides : tree.sides)
    for (const MeshSide& side : sides) count += side.kind == kind ? 1 : 0;
  return count;
}

TEST(MeshTree, SeesSixPatchesAndTwelveConvexEdgesOnACube) {
  const MeshTree tree = mesh_tree(box_mesh(Vec3::Zero(), Vec3::Ones()));
  EXPECT_EQ(tree.facets.size(), 6u);
  EXPECT_EQ(count_sides(tree, SideKind::convex), 2 * 12);
  EXPECT_EQ(count_sides(tree, SideKind::flat), 2 * 6);
  EXPECT_EQ(count_sides(tree, SideKind::concave) + count_sides(tree, SideKind::boundary), 0);
}

TEST(MeshTree, JoinsAFloorToOnePatchWithABoundary) {
  const MeshTree tree = mesh_tree(floor_mesh(10, 2.0));
  ASSERT_EQ(tree.facets.size(), 1u);
  EXPECT_EQ(tree.facets[0].normal, Vec3::UnitZ());
  EXPECT_EQ(tree.facets[0].offset, 0.0);
  EXPECT_EQ(count_sides(tree, SideKind::boundary), 4 * 10);
}

TEST(MeshTree, TellsAValleyFromARidge) {
  EXPECT_EQ(count_sides(mesh_tree(folded_floor(0.3)), SideKind::convex), 2);
  EXPECT_EQ(count_sides(mesh_tree(folded_floor(0.3)), SideKind::concave), 0);
  EXPECT_EQ(count_sides(mesh_tree(folded_floor(-0.3)), SideKind::concave), 2);
}

TEST(MeshTree, EveryFaceOfACubeInsideOutIsBehindConcaveEdges) {
  const MeshTree tree = mesh_tree(inside_out(box_mesh(Vec3::Zero(), Vec3::Ones())));
  EXPECT_EQ(count_sides(tree, SideKind::concave), 2 * 12);
}

TEST(MeshTree, LeavesTrianglesWithoutAreaOut) {
  TriangleMesh mesh = box_mesh(Vec3::Zero(), Vec3::Ones());
  mesh.vertices.emplace_back(0.5, 0.0, 0.0);
  mesh.triangles.push_back({0, 1, 8});
  const MeshTree tree = mesh_tree(mesh);
  EXPECT_EQ(tree.facet_of.back(), -1);
  EXPECT_EQ(tree.facets.size(), 6u);
}

TEST(MeshTree, ListsTheNeighboursOfEveryVertexOnce) {
  const MeshTree tree = mesh_tree(corner_tetrahedron(1, 1, 1));
  for (int v = 0; v < 4; ++v) EXPECT_EQ(tree.neighbour_begin[v + 1] - tree.neighbour_begin[v], 3);
}

TEST(MeshTree, RefusesAMeshWithADefect) { EXPECT_THROW(mesh_tree({{Vec3::Zero()}, {{0, 1, 2}}}), UserError); }

}  // namespace
}  // namespace stiction
