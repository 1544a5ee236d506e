#include "stiction/geometry/query/ray_cast.h"

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/geometry/convex/nearest_point.h"
#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/geometry/surface/ray_mesh.h"
#include "test/base/fewer.h"
#include "test/geometry/surface/surface_meshes.h"
#include "test/geometry/test_meshes.h"

namespace stiction {
namespace {

constexpr double kRoundOff = 1e-12;

Vec3 random_direction(Random* random) {
  const auto d = random->unit_vector<3>();
  return {d[0], d[1], d[2]};
}

Pose random_pose(Random* random) {
  const auto q = random->unit_vector<4>();
  return {rotation_from_quaternion(Vec4(q[0], q[1], q[2], q[3])),
          Vec3(random->uniform(-1, 1), random->uniform(-1, 1), random->uniform(-1, 1))};
}

std::vector<CollisionShape> convex_shapes() {
  const auto hull =
      std::make_shared<const ConvexHull>(convex_hull(box_mesh(-Vec3::Ones(), Vec3::Ones()).vertices));
  return {collision_shape(Sphere{0.7}),
          collision_shape(Capsule{0.3, 1.0}),
          collision_shape(Ellipsoid{Vec3(0.3, 0.5, 0.7)}),
          collision_shape(Superellipsoid{Vec3(0.3, 0.5, 0.7), 0.5, 0.8}),
          collision_shape(Cylinder{0.3, 1.0}),
          collision_shape(Box{Vec3(0.3, 0.5, 0.7)}),
          collision_shape(hull),
          collision_shape(Box{Vec3(0.3, 0.5, 0.7)}, 0.1)};
}

// Signed distance of a point, by the code that contacts use.
double distance_of(const CollisionShape& shape, const Vec3& p_S) {
  return nearest_on_core(shape, p_S).distance - core_radius(shape);
}

TEST(RayCast, HitsConvexShapesWhereTheDistanceIsZeroAndNotBefore) {
  Random random(1);
  int hits = 0;
  for (const CollisionShape& shape : convex_shapes()) {
    SCOPED_TRACE(name_of(shape.kind));
    for (int k = 0; k < fewer(500); ++k) {
      const Pose X = random_pose(&random);
      const Vec3 from = X * (3.0 * random_direction(&random)), to = X * (0.8 * random_direction(&random));
      const Ray ray{from, (to - from) * random.uniform(0.2, 0.8)};
      const RayHit hit = cast_ray(shape, X, ray);
      const Pose inverse = X.inverse();
      // Along the ray outside the shape up to the hit; a miss stays outside.
      const double end = hit.hit ? hit.t : 12.0;
      for (int i = 0; i < 50; ++i) {
        const double t = end * i / 50;
        EXPECT_GT(distance_of(shape, inverse * Vec3(ray.origin + t * ray.direction)), -1e-9);
      }
      if (!hit.hit) continue;
      ++hits;
      const Vec3 p = inverse * Vec3(ray.origin + hit.t * ray.direction);
      EXPECT_NEAR(distance_of(shape, p), 0.0, 1e-10);
      EXPECT_NEAR(hit.normal.norm(), 1.0, kRoundOff);
      EXPECT_LT(hit.normal.dot(ray.direction), 1e-6);
      // The tangent plane has the whole shape behind it.
      const Vec3 n = X.R.transpose() * hit.normal;
      EXPECT_NEAR(core_reach(shape, n) + core_radius(shape), n.dot(p), 1e-6);
    }
  }
  EXPECT_GT(hits, fewer(1000));
}

TEST(RayCast, HitsASphereWhereTheQuadraticSays) {
  const RayHit hit =
      cast_ray(collision_shape(Sphere{1.0}), translation(0, 0, 5), {Vec3(0.6, 0, 0), Vec3(0, 0, 2)});
  ASSERT_TRUE(hit.hit);
  EXPECT_NEAR(hit.t, (5.0 - 0.8) / 2.0, kRoundOff);
  EXPECT_NEAR((hit.normal - Vec3(0.6, 0, -0.8)).norm(), 0.0, kRoundOff);
}

TEST(RayCast, FromInsideHitsAtOnce) {
  for (const CollisionShape& shape : convex_shapes()) {
    const RayHit hit = cast_ray(shape, Pose{}, {Vec3::Zero(), Vec3::UnitX()});
    EXPECT_TRUE(hit.hit);
    EXPECT_EQ(hit.t, 0.0);
  }
}

TEST(RayCast, EndsAtItsLength) {
  const CollisionShape box = collision_shape(Box{Vec3::Ones()});
  EXPECT_FALSE(cast_ray(box, Pose{}, {Vec3(3, 0, 0), Vec3(-1, 0, 0), 1.9}).hit);
  EXPECT_TRUE(cast_ray(box, Pose{}, {Vec3(3, 0, 0), Vec3(-1, 0, 0), 2.1}).hit);
}

TEST(RayCast, HitsTheFirstTriangleThatTestingAllFinds) {
  Random random(2);
  const CollisionShape mesh = collision_shape(std::make_shared<const TriangleMesh>(sphere_mesh(3)));
  const TriangleMesh& m = mesh.mesh->mesh;
  for (int k = 0; k < fewer(2000); ++k) {
    const Ray ray{1.5 * random_direction(&random), random_direction(&random)};
    double expected = 1e300;
    for (const Triangle& t : m.triangles) {
      const double at = hit_triangle(ray, m.vertices[t[0]], m.vertices[t[1]], m.vertices[t[2]]);
      if (at >= 0.0) expected = std::min(expected, at);
    }
    const RayHit hit = cast_ray(mesh, Pose{}, ray);
    EXPECT_EQ(hit.hit, expected < 1e300);
    EXPECT_EQ(hit.hit ? hit.t : 1e300, expected);
  }
}

TEST(RayCast, DoesNotSlipBetweenTriangles) {
  const CollisionShape floor = collision_shape(std::make_shared<const TriangleMesh>(floor_mesh(8, 1.0)));
  for (int i = -8; i <= 8; ++i)
    for (int j = -8; j <= 8; ++j)
      EXPECT_TRUE(cast_ray(floor, Pose{}, {Vec3(i / 8.0, j / 8.0, 1.0), Vec3(0, 0, -1)}).hit);
}

TEST(RayCast, OnTerrainHitsWhatItsTrianglesSay) {
  Random random(3);
  std::vector<double> picture(7 * 9);
  for (double& z : picture) z = random.uniform();
  const auto field = std::make_shared<const HeightField>(height_field(7, 9, picture, {1.0, 0.8, 0.4, 0.2}));
  const CollisionShape shape = collision_shape(field);
  int hits = 0;
  for (int k = 0; k < fewer(5000); ++k) {
    const Ray ray{Vec3(random.uniform(-1, 1), random.uniform(-0.8, 0.8), random.uniform(0.4, 1.0)),
                  random_direction(&random)};
    double expected = 1e300;
    for (int r = 0; r + 1 < 7; ++r) {
      for (int c = 0; c + 1 < 9; ++c) {
        for (const double t :
             {hit_triangle(ray, field->point(r, c), field->point(r, c + 1), field->point(r + 1, c + 1)),
              hit_triangle(ray, field->point(r, c), field->point(r + 1, c + 1), field->point(r + 1, c))})
          if (t >= 0.0) expected = std::min(expected, t);
      }
    }
    const RayHit hit = cast_ray(shape, Pose{}, ray);
    EXPECT_EQ(hit.hit, expected < 1e300);
    if (!hit.hit) continue;
    ++hits;
    EXPECT_NEAR(hit.t, expected, kRoundOff);
  }
  EXPECT_GT(hits, fewer(1000));
}

TEST(RayCast, HitsTheWallsOfATerrain) {
  const auto field =
      std::make_shared<const HeightField>(height_field(2, 2, {0, 0, 0, 0}, {1.0, 1.0, 0.5, 0.2}));
  const RayHit hit = cast_ray(collision_shape(field), Pose{}, {Vec3(3, 0, -0.1), Vec3(-1, 0, 0)});
  ASSERT_TRUE(hit.hit);
  EXPECT_NEAR(hit.t, 2.0, kRoundOff);
  EXPECT_EQ(hit.normal, Vec3::UnitX());
}

TEST(RayCast, HitsAHalfSpaceFromAboveOnly) {
  const CollisionShape ground = collision_shape(HalfSpace{});
  EXPECT_NEAR(cast_ray(ground, Pose{}, {Vec3(0, 0, 2), Vec3(1, 0, -1)}).t, 2.0, kRoundOff);
  EXPECT_FALSE(cast_ray(ground, Pose{}, {Vec3(0, 0, 2), Vec3(1, 0, 0)}).hit);
}

}  // namespace
}  // namespace stiction
