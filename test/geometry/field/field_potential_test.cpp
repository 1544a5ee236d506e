// The model is a potential: force and moment are -dU, U the integral of min(pA, pB) over the overlap.

#include <gtest/gtest.h>

#include "stiction/geometry/field/tet_mesh.h"
#include "stiction/geometry/narrow_phase.h"
#include "test/geometry/field/patches.h"
#include "test/geometry/test_meshes.h"

namespace stiction {
namespace {

using namespace patches;

// A box of tetrahedra around a point inside it, whose pressure is not that of the box.
std::shared_ptr<const TetMesh> tets_around_a_point(Random* random) {
  const TriangleMesh surface = box_mesh(-Vec3(0.05, 0.04, 0.06), Vec3(0.05, 0.04, 0.06));
  TetVolume volume{surface.vertices, {}};
  volume.vertices.emplace_back(random->uniform(-0.02, 0.02), random->uniform(-0.02, 0.02),
                               random->uniform(-0.02, 0.02));
  for (const Triangle& t : surface.triangles) volume.tets.push_back({t[0], t[1], t[2], 8});
  return std::make_shared<const TetMesh>(tet_mesh(volume));
}

// The largest error of force and moment (over 5 cm) against central differences of U, over the force.
double error_of_wrench(const PressureField& A, const Pose& X_A, const PressureField& B, const Pose& X_B,
                       double e, const Vec6& wrench) {
  const double force = wrench.tail<3>().norm(), arm = 0.05;  // m
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

TEST(FieldPotential, ForceAndMomentAreTheDerivativeOfTheEnergy) {
  // Hulls, boxes, half-spaces and tetrahedra, compliant and rigid: everything is exact but the differences. U is a sum of
  // some ten terms of up to kappa (0.2 m)^4 = 1e5 J, known to 1e-10 J, which makes 1e-4 N of a step of 1e-6 m: of what
  // pushes with less than a hundred newtons nothing can be said to 1e-6.
  Random random(3);
  int met = 0;
  for (int i = 0; met < 1000 && i < 100000; ++i) {
    const auto soft = [&](int kind, double modulus, double depth) {
      if (kind == 3) return compliant_field(tets_around_a_point(&random), modulus, depth);
      const CollisionShape shape = kind == 0   ? random_hull(&random, random.uniform_int(4, 12))
                                   : kind == 1 ? collision_shape(Box{Vec3(0.05, 0.04, 0.06)})
                                               : collision_shape(HalfSpace{});
      return compliant_field(shape, modulus, depth);
    };
    const auto hard = [&](int kind) {
      return rigid_field(kind == 0   ? random_hull(&random, random.uniform_int(4, 12))
                         : kind == 1 ? collision_shape(Box{Vec3(0.05, 0.04, 0.06)})
                                     : collision_shape(HalfSpace{}));
    };
    const PressureField A = i % 3 == 1 ? hard(random.uniform_int(0, 2))
                                       : soft(random.uniform_int(0, 3), 1e6, 0.04),
                        B = i % 3 == 2 ? hard(random.uniform_int(0, 1))
                                       : soft(random.uniform_int(0, 1), 3e6, 0.05);
    const Pose X_A = random_pose(&random, 0.02), X_B = random_pose(&random, 0.05);
    const PressurePatch patch = patch_of(A, X_A, B, X_B, {.is_fine = true});
    const Vec6 wrench = patch.wrench();
    // Where a side fades out the force is no gradient of U.
    if (patch.faces.empty() || patch.fades || wrench.tail<3>().norm() < 100.0) continue;
    ++met;
    const double error = error_of_wrench(A, X_A, B, X_B, 1e-6, wrench);
    EXPECT_LT(error, 1e-6) << i << " " << name_of(A.shape.kind) << " " << name_of(B.shape.kind);
  }
  EXPECT_EQ(met, 1000);
}

TEST(FieldPotential, OfRoundShapesItIsSoToTheOrderOfTheirFacets) {
  // Facets follow the poses, which the force does not see: the error falls as they become finer.
  const CollisionShape shapes[] = {collision_shape(Sphere{0.04}), collision_shape(Capsule{0.03, 0.06}),
                                   collision_shape(Cylinder{0.04, 0.06}),
                                   collision_shape(Ellipsoid{Vec3(0.05, 0.03, 0.04)})};
  std::vector<double> means;
  for (const FacetRings rings : {FacetRings::one, FacetRings::two, FacetRings::three}) {
    Random random(4);
    double sum = 0.0;
    int met = 0;
    for (int i = 0; met < 60 && i < 10000; ++i) {
      const PressureField A = i % 2
                                  ? compliant_field(shapes[random.uniform_int(0, 3)], 1e6, 0.04, rings)
                                  : compliant_field(collision_shape(Box{Vec3(0.05, 0.04, 0.06)}), 1e6, 0.04),
                          B = compliant_field(shapes[random.uniform_int(0, 3)], 3e6, 0.05, rings);
      const Pose X_A = random_pose(&random, 0.01), X_B = random_pose(&random, 0.075);
      const PressurePatch patch = patch_of(A, X_A, B, X_B);
      // Deep overlaps apart: there the direction of contact is ambiguous.
      if (patch.faces.empty() || patch.fades || signed_distance(A.shape, X_A, B.shape, X_B).distance < -0.01)
        continue;
      const Vec6 wrench = patch.wrench();
      if (wrench.tail<3>().norm() < 1.0) continue;
      ++met;
      sum += error_of_wrench(A, X_A, B, X_B, 1e-6, wrench);
    }
    EXPECT_EQ(met, 60);
    means.push_back(sum / met);
  }
  EXPECT_LT(means[1], 0.5 * means[0]) << means[0];
  EXPECT_LT(means[2], 0.7 * means[1]) << means[1];
  EXPECT_LT(means[1], 0.03);
}

}  // namespace
}  // namespace stiction
