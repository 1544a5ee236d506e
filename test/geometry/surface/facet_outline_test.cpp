#include "stiction/geometry/surface/facet_outline.h"

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "test/geometry/surface/surface_meshes.h"

namespace stiction {
namespace {

constexpr double kRoundOff = 1e-11;  // ten times kBand: the band's width shows in lengths and areas

MeshRegion whole(const MeshTree& tree) {
  MeshRegion region;
  gather(tree, tree.bounds.min(), tree.bounds.max(), &region);
  return region;
}

ProjectedFace rectangle(const CoplanarFacet& facet, double x, double y, double half_x, double half_y,
                        double turn) {
  ProjectedFace projected;
  for (int k = 0; k < 4; ++k) {
    const double u = k == 0 || k == 3 ? -half_x : half_x, v = k < 2 ? -half_y : half_y;
    const Vec3 p(x + u * std::cos(turn) - v * std::sin(turn), y + u * std::sin(turn) + v * std::cos(turn),
                 0.0);
    projected.x.push_back(facet.x(p)), projected.y.push_back(facet.y(p));
  }
  return projected;
}

TEST(PatchOutline, OfARectangleOnAFloorIsTheRectangleWhereverTheTrianglesLie) {
  const MeshTree tree = mesh_tree(floor_mesh(9, 1.0));
  const MeshRegion region = whole(tree);
  Random random(1);
  Outline outline;
  for (int k = 0; k < 1000; ++k) {
    const ProjectedFace q = rectangle(region.facets[0], random.uniform(-0.6, 0.6), random.uniform(-0.6, 0.6),
                                      0.2, 0.1, random.uniform(0, 6.3));
    intersect(region, region.facets[0], q, &outline);
    ASSERT_EQ(outline.corners.size(), 4u);
    EXPECT_NEAR(outline.length, 1.2, kRoundOff);
    EXPECT_NEAR(outline.area, 0.08, kRoundOff);
    for (const OutlineCorner& c : outline.corners) EXPECT_NEAR(c.length, 0.3, kRoundOff);
  }
}

TEST(PatchOutline, AlongTheLinesOfTheFloorIsTheSame) {
  const MeshTree tree = mesh_tree(floor_mesh(10, 1.0));
  const MeshRegion region = whole(tree);
  Outline outline;
  intersect(region, region.facets[0], rectangle(region.facets[0], 0.0, 0.0, 0.4, 0.2, 0.0), &outline);
  EXPECT_EQ(outline.corners.size(), 4u);
  EXPECT_NEAR(outline.area, 0.32, kRoundOff);
}

TEST(PatchOutline, EndsAtTheBoundaryOfTheFloor) {
  const MeshTree tree = mesh_tree(floor_mesh(1, 1.0));
  const MeshRegion region = whole(tree);
  Outline outline;
  intersect(region, region.facets[0], rectangle(region.facets[0], 1.0, 0.0, 0.3, 0.1, 0.0), &outline);
  EXPECT_EQ(outline.corners.size(), 4u);
  EXPECT_NEAR(outline.area, 0.3 * 0.2, kRoundOff);
  EXPECT_NEAR(outline.length, 2.0 * (0.3 + 0.2), kRoundOff);
}

TEST(PatchOutline, CountsASideAlongTheBoundaryOnce) {
  const MeshTree tree = mesh_tree(floor_mesh(1, 1.0));
  const MeshRegion region = whole(tree);
  Outline outline;
  intersect(region, region.facets[0], rectangle(region.facets[0], 0.7, 0.0, 0.3, 0.1, 0.0), &outline);
  EXPECT_NEAR(outline.area, 0.6 * 0.2, kRoundOff);
  EXPECT_NEAR(outline.length, 2.0 * (0.6 + 0.2), kRoundOff);
}

TEST(PatchOutline, OfAPolygonAroundTheFloorIsTheFloor) {
  const MeshTree tree = mesh_tree(floor_mesh(3, 1.0));
  const MeshRegion region = whole(tree);
  Outline outline;
  intersect(region, region.facets[0], rectangle(region.facets[0], 0.0, 0.0, 5.0, 5.0, 0.3), &outline);
  EXPECT_NEAR(outline.area, 4.0, kRoundOff);
  EXPECT_NEAR(outline.length, 8.0, kRoundOff);
}

TEST(PatchOutline, MeasuresLengthsOnATiltedFace) {
  const MeshTree tree = mesh_tree(floor_mesh(2, 1.0));
  const MeshRegion region = whole(tree);
  const CoplanarFacet& facet = region.facets[0];
  ProjectedFace q = rectangle(facet, 0.0, 0.0, 0.3, 0.2, 0.0);
  q.rise_x = 0.75 * facet.t1.x(), q.rise_y = 0.75 * facet.t2.x();  // rises 3 on 4 along x
  Outline outline;
  intersect(region, facet, q, &outline);
  EXPECT_NEAR(outline.length, 2.0 * (0.6 * 1.25 + 0.4), kRoundOff);
}

TEST(PatchOutline, JoinsThePartsOfASegment) {
  const MeshTree tree = mesh_tree(floor_mesh(7, 1.0));
  const MeshRegion region = whole(tree);
  std::vector<Outline::Interval> parts;
  intersect(region, region.facets[0], Vec3(-2.0, 0.1, 0.5), Vec3(2.0, 0.3, 0.1), &parts);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_NEAR(parts[0].begin, 0.25, kRoundOff);
  EXPECT_NEAR(parts[0].end, 0.75, kRoundOff);
}

TEST(PatchOutline, HasNothingBeyondTheTipOfANeedle) {
  // The bands beside the long sides of a triangle 1 km by 10 cm overlap up to 10 um beyond its tip.
  TriangleMesh needle;
  needle.vertices = {Vec3(0, 0, 0), Vec3(0, -0.1, 0), Vec3(1e3, 0, 0)};
  needle.triangles = {Triangle{0, 1, 2}};
  const MeshTree tree = mesh_tree(needle);
  const MeshRegion region = whole(tree);
  const CoplanarFacet& facet = region.facets[0];
  Outline outline;
  for (const double beyond : {1e-6, 2e-6, 5e-6}) {
    intersect(region, facet, rectangle(facet, 1e3 + beyond + 1e-7, 0.0, 1e-7, 1e-7, 0.0), &outline);
    EXPECT_TRUE(outline.corners.empty()) << beyond;
    std::vector<Outline::Interval> parts;
    const double x = 1e3 + beyond;
    intersect(region, facet, Vec3(x, -1.0, 0.0), Vec3(x, 1.0, 0.0), &parts);
    EXPECT_TRUE(parts.empty()) << beyond;
    EXPECT_FALSE(covers(region, facet, Vec3(x, 0.0, 0.0), 1e-9)) << beyond;
  }
  EXPECT_TRUE(covers(region, facet, Vec3(1e3 - 1e-6, 0.0, 0.0), 1e-9));
}

}  // namespace
}  // namespace stiction
