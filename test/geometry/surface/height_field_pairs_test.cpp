#include "stiction/geometry/surface/height_field_pairs.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/geometry/shape/mesh_tree.h"
#include "stiction/geometry/surface/mesh_pairs.h"
#include "test/geometry/surface/surface_meshes.h"
#include "test/geometry/test_meshes.h"

namespace stiction {
namespace {

constexpr double kRoundOff = 1e-12;
const Vec3 kHalf(0.2, 0.15, 0.1);
const HeightFieldSize kSize{.radius_x = 2.0, .radius_y = 1.5, .elevation = 0.3, .base = 0.5};

ContactPoints contacts(const CollisionShape& A, const Pose& X_WA, const CollisionShape& field,
                       double margin = 0.0) {
  ContactPoints points;
  CollideOptions options;
  options.margin = margin;
  collide_convex_height_field(A, X_WA, field, Pose{}, options, nullptr, &points);
  return points;
}

CollisionShape terrain(int rows, int cols, const std::vector<double>& picture) {
  return collision_shape(std::make_shared<const HeightField>(height_field(rows, cols, picture, kSize)));
}

// The same surface as a mesh.
TriangleMesh mesh_of(const HeightField& field) {
  TriangleMesh mesh;
  for (int r = 0; r < field.rows; ++r)
    for (int c = 0; c < field.cols; ++c) mesh.vertices.push_back(field.point(r, c));
  for (int r = 0; r + 1 < field.rows; ++r) {
    for (int c = 0; c + 1 < field.cols; ++c) {
      const int i = r * field.cols + c, j = i + field.cols;
      mesh.triangles.push_back({i, i + 1, j + 1});
      mesh.triangles.push_back({i, j + 1, j});
    }
  }
  return mesh;
}

TEST(HeightFieldPairs, FlatTerrainCarriesABoxOnFourQuarters) {
  const CollisionShape field = terrain(20, 30, std::vector<double>(600, 1.0)),
                       box = collision_shape(Box{kHalf});
  for (double turn = 0.0; turn < 1.6; turn += 0.02) {
    const ContactPoints points =
        contacts(box, {rotation_about(Vec3(0, 0, 1), turn), Vec3(0.3, 0.2 * turn, 0.1 - 1e-3)}, field);
    ASSERT_EQ(points.size(), 4u);
    for (const ContactPoint& p : points) {
      EXPECT_NEAR(p.weight, 0.25, kRoundOff);
      EXPECT_NEAR(p.distance, -1e-3, kRoundOff);
      EXPECT_EQ(p.normal, -Vec3::UnitZ());
    }
  }
}

TEST(HeightFieldPairs, AnEvenSlopeIsOnePlane) {
  std::vector<double> picture;
  for (int r = 0; r < 9; ++r)
    for (int c = 0; c < 13; ++c) picture.push_back(c);
  const CollisionShape field = terrain(9, 13, picture), sphere = collision_shape(Sphere{0.2});
  const Vec3 n = Vec3(-0.3, 0.0, 4.0).normalized();  // rises 0.3 m on 4 m
  for (double x = -1.0; x < 1.0; x += 0.037) {
    const Vec3 foot(x, 0.3 * x, 0.3 * (x + 2.0) / 4.0);
    const ContactPoints points = contacts(sphere, translation(Vec3(foot + (0.2 - 1e-3) * n)), field);
    ASSERT_EQ(points.size(), 1u);
    EXPECT_NEAR(points[0].distance, -1e-3, kRoundOff);
    EXPECT_NEAR((points[0].normal + n).norm(), 0.0, 1e-10);
    EXPECT_NEAR(points[0].weight, 1.0, kRoundOff);
  }
}

TEST(HeightFieldPairs, RoughTerrainIsTheMeshOfItsTriangles) {
  Random random(1);
  std::vector<double> picture(15 * 17);
  for (double& z : picture) z = random.uniform();
  const CollisionShape field = terrain(15, 17, picture);
  const CollisionShape mesh = collision_shape(std::make_shared<const TriangleMesh>(mesh_of(*field.field)));
  const std::vector<CollisionShape> shapes{collision_shape(Sphere{0.2}), collision_shape(Capsule{0.1, 0.3}),
                                           collision_shape(Box{kHalf}), collision_shape(Cylinder{0.1, 0.3}),
                                           collision_shape(Ellipsoid{kHalf})};
  for (const CollisionShape& shape : shapes) {
    SCOPED_TRACE(name_of(shape.kind));
    for (int k = 0; k < 200; ++k) {
      const auto q = random.unit_vector<4>();
      const Pose X{rotation_from_quaternion(Vec4(q[0], q[1], q[2], q[3])),
                   Vec3(random.uniform(-1.5, 1.5), random.uniform(-1, 1), random.uniform(0.42, 0.55))};
      ContactPoints a = contacts(shape, X, field), b;
      collide_convex_mesh(shape, X, mesh, Pose{}, {}, nullptr, &b);
      // A terrain pushes out what is deep in it, a mesh need not.
      const auto is_deep = [](const ContactPoint& p) { return p.distance < -0.05; };
      if (std::any_of(a.begin(), a.end(), is_deep)) continue;
      const Vec6 difference = spring_wrench(a, X.p) - spring_wrench(b, X.p);
      if (a.size() == 32 || b.size() == 32) continue;  // which points stay depends on their names
      EXPECT_LT(difference.norm(), 1e-9);
    }
  }
}

TEST(HeightFieldPairs, PushesUpWhatHasSunkDeep) {
  const CollisionShape field = terrain(10, 10, std::vector<double>(100, 0.0));
  const ContactPoints points = contacts(collision_shape(Sphere{0.1}), translation(0.1, 0.2, -0.3), field);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(points[0].distance, -0.4, kRoundOff);
  EXPECT_NEAR((points[0].normal + Vec3::UnitZ()).norm(), 0.0, kRoundOff);
}

// Neighbouring triangles of a dome with a large radius R differ by less than anything that is called flat,
// but the whole is not a plane: a ball on it is r above the dome, up to the sagitta d^2/(8 R) of a cell.
TEST(HeightFieldPairs, AGentleDomeIsNoPlane) {
  constexpr double kRadius = 200.0, kBall = 0.05, kCell = 0.01, kSagitta = kCell * kCell / (4.0 * kRadius);
  HeightField field;
  field.size = {1.0, 1.0, 0.01, 0.1};
  field.rows = field.cols = 201;
  const auto height = [](double x, double y) { return 0.005 - (x * x + y * y) / (2.0 * kRadius); };
  for (int r = 0; r < field.rows; ++r)
    for (int c = 0; c < field.cols; ++c) field.heights.push_back(height(field.x(c), field.y(r)));
  const CollisionShape terrain = collision_shape(std::make_shared<const HeightField>(field)),
                       ball = collision_shape(Sphere{kBall});
  for (const double x : {-0.8, 0.0, 0.8}) {
    ContactPoints points;
    CollideOptions options;
    options.margin = 0.01;
    const Pose X{Mat3::Identity(), Vec3(x, 0.3, height(x, 0.3) + kBall)};
    collide_convex_height_field(ball, X, terrain, {}, options, nullptr, &points);
    ASSERT_FALSE(points.empty());
    double deepest = 1.0;
    for (const ContactPoint& p : points) deepest = std::min(deepest, p.distance);
    // The dome's slope at 0.85 m, 0.004, makes the distance 1e-5 of the radius shorter than the height.
    EXPECT_NEAR(deepest, 0.0, kSagitta + 1e-5 * kBall);
  }
}

TEST(HeightFieldPairs, NothingTouchesBesideTheField) {
  const CollisionShape field = terrain(10, 10, std::vector<double>(100, 0.0));
  EXPECT_TRUE(contacts(collision_shape(Sphere{0.1}), translation(2.2, 0.0, -0.1), field, 0.05).empty());
}

TEST(HeightFieldPairs, MeshOfABoxStandsOnFourQuarters) {
  const CollisionShape field = terrain(10, 10, std::vector<double>(100, 0.0));
  const CollisionShape box = collision_shape(std::make_shared<const TriangleMesh>(box_mesh(-kHalf, kHalf)));
  ContactPoints points;
  collide_mesh_height_field(box, translation(0.013, 0.027, 0.1 - 1e-3), field, Pose{}, {}, nullptr, &points);
  ASSERT_EQ(points.size(), 4u);
  for (const ContactPoint& p : points) EXPECT_NEAR(p.weight, 0.25, kRoundOff);
}

TEST(HeightFieldPairs, MeshOfABoxThatHasSunkThroughAThinFieldIsPushedUp) {
  // A sheet of no height above a base of a millimetre; the lower face is 1 cm below its top.
  HeightField sheet;
  sheet.size = {1.0, 1.0, 1e-3, 1e-3};
  sheet.rows = sheet.cols = 10;
  sheet.heights.assign(100, 0.0);
  const CollisionShape field = collision_shape(std::make_shared<const HeightField>(sheet));
  const CollisionShape box = collision_shape(std::make_shared<const TriangleMesh>(box_mesh(-kHalf, kHalf)));
  ContactPoints points;
  collide_mesh_height_field(box, translation(0.013, 0.027, 0.1 - 0.01), field, Pose{}, {}, nullptr, &points);
  ASSERT_EQ(points.size(), 4u);
  for (const ContactPoint& p : points) {
    EXPECT_NEAR(p.weight, 0.25, kRoundOff);
    EXPECT_NEAR(p.distance, -0.01, kRoundOff);
    EXPECT_NEAR((p.normal + Vec3::UnitZ()).norm(), 0.0, kRoundOff);
  }
}

}  // namespace
}  // namespace stiction
