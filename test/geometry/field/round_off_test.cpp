// Pressure patches where two pieces are one in a plane, where a polygon is a sliver, and where shapes overlap by round-off.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "stiction/geometry/field/pressure_query.h"
#include "test/geometry/field/patches.h"
#include "test/geometry/test_meshes.h"

namespace stiction {
namespace {

using namespace patches;

// A box with its middle in the surface of a rigid body: there the pieces of its top and its bottom are one. Over the
// section the pressure is kappa times the least of c and the distance from the border,
//   F = 4 kappa (a b c - (a + b) c^2/2 + c^3/3).
TEST(RoundOff, ABodyWithItsMiddleInARigidSurfaceIsPressedOnce) {
  const Vec3 half(0.06, 0.05, 0.02);
  const double kappa = E / half.z();
  const double F = 4.0 * kappa *
                   (half.x() * half.y() * half.z() - 0.5 * (half.x() + half.y()) * half.z() * half.z() +
                    std::pow(half.z(), 3) / 3.0);
  const PressureField box = compliant_field(collision_shape(Box{half}), E);
  const PressureField hull = compliant_field(
      collision_shape(std::make_shared<const ConvexHull>(convex_hull(box_mesh(-half, half).vertices))), E);
  const PressureField ground = rigid_field(
      collision_shape(std::make_shared<const TriangleMesh>(box_mesh(Vec3(-1, -1, -1), Vec3(1, 1, 0)))));
  for (const PressureField* body : {&box, &hull}) {
    for (const PressureField* rigid : {&rigid_plane(), &ground}) {
      for (const double margin : {0.0, 1e-4, 7e-3, 0.3}) {
        for (const Vec3& place :
             {Vec3(0, 0, 0), Vec3(0.3, -0.2, 0), Vec3(1e-3, 0.1, 1e-17), Vec3(0, 0.1, -1e-17)}) {
          const PressureOptions options{.margin = margin};
          EXPECT_NEAR(force_of(patch_of(*rigid, {}, *body, {Mat3::Identity(), place}, options)).z() / F, 1.0,
                      kRoundOff)
              << margin << " " << place.transpose();
          EXPECT_NEAR(force_of(patch_of(*body, {Mat3::Identity(), place}, *rigid, {}, options)).z() / F, -1.0,
                      kRoundOff)
              << margin << " " << place.transpose();
        }
      }
    }
  }
}

// A block that leans by 2e-9 rad with an edge 5e-10 m deep in a soft ground: its sides reach in as strips 1 m long and
// some nanometres wide, whose second moment across is below round-off.
TEST(RoundOff, PointsOfASliverLieInIt) {
  const PressureField ground = compliant_field(collision_shape(HalfSpace{}), E, 0.05);
  const PressureField block = rigid_field(collision_shape(
      std::make_shared<const TriangleMesh>(box_mesh(Vec3(-0.5, -0.4, 0.0), Vec3(0.5, 0.4, 0.3)))));
  const Vec3 axes[] = {Vec3::UnitX(), Vec3::UnitY(), Vec3(1.0, 1.0, 0.0)};
  for (const Vec3& axis : axes) {
    for (const double angle : {2e-9, -2e-9, 0.4, kPi / 2 - 1e-9, kPi / 2 + 1e-8}) {
      const Mat3 lean = turned(angle, axis);
      double lowest = 1e300;
      for (const Vec3& corner : box_mesh(Vec3(-0.5, -0.4, 0.0), Vec3(0.5, 0.4, 0.3)).vertices)
        lowest = std::min(lowest, (lean * corner).z());
      const PressurePatch patch =
          patch_of(ground, {}, block, {lean, Vec3(0.1, 0.2, -lowest - 5e-10)}, {.margin = 1e-3});
      ASSERT_FALSE(patch.points.empty());
      for (const PressurePoint& point : patch.points) {
        const PressureFace& face = patch.faces[static_cast<std::size_t>(point.face)];
        double farthest = 0.0;  // m, of the corners
        for (int c = face.begin; c < face.end; ++c)
          farthest = std::max(farthest, (patch.corners[static_cast<std::size_t>(c)] - face.centroid).norm());
        EXPECT_LE((point.p - face.centroid).norm(), farthest * (1.0 + kRoundOff));
        // Pressures are those of the place, some nanometres deep at most: E/H 5e-10 m is 0.1 Pa.
        EXPECT_LE(point.pressure, 0.2);
      }
    }
  }
}

// A capsule that lies on a box, overlapping by round-off of the places: without facets, whose offsets would be round-off
// too. F grows as the overlap to the power 3/2: what is dropped is below 1e-18 of E R^2.
TEST(RoundOff, AnOverlapByRoundOffHasNoFacets) {
  const double radius = 0.07;
  const PressureField capsule = compliant_field(collision_shape(Capsule{radius, 0.11}), E);
  const Mat3 lying = turned(kPi / 2, Vec3::UnitY());
  const auto on_box = [&](double overlap) {
    return patch_of(soft_cube(), {}, capsule, {lying, Vec3(0.0, 0.01, 0.5 * a + radius - overlap)});
  };
  for (const double overlap : {1e-15, 1e-14}) EXPECT_TRUE(on_box(overlap).faces.empty()) << overlap;
  EXPECT_GT(force_of(on_box(1e-11)).norm(), 0.0);
}

}  // namespace
}  // namespace stiction
