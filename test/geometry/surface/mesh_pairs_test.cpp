#include "stiction/geometry/surface/mesh_pairs.h"

#include <algorithm>
#include <numbers>

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/mesh_tree.h"
#include "test/base/allocation_counter.h"
#include "test/geometry/surface/surface_meshes.h"
#include "test/geometry/test_meshes.h"

namespace stiction {
namespace {

constexpr double kRoundOff = 1e-12;
constexpr double kLipschitz = 10.0;  // |dF|/(k displacement), see surface_contact.h
const Vec3 kHalf(0.2, 0.15, 0.1);

CollisionShape mesh_shape(TriangleMesh mesh) {
  return collision_shape(std::make_shared<const TriangleMesh>(std::move(mesh)));
}

ContactPoints contacts(const CollisionShape& A, const Pose& X_WA, const CollisionShape& mesh,
                       double margin = 0.0, const Pose& X_WB = {}) {
  ContactPoints points;
  CollideOptions options;
  options.margin = margin;
  collide_convex_mesh(A, X_WA, mesh, X_WB, options, nullptr, &points);
  return points;
}

Pose random_pose(Random* random, double reach) {
  const auto q = random->unit_vector<4>();
  return {
      rotation_from_quaternion(Vec4(q[0], q[1], q[2], q[3])),
      Vec3(random->uniform(-reach, reach), random->uniform(-reach, reach), random->uniform(-reach, reach))};
}

std::vector<CollisionShape> convex_shapes() {
  const auto hull = std::make_shared<const ConvexHull>(convex_hull(sphere_mesh(1).vertices));
  return {collision_shape(Sphere{0.3}),
          collision_shape(Capsule{0.2, 0.5}),
          collision_shape(Ellipsoid{Vec3(0.3, 0.4, 0.2)}),
          collision_shape(Superellipsoid{Vec3(0.3, 0.4, 0.2), 0.6, 0.8}),
          collision_shape(Cylinder{0.2, 0.5}),
          collision_shape(Box{kHalf}),
          collision_shape(hull),
          collision_shape(Box{kHalf}, 0.05)};
}

double height_above_floor(const CollisionShape& shape, const Mat3& R) {
  return core_reach(shape, -(R.transpose() * Vec3::UnitZ())) + core_radius(shape);
}

TEST(MeshPairs, BoxFlatOnATriangulatedFloorHasFourQuarters) {
  const CollisionShape box = collision_shape(Box{kHalf}), floor = mesh_shape(floor_mesh(20, 2.0));
  for (double turn = 0.0; turn < 1.6; turn += 0.01) {
    const Pose X{rotation_about(Vec3(0, 0, 1), turn), Vec3(0.3 * turn, 0.1, 0.1 - 1e-3)};
    const ContactPoints points = contacts(box, X, floor);
    ASSERT_EQ(points.size(), 4u);
    for (const ContactPoint& p : points) {
      EXPECT_NEAR(p.weight, 0.25, kRoundOff);
      EXPECT_NEAR(p.distance, -1e-3, kRoundOff);
      EXPECT_NEAR((p.normal + Vec3::UnitZ()).norm(), 0.0, kRoundOff);
    }
  }
}

TEST(MeshPairs, EveryShapeIsAsDeepInAFloorAsItsSupportSays) {
  Random random(1);
  const CollisionShape floor = mesh_shape(floor_mesh(11, 3.0));
  for (const CollisionShape& shape : convex_shapes()) {
    SCOPED_TRACE(name_of(shape.kind));
    for (int k = 0; k < 300; ++k) {
      Pose X = random_pose(&random, 1.0);
      X.p.z() = height_above_floor(shape, X.R) - 1e-3;
      const ContactPoints points = contacts(shape, X, floor);
      ASSERT_FALSE(points.empty());
      double deepest = 0.0;
      for (const ContactPoint& p : points) {
        deepest = std::min(deepest, p.distance);
        EXPECT_NEAR((p.normal + Vec3::UnitZ()).norm(), 0.0, kRoundOff);
        EXPECT_NEAR(p.p_B().z(), 0.0, kRoundOff);
      }
      EXPECT_NEAR(deepest, -1e-3, kRoundOff);
      EXPECT_LE(total_weight(points), 1.25 + kRoundOff);  // a cylinder's rim and lateral surface
    }
  }
}

TEST(MeshPairs, PointsLieOnBothSurfaces) {
  Random random(2);
  const CollisionShape mesh = mesh_shape(sphere_mesh(2));
  for (const CollisionShape& shape : convex_shapes()) {
    SCOPED_TRACE(name_of(shape.kind));
    for (int k = 0; k < 300; ++k) {
      const Pose X = random_pose(&random, 0.8);
      for (const ContactPoint& p : contacts(shape, X, mesh, 0.01)) {
        // On B: in the plane of a triangle, or at least nowhere outside the hull of the ball's facets.
        double nearest = 1e300;
        const TriangleMesh& m = mesh.mesh->mesh;
        for (const Triangle& t : m.triangles) {
          const Vec3 n = doubled_area(m, t).normalized();
          nearest = std::min(nearest, std::abs(n.dot(p.p_B() - m.vertices[t[0]])));
        }
        EXPECT_LT(nearest, 1e-9);
        EXPECT_NEAR(p.normal.norm(), 1.0, kRoundOff);
        EXPECT_GE(p.weight, 0.0);
        EXPECT_LE(p.distance, 0.01);
      }
    }
  }
}

// The point of the mesh nearest to p, by looking at every triangle (C. Ericson, Real-Time Collision
// Detection, 5.1.5, as plain projections).
double distance_to_mesh(const TriangleMesh& mesh, const Vec3& p) {
  double nearest = 1e300;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 n = doubled_area(mesh, t).normalized();
    bool inside = true;
    for (int i = 0; i < 3; ++i) {
      const Vec3 &a = mesh.vertices[t[i]], &b = mesh.vertices[t[(i + 1) % 3]];
      inside = inside && n.cross(b - a).dot(p - a) >= 0.0;
      const double s = std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
      nearest = std::min(nearest, (p - a - s * (b - a)).norm());
    }
    if (inside) nearest = std::min(nearest, std::abs(n.dot(p - mesh.vertices[t[0]])));
  }
  return nearest;
}

TEST(MeshPairs, SphereIsAsFarFromAMeshAsTheNearestTriangle) {
  Random random(3);
  TriangleMesh rough = floor_mesh(12, 1.0);
  for (Vec3& v : rough.vertices) v.z() = random.uniform(-0.1, 0.1);
  const CollisionShape mesh = mesh_shape(rough), sphere = collision_shape(Sphere{0.1});
  for (int k = 0; k < 2000; ++k) {
    const Pose X =
        translation(random.uniform(-0.8, 0.8), random.uniform(-0.8, 0.8), random.uniform(0.1, 0.25));
    const ContactPoints points = contacts(sphere, X, mesh, 0.05);
    const double expected = distance_to_mesh(rough, X.p) - 0.1;
    double found = 1e300;
    for (const ContactPoint& p : points) found = std::min(found, p.distance);
    if (expected < 0.05)
      EXPECT_NEAR(found, expected, kRoundOff);
    else
      EXPECT_TRUE(points.empty());
  }
}

TEST(MeshPairs, EllipsoidOfEqualRadiiIsASphere) {
  Random random(4);
  const CollisionShape mesh = mesh_shape(box_mesh(-0.5 * Vec3::Ones(), 0.5 * Vec3::Ones()));
  const CollisionShape sphere = collision_shape(Sphere{0.2}),
                       ellipsoid = collision_shape(Ellipsoid{Vec3::Constant(0.2)});
  int compared = 0;
  for (int k = 0; k < 2000; ++k) {
    const Pose X = random_pose(&random, 0.7);
    const ContactPoints a = contacts(sphere, X, mesh), b = contacts(ellipsoid, X, mesh);
    if (X.p.cwiseAbs().maxCoeff() < 0.5 || a.empty()) continue;  // the centre outside
    ASSERT_EQ(a.size(), 1u);
    ASSERT_EQ(b.size(), 1u);
    EXPECT_NEAR(a[0].distance, b[0].distance, 1e-10);
    EXPECT_NEAR((a[0].normal - b[0].normal).norm(), 0.0, 1e-6);
    ++compared;
  }
  EXPECT_GT(compared, 100);
}

TEST(MeshPairs, RollingOverFlatEdgesNeverTurnsTheNormal) {
  const CollisionShape floor = mesh_shape(floor_mesh(20, 1.0));
  for (const CollisionShape& shape : convex_shapes()) {
    SCOPED_TRACE(name_of(shape.kind));
    for (double x = -0.5; x < 0.5; x += 0.0123) {
      Pose X{rotation_about(Vec3(0.6, 0.8, 0.0), x / 0.3), Vec3(x, 0.7 * x, 0.0)};
      X.p.z() = height_above_floor(shape, X.R) - 1e-4;
      for (const ContactPoint& p : contacts(shape, X, floor, 1e-3))
        EXPECT_LT(p.normal.head<2>().norm(), 1e-10) << x;
    }
  }
}

TEST(MeshPairs, BoxAcrossAShallowRidgeIsCarriedByBothSidesWithWeightOne) {
  const CollisionShape box = collision_shape(Box{kHalf}), ridge = mesh_shape(folded_floor(0.05));
  const ContactPoints points = contacts(box, translation(0.0, 0.0, 0.1 - 1e-3), ridge, 1.0);
  EXPECT_NEAR(total_weight(points), 1.0, kRoundOff);
  EXPECT_LT(spring_wrench(points, Vec3::Zero()).segment<2>(3).norm(), kRoundOff);
}

TEST(MeshPairs, BoxOnASharpRidgeIsPushedAlongItsOwnFace) {
  const CollisionShape box = collision_shape(Box{kHalf}), ridge = mesh_shape(folded_floor(0.7));
  const ContactPoints points = contacts(box, translation(0.03, 0.0, 0.1 - 1e-3), ridge);
  ASSERT_EQ(points.size(), 2u);
  for (const ContactPoint& p : points) {
    EXPECT_NEAR((p.normal + Vec3::UnitZ()).norm(), 0.0, kRoundOff);
    EXPECT_NEAR(p.distance, -1e-3, kRoundOff);
    EXPECT_NEAR(std::abs(p.p_A.y()), 0.15, kRoundOff);
  }
}

TEST(MeshPairs, BoxOnThePointOfAPyramidIsPushedAlongItsOwnFace) {
  TriangleMesh pyramid{{Vec3(-1, -1, -1), Vec3(1, -1, -1), Vec3(1, 1, -1), Vec3(-1, 1, -1), Vec3::Zero()},
                       {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}};
  const Pose X{rotation_about(Vec3(1, 0, 0), 0.1), Vec3::Zero()};
  const ContactPoints points =
      contacts(collision_shape(Box{kHalf}), {X.R, X.R * Vec3(0.02, 0.03, 0.1 - 1e-3)}, mesh_shape(pyramid));
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR((points[0].normal + X.R.col(2)).norm(), 0.0, kRoundOff);
  EXPECT_NEAR(points[0].distance, -1e-3, kRoundOff);
}

TEST(MeshPairs, CapsuleAcrossATipOrARidgeIsNoDeeperThanItsLateralSurface) {
  // The tip, or the nearest point of the ridge, lies straight below the axis.
  const TriangleMesh pyramid{
      {Vec3(-1, -1, -9), Vec3(1, -1, -9), Vec3(1, 1, -9), Vec3(-1, 1, -9), Vec3::Zero()},
      {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}};
  const CollisionShape capsule = collision_shape(Capsule{0.01, 0.8});
  for (const CollisionShape& below : {mesh_shape(pyramid), mesh_shape(folded_floor(1.4))}) {
    for (double slide = -0.3; slide < 0.3; slide += 0.01) {
      const Pose X{rotation_about(Vec3(0, 1, 0), 0.5 * std::numbers::pi), Vec3(slide, 0.0, 0.01 - 1e-4)};
      const ContactPoints points = contacts(capsule, X, below);
      ASSERT_EQ(points.size(), 1u);
      EXPECT_NEAR((points[0].normal + Vec3::UnitZ()).norm(), 0.0, kRoundOff);
      EXPECT_NEAR(points[0].distance, -1e-4, kRoundOff);
    }
  }
}

TEST(MeshPairs, BoxInTheCornerOfARoomTouchesFloorAndWalls) {
  const CollisionShape room = mesh_shape(inside_out(box_mesh(Vec3::Zero(), Vec3::Ones())));
  const ContactPoints points =
      contacts(collision_shape(Box{kHalf}), translation(kHalf - Vec3(1e-3, 2e-3, 3e-3)), room);
  const Vec6 wrench = spring_wrench(points, Vec3::Zero());
  EXPECT_NEAR((wrench.tail<3>() - Vec3(1e-3, 2e-3, 3e-3)).norm(), 0.0, kRoundOff);
}

TEST(MeshPairs, TheFarSideOfAThinPlateDoesNotPull) {
  const CollisionShape plate = mesh_shape(box_mesh(Vec3(-1, -1, -1e-3), Vec3(1, 1, 0)));
  for (const CollisionShape& shape : convex_shapes()) {
    SCOPED_TRACE(name_of(shape.kind));
    const ContactPoints points =
        contacts(shape, translation(0.1, 0.2, height_above_floor(shape, Mat3::Identity()) - 5e-4), plate);
    ASSERT_FALSE(points.empty());
    for (const ContactPoint& p : points) EXPECT_NEAR((p.normal + Vec3::UnitZ()).norm(), 0.0, kRoundOff);
  }
}

TEST(MeshPairs, MovingBothChangesNothingButTheFrame) {
  Random random(5);
  const CollisionShape mesh = mesh_shape(sphere_mesh(2));
  for (const CollisionShape& shape : convex_shapes()) {
    for (int k = 0; k < 100; ++k) {
      const Pose X = random_pose(&random, 0.8), M = random_pose(&random, 1.0);
      const ContactPoints a = contacts(shape, X, mesh), b = contacts(shape, M * X, mesh, 0.0, M);
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_NEAR((M * a[i].p_A - b[i].p_A).norm(), 0.0, 1e-9);
        EXPECT_NEAR(a[i].distance, b[i].distance, 1e-9);
      }
    }
  }
}

// Continuity: the wrench of springs on the points, for steps of 1e-4.
struct Ground {
  const char* name;
  TriangleMesh mesh;
  double edge;  // m, where it ends along x
};
std::vector<Ground> grounds() {
  return {{"floor", floor_mesh(20, 1.0), 1.0}, {"table", box_mesh(Vec3(-1, -1, -0.5), Vec3(1, 1, 0)), 1.0}};
}

TEST(MeshPairs, WrenchOfATiltingBoxIsLipschitz) {
  const CollisionShape box = collision_shape(Box{kHalf});
  for (const Ground& ground : grounds()) {
    const CollisionShape mesh = mesh_shape(ground.mesh);
    for (const double depth : {1e-5, 1e-3}) {
      const Continuity c = continuity(
          kHalf, 0.02, 1e-4,
          [&](double t) {
            Pose X{rotation_about(Vec3(0.6, 0.8, 0.0), t), Vec3(0.013, 0.027, 0.0)};
            X.p.z() = height_above_floor(box, X.R) - depth;
            return X;
          },
          [&](const Pose& X) { return contacts(box, X, mesh); });
      EXPECT_LT(c.force, kLipschitz);
      EXPECT_LT(c.moment, kLipschitz);
      EXPECT_LT(c.horizontal, 1e-10);
    }
  }
}

TEST(MeshPairs, WrenchOfATurningBoxIsLipschitz) {
  const CollisionShape box = collision_shape(Box{kHalf});
  for (const Ground& ground : grounds()) {
    const CollisionShape mesh = mesh_shape(ground.mesh);
    const Continuity c = continuity(
        kHalf, 1.5708, 1e-4,
        [](double t) {
          return Pose{rotation_about(Vec3(0, 0, 1), t), Vec3(0.013, 0.027, 0.1 - 1e-3)};
        },
        [&](const Pose& X) { return contacts(box, X, mesh); });
    EXPECT_LT(c.force, 1e-6);  // nothing changes but the heading
    EXPECT_LT(c.horizontal, 1e-10);
  }
}

TEST(MeshPairs, WrenchOfABoxThatSlidesOverAnEdgeIsLipschitz) {
  const CollisionShape box = collision_shape(Box{kHalf});
  for (const Ground& ground : grounds()) {
    SCOPED_TRACE(ground.name);
    const CollisionShape mesh = mesh_shape(ground.mesh);
    for (const double depth : {1e-5, 5e-3}) {
      for (const double turn : {0.0, 0.3}) {
        for (const double tilt : {0.0, 0.02, 0.2}) {
          const Continuity c = continuity(
              kHalf, 0.8, 1e-4,
              [&](double t) {
                Pose X{rotation_about(Vec3(0.3, 1.0, 0.0).normalized(), tilt) *
                           rotation_about(Vec3(0, 0, 1), turn),
                       Vec3(ground.edge - 0.3 + t, 0.027, 0.0)};
                X.p.z() = height_above_floor(box, X.R) - depth;
                return X;
              },
              [&](const Pose& X) { return contacts(box, X, mesh); });
          EXPECT_LT(c.force, kLipschitz) << depth << " " << turn << " " << tilt;
          EXPECT_LT(c.moment, kLipschitz) << depth << " " << turn << " " << tilt;
        }
      }
    }
  }
}

TEST(MeshPairs, WrenchOfABoxThatTipsOverAnEdgeIsLipschitz) {
  const CollisionShape box = collision_shape(Box{kHalf});
  for (const Ground& ground : grounds()) {
    SCOPED_TRACE(ground.name);
    const CollisionShape mesh = mesh_shape(ground.mesh);
    const Continuity c = continuity(
        kHalf, 1.5, 1e-4,
        [&](double t) {
          const Mat3 R = rotation_about(Vec3(0, 1, 0), t);
          return Pose{R, Vec3(ground.edge, 0.027, 0.0) + R * Vec3(0.03, 0.0, 0.1 - 5e-3)};
        },
        [&](const Pose& X) { return contacts(box, X, mesh); });
    EXPECT_LT(c.force, kLipschitz);
    EXPECT_LT(c.moment, kLipschitz);
  }
}

TEST(MeshPairs, WrenchOfARollingCylinderAndACapsuleThatLiesDownIsLipschitz) {
  const CollisionShape floor = mesh_shape(floor_mesh(20, 1.0));
  const CollisionShape cylinder = collision_shape(Cylinder{0.1, 0.3}),
                       capsule = collision_shape(Capsule{0.1, 0.3});
  const Vec3 half(0.1, 0.1, 0.25);
  const Continuity rolling = continuity(
      half, 3.0, 1e-4,
      [](double t) {
        return Pose{rotation_about(Vec3(0, 1, 0), t) * rotation_about(Vec3(1, 0, 0), 1.5707963267948966),
                    Vec3(0.1 * t, 0.027, 0.1 - 1e-4)};
      },
      [&](const Pose& X) { return contacts(cylinder, X, floor); });
  EXPECT_LT(rolling.force, 1e-6);
  EXPECT_LT(rolling.horizontal, 1e-10);
  for (const CollisionShape& shape : {cylinder, capsule}) {
    const Continuity lying = continuity(
        half, 1.6, 1e-4,
        [&](double t) {
          Pose X{rotation_about(Vec3(0, 1, 0), t), Vec3(0.013, 0.027, 0.0)};
          X.p.z() = height_above_floor(shape, X.R) - 1e-4;
          return X;
        },
        [&](const Pose& X) { return contacts(shape, X, floor); });
    EXPECT_LT(lying.force, kLipschitz);
    EXPECT_LT(lying.moment, kLipschitz);
    EXPECT_LT(lying.horizontal, 1e-10);
  }
}

TEST(MeshPairs, SphereRollsOverAShallowValleyWithoutAJump) {
  const CollisionShape sphere = collision_shape(Sphere{0.1});
  for (const double angle : {-1e-3, -0.05, -0.5, 1e-3, 0.05, 0.5}) {
    const CollisionShape fold = mesh_shape(folded_floor(angle));
    const Continuity c = continuity(
        Vec3::Constant(0.1), 0.4, 1e-4, [](double t) { return translation(-0.2 + t, 0.1, 0.1 - 1e-3); },
        [&](const Pose& X) { return contacts(sphere, X, fold); });
    EXPECT_LT(c.force, kLipschitz) << angle;
  }
}

TEST(MeshPairs, MeshOfABoxOnAMeshedFloorStandsOnFourQuarters) {
  const CollisionShape box = mesh_shape(box_mesh(-kHalf, kHalf)), floor = mesh_shape(floor_mesh(7, 1.0));
  ContactPoints points;
  collide_mesh_mesh(box, translation(0.013, 0.027, 0.1 - 1e-3), floor, Pose{}, {}, nullptr, &points);
  ASSERT_EQ(points.size(), 4u);
  for (const ContactPoint& p : points) {
    EXPECT_NEAR(p.weight, 0.25, kRoundOff);
    EXPECT_NEAR(p.distance, -1e-3, kRoundOff);
    EXPECT_NEAR((p.normal + Vec3::UnitZ()).norm(), 0.0, kRoundOff);
    EXPECT_NEAR(p.p_B().z(), 0.0, kRoundOff);
  }
}

TEST(MeshPairs, MeshOfABoxOnAHalfSpaceIsTheBox) {
  const CollisionShape box = mesh_shape(box_mesh(-kHalf, kHalf)), ground = collision_shape(HalfSpace{});
  ContactPoints points;
  collide_half_space_mesh(ground, Pose{}, box, translation(0, 0, 0.1 - 1e-3), {}, nullptr, &points);
  ASSERT_EQ(points.size(), 4u);
  for (const ContactPoint& p : points) {
    EXPECT_NEAR(p.weight, 0.25, kRoundOff);
    EXPECT_NEAR(p.distance, -1e-3, kRoundOff);
    EXPECT_NEAR((p.normal - Vec3::UnitZ()).norm(), 0.0, kRoundOff);
  }
}

TEST(MeshPairs, CrossedRidgesOfTwoMeshesTouchAcrossBoth) {
  TriangleMesh upper = transformed(
      folded_floor(0.5), rotation_about(Vec3(0, 0, 1), 1.0) * rotation_about(Vec3(1, 0, 0), 3.14159265358979),
      Vec3::Zero());
  ContactPoints points;
  collide_mesh_mesh(mesh_shape(upper), translation(0, 0, -1e-3), mesh_shape(folded_floor(0.5)), Pose{}, {},
                    nullptr, &points);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR((points[0].normal + Vec3::UnitZ()).norm(), 0.0, 1e-9);
  EXPECT_NEAR(points[0].distance, -1e-3, kRoundOff);
}

// Edges of small boxes that overlap by more than the triangles beside them are high.
TEST(MeshPairs, CrossedEdgesAreFoundFromBothSides) {
  const CollisionShape A = mesh_shape(box_mesh(Vec3(-1, -0.02, -0.02), Vec3(1, 0.02, 0.02)));
  const Mat3 on_edge = rotation_about(Vec3(1, 0, 0), 0.25 * 3.14159265358979);
  const Mat3 across = rotation_about(Vec3(0, 0, 1), 1.2) * on_edge;
  const double overlap = 0.03;
  const Pose X_A{on_edge, Vec3::Zero()}, X_B{across, Vec3(0.1, 0.05, 2.0 * 0.02 * std::sqrt(2.0) - overlap)};
  ContactPoints there, back;
  collide_mesh_mesh(A, X_A, A, X_B, {}, nullptr, &there);
  collide_mesh_mesh(A, X_B, A, X_A, {}, nullptr, &back);
  for (const ContactPoints& points : {there, back}) {
    EXPECT_TRUE(std::any_of(points.begin(), points.end(), [overlap](const ContactPoint& p) {
      return std::abs(p.distance + overlap) < 1e-9;
    }));
  }
  EXPECT_EQ(there.size(), back.size());
}

TEST(MeshPairs, TwoMeshesMeetAgainWithoutAllocating) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  const CollisionShape ball = mesh_shape(sphere_mesh(3)), floor = mesh_shape(floor_mesh(20, 2.0));
  ContactPoints points;
  const auto collide_all = [&] {
    std::size_t count = 0;
    for (int k = 0; k < 10; ++k) {
      points.clear();
      collide_mesh_mesh(ball, translation(0.05 * k, 0.0, 0.98), floor, Pose{}, {}, nullptr, &points);
      count += points.size();
    }
    return count;
  };
  EXPECT_GT(collide_all(), 0u);
  const AllocationCounter counter;
  collide_all();
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace stiction
