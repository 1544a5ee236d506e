// Longer than most files: pressures, faces and points of every pair of shapes are checked against the same closed forms.

#include "stiction/geometry/field/pressure_patch.h"

#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/geometry/field/tet_mesh.h"
#include "stiction/geometry/narrow_phase.h"
#include "test/base/allocation_counter.h"
#include "test/geometry/field/patches.h"
#include "test/geometry/test_meshes.h"

namespace stiction {
namespace {

using namespace patches;

TEST(PressurePatch, BallOnAPlaneHasTheForceStiffnessAndEnergyOfTheClosedForm) {
  for (const double d : {1e-6, 1e-3, 5e-3, 2e-2}) {
    const PressurePatch patch =
        patch_of(rigid_plane(), {}, soft_ball(), translation(0, 0, R - d), {.wants_energy = true});
    const double F = kPi * E * d * d * (1.0 - 2.0 * d / (3.0 * R));
    EXPECT_NEAR(force_of(patch).z(), F, kRoundOff * F) << d;
    EXPECT_NEAR(stiffness_of(patch), 2.0 * kPi * E / R * d * (R - d), kRoundOff * F / d);
    EXPECT_NEAR(patch.energy, kPi * E * (d * d * d / 3.0 - d * d * d * d / (6.0 * R)), kRoundOff * F * d);
  }
}

TEST(PressurePatch, ARigidBallInAHalfSpaceFloatsByArchimedes) {
  const PressureField soft = compliant_field(collision_shape(HalfSpace{}), E, 0.03),
                      ball = rigid_field(collision_shape(Sphere{R}));
  for (const double d : {1e-3, 2e-2, 7e-2}) {
    const double F = E / 0.03 * kPi * d * d * (R - d / 3.0);
    EXPECT_NEAR(force_of(patch_of(soft, {}, ball, translation(0, 0, R - d))).z(), F, 1e-9 * F) << d;
  }
}

TEST(PressurePatch, AnyRigidHullInAHalfSpaceFloatsByArchimedes) {
  // Tetrahedra with one corner under the surface, which have their submerged volume in closed form.
  const PressureField soft = compliant_field(collision_shape(HalfSpace{}), E, 0.05);
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    std::vector<Vec3> corners = {Vec3(0, 0, -random.uniform(0.01, 0.05))};
    for (int k = 0; k < 3; ++k)
      corners.emplace_back(0.1 * std::cos(2.0 * k) + random.uniform(-0.02, 0.02),
                           0.1 * std::sin(2.0 * k) + random.uniform(-0.02, 0.02), random.uniform(0.01, 0.1));
    const PressureField tet =
        rigid_field(collision_shape(std::make_shared<const ConvexHull>(convex_hull(corners))));
    // The cut corner: edges end where z = 0.
    Vec3 edges[3];
    for (int k = 0; k < 3; ++k) {
      const Vec3 e = corners[k + 1] - corners[0];
      edges[k] = -corners[0].z() / e.z() * e;
    }
    const double V = std::abs(edges[0].dot(edges[1].cross(edges[2]))) / 6.0;
    const Vec3 centre = corners[0] + 0.25 * (edges[0] + edges[1] + edges[2]);
    const Vec6 wrench = patch_of(soft, {}, tet, {}, {.is_fine = true}).wrench();
    const double F = E / 0.05 * V;
    EXPECT_NEAR(wrench[5], F, kRoundOff * F);
    EXPECT_NEAR(wrench[3], 0.0, kRoundOff * F);
    EXPECT_NEAR(wrench[4], 0.0, kRoundOff * F);
    // Through the centroid of the submerged volume.
    EXPECT_NEAR(wrench[0], centre.y() * F, 1e-9 * F);
    EXPECT_NEAR(wrench[1], -centre.x() * F, 1e-9 * F);
  }
}

TEST(PressurePatch, TwoEqualBallsMeetOnTheirMirrorPlane) {
  for (const double d : {1e-4, 2e-3, 2e-2}) {
    const double F = kPi * E * 0.25 * d * d * (1.0 - d / (3.0 * R));
    const Vec3 n = Vec3(1, 2, -2) / 3.0;
    const PressurePatch patch = patch_of(soft_ball(), {}, soft_ball(), translation((2.0 * R - d) * n));
    EXPECT_NEAR((force_of(patch) - F * n).norm(), 0.0, kRoundOff * F);
  }
}

TEST(PressurePatch, UnequalBallsHaveTheForceOfTheirReducedRadiusWhereShallow) {
  const PressureField other = compliant_field(collision_shape(Sphere{0.08}), 4e6);
  const double kappa = 1.0 / (R / E + 0.08 / 4e6), reduced = R * 0.08 / (R + 0.08), d = 1e-5;
  const double F = force_of(patch_of(soft_ball(), {}, other, translation(0, 0, R + 0.08 - d))).z();
  EXPECT_NEAR(F / (kPi * kappa * reduced * d * d), 1.0, 5.0 * d / R);  // first order in d/R
}

TEST(PressurePatch, ABoxFaceOnAPlaneHasTheForceStiffnessAndEnergyOfTheClosedForm) {
  const double b = 0.12, c = 0.2, H = 0.05, kappa = E / H;
  const PressureField box = compliant_field(collision_shape(Box{Vec3(0.5 * b, 0.5 * c, H)}), E);
  for (const double d : {1e-4, 5e-3}) {
    const PressurePatch patch =
        patch_of(rigid_plane(), {}, box, translation(0, 0, H - d), {.wants_energy = true});
    const double F = kappa * (b * c * d - (b + c) * d * d + 4.0 / 3.0 * d * d * d);
    EXPECT_NEAR(force_of(patch).z(), F, kRoundOff * F);
    // The rim has no stiffness.
    EXPECT_NEAR(stiffness_of(patch), kappa * (b - 2.0 * d) * (c - 2.0 * d), kRoundOff * F / d);
    const double U = kappa * (b * c * d * d / 2.0 - (b + c) * d * d * d / 3.0 + d * d * d * d / 3.0);
    EXPECT_NEAR(patch.energy, U, kRoundOff * U);
  }
}

TEST(PressurePatch, TwoLayersShareTheirOverlapAsSpringsInSeries) {
  // Broad flat boxes: the middle of the sheet has p = d kA kB/(kA + kB) and lies d kB/(kA + kB) deep in A.
  const PressureField A = compliant_field(collision_shape(Box{Vec3(1, 1, 0.1)}), 1e6),
                      B = compliant_field(collision_shape(Box{Vec3(0.5, 0.5, 0.2)}), 3e7);
  const double kA = 1e6 / 0.1, kB = 3e7 / 0.2, d = 1e-3;
  const PressurePatch patch = patch_of(A, {}, B, translation(0, 0, 0.3 - d));
  const PressureFace* largest = &patch.faces.front();
  for (const PressureFace& face : patch.faces)
    if (face.area > largest->area) largest = &face;
  EXPECT_NEAR(largest->pressure, d * kA * kB / (kA + kB), kRoundOff * d * kA);
  EXPECT_NEAR(0.1 - largest->centroid.z(), d * kB / (kA + kB), 1e-12);
  EXPECT_NEAR(largest->gradient, kA * kB / (kA + kB), kRoundOff * kA);
}

TEST(PressurePatch, ACylinderEndOnAPlaneIsExactToTheOrderOfItsFacets) {
  const double d = 2e-3, F = kPi * E / R * d * (R * R - R * d + d * d / 3.0);
  for (const FacetRings rings : {FacetRings::one, FacetRings::two, FacetRings::three}) {
    const PressureField cylinder = compliant_field(collision_shape(Cylinder{R, 2.0 * R}), E, 0.0, rings);
    const double error =
        std::abs(force_of(patch_of(rigid_plane(), {}, cylinder, translation(0, 0, R - d))).z() / F - 1.0);
    const int planes = 4 * static_cast<int>(rings) + 1;
    EXPECT_LT(error, 0.2 / (planes * planes)) << planes;
  }
}

TEST(PressurePatch, ALongCylinderOnItsSideHasTheForceOfTheClosedForm) {
  // Less the ends, which are softer over a length of their depth: the exact force lies between those of the
  // lengths L - 2 d and L.
  const double L = 4.0, d = 2e-3, u = R - d, s = std::sqrt(R * R - u * u);
  const double per_length = E / R * (R * s - u * u * std::asinh(s / u));
  const PressureField cylinder = compliant_field(collision_shape(Cylinder{R, L}), E);
  const double F =
      force_of(patch_of(rigid_plane(), {}, cylinder, {turned(0.5 * kPi, Vec3::UnitX()), Vec3(0, 0, R - d)}))
          .z();
  EXPECT_NEAR(F / (per_length * L), 1.0, 2e-3);
}

TEST(PressurePatch, FacetsOfABallAndACapsuleAreWithinThreePercentByDefaultAndOneWhenFiner) {
  const PressureField floor = rigid_field(collision_shape(Box{Vec3(1, 1, 1)}));
  for (const double d : {1e-5, 1e-3, 5e-3}) {
    const double F = kPi * E * d * d * (1.0 - 2.0 * d / (3.0 * R));
    for (const auto& [rings, bound] :
         {std::pair(FacetRings::two, 0.03), std::pair(FacetRings::three, 0.01)}) {
      const PressureField ball = compliant_field(collision_shape(Sphere{R}), E, 0.0, rings);
      EXPECT_NEAR(force_of(patch_of(floor, translation(0, 0, -1), ball, translation(0, 0, R - d))).z() / F,
                  1.0, bound);
      // A capsule on end is a ball.
      const PressureField capsule = compliant_field(collision_shape(Capsule{R, 0.2}), E, 0.0, rings);
      EXPECT_NEAR(force_of(patch_of(rigid_plane(), {}, capsule, translation(0, 0, R + 0.1 - d))).z() / F, 1.0,
                  bound);
      // So is an ellipsoid with equal radii.
      const PressureField round =
          compliant_field(collision_shape(Ellipsoid{Vec3::Constant(R)}), E, 0.0, rings);
      EXPECT_NEAR(force_of(patch_of(rigid_plane(), {}, round, translation(0, 0, R - d))).z() / F, 1.0, bound);
    }
  }
}

TEST(PressurePatch, TurningABallChangesNothing) {
  const PressureField box = rigid_field(collision_shape(Box{Vec3(0.3, 0.2, 0.1)}));
  Random random(2);
  for (const PressureField* partner : {&rigid_plane(), &box, &soft_cube()}) {
    const Pose X = random_pose(&random, 0.0);
    const Vec3 up = X.R.col(2);
    const double height = (partner == &box ? 0.1 : partner == &soft_cube() ? 0.05 : 0.0) + R - 2e-3;
    const Vec6 before = patch_of(*partner, X, soft_ball(), translation(height * up)).wrench();
    ASSERT_GT(before.norm(), 1.0);
    for (int i = 0; i < 20; ++i) {
      const Pose X_ball{random_pose(&random, 0.0).R, height * up};
      EXPECT_LT((patch_of(*partner, X, soft_ball(), X_ball).wrench() - before).norm(), 1e-12 * before.norm());
    }
  }
}

TEST(PressurePatch, TheEnergyIsTheIntegralOfTheSmallerPressure) {
  // Against a plain sum over cells of a grid: error of the order of the grid.
  const PressureField A = compliant_field(collision_shape(Box{Vec3(0.05, 0.04, 0.06)}), 1e6),
                      B = compliant_field(collision_shape(Box{Vec3(0.03, 0.05, 0.02)}), 3e6);
  const Pose X_B{turned(0.7, Vec3(1, 2, 3)), Vec3(0.03, 0.02, 0.04)};
  constexpr int n = 120;
  double sum = 0.0;
  const auto pressure = [](const PressureField& field, const Vec3& x) {
    double p = 1e300;
    for (const FieldPiece& piece : field.pieces) p = std::min(p, piece.value - piece.slope.dot(x));
    return p;
  };
  const Vec3 half = A.shape.box_half;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const Vec3 x = half.cwiseProduct(Vec3(2 * i + 1, 2 * j + 1, 2 * k + 1) / n - Vec3::Ones());
        sum += std::max(0.0, std::min(pressure(A, x), pressure(B, X_B.inverse() * x)));
      }
  const double by_grid = sum * 8.0 * half.prod() / (n * n * n);
  EXPECT_NEAR(energy_of(A, {}, B, X_B) / by_grid, 1.0, 1e-3);
}

TEST(PressurePatch, SwappingTheShapesTurnsTheForceRound) {
  Random random(4);
  const PressureField hull = compliant_field(random_hull(&random, 20), 2e6),
                      capsule = compliant_field(collision_shape(Capsule{0.02, 0.05}), 1e6),
                      ellipsoid = compliant_field(collision_shape(Ellipsoid{Vec3(0.05, 0.03, 0.04)}), 1e6),
                      cylinder = rigid_field(collision_shape(Cylinder{0.04, 0.06}));
  const PressureField* all[] = {&hull, &capsule, &ellipsoid, &cylinder, &soft_ball(), &soft_cube()};
  for (const PressureField* A : all)
    for (const PressureField* B : all) {
      if (!makes_pressure_patch(*A, *B)) continue;
      const Pose X_A = random_pose(&random, 0.01), X_B = random_pose(&random, 0.03);
      const Vec6 ab = patch_of(*A, X_A, *B, X_B).wrench(), ba = patch_of(*B, X_B, *A, X_A).wrench();
      // Two round shapes take the direction from a search (signed_distance), which is exact to its tolerance.
      EXPECT_LT((ab + ba).norm(), 1e-6 * ab.norm() + 1e-9)
          << name_of(A->shape.kind) << " " << name_of(B->shape.kind);
    }
}

TEST(PressurePatch, MovingBothShapesTurnsTheWrenchWithThem) {
  Random random(5);
  const PressureField hull = compliant_field(random_hull(&random, 20), 2e6),
                      cylinder = compliant_field(collision_shape(Cylinder{0.04, 0.06}), 1e6);
  for (const PressureField* B : {&cylinder, &soft_ball(), &soft_cube()}) {
    const Pose X_A = random_pose(&random, 0.01), X_B = random_pose(&random, 0.03),
               X = random_pose(&random, 0.5);
    const Vec6 before = patch_of(hull, X_A, *B, X_B).wrench();
    const Vec6 after = patch_of(hull, X * X_A, *B, X * X_B).wrench();
    const Vec3 force = X.R * before.tail<3>(), moment = X.R * before.head<3>() + X.p.cross(force);
    EXPECT_LT((after.tail<3>() - force).norm(), 1e-9 * force.norm());
    EXPECT_LT((after.head<3>() - moment).norm(), 1e-9 * force.norm());
  }
}

TEST(PressurePatch, LengthsTimesTwoAreForcesTimesFour) {
  const auto fields = [](double s) {
    return std::pair(compliant_field(collision_shape(Box{s * Vec3(0.05, 0.04, 0.06)}), 1e6),
                     compliant_field(collision_shape(Cylinder{0.03 * s, 0.08 * s}), 4e6));
  };
  const auto [A1, B1] = fields(1.0);
  const auto [A2, B2] = fields(2.0);
  const Pose X{turned(0.4, Vec3(1, 2, 0)), Vec3(0.01, 0.005, 0.09)};
  const Vec3 F1 = force_of(patch_of(A1, {}, B1, X)), F2 = force_of(patch_of(A2, {}, B2, {X.R, 2.0 * X.p}));
  ASSERT_GT(F1.norm(), 1.0);
  EXPECT_LT((F2 - 4.0 * F1).norm(), 1e-9 * F1.norm());
}

TEST(PressurePatch, ABoxGivenAsAHullIsTheBox) {
  const auto hull = std::make_shared<const ConvexHull>(
      convex_hull(box_mesh(Vec3::Constant(-0.5 * a), Vec3::Constant(0.5 * a)).vertices));
  const PressureField as_hull = compliant_field(collision_shape(hull), E);
  EXPECT_NEAR(as_hull.depth, 0.5 * a, 1e-9 * a);
  Random random(6);
  for (int i = 0; i < 50; ++i) {
    const Pose X_A = random_pose(&random, 0.0), X_B = random_pose(&random, 0.08);
    const Vec6 expected = patch_of(soft_cube(), X_A, soft_cube(), X_B).wrench();
    const Vec6 wrench = patch_of(as_hull, X_A, as_hull, X_B).wrench();
    EXPECT_LT((wrench - expected).norm(), 1e-8 * expected.norm() + 1e-9);
  }
}

TEST(PressurePatch, ARigidMeshIsItsHullWhereItIsConvex) {
  const TriangleMesh mesh = box_mesh(Vec3::Constant(-0.5 * a), Vec3::Constant(0.5 * a));
  const PressureField surface = rigid_field(collision_shape(std::make_shared<const TriangleMesh>(mesh))),
                      box = rigid_field(collision_shape(Box{Vec3::Constant(0.5 * a)}));
  const PressureField cylinder = compliant_field(collision_shape(Cylinder{0.04, 0.06}), 1e6);
  // Exact, with faces that lie off the cylinder by 2e-4 of its radius on average.
  constexpr int kSides = 96;
  std::vector<Vec3> corners;
  for (int i = 0; i < kSides; ++i)
    for (const double z : {-0.03, 0.03})
      corners.emplace_back(0.04 * std::cos(2.0 * kPi * i / kSides), 0.04 * std::sin(2.0 * kPi * i / kSides),
                           z);
  const PressureField prism = compliant_field(
      collision_shape(std::make_shared<const ConvexHull>(convex_hull(corners))), 1e6, cylinder.depth);
  Random random(7);
  int within = 0, all = 0;
  for (int i = 0; i < 50; ++i) {
    const Pose X_A = random_pose(&random, 0.0), X_B = random_pose(&random, 0.08);
    Vec3 expected = force_of(patch_of(box, X_A, soft_cube(), X_B));
    EXPECT_LT((force_of(patch_of(surface, X_A, soft_cube(), X_B)) - expected).norm(),
              1e-9 * expected.norm() + 1e-9);
    // Facets of the cylinder are laid by triangle instead of for the whole box: both are right to their order, by 3 % for
    // most poses, less closely where a corner or nine tenths of the radius are inside. The prism is 8e-6 m off.
    const double depth = -signed_distance(box.shape, X_A, cylinder.shape, X_B).distance;
    if (depth < 1e-3 || depth > 0.04) continue;
    expected = force_of(patch_of(box, X_A, prism, X_B));
    for (const PressureField* A : {&surface, &box}) {
      const double error = (force_of(patch_of(*A, X_A, cylinder, X_B)) - expected).norm() / expected.norm();
      EXPECT_LE(error, 0.2) << depth;
      within += error <= 0.03;
      ++all;
    }
  }
  EXPECT_GE(within, 0.8 * all);
}

TEST(PressurePatch, SpinIsResistedAtTheLeverOfTheTrueArea) {
  // Moment of friction over mu N: sum of p A r over sum of p A.
  const auto lever = [](const PressurePatch& patch) {
    double moment = 0.0, force = 0.0;
    for (const PressurePoint& point : patch.points) {
      if (!(point.pressure > 0.0)) continue;
      moment += point.force() * std::hypot(point.p.x(), point.p.y());
      force += point.force();
    }
    return moment / force;
  };
  const double d = 1e-6;
  const double square = (std::sqrt(2.0) + std::asinh(1.0)) / 6.0;
  const PressureField cylinder = compliant_field(collision_shape(Cylinder{R, 2.0 * R}), E);
  for (const auto& [is_fine, bound] : {std::pair(false, 0.07), std::pair(true, 0.01)}) {
    const PressureOptions options{.is_fine = is_fine};
    EXPECT_NEAR(lever(patch_of(rigid_plane(), {}, soft_cube(), translation(0, 0, 0.5 * a - d), options)) /
                    (square * a),
                1.0, bound);
    EXPECT_NEAR(
        lever(patch_of(rigid_plane(), {}, cylinder, translation(0, 0, R - d), options)) / (2.0 / 3.0 * R),
        1.0, bound);
    // A ball: 8/15 of the radius of the patch.
    const double rho = std::sqrt(2.0 * R * d - d * d);
    EXPECT_NEAR(lever(patch_of(rigid_plane(), {}, soft_ball(), translation(0, 0, R - d), options)) /
                    (8.0 / 15.0 * rho),
                1.0, bound);
  }
}

TEST(PressurePatch, AFlatCubeRocksWithItsFullStiffness) {
  const double d = 1e-6, kappa = E / (0.5 * a);
  double sum = 0.0;
  for (const PressurePoint& point :
       patch_of(rigid_plane(), {}, soft_cube(), translation(0, 0, 0.5 * a - d)).points)
    sum += point.area * point.gradient * point.p.y() * point.p.y();
  EXPECT_NEAR(sum / (kappa * a * a * a * a / 12.0), 1.0, 10.0 * d / a);  // the rim is d wide
}

TEST(PressurePatch, AMarginAddsNoForceAndFindsWhatWillTouch) {
  Random random(8);
  const PressureField hull = compliant_field(random_hull(&random, 20), 2e6);
  for (const PressureField* B : {&soft_ball(), &soft_cube(), &hull}) {
    const PressureField& A = B == &hull ? soft_cube() : rigid_plane();
    const double middle = B == &soft_ball() ? R : 0.5 * a;
    const Pose X_B = translation(0, 0, middle + (B == &hull ? 0.03 : -1e-3));
    const Vec6 without = patch_of(A, {}, *B, X_B).wrench();
    const Vec6 with = patch_of(A, {}, *B, X_B, {.margin = 1e-3}).wrench();
    EXPECT_LT((with - without).norm(), 1e-9 * without.norm());
    // Half a millimetre apart.
    const Pose apart = translation(0, 0, middle + 0.5e-3);
    if (B == &hull) continue;
    EXPECT_TRUE(patch_of(A, {}, *B, apart).points.empty());
    const PressurePatch near = patch_of(A, {}, *B, apart, {.margin = 1e-3});
    ASSERT_FALSE(near.points.empty());
    for (const PressurePoint& point : near.points) EXPECT_LT(point.pressure, 0.0);
  }
}

TEST(PressurePatch, RimFacesDoNotPushFartherThanTheOverlap) {
  const double d = 1e-3;
  for (const PressurePoint& point :
       patch_of(rigid_plane(), {}, soft_cube(), translation(0, 0, 0.5 * a - d)).points)
    EXPECT_LE(point.force() / point.stiffness, 10.0 * d * (1.0 + 1e-12));
}

TEST(PressurePatch, TheWrenchIsContinuousWhereABoxTipsOverItsEdgeAndCorner) {
  // The steepest change of force per way is the whole stiffness kappa a^2 of a face; of moment that times a.
  const double kappa = E / (0.5 * a), bound = kappa * a * a;
  const double step = 1e-6;
  Vec6 before = Vec6::Zero();
  bool is_first = true;
  for (double angle = -2e-3; angle < 2e-3; angle += step / a) {
    const Pose X{turned(angle, Vec3(1, 0.3, 0)), Vec3(0, 0, 0.5 * a - 2e-5)};
    const Vec6 wrench = patch_of(rigid_plane(), {}, soft_cube(), X, {.margin = 1e-4}).wrench();
    if (!is_first) {
      EXPECT_LT((wrench - before).tail<3>().norm(), 1.1 * bound * step);
      EXPECT_LT((wrench - before).head<3>().norm(), 1.1 * bound * a * step);
    }
    is_first = false;
    before = wrench;
  }
}

TEST(PressurePatch, ABallOnAFaceOfACubeIsABallOnAHalfSpace) {
  // The half-space has the slope of the cube's field. Exact, since the sheet lies within the face.
  const PressureField layer = compliant_field(collision_shape(HalfSpace{}), 2e6, 0.5 * a),
                      soft = compliant_field(collision_shape(Box{Vec3::Constant(0.5 * a)}), 2e6),
                      hard = rigid_field(collision_shape(Box{Vec3::Constant(0.5 * a)})),
                      hard_ball = rigid_field(collision_shape(Sphere{R}));
  for (const double d : {1e-4, 2e-3, 8e-3})
    for (const auto& [box, plane, ball] :
         {std::tuple(&soft, &layer, &soft_ball()), std::tuple(&hard, &rigid_plane(), &soft_ball()),
          std::tuple(&soft, &layer, &hard_ball)}) {
      const PressureOptions options{.margin = 1e-4, .wants_energy = true};
      const PressurePatch on_box =
          patch_of(*box, {}, *ball, translation(0.003, -0.002, 0.5 * a + R - d), options);
      const PressurePatch on_plane = patch_of(*plane, translation(0, 0, 0.5 * a), *ball,
                                              translation(0.003, -0.002, 0.5 * a + R - d), options);
      const double force = force_of(on_plane).norm();
      ASSERT_GT(force, 0.0);
      EXPECT_LT((on_box.wrench() - on_plane.wrench()).norm(), 1e-12 * force);
      EXPECT_NEAR(on_box.energy / on_plane.energy, 1.0, 1e-12);
      EXPECT_EQ(on_box.points.size(), on_plane.points.size());
      // The other way round.
      const PressurePatch swapped =
          patch_of(*ball, translation(0.003, -0.002, 0.5 * a + R - d), *box, {}, options);
      EXPECT_LT((on_box.wrench() + swapped.wrench()).norm(), 1e-12 * force);
    }
}

TEST(PressurePatch, TheWrenchIsContinuousWhereABallRollsOverAnEdge) {
  // Half the step, half the largest change: no jump. From the middle of a face over its edge, through where facets take
  // over from rings.
  const auto largest_change = [&](double step, double* force) {
    double most = 0.0;
    Vec6 before = Vec6::Zero();
    for (double y = 0.0; y < 0.07; y += step) {
      const Pose X{turned(0.3, Vec3(0, 0, 1)), Vec3(0.2 * y, y, 0.5 * a + R - 2e-3)};
      const Vec6 wrench = patch_of(soft_cube(), {}, soft_ball(), X, {.margin = 1e-3}).wrench();
      if (y > 0.0) most = std::max(most, (wrench - before).norm());
      *force = std::max(*force, wrench.norm());
      before = wrench;
    }
    return most;
  };
  double force = 0.0;
  const double coarse = largest_change(2e-5, &force), fine = largest_change(1e-5, &force);
  EXPECT_GT(force, 10.0);
  EXPECT_LT(fine, 0.55 * coarse);
}

TEST(PressurePatch, NothingIsAllocatedAfterTheFirstQueries) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  const PressureField cylinder = compliant_field(collision_shape(Cylinder{0.04, 0.06}), 1e6);
  PressureWorkspace workspace;
  PressurePatch patch;
  const auto query = [&] {
    for (const PressureField* B : {&soft_ball(), &soft_cube(), &cylinder})
      find_pressure_patch(soft_cube(), {}, *B, translation(0.01, 0.02, 0.07), {.margin = 1e-3}, &workspace,
                          &patch);
  };
  query();
  query();
  const AllocationCounter counter;
  query();
  EXPECT_EQ(counter.count(), 0);
}

// A cube as twelve tetrahedra around its centre: their pressure is the depth of the cube.
std::shared_ptr<const TetMesh> cube_of_tets(double half) {
  const TriangleMesh surface = box_mesh(Vec3::Constant(-half), Vec3::Constant(half));
  TetVolume volume{surface.vertices, {}};
  volume.vertices.push_back(Vec3::Zero());
  for (const Triangle& t : surface.triangles) volume.tets.push_back({t[0], t[1], t[2], 8});
  return std::make_shared<const TetMesh>(tet_mesh(volume));
}

TEST(TetMesh, ACubeOfTetrahedraIsTheCube) {
  const auto tets = cube_of_tets(0.5 * a);
  EXPECT_NEAR(tets->depth, 0.5 * a, 1e-15);
  EXPECT_NEAR(tets->volume, a * a * a, 1e-15);
  const PressureField cube = compliant_field(tets, E);
  const PressureField hard_box = rigid_field(collision_shape(Box{Vec3(0.03, 0.04, 0.05)})),
                      hull_box = compliant_field(collision_shape(Box{Vec3(0.03, 0.04, 0.05)}), 3e6);
  const auto mesh =
      std::make_shared<const TriangleMesh>(box_mesh(-Vec3(0.03, 0.04, 0.05), Vec3(0.03, 0.04, 0.05)));
  const PressureField surface = rigid_field(collision_shape(mesh));
  Random random(9);
  for (int i = 0; i < 30; ++i) {
    const Pose X_A = random_pose(&random, 0.01), X_B = random_pose(&random, 0.07);
    const double margin = i % 2 ? 1e-3 : 0.0;
    for (const PressureField* B : {&hard_box, &hull_box, &rigid_plane()}) {
      const PressureOptions options{.margin = margin, .is_fine = true, .wants_energy = true};
      const PressurePatch expected = patch_of(soft_cube(), X_A, *B, X_B, options);
      const PressurePatch patch = patch_of(cube, X_A, *B, X_B, options);
      const double scale = force_of(expected).norm();
      EXPECT_LT((patch.wrench() - expected.wrench()).norm(), 1e-8 * scale + 1e-9)
          << i << name_of(B->shape.kind);
      EXPECT_NEAR(patch.energy, expected.energy, 1e-9 * expected.energy + 1e-12);
      EXPECT_LT((patch_of(*B, X_B, cube, X_A, options).wrench() + patch.wrench()).norm(),
                1e-8 * scale + 1e-9);
    }
    const PressurePatch expected = patch_of(cube, X_A, hard_box, X_B),
                        with_mesh = patch_of(cube, X_A, surface, X_B);
    EXPECT_LT((force_of(with_mesh) - force_of(expected)).norm(), 1e-8 * force_of(expected).norm() + 1e-9);
    const PressurePatch two = patch_of(cube, X_A, cube, X_B),
                        boxes = patch_of(soft_cube(), X_A, soft_cube(), X_B);
    EXPECT_LT((force_of(two) - force_of(boxes)).norm(), 1e-8 * force_of(boxes).norm() + 1e-9);
  }
}

TEST(TetMesh, ABallOnACubeOfTetrahedraIsABallOnTheCube) {
  const PressureField cube = compliant_field(cube_of_tets(0.5 * a), E);
  for (const double d : {1e-3, 5e-3}) {
    const Pose X_B = translation(0.01, 0.005, 0.5 * a + R - d);
    const double expected = force_of(patch_of(soft_cube(), {}, soft_ball(), X_B)).z();
    // Facets are laid anew for each tetrahedron.
    EXPECT_NEAR(force_of(patch_of(cube, {}, soft_ball(), X_B)).z() / expected, 1.0, 0.03) << d;
  }
}

TEST(TetMesh, FlatPartsAreDividedSoThatTheyHavePressure) {
  // A single tetrahedron, and two that share a triangle of surface vertices.
  TetVolume one{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}, {{0, 1, 2, 3}}};
  EXPECT_EQ(tet_mesh(one).cells.size(), 4u);
  EXPECT_GT(tet_mesh(one).depth, 0.1);
  TetVolume two = one;
  two.vertices.emplace_back(1, 1, 1);
  two.tets.push_back({1, 2, 3, 4});
  const TetMesh mesh = tet_mesh(two);
  EXPECT_EQ(mesh.cells.size(), 12u);
  EXPECT_NEAR(mesh.volume, 1.0 / 6.0 + 2.0 / 6.0, 1e-12);
}

TEST(TetMesh, RefusesWhatIsNoVolume) {
  EXPECT_THROW(tet_mesh({}), UserError);
  EXPECT_THROW(tet_mesh({{Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3(1, 1, 0)}, {{0, 1, 2, 3}}}),
               UserError);
  EXPECT_THROW(tet_mesh({{Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()}, {{0, 1, 2, 4}}}),
               UserError);
}

TEST(PressureField, KnowsTheLargestBallInsideAHull) {
  // A regular tetrahedron with edges of length s holds a ball of radius s/sqrt(24).
  const std::vector<Vec3> corners = {Vec3(1, 1, 1), Vec3(1, -1, -1), Vec3(-1, 1, -1), Vec3(-1, -1, 1)};
  const CollisionShape tet = collision_shape(std::make_shared<const ConvexHull>(convex_hull(corners)));
  EXPECT_NEAR(inscribed_radius(tet), 2.0 * std::sqrt(2.0) / std::sqrt(24.0), 1e-9);
}

TEST(PressureField, RefusesWhatHasNoField) {
  EXPECT_THROW(compliant_field(collision_shape(HalfSpace{}), E), UserError);
  EXPECT_THROW(compliant_field(collision_shape(Sphere{R}), -1.0), UserError);
  EXPECT_THROW(compliant_field(collision_shape(Superellipsoid{Vec3::Ones(), 0.5, 0.5}), E), UserError);
  const auto mesh = std::make_shared<const TriangleMesh>(box_mesh(-Vec3::Ones(), Vec3::Ones()));
  EXPECT_THROW(compliant_field(collision_shape(mesh), E), UserError);
  EXPECT_FALSE(makes_pressure_patch(rigid_plane(), rigid_field(collision_shape(Sphere{R}))));
}

}  // namespace
}  // namespace stiction
