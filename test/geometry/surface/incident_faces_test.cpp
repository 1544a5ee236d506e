#include "stiction/geometry/surface/incident_faces.h"

#include <gtest/gtest.h>

#include "stiction/geometry/shape/mesh_tree.h"
#include "test/geometry/polytope/polytope_reference.h"

namespace stiction {
namespace {

// A region of one triangle somewhere near the origin.
MeshRegion one_triangle(Random* random) {
  MeshRegion region;
  RegionTriangle& t = region.triangles.emplace_back();
  for (Vec3& corner : t.corners) corner = 0.5 * random_vector(random);
  CoplanarFacet& facet = region.facets.emplace_back();
  facet.normal = (t.corners[1] - t.corners[0]).cross(t.corners[2] - t.corners[0]).normalized();
  facet.offset = facet.normal.dot(t.corners[0]);
  facet.end = 1;
  region.size = 1.0;
  return region;
}

TEST(IncidentFaces, TriangleThatABoxMissesHasNoPointWithinTheMarginOfIt) {
  const CollisionShape box = collision_shape(Box{Vec3(0.1, 0.3, 0.2)});
  constexpr double kMargin = 0.02;  // m
  Random random(3);
  int missed = 0;
  for (int i = 0; i < 2000; ++i) {
    const MeshRegion region = one_triangle(&random);
    const CoplanarFacet& facet = region.facets[0];
    const ConvexOnSurface body{
        box, {random_rotation(&random), Vec3(0.5 * random_vector(&random))}, kMargin, 8};
    if (!box_misses(body, region, facet)) continue;
    ++missed;
    for (int k = 0; k < 100; ++k) {
      // Somewhere in the triangle.
      const double u = random.uniform(0.0, 1.0), v = random.uniform(0.0, 1.0 - u);
      const std::array<Vec3, 3>& c = region.triangles[0].corners;
      const Vec3 x = c[0] + u * (c[1] - c[0]) + v * (c[2] - c[0]);
      SurfacePoint point;
      if (!body.find_lowest_on_line(x, facet.normal, &point)) continue;
      ASSERT_GT(point.distance, kMargin) << i;
    }
  }
  EXPECT_GT(missed, 200);
}

TEST(IncidentFaces, TriangleThatABoxPiercesIsNotMissed) {
  const CollisionShape box = collision_shape(Box{Vec3(0.1, 0.3, 0.2)});
  Random random(4);
  for (int i = 0; i < 2000; ++i) {
    const MeshRegion region = one_triangle(&random);
    const std::array<Vec3, 3>& c = region.triangles[0].corners;
    const ConvexOnSurface body{box, {random_rotation(&random), (c[0] + c[1] + c[2]) / 3.0}, 0.0, 8};
    EXPECT_FALSE(box_misses(body, region, region.facets[0])) << i;
  }
}

TEST(IncidentFaces, FaceOfABoxThatLooksDownHasItsSizes) {
  const CollisionShape box = collision_shape(Box{Vec3(0.1, 0.3, 0.2)});
  std::vector<IncidentShare> shares;
  find_incident_faces(*box.polytope, Mat3::Identity(), Vec3::UnitZ(), &shares);
  ASSERT_EQ(shares.size(), 1u);
  IncidentFace face;
  fill_face(*box.polytope, translation(Vec3(0.0, 0.0, 1.0)), shares[0].face, &face);
  EXPECT_EQ(face.normal, Vec3(0.0, 0.0, -1.0));
  EXPECT_NEAR(face.offset, -0.8, 1e-15);
  EXPECT_NEAR(face.area, 0.2 * 0.6, 1e-15);
  EXPECT_NEAR(face.length, 2.0 * (0.2 + 0.6), 1e-15);
}

}  // namespace
}  // namespace stiction
