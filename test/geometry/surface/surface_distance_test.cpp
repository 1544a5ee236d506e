#include "stiction/geometry/surface/surface_distance.h"

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/geometry/narrow_phase.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/mesh_tree.h"
#include "test/geometry/test_meshes.h"

namespace stiction {
namespace {

TEST(MeshDistance, OfSeparatedBoxesIsThatOfTheSameBoxesAsPolytopes) {
  Random random(1);
  const Vec3 half(0.3, 0.2, 0.1);
  const CollisionShape box = collision_shape(Box{Vec3(0.2, 0.15, 0.1)}), other = collision_shape(Box{half});
  const CollisionShape mesh = collision_shape(std::make_shared<const TriangleMesh>(box_mesh(-half, half)));
  int separated = 0;
  for (int k = 0; k < 1000; ++k) {
    const auto q = random.unit_vector<4>();
    const Pose X{rotation_from_quaternion(Vec4(q[0], q[1], q[2], q[3])),
                 Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1))};
    const ContactPoint expected = signed_distance(box, X, other, Pose{});
    if (expected.distance <= 0.0) continue;
    ++separated;
    const ContactPoint found = surface_distance(box, X, mesh, Pose{});
    EXPECT_NEAR(found.distance, expected.distance, 1e-10);  // what GJK stops at
    EXPECT_NEAR((found.p_B() - found.p_A).norm(), found.distance, 1e-12);
  }
  EXPECT_GT(separated, 500);
}

TEST(MeshDistance, IsTheSignedDistanceOfEveryConvexShapeBesideABoxOfTriangles) {
  Random random(2);
  const Vec3 half(0.3, 0.2, 0.1);
  const CollisionShape solid = collision_shape(Box{half});
  const CollisionShape mesh = collision_shape(std::make_shared<const TriangleMesh>(box_mesh(-half, half)));
  const auto hull = std::make_shared<const ConvexHull>(
      convex_hull({{0.2, 0, 0}, {-0.1, 0.15, 0}, {-0.1, -0.15, 0}, {0, 0, 0.2}, {0, 0.05, -0.1}}));
  for (const Shape& shape :
       {Shape(Sphere{0.1}), Shape(Capsule{0.1, 0.2}), Shape(Ellipsoid{Vec3(0.1, 0.2, 0.15)}),
        Shape(Cylinder{0.1, 0.2}), Shape(Box{Vec3(0.2, 0.15, 0.1)}), Shape(hull)}) {
    const CollisionShape A = collision_shape(shape);
    SCOPED_TRACE(name_of(A.kind));
    for (int k = 0; k < 200; ++k) {
      const auto q = random.unit_vector<4>();
      const auto d = random.unit_vector<3>();
      const Pose X{rotation_from_quaternion(Vec4(q[0], q[1], q[2], q[3])), 1.2 * Vec3(d[0], d[1], d[2])};
      const double expected = signed_distance(A, X, solid, Pose{}).distance;
      ASSERT_GT(expected, 0.0);
      const ContactPoint found = signed_distance(A, X, mesh, Pose{}),
                         swapped = signed_distance(mesh, Pose{}, A, X);
      EXPECT_NEAR(found.distance, expected, 1e-10);
      EXPECT_NEAR(surface_distance(A, X, mesh, Pose{}).distance, expected, 1e-10);
      EXPECT_NEAR((swapped.p_A - found.p_B()).norm(), 0.0, 1e-10);
    }
  }
}

TEST(MeshDistance, OfASphereOnAMeshIsItsDepth) {
  const CollisionShape mesh =
      collision_shape(std::make_shared<const TriangleMesh>(box_mesh(-Vec3::Ones(), Vec3::Ones())));
  const ContactPoint point =
      surface_distance(collision_shape(Sphere{0.5}), translation(0.1, 0.2, 1.4), mesh, Pose{});
  EXPECT_NEAR(point.distance, -0.1, 1e-12);
  EXPECT_NEAR((point.normal + Vec3::UnitZ()).norm(), 0.0, 1e-12);
}

}  // namespace
}  // namespace stiction
