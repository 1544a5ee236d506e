// The energy of what is inside a rigid mesh or terrain: the force is -dU there too.

#include <gtest/gtest.h>

#include "stiction/geometry/shape/height_field.h"
#include "test/geometry/field/patches.h"
#include "test/geometry/tet_volumes.h"

namespace stiction {
namespace {

using namespace patches;

constexpr double edge = 0.03;  // m, of the cubes of an L

// The surface of an L around the origin.
const PressureField& rigid_ell() {
  static const PressureField field = [] {
    TetVolume volume = cubes_volume({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 0, 1}, {0, 0, 2}}, edge);
    for (Vec3& v : volume.vertices) v -= edge * Vec3(1, 0.5, 1);
    return rigid_field(collision_shape(shared_mesh_of(volume)));
  }();
  return field;
}

const PressureField& hills() {
  static const PressureField field = [] {
    std::vector<double> heights;
    for (int row = 0; row < 21; ++row)
      for (int col = 0; col < 17; ++col)
        heights.push_back(0.5 + 0.25 * std::sin(0.9 * row) + 0.25 * std::cos(1.1 * col + 0.4 * row));
    return rigid_field(collision_shape(
        std::make_shared<const HeightField>(height_field(21, 17, heights, {0.4, 0.4, 0.02, 0.1}))));
  }();
  return field;
}

const PressureField& flat_terrain() {
  static const PressureField field = rigid_field(collision_shape(std::make_shared<const HeightField>(
      height_field(9, 11, std::vector<double>(99, 0.0), {0.3, 0.3, 0.1, 0.1}))));
  return field;
}

// The largest error of force and moment (over 5 cm) against central differences of U, over the force.
double error_of_wrench(const PressureField& A, const Pose& X_A, const PressureField& B, const Pose& X_B,
                       const Vec6& wrench) {
  const double force = wrench.tail<3>().norm(), arm = 0.05, e = 1e-6;  // m
  double worst = 0.0;
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
    const double by_energy = -(energy_of(A, X_A, B, plus) - energy_of(A, X_A, B, minus)) / (2.0 * e);
    worst = std::max(worst, std::abs(by_energy - wrench[k]) / (k < 3 ? arm * force : force));
  }
  return worst;
}

TEST(SurfaceEnergy, OfABoxAsAMeshItIsThatOfTheBox) {
  const Vec3 half(0.03, 0.04, 0.05);
  const PressureField box = rigid_field(collision_shape(Box{half})),
                      mesh = rigid_field(
                          collision_shape(std::make_shared<const TriangleMesh>(box_mesh(-half, half))));
  const PressureField half_space = compliant_field(collision_shape(HalfSpace{}), E, 0.05),
                      bar = compliant_field(collision_shape(shared_mesh_of(
                                                cubes_volume({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, edge))),
                                            E);
  Random random(21);
  int met = 0;
  for (int i = 0; i < 400; ++i) {
    const PressureField soft =
        i % 4 == 0   ? half_space
        : i % 4 == 1 ? soft_cube()
        : i % 4 == 2 ? bar
                     : compliant_field(random_hull(&random, random.uniform_int(4, 12)), E, 0.04);
    const Pose X_A = random_pose(&random, 0.03), X_B = random_pose(&random, 0.07);
    const double expected = energy_of(soft, X_A, box, X_B);
    EXPECT_NEAR(energy_of(soft, X_A, mesh, X_B), expected, 1e-9 * expected + 1e-11) << i;
    EXPECT_NEAR(energy_of(mesh, X_B, soft, X_A), expected, 1e-9 * expected + 1e-11) << i;
    met += expected > 0.0;
  }
  EXPECT_GT(met, 200);
}

TEST(SurfaceEnergy, ForceAndMomentAreItsDerivative) {
  // Nothing fades in a half-space; elsewhere only what does not is compared, and against flat terrain nothing does.
  Random random(22);
  int met[4] = {};
  for (int i = 0; i < 600; ++i) {
    const int which = i % 4;
    const PressureField& surface = which == 0 ? rigid_ell() : which == 1 ? hills() : flat_terrain();
    const PressureField soft =
        which == 0   ? compliant_field(collision_shape(HalfSpace{}), E, 0.05)
        : which == 2 ? soft_cube()
                     : compliant_field(random_hull(&random, random.uniform_int(4, 12)), E, 0.04);
    const Pose X_A = random_pose(&random, 0.02);
    Pose X_B = random_pose(&random, 0.02);
    if (which > 0)
      X_B.p = X_A * Vec3(random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1),
                         which == 1   ? 0.05
                         : which == 2 ? 0.05
                                      : 0.03);
    const PressurePatch patch = patch_of(surface, X_A, soft, X_B, {.is_fine = true});
    const Vec6 wrench = patch.wrench();
    if (patch.fades || wrench.tail<3>().norm() < 100.0) continue;
    ++met[which];
    EXPECT_LT(error_of_wrench(surface, X_A, soft, X_B, wrench), 1e-6) << i << " " << wrench.tail<3>().norm();
  }
  for (const int& count : met) EXPECT_GT(count, 20) << &count - met;
}

TEST(SurfaceEnergy, ABallOnFlatTerrainTendsToThatOfTheClosedForm) {
  // U = pi E (d^3/3 - d^4/(6 R)), on a line of the grid, in the middle of a triangle and between; where the middle of the
  // ball is below the surface, what is above is missing of the whole. The error falls at least with the angle
  // between facets, which is 5/7 with three rings of that with two.
  for (const bool is_deep : {false, true}) {
    std::vector<double> errors;
    for (const FacetRings rings : {FacetRings::two, FacetRings::three}) {
      const PressureField ball = compliant_field(collision_shape(Sphere{R}), E, 0.0, rings);
      double sum = 0.0;
      for (const Vec3& at : {Vec3(0, 0, 0), Vec3(0.02, 0.01, 0), Vec3(0.013, 0.031, 0)}) {
        for (const double d : {1e-3, 5e-3, 1e-2}) {
          const double part = kPi * E * (std::pow(d, 3) / 3.0 - std::pow(d, 4) / (6.0 * R));
          const double energy =
              energy_of(flat_terrain(), {}, ball, translation(at.x(), at.y(), is_deep ? d - R : R - d));
          sum += std::abs((is_deep ? kPi * E * R * R * R / 3.0 - energy : energy) / part - 1.0) / 9.0;
        }
      }
      errors.push_back(sum);
    }
    EXPECT_LT(errors[0], 0.03);
    EXPECT_LT(errors[1], 0.75 * errors[0]) << errors[0];
  }
}

TEST(SurfaceEnergy, OfRoundShapesItIsThatAgainstAHalfSpaceOrABox) {
  // To the order of their facets, which are laid around one direction there and around one for each triangle here.
  const CollisionShape shapes[] = {collision_shape(Sphere{0.04}), collision_shape(Capsule{0.03, 0.06}),
                                   collision_shape(Cylinder{0.04, 0.06}),
                                   collision_shape(Ellipsoid{Vec3(0.05, 0.03, 0.04)})};
  std::vector<double> means;
  for (const FacetRings rings : {FacetRings::one, FacetRings::two, FacetRings::three}) {
    Random random(23);
    double sum = 0.0;
    int met = 0;
    for (int i = 0; i < 100; ++i) {
      const PressureField soft = compliant_field(shapes[i % 4], E, 0.03, rings);
      const Pose X_A = random_pose(&random, 0.01);
      Pose X_B = random_pose(&random, 0.02);
      X_B.p = X_A * Vec3(random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 0.03);
      const double expected = energy_of(rigid_plane(), X_A, soft, X_B);
      if (!(expected > 1e-3)) continue;
      sum += std::abs(energy_of(flat_terrain(), X_A, soft, X_B) / expected - 1.0);
      ++met;
    }
    EXPECT_GT(met, 50);
    means.push_back(sum / met);
  }
  EXPECT_LT(means[0], 0.1);
  EXPECT_LT(means[1], 0.04) << means[0];
  EXPECT_LT(means[2], 0.02) << means[1];
}

}  // namespace
}  // namespace stiction
