#include "stiction/geometry/shape/polytope.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/geometry/shape/convex_hull.h"

namespace stiction {
namespace {

Vec3 direction(Random* random) {
  const auto u = random->unit_vector<3>();
  return {u[0], u[1], u[2]};
}

Polytope random_hull(int vertices, Random* random) {
  std::vector<Vec3> points;
  for (int i = 0; i < vertices; ++i) points.push_back(direction(random).cwiseProduct(Vec3(1.0, 0.6, 0.05)));
  return hull_polytope(convex_hull(points));
}

TEST(Polytope, FarthestVertexIsThatOfLookingAtAll) {
  Random random(1);
  for (const Polytope& P : {box_polytope(Vec3(1.0, 2.0, 0.1)), random_hull(4, &random),
                            random_hull(30, &random), random_hull(500, &random)}) {
    for (int i = 0; i < 2000; ++i) {
      // Along the axes too, which are on the borders of the cells.
      const Vec3 d = i < 6 ? Vec3(Vec3::Unit(i / 2) * (i % 2 == 0 ? 1.0 : -1.0)) : direction(&random);
      double best = -1e300;
      for (const Vec3& p : P.vertices) best = std::max(best, d.dot(p));
      EXPECT_NEAR(d.dot(P.vertices[farthest_vertex(P, d)]), best, 1e-15);
    }
  }
}

TEST(Polytope, TheFaceMostAlignedIsThatOfLookingAtAll) {
  Random random(2);
  for (const Polytope& P :
       {box_polytope(Vec3(1.0, 2.0, 0.1)), random_hull(30, &random), random_hull(500, &random)}) {
    for (int i = 0; i < 1000; ++i) {
      const Vec3 d = direction(&random);
      double best = -1.0;
      for (const PolytopeFace& face : P.faces) best = std::max(best, face.normal.dot(d));
      EXPECT_NEAR(P.faces[most_aligned_face(P, d)].normal.dot(d), best, 1e-15);
    }
  }
}

TEST(Polytope, TheFaceMostAlignedAtAVertexHasTheVertex) {
  Random random(3);
  const Polytope P = random_hull(100, &random);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 d = direction(&random);
    const int vertex = farthest_vertex(P, d);
    const PolytopeFace& face = P.faces[most_aligned_face_at(P, vertex, d)];
    EXPECT_EQ(std::count(&P.corner_vertex[face.begin], &P.corner_vertex[face.begin] + (face.end - face.begin),
                         vertex),
              1);
    EXPECT_GT(face.normal.dot(d), 0.0);
  }
}

}  // namespace
}  // namespace stiction
