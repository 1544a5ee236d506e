// Shapes of tetrahedra as fields: a cube, an L, a U with a ball in its notch, a torus.
#include <cmath>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/base/random.h"
#include "stiction/geometry/field/pressure_patch.h"
#include "stiction/geometry/field/tet_mesh.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/geometry/shape/mesh_tree.h"
#include "stiction/math/rotation.h"
#include "test/base/allocation_counter.h"
#include "test/geometry/tet_volumes.h"

namespace stiction {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double E = 1e7, a = 0.1, edge = 0.02;  // Pa, m, m of the cubes of non-convex shapes

// Sums of some hundred products of numbers that are exact in the formulas.
constexpr double kRoundOff = 1e-9;

PressurePatch patch_of(const PressureField& A, const Pose& X_WA, const PressureField& B, const Pose& X_WB,
                       const PressureOptions& options = {}) {
  PressureWorkspace workspace;
  PressurePatch patch;
  find_pressure_patch(A, X_WA, B, X_WB, options, &workspace, &patch);
  return patch;
}

Vec3 force_of(const PressurePatch& patch) { return patch.wrench().tail<3>(); }

double energy_of(const PressureField& A, const Pose& X_WA, const PressureField& B, const Pose& X_WB) {
  return patch_of(A, X_WA, B, X_WB, {.wants_energy = true}).energy;
}

Mat3 turned(double angle, const Vec3& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

Pose random_pose(Random* random, double reach) {
  const auto q = random->unit_vector<4>();
  return {rotation_from_quaternion(Vec4(q[0], q[1], q[2], q[3])),
          reach * Vec3(random->uniform(-1, 1), random->uniform(-1, 1), random->uniform(-1, 1))};
}

CollisionShape mesh_shape(const TetVolume& volume) { return collision_shape(shared_mesh_of(volume)); }

TetVolume ell() { return cubes_volume({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 0, 1}, {0, 0, 2}}, edge); }

// Walls of one cube's thickness, five high and five wide, three apart.
TetVolume u_shape() {
  std::vector<std::array<int, 3>> cells;
  for (int j = 0; j < 5; ++j) {
    for (int i = 0; i < 5; ++i) cells.push_back({i, j, 0});
    for (int k = 1; k < 5; ++k) {
      cells.push_back({0, j, k});
      cells.push_back({4, j, k});
    }
  }
  return cubes_volume(cells, edge);
}

const PressureField& soft_cube() {
  static const PressureField field = compliant_field(collision_shape(Box{Vec3::Constant(0.5 * a)}), E);
  return field;
}
const PressureField& cube_of_tets() {
  static const PressureField field =
      compliant_field(mesh_shape(centred_box_volume(Vec3::Constant(0.5 * a))), E);
  return field;
}
const PressureField& rigid_plane() {
  static const PressureField field = rigid_field(collision_shape(HalfSpace{}));
  return field;
}

TEST(TetField, IsMadeOnceForAllCopiesOfAMesh) {
  const CollisionShape shape = mesh_shape(ell()), copy = shape;
  const PressureField one = compliant_field(shape, E), two = compliant_field(copy, 2.0 * E);
  EXPECT_EQ(one.tets, two.tets);
  EXPECT_EQ(one.depth, 0.5 * edge);
  EXPECT_EQ(one.tets->surface.triangles.size(), shape.mesh->mesh.triangles.size());
}

TEST(TetField, NeedsTetrahedraThatAreSound) {
  const auto error_of = [](const CollisionShape& shape) -> std::string {
    try {
      compliant_field(shape, E);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  const auto surface = std::make_shared<const TriangleMesh>(box_mesh(-Vec3::Ones(), Vec3::Ones()));
  EXPECT_NE(error_of(collision_shape(surface)).find("read it from a .vtk or Gmsh .msh file"),
            std::string::npos);
  TetVolume flat = ell();
  flat.tets.push_back({1, 2, 3, 4});  // a square
  EXPECT_NE(error_of(mesh_shape(flat)).find("without volume"), std::string::npos);
  EXPECT_EQ(error_of(mesh_shape(ell())), "");
}

TEST(TetField, DepthsAreDistancesFromTheSurface) {
  // Against the distance to every triangle in turn: of a point in a box of cubes, by its sides.
  std::vector<std::array<int, 3>> cells;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 5; ++j)
      for (int k = 0; k < 4; ++k) cells.push_back({i, j, k});
  const TetMesh mesh = tet_mesh(cubes_volume(cells, 1.0));
  EXPECT_NEAR(mesh.depth, 2.0, 1e-14);
  for (const TetCell& cell : mesh.cells) {
    // The pressure of a tetrahedron is that of its corners, here at its centre their mean.
    const Vec3 x = cell.centre;
    const double p = cell.pressure.value - cell.pressure.slope.dot(x);
    const double exact = std::min(x.minCoeff(), (Vec3(6, 5, 4) - x).minCoeff());
    // Linear between corners, the depth of a convex shape is not overestimated, and by half an edge at most less.
    EXPECT_LE(p, exact + 1e-12);
    EXPECT_GE(p, exact - 0.5);
  }
}

TEST(TetField, ACubeOfItIsTheCubeAgainstSurfacesToo) {
  // Force, moment and energy against a rigid mesh are those against the rigid box of the same corners.
  const Vec3 half(0.03, 0.04, 0.05);
  const PressureField box = rigid_field(collision_shape(Box{half})),
                      mesh = rigid_field(
                          collision_shape(std::make_shared<const TriangleMesh>(box_mesh(-half, half))));
  Random random(11);
  int met = 0;
  for (int i = 0; i < 60; ++i) {
    const Pose X_A = random_pose(&random, 0.01), X_B = random_pose(&random, 0.07);
    const PressureOptions options{.is_fine = true, .wants_energy = true};
    const PressurePatch expected = patch_of(soft_cube(), X_A, box, X_B, options);
    const PressurePatch patch = patch_of(cube_of_tets(), X_A, mesh, X_B, options);
    const double force = force_of(expected).norm();
    if (!expected.fades) {
      EXPECT_LT((patch.wrench() - expected.wrench()).norm(), 1e-8 * force + 1e-9) << i;
    }
    EXPECT_NEAR(patch.energy, expected.energy, 1e-9 * expected.energy + 1e-12) << i;
    met += expected.energy > 0.0;
  }
  EXPECT_GT(met, 30);
}

TEST(TetField, ACubeOfItOnFlatTerrainIsACubeOnAPlane) {
  const auto terrain = std::make_shared<const HeightField>(
      height_field(5, 7, std::vector<double>(35, 0.0), {0.3, 0.3, 0.1, 0.1}));
  const PressureField flat = rigid_field(collision_shape(terrain));
  Random random(12);
  for (int i = 0; i < 20; ++i) {
    Pose X = random_pose(&random, 0.02);
    X.p.z() += 0.05;
    const PressureOptions options{.is_fine = true, .wants_energy = true};
    const PressurePatch expected = patch_of(rigid_plane(), {}, soft_cube(), X, options),
                        patch = patch_of(flat, {}, cube_of_tets(), X, options);
    if (patch.fades) continue;
    EXPECT_LT((patch.wrench() - expected.wrench()).norm(), 1e-8 * force_of(expected).norm() + 1e-9) << i;
    EXPECT_NEAR(patch.energy, expected.energy, 1e-9 * expected.energy + 1e-12) << i;
  }
}

TEST(TetField, ABoxOfCubesTendsToTheBox) {
  // The field is the box's but where its sides meet in a tetrahedron: in a part of the volume that goes with the
  // edge of the cubes.
  std::vector<double> errors;
  for (const int n : {4, 8, 16}) {
    std::vector<std::array<int, 3>> cells;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k) cells.push_back({i, j, k});
    const PressureField box = compliant_field(mesh_shape(cubes_volume(cells, a / n)), E);
    EXPECT_NEAR(box.depth, 0.5 * a, 1e-15);
    const Pose X{turned(0.3, Vec3(1, 2, 0)), Vec3(0, 0, 0.05)};
    const Pose centred = X * translation(-0.5 * a, -0.5 * a, -0.5 * a);
    const double expected = force_of(patch_of(rigid_plane(), {}, soft_cube(), X)).z();
    errors.push_back(std::abs(force_of(patch_of(rigid_plane(), {}, box, centred)).z() / expected - 1.0));
  }
  EXPECT_LT(errors[1], 0.6 * errors[0]);
  EXPECT_LT(errors[2], 0.6 * errors[1]);
  EXPECT_LT(errors[2], 0.05);
}

TEST(TetField, ABallInTheNotchOfAUTouchesNothingUntilItTouchesAWall) {
  // Where a wall meets the floor it is deeper than a wall alone, so the depth is given.
  const double depth = 0.5 * edge;
  const PressureField u = compliant_field(mesh_shape(u_shape()), E, depth);
  const double R = 0.02, middle = 2.5 * edge;
  for (const PressureField& ball :
       {rigid_field(collision_shape(Sphere{R})), compliant_field(collision_shape(Sphere{R}), E)}) {
    const PressureField hull = compliant_field(
        collision_shape(std::make_shared<const ConvexHull>(convex_hull(shared_mesh_of(u_shape())->vertices))),
        E);
    EXPECT_TRUE(patch_of(u, {}, ball, translation(middle, middle, 3.0 * edge)).points.empty());
    EXPECT_FALSE(patch_of(hull, {}, ball, translation(middle, middle, 3.0 * edge)).points.empty());
    // Against the wall alone, far from the floor: the same tetrahedra.
    std::vector<std::array<int, 3>> cells;
    for (int j = 0; j < 5; ++j)
      for (int k = 1; k < 5; ++k) cells.push_back({4, j, k});
    const PressureField wall = compliant_field(mesh_shape(cubes_volume(cells, edge)), E, depth);
    const Pose X = translation(4.0 * edge - R + 1e-3, middle, 3.2 * edge);
    const Vec6 expected = patch_of(wall, {}, ball, X).wrench(), wrench = patch_of(u, {}, ball, X).wrench();
    EXPECT_LT(expected[3], -1.0);
    EXPECT_LT((wrench - expected).norm(), kRoundOff * expected.norm());
  }
}

TEST(TetField, ATorusOnAPlaneTendsToItsClosedForm) {
  // kappa (r - distance to the circle) under a plane at the height h = r - d above it, by Pappus:
  // F = 2 pi R kappa (r b - h^2 asinh(b/h)), b^2 = r^2 - h^2.
  const double large = 0.06, r = 0.02, d = 2e-3, h = r - d, b = std::sqrt(r * r - h * h);
  const double F = 2.0 * kPi * large * E / r * (r * b - h * h * std::asinh(b / h));
  std::vector<double> errors;
  for (const int n : {12, 24, 48}) {
    const PressureField torus = compliant_field(mesh_shape(torus_volume(large, r, 2 * n, n, n / 12)), E, r);
    const PressurePatch patch = patch_of(rigid_plane(), {}, torus, translation(0, 0, h));
    errors.push_back(std::abs(force_of(patch).z() / F - 1.0));
    EXPECT_LT(force_of(patch).head<2>().norm(), 1e-9 * F);
    EXPECT_LT(patch.wrench().head<3>().norm(), 1e-9 * F);
  }
  // Second order in the angle between corners.
  EXPECT_LT(errors[1], 0.4 * errors[0]);
  EXPECT_LT(errors[2], 0.4 * errors[1]);
  EXPECT_LT(errors[2], 0.03);
}

// Partners of an L in random poses.
struct Partners {
  PressureField plane = rigid_plane(), soft_plane = compliant_field(collision_shape(HalfSpace{}), E, 0.02),
                box = compliant_field(collision_shape(Box{Vec3(0.02, 0.03, 0.015)}), 3e6),
                hard_box = rigid_field(collision_shape(Box{Vec3(0.02, 0.03, 0.015)})),
                tets = compliant_field(mesh_shape(u_shape()), 2.0 * E),
                mesh = rigid_field(collision_shape(std::make_shared<const TriangleMesh>(
                    box_mesh(Vec3(-0.02, -0.03, -0.015), Vec3(0.02, 0.03, 0.015))))),
                ball = compliant_field(collision_shape(Sphere{0.02}), E),
                cylinder = rigid_field(collision_shape(Cylinder{0.02, 0.05}));
  std::vector<const PressureField*> exact() const {
    return {&plane, &soft_plane, &box, &hard_box, &tets, &mesh};
  }
  std::vector<const PressureField*> all() const {
    return {&plane, &soft_plane, &box, &hard_box, &tets, &mesh, &ball, &cylinder};
  }
};

TEST(TetField, ForceAndMomentAreTheDerivativeOfTheEnergy) {
  const PressureField own = compliant_field(mesh_shape(ell()), E);
  const Partners partners;
  Random random(13);
  int met = 0;
  double worst = 0.0;
  for (int i = 0; i < 60; ++i) {
    const auto list = partners.exact();
    const PressureField& A = *list[std::size_t(i) % list.size()];
    const Pose X_A = random_pose(&random, 0.01);
    Pose X_B = random_pose(&random, 0.02);
    if (A.shape.kind == ShapeKind::half_space) X_B.p += X_A * Vec3(0, 0, 0.01) - X_A.p;
    const PressurePatch patch = patch_of(A, X_A, own, X_B, {.is_fine = true});
    const Vec6 wrench = patch.wrench();
    // Where a side fades out the force is no gradient of U.
    if (patch.fades || wrench.tail<3>().norm() < 1.0) continue;
    ++met;
    const double e = 1e-6, force = wrench.tail<3>().norm(), arm = 0.05;  // m
    for (int k = 0; k < 6; ++k) {
      Pose plus = X_B, minus = X_B;
      if (k < 3) {
        const Mat3 turn = turned(e, Vec3::Unit(k));
        plus = Pose{turn, Vec3::Zero()} * X_B;
        minus = Pose{turn.transpose(), Vec3::Zero()} * X_B;
      } else {
        plus.p += e * Vec3::Unit(k - 3);
        minus.p -= e * Vec3::Unit(k - 3);
      }
      const double by_energy = -(energy_of(A, X_A, own, plus) - energy_of(A, X_A, own, minus)) / (2.0 * e);
      worst = std::max(worst, std::abs(by_energy - wrench[k]) / (k < 3 ? arm * force : force));
    }
  }
  EXPECT_GT(met, 10);
  EXPECT_LT(worst, 1e-6);
}

TEST(TetField, SwapAndCommonMotionAndScaleKeepTheForce) {
  const PressureField own = compliant_field(mesh_shape(ell()), E);
  const Partners partners;
  Random random(14);
  int met = 0;
  for (int i = 0; i < 80; ++i) {
    const auto list = partners.all();
    const PressureField& A = *list[std::size_t(i) % list.size()];
    const Pose X_A = random_pose(&random, 0.02), X_B = random_pose(&random, 0.02),
               X = random_pose(&random, 1.0);
    const double margin = i % 2 ? 1e-3 : 0.0;
    const Vec6 wrench = patch_of(A, X_A, own, X_B, {.margin = margin}).wrench();
    const double scale = wrench.norm();
    met += scale > 1.0;
    EXPECT_LT((patch_of(own, X_B, A, X_A, {.margin = margin}).wrench() + wrench).norm(), 1e-8 * scale + 1e-9)
        << name_of(A.shape.kind);
    const Vec3 moved = force_of(patch_of(A, X * X_A, own, X * X_B, {.margin = margin}));
    EXPECT_LT((moved - X.R * wrench.tail<3>()).norm(), 1e-7 * scale + 1e-8) << name_of(A.shape.kind);
    // Twice as large with the same modulus: four times the force.
    if (A.shape.kind != ShapeKind::half_space || !A.is_rigid()) continue;
    TetVolume large = ell();
    for (Vec3& v : large.vertices) v *= 2.0;
    const PressureField twice = compliant_field(mesh_shape(large), E);
    const Vec3 force =
        force_of(patch_of(A, {X_A.R, 2.0 * X_A.p}, twice, {X_B.R, 2.0 * X_B.p}, {.margin = 2.0 * margin}));
    EXPECT_LT((force - 4.0 * wrench.tail<3>()).norm(), 1e-8 * scale + 1e-9);
  }
  EXPECT_GT(met, 30);
}

TEST(TetField, ASheetInASideOfTwoTetrahedraCountsOnce) {
  // A plane exactly between the cubes of a column, and beside it by a nanometre: the force changes by kappa A per
  // length, which is 1e-7 of it. (Against other shapes than planes, sides that look away fade.)
  const PressureField column =
      compliant_field(mesh_shape(cubes_volume({{0, 0, 0}, {0, 0, 1}, {0, 0, 2}}, edge)), E);
  for (int k = 1; k < 3; ++k) {
    const auto force_at = [&](double shift) {
      return force_of(patch_of(rigid_plane(), {}, column, translation(0, 0, -k * edge + shift))).z();
    };
    EXPECT_GT(force_at(0.0), 1.0);
    EXPECT_NEAR(force_at(0.0) / force_at(1e-9), 1.0, 1e-6) << k;
    EXPECT_NEAR(force_at(0.0) / force_at(-1e-9), 1.0, 1e-6) << k;
  }
}

TEST(TetField, ASheetInASideOfTwoTetrahedraCountsOnceInEveryPose) {
  // The same where plane and side are equal to round-off and not in their bits.
  const PressureField column =
      compliant_field(mesh_shape(cubes_volume({{0, 0, 0}, {0, 0, 1}, {0, 0, 2}}, edge)), E);
  Random random(31);
  for (int i = 0; i < 200; ++i) {
    const Pose X = random_pose(&random, 1.0);
    const auto force_at = [&](double shift) {
      const Pose X_B = X * translation(0, 0, -(1 + i % 2) * edge + shift);
      return X.R.col(2).dot(force_of(patch_of(rigid_plane(), X, column, X_B)));
    };
    EXPECT_GT(force_at(1e-9), 1.0);
    EXPECT_NEAR(force_at(0.0) / force_at(1e-9), 1.0, 1e-6) << i;
    EXPECT_NEAR(force_at(0.0) / force_at(-1e-9), 1.0, 1e-6) << i;
  }
}

TEST(TetField, ABallOnABoxOfManyCubesHasOneListOfFacets) {
  // Facets are laid once for a convex volume: the sheet of a rigid ball has no more normals than there are facets.
  std::vector<std::array<int, 3>> cells;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) cells.push_back({i, j, 0});
  const PressureField plate = compliant_field(mesh_shape(cubes_volume(cells, 0.01)), E),
                      ball = rigid_field(collision_shape(Sphere{0.05}));
  ASSERT_NE(plate.tets->hull, nullptr);
  EXPECT_EQ(tet_mesh(ell()).hull, nullptr);
  Random random(32);
  for (int i = 0; i < 20; ++i) {
    const Pose X = random_pose(&random, 0.1);
    const Vec3 at(random.uniform(0.02, 0.06), random.uniform(0.02, 0.06), 0.059);
    const PressurePatch patch = patch_of(plate, X, ball, X * translation(at.x(), at.y(), at.z()));
    EXPECT_GT(patch.faces.size(), 19u);
    std::vector<Vec3> normals;
    for (const PressureFace& face : patch.faces)
      if (std::none_of(normals.begin(), normals.end(),
                       [&](const Vec3& n) { return (n - face.normal).norm() < 1e-9; }))
        normals.push_back(face.normal);
    EXPECT_LE(normals.size(), 19u) << i;
  }
}

TEST(TetField, TheWrenchIsContinuousAlongAPath) {
  // The force changes by no more than the largest pressure times the area swept; along a path of small steps over an
  // edge of the L, down to the crest of another.
  const PressureField own = compliant_field(mesh_shape(ell()), E);
  const Partners partners;
  const double step = 2e-5;
  for (const PressureField* A : partners.exact()) {
    Vec3 before = Vec3::Zero();
    bool is_first = true;
    double largest = 0.0;
    const double bound = 3.0 * E / (0.5 * edge) * std::pow(4.0 * edge, 2) * step;  // N: kappa A step
    for (int i = 0; i < 600; ++i) {
      const Pose X{turned(0.3 + 1e-3 * i, Vec3(1, 0.3, 0.2)),
                   Vec3(-0.03 + step * i, 0.003, 0.025 - step * i)};
      const Vec3 force = force_of(patch_of(*A, {}, own, X, {.margin = 1e-3}));
      if (!is_first) largest = std::max(largest, (force - before).norm());
      before = force;
      is_first = false;
    }
    EXPECT_LT(largest, bound) << name_of(A->shape.kind);
  }
}

TEST(TetField, NothingIsAllocatedAfterTheFirstQueries) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  const PressureField own = compliant_field(mesh_shape(ell()), E);
  const Partners partners;
  const std::vector<const PressureField*> all = partners.all();
  PressureWorkspace workspace;
  PressurePatch patch;
  const auto query = [&] {
    for (const PressureField* A : all)
      find_pressure_patch(*A, {}, own, translation(-0.01, 0.0, -0.01), {.margin = 1e-3}, &workspace, &patch);
  };
  query();
  query();
  const AllocationCounter counter;
  query();
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace stiction
