#include "stiction/geometry/shape/convex_hull.h"

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/base/random.h"
#include "stiction/geometry/shape/mass_properties.h"
#include "test/geometry/test_meshes.h"

namespace stiction {
namespace {

constexpr double kRoundOff = 1e-12;  // relative to sizes of about 1

std::vector<Vec3> random_points(int count, std::uint64_t seed) {
  Random random(seed);
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i)
    points.emplace_back(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  return points;
}

// Corners of a grid on the cube [-1, 1]^3, rounded to single precision after a rotation: many points in a
// plane, but none of them exactly.
std::vector<Vec3> rounded_cube_grid(int side) {
  const Mat3 R = rotation_from_quaternion<double>(Vec4(0.3, 0.5, -0.2, 0.8));
  std::vector<Vec3> points;
  for (int i = 0; i < side * side * side; ++i) {
    const Vec3 x(i % side, i / side % side, i / side / side);
    points.push_back(R * (2.0 / (side - 1) * x - Vec3::Ones()));
    for (double& coordinate : points.back()) {
      // Volatile, because g++ 12 drops the conversions where it takes two at once.
      const volatile float single = static_cast<float>(coordinate);
      coordinate = single;
    }
  }
  return points;
}

// What has to hold between the lists of every hull.
void expect_consistent(const ConvexHull& hull) {
  const int vertices = int(hull.vertices.size()), triangles = int(hull.triangles.size());
  EXPECT_EQ(triangles, 2 * vertices - 4);  // Euler
  EXPECT_EQ(hull.corners.size(), 2 * hull.edges.size());
  EXPECT_EQ(int(hull.neighbours.size()), 3 * triangles);
  for (int f = 0; f < int(hull.faces.size()); ++f) {
    const HullFace& face = hull.faces[f];
    ASSERT_GE(face.end - face.begin, 3);
    EXPECT_NEAR(face.normal.norm(), 1.0, kRoundOff);
    for (int i = face.begin; i < face.end; ++i) {
      const HullCorner& corner = hull.corners[i];
      const int next = hull.corners[i + 1 < face.end ? i + 1 : face.begin].vertex;
      const HullEdge& edge = hull.edges[corner.edge];
      const bool is_left = edge.faces[0] == f && edge.vertices[0] == corner.vertex;
      EXPECT_EQ(edge.vertices[is_left ? 0 : 1], corner.vertex);
      EXPECT_EQ(edge.vertices[is_left ? 1 : 0], next);
      EXPECT_EQ(edge.faces[is_left ? 0 : 1], f);
      EXPECT_EQ(edge.faces[is_left ? 1 : 0], corner.across);
    }
  }
}

void expect_inside(const ConvexHull& hull, const std::vector<Vec3>& points, double tolerance) {
  for (const HullFace& face : hull.faces)
    for (const Vec3& p : points) ASSERT_LE(face.normal.dot(p), face.offset + tolerance);
}

TEST(ConvexHull, OfACubeHasSixSquaresAndTwelveEdges) {
  const ConvexHull hull = convex_hull(box_mesh(-Vec3::Ones(), Vec3::Ones()).vertices);
  EXPECT_EQ(hull.vertices.size(), 8u);
  EXPECT_EQ(hull.faces.size(), 6u);
  EXPECT_EQ(hull.edges.size(), 12u);
  expect_consistent(hull);
  for (const HullFace& face : hull.faces) {
    EXPECT_EQ(face.end - face.begin, 4);
    EXPECT_NEAR(face.offset, 1.0, kRoundOff);
    EXPECT_NEAR(face.normal.cwiseAbs().maxCoeff(), 1.0, kRoundOff);
  }
  EXPECT_LT(hull.centre.norm(), kRoundOff);
}

TEST(ConvexHull, FacesRunCounterClockwiseSeenFromOutside) {
  const ConvexHull hull = convex_hull(random_points(100, 1));
  for (const HullFace& face : hull.faces) {
    const Vec3& a = hull.vertices[hull.corners[face.begin].vertex];
    const Vec3& b = hull.vertices[hull.corners[face.begin + 1].vertex];
    const Vec3& c = hull.vertices[hull.corners[face.begin + 2].vertex];
    EXPECT_GT(face.normal.dot((b - a).cross(c - a)), 0.0);
    EXPECT_GT(face.offset, face.normal.dot(hull.centre));
  }
}

TEST(ConvexHull, OfRandomPointsHoldsThemAll) {
  for (int count : {4, 5, 10, 100, 2000}) {
    SCOPED_TRACE(count);
    const std::vector<Vec3> points = random_points(count, count);
    const ConvexHull hull = convex_hull(points);
    expect_consistent(hull);
    expect_inside(hull, points, kRoundOff);
  }
}

TEST(ConvexHull, OfPointsOnASphereHasThemAllAsVertices) {
  const TriangleMesh sphere = sphere_mesh(4);
  const ConvexHull hull = convex_hull(sphere.vertices);
  EXPECT_EQ(hull.vertices, sphere.vertices);
  expect_consistent(hull);
}

TEST(ConvexHull, OfACubeRoundedToSinglePrecisionStillHasSixFaces) {
  const std::vector<Vec3> points = rounded_cube_grid(9);
  const ConvexHull hull = convex_hull(points);
  EXPECT_EQ(hull.faces.size(), 6u);
  expect_consistent(hull);
  expect_inside(hull, points, kRoundOff);
  EXPECT_NEAR(unit_density_inertia(hull).mass, 8.0, 1e-5);  // single precision times the area
}

TEST(ConvexHull, WithoutFlatnessKeepsTrianglesThatAreNotInOnePlane) {
  EXPECT_GT(convex_hull(rounded_cube_grid(9), {.flatness = 0.0}).faces.size(), 6u);
}

TEST(ConvexHull, OfAThinPlateHasTwoSides) {
  // Thinner than the flatness: the rim may vanish, the two sides may not.
  const std::vector<Vec3> plate = box_mesh(Vec3::Zero(), Vec3(1, 1, 1e-7)).vertices;
  const ConvexHull hull = convex_hull(plate);
  bool has_top = false, has_bottom = false;
  for (const HullFace& face : hull.faces) {
    has_top = has_top || face.normal.z() > 0.99;
    has_bottom = has_bottom || face.normal.z() < -0.99;
  }
  EXPECT_TRUE(has_top && has_bottom);
  expect_consistent(hull);
}

TEST(ConvexHull, OfAThinPlateKeepsARidgeThatIsLowForItsSizeButNotForItsThickness) {
  std::vector<Vec3> points = box_mesh(Vec3(-1, -1, 0), Vec3(1, 1, 1e-4)).vertices;
  for (const double y : {-1.0, 1.0}) points.push_back(Vec3(0.0, y, 1e-4 + 1e-6));
  const ConvexHull hull = convex_hull(points);
  EXPECT_EQ(hull.faces.size(), 7u);  // four sides, the bottom and two slopes
  expect_consistent(hull);
}

TEST(ConvexHull, IgnoresPointsInsideAndRepeatedOnes) {
  std::vector<Vec3> points = box_mesh(-Vec3::Ones(), Vec3::Ones()).vertices;
  points.insert(points.end(), points.begin(), points.begin() + 8);
  for (const Vec3& p : random_points(50, 3)) points.push_back(0.9 * p);
  EXPECT_EQ(convex_hull(points).vertices.size(), 8u);
}

TEST(ConvexHull, IsTheSameFarAwayAndAtAnySize) {
  const std::vector<Vec3> points = random_points(60, 5);
  const ConvexHull here = convex_hull(points);
  for (double size : {1e-6, 1.0, 1e6}) {
    std::vector<Vec3> there;
    for (const Vec3& p : points) there.push_back(size * (p + Vec3(1000, 0, -1000)));
    EXPECT_EQ(convex_hull(there).triangles.size(), here.triangles.size());
  }
}

TEST(ConvexHull, WithALimitHasAtMostSoManyVertices) {
  const std::vector<Vec3> points = sphere_mesh(4).vertices;
  for (int limit : {4, 5, 20, 100}) {
    SCOPED_TRACE(limit);
    const ConvexHull hull = convex_hull(points, {.max_vertices = limit});
    EXPECT_LE(int(hull.vertices.size()), limit);
    EXPECT_GE(int(hull.vertices.size()), 4);
    expect_consistent(hull);
  }
}

// The vertex in which climbing along the edges ends, from the first one on.
int climb(const ConvexHull& hull, const Vec3& d) {
  int top = 0;
  for (bool rises = true; rises;) {
    rises = false;
    for (int k = hull.neighbour_begin[top]; k < hull.neighbour_begin[top + 1] && !rises; ++k) {
      const int next = hull.neighbours[k];
      rises = d.dot(hull.vertices[next]) > d.dot(hull.vertices[top]);
      if (rises) top = next;
    }
  }
  return top;
}

TEST(ConvexHull, SupportVertexIsTheFarthestOfAll) {
  const ConvexHull hull = convex_hull(random_points(500, 7));
  Random random(8);
  for (int i = 0; i < 200; ++i) {
    const auto u = random.unit_vector<3>();
    const Vec3 d(u[0], u[1], u[2]);
    double farthest = -std::numeric_limits<double>::infinity();
    for (const Vec3& p : hull.vertices) farthest = std::max(farthest, d.dot(p));
    EXPECT_EQ(d.dot(hull.vertices[climb(hull, d)]), farthest);
  }
}

std::string error_of(const std::vector<Vec3>& points, const HullOptions& options = {}) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  std::string message;
  try {
    convex_hull(points, options);
  } catch (const UserError& error) {
    message = error.what();
  }
  // Qhull likes to talk.
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  return message;
}

TEST(ConvexHullError, SaysThatPointsSpanNoVolume) {
  const Vec3 o(0.1, 0.2, 0.3), a(1, 2, 3), b(-1, 1, 0.5);
  EXPECT_NE(error_of({}).find("0 points"), std::string::npos);
  EXPECT_NE(error_of({o, a, b}).find("3 points"), std::string::npos);
  EXPECT_NE(error_of({o, o, o, o, o}).find("span no volume"), std::string::npos);
  EXPECT_NE(error_of({o, o + a, o + 2 * a, o - a, o + 3 * a}).find("span no volume"), std::string::npos);
  EXPECT_NE(error_of({o, o + a, o + b, o + a + b, o - a, o - b}).find("span no volume"), std::string::npos);
}

TEST(ConvexHullError, SaysThatAPointIsNotFinite) {
  std::vector<Vec3> points = random_points(10, 9);
  points[3].z() = std::numeric_limits<double>::infinity();
  EXPECT_NE(error_of(points).find("inf"), std::string::npos);
}

TEST(ConvexHullError, SaysThatALimitIsTooLow) {
  EXPECT_NE(error_of(random_points(10, 9), {.max_vertices = 3}).find("at most 3"), std::string::npos);
}

}  // namespace
}  // namespace stiction
