// Round shapes, which facets replace: closed forms at every margin, common motion, paths.

#include <gtest/gtest.h>

#include "stiction/geometry/field/pressure_query.h"
#include "stiction/geometry/narrow_phase.h"
#include "test/geometry/field/patches.h"

namespace stiction {
namespace {

using namespace patches;

constexpr double kMargins[] = {0.0, 1e-4, 5e-4, 1.96e-3};  // m; the last is that of h = 10 ms

// A shape turned so that it touches what is above it at the top, with its curvature there.
struct Top {
  const char* name;
  CollisionShape shape;
  Mat3 R;                     // of the shape
  double height;              // m, of the top above the shape's origin
  Eigen::Vector2d curvature;  // 1/m, along x and y
  double slope;               // of the depth along the vertical there
};

std::vector<Top> tops() {
  const Mat3 up = Mat3::Identity(), lies = turned(0.5 * kPi, Vec3::UnitY());
  const Vec3 radii(0.04, 0.06, 0.05);
  return {{"ball", collision_shape(Sphere{0.04}), up, 0.04, Eigen::Vector2d(1, 1) / 0.04, 1.0},
          {"capsule", collision_shape(Capsule{R, 0.2}), lies, R, Eigen::Vector2d(0, 1) / R, 1.0},
          {"end of a capsule", collision_shape(Capsule{R, 0.2}), up, 0.1 + R, Eigen::Vector2d(1, 1) / R, 1.0},
          {"cylinder", collision_shape(Cylinder{0.03, 0.2}), lies, 0.03, Eigen::Vector2d(0, 1) / 0.03, 1.0},
          {"ellipsoid", collision_shape(Ellipsoid{radii}), up, 0.05,
           Eigen::Vector2d(0.05 / (0.04 * 0.04), 0.05 / (0.06 * 0.06)), 0.04 / 0.05},
          {"box", collision_shape(Box{Vec3(0.3, 0.2, 0.1)}), up, 0.1, Eigen::Vector2d(0, 0), 1.0},
          {"half-space", collision_shape(HalfSpace{}), up, 0.0, Eigen::Vector2d(0, 0), 1.0}};
}

bool is_flat(const Top& top) { return top.curvature.isZero(); }

// The pair with B on top of A, turned by `yaw`, overlapping by `overlap`.
std::pair<Pose, Pose> stacked(const Top& A, const Top& B, double yaw, double overlap) {
  const Mat3 over = turned(yaw, Vec3::UnitZ()) * turned(kPi, Vec3::UnitX());
  return {Pose{A.R, Vec3(0, 0, -A.height)}, Pose{over * B.R, Vec3(0, 0, B.height - overlap)}};
}

TEST(Facets, ShallowRoundShapesHaveTheForceOfTheirRelativeCurvatureAtEveryMargin) {
  // Two paraboloids overlap in V = pi d^2/sqrt(det(K_A + K_B)), and F = kappa V with both layers in series.
  const double d = 2e-5;
  int pairs = 0;
  for (const Top& top_A : tops())
    for (const Top& top_B : tops())
      for (const double yaw : {0.0, 0.7, 0.5 * kPi}) {
        if (is_flat(top_A) && is_flat(top_B)) continue;
        const Eigen::Matrix2d turn = Eigen::Rotation2Dd(yaw).toRotationMatrix();
        const Eigen::Matrix2d K = Eigen::Matrix2d(top_A.curvature.asDiagonal()) +
                                  turn * Eigen::Matrix2d(top_B.curvature.asDiagonal()) * turn.transpose();
        if (K.determinant() < 1.0) continue;  // they touch along a line
        const auto [X_A, X_B] = stacked(top_A, top_B, yaw, d);
        for (const int rigid : {0, 1, 2}) {
          const double E_A = 1e7, E_B = 4e6, H = 0.03;
          const PressureField A = rigid == 1 ? rigid_field(top_A.shape)
                                             : compliant_field(top_A.shape, E_A, H),
                              B = rigid == 2 ? rigid_field(top_B.shape)
                                             : compliant_field(top_B.shape, E_B, H);
          const double soft_A = rigid == 1 ? 0.0 : H / (E_A * top_A.slope),
                       soft_B = rigid == 2 ? 0.0 : H / (E_B * top_B.slope);
          const double F = kPi * d * d / std::sqrt(K.determinant()) / (soft_A + soft_B);
          for (const double margin : kMargins) {
            const Vec3 force = force_of(patch_of(A, X_A, B, X_B, {.margin = margin}));
            EXPECT_NEAR(force.z() / F, 1.0, 0.03) << top_A.name << ", " << top_B.name << " turned by " << yaw
                                                  << ", rigid " << rigid << ", margin " << margin;
            EXPECT_LT(force.head<2>().norm(), 0.01 * F);
          }
          ++pairs;
        }
      }
  EXPECT_GT(pairs, 200);
}

TEST(Facets, LineContactsHaveTheForceOfTheClosedFormAtEveryMargin) {
  // Per length of a mantle: kappa (R s - u^2 asinh(s/u)), u = R - d, s^2 = R^2 - u^2; its ends, softer over a length
  // of the depth, take less than d/L of it away. A capsule adds the two halves of a ball.
  const double L = 1.0, E_cylinder = 1e7;
  const Mat3 lies = turned(0.5 * kPi, Vec3::UnitX());
  const PressureField cylinder = compliant_field(collision_shape(Cylinder{R, L}), E_cylinder),
                      capsule = compliant_field(collision_shape(Capsule{R, L}), E_cylinder),
                      box = rigid_field(collision_shape(Box{Vec3(1, 1, 1)}));
  for (const double d : {1e-5, 1e-4, 4e-4, 2e-3}) {
    const double u = R - d, s = std::sqrt(R * R - u * u);
    const double mantle = E / R * (R * s - u * u * std::asinh(s / u)) * L;
    const double ball = kPi * E * d * d * (1.0 - 2.0 * d / (3.0 * R));
    const Pose X{lies, Vec3(0, 0, R - d)};
    for (const double margin : kMargins)
      for (const auto& [floor, X_floor] :
           {std::pair(&rigid_plane(), Pose()), std::pair(&box, translation(0, 0, -1))}) {
        const PressureOptions options{.margin = margin};
        EXPECT_NEAR(force_of(patch_of(*floor, X_floor, cylinder, X, options)).z() / mantle, 1.0, 0.03)
            << d << " " << margin;
        EXPECT_NEAR(force_of(patch_of(*floor, X_floor, capsule, X, options)).z() / (mantle + ball), 1.0, 0.03)
            << d << " " << margin;
      }
  }
}

// Round shapes and boxes of a few centimetres.
CollisionShape random_shape(Random* random, int kind) {
  const auto size = [&] { return random->uniform(0.03, 0.07); };
  switch (kind) {
    case 0:
      return collision_shape(Sphere{size()});
    case 1:
      return collision_shape(Capsule{size(), 2.0 * size()});
    case 2:
      return collision_shape(Cylinder{size(), 2.0 * size()});
    case 3:
      return collision_shape(Ellipsoid{Vec3(size(), size(), size())});
    case 4:
      return random_hull(random, 12);
    default:
      return collision_shape(Box{Vec3(size(), size(), size())});
  }
}

TEST(Facets, AMarginChangesNoForce) {
  Random random(11);
  int pressed = 0;
  for (int i = 0; i < 2000; ++i) {
    const int kind_A = random.uniform_int(0, 5), kind_B = random.uniform_int(0, 3);
    const PressureField A = compliant_field(random_shape(&random, kind_A), 1e6),
                        B = i % 3 == 0 ? rigid_field(random_shape(&random, kind_B))
                                       : compliant_field(random_shape(&random, kind_B), 3e6);
    const Pose X_A = random_pose(&random, 0.01), X_B = random_pose(&random, 0.07);
    const PressurePatch without = patch_of(A, X_A, B, X_B);
    for (const double margin : {1e-5, 5e-4, 1.96e-3, 2e-2}) {
      const PressurePatch with = patch_of(A, X_A, B, X_B, {.margin = margin});
      EXPECT_LE((with.wrench() - without.wrench()).norm(), 1e-12 * without.wrench().norm());
      // And it adds nothing but what does not press.
      std::size_t pressing = 0;
      for (const PressurePoint& point : with.points) pressing += point.pressure > 0.0;
      EXPECT_EQ(pressing, without.points.size());
    }
    pressed += !without.points.empty();
  }
  EXPECT_GT(pressed, 500);
}

TEST(Facets, WhatWillTouchHasTheForceOfTheWholeMargin) {
  // After an approach by the margin d, with the pressure p + g d, speculative faces carry the force of the overlap d,
  // to the order of the fewer facets they have.
  const PressureField floor = rigid_field(collision_shape(Box{Vec3(1, 1, 1)}));
  const PressureField ball = compliant_field(collision_shape(Ellipsoid{Vec3::Constant(R)}), E);
  for (const double d : {1e-4, 5e-4, 2e-3}) {
    double force = 0.0;
    for (const PressurePoint& point :
         patch_of(floor, translation(0, 0, -1), ball, translation(0, 0, R), {.margin = d}).points)
      force += std::max(0.0, point.area * point.pressure + point.stiffness * d * point.normal.z());
    EXPECT_NEAR(force / (kPi * E * d * d), 1.0, 0.1) << d;
  }
}

// B with the rotation R moved along u to where it overlaps A by `depth`.
Pose overlapping(const PressureField& A, const Pose& X_A, const PressureField& B, double depth,
                 const Mat3& R_B, const Vec3& u) {
  Pose X_B{R_B, X_A.p};
  double in = 0.0, out = 1.0;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (in + out);
    X_B.p = X_A.p + middle * u;
    (signed_distance(A.shape, X_A, B.shape, X_B).distance > -depth ? out : in) = middle;
  }
  return X_B;
}
Pose overlapping(const PressureField& A, const Pose& X_A, const PressureField& B, double depth,
                 Random* random) {
  const Mat3 R_B = random_pose(random, 0.0).R;
  const auto u = random->unit_vector<3>();
  return overlapping(A, X_A, B, depth, R_B, Vec3(u[0], u[1], u[2]));
}

TEST(Facets, MovingTwoRoundShapesTurnsTheWrenchWithThem) {
  Random random(12);
  for (int i = 0; i < 400; ++i) {
    const PressureField A = compliant_field(random_shape(&random, random.uniform_int(1, 3)), 1e6),
                        B = i % 4 == 0
                                ? A
                                : compliant_field(random_shape(&random, random.uniform_int(0, 3)), 2e6);
    const Pose X_A = random_pose(&random, 0.01), X = random_pose(&random, 0.5);
    const Pose X_B = overlapping(A, X_A, B, random.uniform(1e-4, 5e-3), &random);
    const Vec6 before = patch_of(A, X_A, B, X_B).wrench();
    ASSERT_GT(before.norm(), 0.0);
    const Vec6 after = patch_of(A, X * X_A, B, X * X_B).wrench();
    const Vec3 force = X.R * before.tail<3>(), moment = X.R * before.head<3>() + X.p.cross(force);
    // The direction of contact is the result of a search, exact to its tolerance.
    EXPECT_LE((after.tail<3>() - force).norm(), 1e-5 * force.norm()) << i;
    EXPECT_LE((after.head<3>() - moment).norm(), 1e-5 * force.norm()) << i;
  }
}

// The patch with every pair of pieces tried, and its area.
std::pair<Vec6, double> by_brute_force(const PressureField& A, const Pose& X_A, const PressureField& B,
                                       const Pose& X_B, const PressureOptions& options,
                                       bool tries_every_pair) {
  PressureWorkspace workspace;
  workspace.buffers().walk.tries_every_pair = workspace.buffers().walk.keeps_every_piece = tries_every_pair;
  PressurePatch patch;
  find_pressure_patch(A, X_A, B, X_B, options, &workspace, &patch);
  double area = 0.0;
  for (const PressureFace& face : patch.faces) area += face.area;
  return {patch.wrench(), area};
}

TEST(Facets, GoingFromFaceToFaceLosesNone) {
  // Random pairs, and ones of equal size in symmetric poses, whose edges coincide.
  Random random(13);
  int apart = 0;
  for (int i = 0; i < 1500; ++i) {
    const bool is_symmetric = i % 2 == 0;
    const FacetRings rings = FacetRings(random.uniform_int(1, 3));
    const auto shape = [&](int kind) {
      if (!is_symmetric) return random_shape(&random, kind);
      const CollisionShape equal[] = {collision_shape(Sphere{R}),
                                      collision_shape(Capsule{R, 2.0 * R}),
                                      collision_shape(Cylinder{R, 2.0 * R}),
                                      collision_shape(Ellipsoid{Vec3(R, R, 0.5 * R)}),
                                      collision_shape(Box{Vec3::Constant(R)}),
                                      collision_shape(Box{Vec3(R, R, 0.5 * R)})};
      return equal[kind];
    };
    const PressureField A = compliant_field(shape(random.uniform_int(1, 5)), 1e6, R, rings);
    const CollisionShape round = shape(random.uniform_int(0, 3));
    const PressureField B =
        i % 3 == 0 ? rigid_field(round, rings) : compliant_field(round, i % 3 == 1 ? 1e6 : 4e6, R, rings);
    Pose X_A, X_B;
    const double depth = std::pow(10.0, random.uniform(-5.0, -1.7));
    if (is_symmetric) {
      const auto turn = [&] {
        return turned(0.25 * kPi * random.uniform_int(0, 7), Vec3::Unit(random.uniform_int(0, 2)));
      };
      X_A.R = turn() * turn();
      X_B.R = turn() * turn();
      Vec3 u(random.uniform_int(-1, 1), random.uniform_int(-1, 1), 1.0);
      u.normalize();
      X_B = overlapping(A, X_A, B, depth, X_B.R, u);
    } else {
      X_A = random_pose(&random, 0.01);
      X_B = overlapping(A, X_A, B, depth, &random);
    }
    const PressureOptions options{.margin = i % 4 < 2 ? 0.0 : 1e-3};
    const auto [wrench, area] = by_brute_force(A, X_A, B, X_B, options, false);
    const auto [expected, whole] = by_brute_force(A, X_A, B, X_B, options, true);
    // Facets lie inside their shape at their edges: round edges that overlap by micrometres may not touch.
    if (!(whole > 0.0)) {
      EXPECT_EQ(area, 0.0) << i;
      ++apart;
      continue;
    }
    // Slivers of round-off size apart.
    EXPECT_LE((wrench - expected).norm(), 1e-9 * expected.norm()) << i;
    EXPECT_NEAR(area / whole, 1.0, 1e-9) << i;
  }
  EXPECT_LT(apart, 75);
}

TEST(Facets, TheWrenchIsContinuousAlongPaths) {
  // Half the step, half the largest change: no jump. Each of two shapes turns and moves along a straight path past the
  // other one, which it overlaps by some millimetres.
  const CollisionShape shapes[] = {
      collision_shape(Capsule{0.03, 0.08}), collision_shape(Cylinder{0.03, 0.08}),
      collision_shape(Ellipsoid{Vec3(0.05, 0.03, 0.04)}), collision_shape(Sphere{0.03}),
      collision_shape(Box{Vec3(0.04, 0.03, 0.05)})};
  for (int a = 0; a < 5; ++a)
    for (int b = 0; b < 3; ++b) {
      const PressureField A = compliant_field(shapes[a], E), B = compliant_field(shapes[b], 0.4 * E);
      double force = 0.0;
      const auto largest_change = [&](int steps) {
        double most = 0.0;
        Vec6 before = Vec6::Zero();
        for (int i = 0; i <= steps; ++i) {
          const double t = static_cast<double>(i) / steps;
          const Pose X_A{turned(0.3 + 1.1 * t, Vec3(1, 2, 0.5)), Vec3::Zero()};
          Pose X_B{turned(0.7 - 0.8 * t, Vec3(-1, 0.3, 2)), Vec3::Zero()};
          const Vec3 u = Vec3(0.9 * t - 0.4, 0.2 + 0.3 * t, 1.0).normalized();
          X_B = overlapping(A, X_A, B, 2e-3 * std::sin(kPi * t), X_B.R, u);
          const Vec6 wrench = patch_of(A, X_A, B, X_B, {.margin = 5e-4}).wrench();
          if (i > 0) most = std::max(most, (wrench - before).norm());
          force = std::max(force, wrench.norm());
          before = wrench;
        }
        return most;
      };
      const double coarse = largest_change(200), fine = largest_change(400);
      EXPECT_GT(force, 1.0);
      EXPECT_LT(fine, 0.6 * coarse) << name_of(A.shape.kind) << " " << name_of(B.shape.kind) << " force "
                                    << force << " changes " << coarse << " " << fine;
    }
}

TEST(Facets, RollingAboutItsAxisChangesNothing) {
  // A capsule or a cylinder that turns about its own axis, on an ellipsoid, on its like and on a box.
  const PressureField capsule = compliant_field(collision_shape(Capsule{0.03, 0.1}), E),
                      cylinder = compliant_field(collision_shape(Cylinder{0.03, 0.1}), E),
                      ellipsoid = compliant_field(collision_shape(Ellipsoid{Vec3(0.05, 0.03, 0.04)}), E);
  for (const PressureField* A : {&capsule, &cylinder})
    for (const PressureField* B : {&ellipsoid, &capsule, &cylinder, &soft_cube()}) {
      const Pose X_B{turned(0.6, Vec3(1, 2, 3)), Vec3(0.01, 0.055, 0.012)};
      const Vec6 before = patch_of(*A, {}, *B, X_B).wrench();
      ASSERT_GT(before.norm(), 1.0);
      for (const double angle : {0.1, 1.0, 2.5}) {
        const Vec6 after = patch_of(*A, {turned(angle, Vec3::UnitZ()), Vec3::Zero()}, *B, X_B).wrench();
        EXPECT_LT((after - before).norm(), 1e-5 * before.norm());
      }
    }
}

}  // namespace
}  // namespace stiction
