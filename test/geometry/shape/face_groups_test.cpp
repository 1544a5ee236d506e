#include "stiction/geometry/shape/face_groups.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/polytope.h"

namespace stiction {
namespace {

Vec3 direction(Random* random) {
  const auto u = random->unit_vector<3>();
  return {u[0], u[1], u[2]};
}

// Hulls with few faces and with many, of very different extents.
std::vector<Polytope> hulls(Random* random) {
  std::vector<Polytope> out;
  for (const int vertices : {4, 9, 40, 300})
    for (const Vec3& size : {Vec3(1.0, 1.0, 1.0), Vec3(1.0, 0.3, 0.01)}) {
      std::vector<Vec3> points;
      for (int i = 0; i < vertices; ++i)
        points.push_back(Vec3(0.4, 0.0, 0.1) + direction(random).cwiseProduct(size));
      out.push_back(hull_polytope(convex_hull(points)));
    }
  return out;
}

TEST(FaceGroups, FacesAboveAreThoseOfLookingAtEveryFace) {
  Random random(1);
  for (const Polytope& P : hulls(&random)) {
    std::vector<int> faces(P.faces.size());
    std::vector<double> heights(P.faces.size());
    for (int i = 0; i < 1000; ++i) {
      const Vec3 p =
          P.centre + random.uniform(0.0, 2.0) * direction(&random).cwiseProduct(Vec3(1.0, 0.5, 0.1));
      const double least = random.uniform(-0.2, 0.2);
      const int count = faces_above(P.groups, p, least, faces.data(), heights.data());
      std::vector<int> expected;
      for (int f = 0; f < static_cast<int>(P.faces.size()); ++f)
        if (P.faces[f].normal.dot(p) - P.faces[f].offset >= least) expected.push_back(f);
      for (int k = 0; k < count; ++k)
        EXPECT_NEAR(heights[k], P.faces[faces[k]].normal.dot(p) - P.faces[faces[k]].offset, 1e-15);
      std::sort(faces.begin(), faces.begin() + count);
      EXPECT_EQ(std::vector<int>(faces.begin(), faces.begin() + count), expected);
    }
  }
}

TEST(FaceGroups, AlignedFacesAreThoseOfLookingAtEveryFace) {
  Random random(2);
  for (const Polytope& P : hulls(&random)) {
    std::vector<int> faces(P.faces.size());
    std::vector<double> cosines(P.faces.size());
    for (int i = 0; i < 1000; ++i) {
      const Vec3 d = direction(&random);
      const double window = random.uniform(0.0, 0.1);
      double best = -1.0;
      for (const PolytopeFace& face : P.faces) best = std::max(best, face.normal.dot(d));
      const int count = aligned_faces(P.groups, d, window, faces.data(), cosines.data());
      EXPECT_NEAR(P.faces[faces[0]].normal.dot(d), best, 1e-15);
      int expected = 0;
      for (const PolytopeFace& face : P.faces) expected += face.normal.dot(d) >= best - window ? 1 : 0;
      EXPECT_EQ(count, expected);
      for (int k = 0; k < count; ++k) EXPECT_GE(P.faces[faces[k]].normal.dot(d), best - window - 1e-15);
    }
  }
}

TEST(FaceGroups, DirectionsThatAreNoneHaveAFace) {
  Random random(3);
  for (const Polytope& P : hulls(&random)) {
    std::vector<int> faces(P.faces.size());
    std::vector<double> cosines(P.faces.size());
    const Vec3 d = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(aligned_faces(P.groups, d, 0.1, faces.data(), cosines.data()), 1);
    EXPECT_EQ(faces[0], 0);
  }
}

}  // namespace
}  // namespace stiction
