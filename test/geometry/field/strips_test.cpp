// Capsules and ellipsoids on planes, which are in closed form: in strips and in rings.

#include <gtest/gtest.h>

#include "stiction/geometry/field/segment_rule.h"
#include "test/geometry/field/patches.h"

namespace stiction {
namespace {

using namespace patches;

constexpr double kRadius = 0.02, kLength = 0.1;  // m, of the capsule

const PressureField& capsule() {
  static const PressureField field = compliant_field(collision_shape(Capsule{kRadius, kLength}), E);
  return field;
}
const PressureField& soft_plane() {
  static const PressureField field = compliant_field(collision_shape(HalfSpace{}), 0.4 * E, 0.03);
  return field;
}

// Turned by `tilt` out of the plane, with the lower end `depth` deep.
Pose leaning(double tilt, double depth) {
  const Mat3 turn = turned(0.7, Vec3::UnitZ()) * turned(0.5 * kPi - tilt, Vec3::UnitY());
  return {turn, Vec3(0.01, -0.02, kRadius - depth + 0.5 * kLength * std::abs(turn(2, 2)))};
}

TEST(SegmentRule, AddsUpAreasForcesAndMomentsOfSegmentsOfADisc) {
  // Of x = 1 - 2 s y with the chord c = sqrt(1 - x^2), from x0 = 1 - 2 s to 1:
  //   integral of c    = (acos x0 - x0 c0)/2               integral of c x   = c0^3/3
  //   integral of c^3  = (3 acos x0 - 5 x0 c0 + 2 x0^3 c0)/8   integral of c^3 x = c0^5/5
  for (const int size : {2, 3, 5})
    for (int i = 1; i <= 200; ++i) {
      const double s = i / 200.0, x0 = 1.0 - 2.0 * s, c0 = std::sqrt(1.0 - x0 * x0);
      const SegmentRule rule = segment_rule(size, s);
      ASSERT_EQ(rule.size, size);
      double area = 0.0, first = 0.0, force = 0.0, moment = 0.0;
      for (int k = 0; k < size; ++k) {
        const double x = 1.0 - 2.0 * s * rule.y[k], c = std::sqrt(1.0 - x * x), w = 2.0 * s * rule.weight[k];
        area += w * c;
        first += w * c * x;
        force += w * c * c * c;
        moment += w * c * c * c * x;
      }
      const double whole = 0.5 * (std::acos(x0) - x0 * c0);
      const double cubes = (3.0 * std::acos(x0) - 5.0 * x0 * c0 + 2.0 * x0 * x0 * x0 * c0) / 8.0;
      EXPECT_NEAR(area, whole, 5e-5 * whole) << size << " " << s;
      EXPECT_NEAR(first, c0 * c0 * c0 / 3.0, 5e-5 * whole) << size << " " << s;
      // Of thin segments the closed form is round-off.
      if (s < 0.01) continue;
      EXPECT_NEAR(force, cubes, 5e-5 * cubes) << size << " " << s;
      EXPECT_NEAR(moment, std::pow(c0, 5) / 5.0, 5e-5 * cubes) << size << " " << s;
    }
}

TEST(Strips, ALyingCapsuleHasTheForceOfTheClosedFormWithFewFaces) {
  // The straight part, kappa (R s - u^2 acosh(R/u)) per length, and a ball.
  const PressureField floor = rigid_field(collision_shape(Box{Vec3(1, 1, 1)}));
  for (const auto& [rings, faces] :
       {std::pair(FacetRings::one, 6u), std::pair(FacetRings::two, 10u), std::pair(FacetRings::three, 12u)}) {
    const PressureField rod = compliant_field(collision_shape(Capsule{kRadius, kLength}), E, 0.0, rings);
    for (const double d : {1e-7, 1e-5, 1e-3, 2e-3, 4e-3}) {
      const double u = kRadius - d, s = std::sqrt(kRadius * kRadius - u * u);
      const double ball = kPi * E * d * d * (1.0 - 2.0 * d / (3.0 * kRadius));
      const double F = E / kRadius * (kRadius * s - u * u * std::asinh(s / u)) * kLength + ball;
      for (const PressurePatch& patch : {patch_of(rigid_plane(), {}, rod, leaning(0.0, d)),
                                         patch_of(floor, translation(0, 0, -1), rod, leaning(0.0, d))}) {
        EXPECT_NEAR(force_of(patch).z() / F, 1.0, 1e-4) << d;
        EXPECT_LT(force_of(patch).head<2>().norm(), kRoundOff * F);
        EXPECT_EQ(patch.faces.size(), faces);
      }
    }
  }
}

TEST(Strips, AnUprightCapsuleIsABall) {
  for (const double d : {1e-6, 1e-4, 2e-3, 4e-3})
    for (const PressureField* plane : {&rigid_plane(), &soft_plane()}) {
      const PressureField ball = compliant_field(collision_shape(Sphere{kRadius}), E);
      const Vec3 end(0.01, -0.02, kRadius - d);
      const PressurePatch patch =
                              patch_of(*plane, {}, capsule(), leaning(0.5 * kPi, d), {.wants_energy = true}),
                          exact = patch_of(*plane, {}, ball, translation(end), {.wants_energy = true});
      const double F = force_of(exact).z();
      EXPECT_NEAR(force_of(patch).z() / F, 1.0, 5e-4) << d;
      EXPECT_LT((patch.wrench().head<3>() - end.cross(force_of(patch))).norm(), kRoundOff * kRadius * F);
      // Of the force of the ball, whose points look along the curved sheet, by differences.
      const auto at = [&](double z) {
        return force_of(patch_of(*plane, {}, ball, translation(0, 0, z))).z();
      };
      const double e = 1e-4 * d, K = (at(end.z() - e) - at(end.z() + e)) / (2.0 * e);
      EXPECT_NEAR(stiffness_of(patch) / K, 1.0, 2e-3) << d;
      EXPECT_NEAR(patch.energy / exact.energy, 1.0, 1e-5) << d;
      EXPECT_LE(patch.faces.size(), 3u);
    }
}

// The pressure that capsule and rigid plane z = 0 have at a place of it.
double pressure_at(const Pose& X, double x, double y) {
  const Vec3 in = X.inverse() * Vec3(x, y, 0.0);
  const double z = std::clamp(in.z(), -0.5 * kLength, 0.5 * kLength);
  return E / kRadius * (kRadius - (in - Vec3(0, 0, z)).norm());
}

TEST(Strips, ForceMomentAndLeverOfATiltedCapsuleAreThoseOfItsPressure) {
  // Against a sum over cells of a grid.
  for (const double tilt : {0.0, 0.003, 0.02, 0.08, 0.3, 1.2})
    for (const double d : {4e-4, 2e-3}) {
      const Pose X = leaning(tilt, d);
      constexpr int n = 1600;
      constexpr double kCell = 0.16 / n;  // m
      double F = 0.0, spin = 0.0;
      Vec3 first = Vec3::Zero();
      const auto each = [&](const auto& take) {
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j) {
            const double x = X.p.x() + kCell * (i + 0.5 - 0.5 * n), y = X.p.y() + kCell * (j + 0.5 - 0.5 * n);
            const double p = pressure_at(X, x, y);
            if (p > 0.0) take(Vec3(x, y, 0.0), p * kCell * kCell);
          }
      };
      each([&](const Vec3& at, double f) {
        F += f;
        first += f * at;
      });
      const Vec3 centre = first / F;
      each([&](const Vec3& at, double f) { spin += f * (at - centre).norm(); });
      const PressurePatch patch = patch_of(rigid_plane(), {}, capsule(), X);
      EXPECT_NEAR(force_of(patch).z() / F, 1.0, 3e-3) << tilt << " " << d;
      double lever = 0.0;
      Vec3 sum = Vec3::Zero();
      for (const PressurePoint& point : patch.points) {
        sum += point.force() * point.p;
        lever += point.force() * (point.p - centre).norm();
      }
      EXPECT_LT((sum / force_of(patch).z() - centre).norm(), 4e-3 * spin / F) << tilt << " " << d;
      // Of an upright one, of twelve points, within 5 %.
      EXPECT_NEAR(lever / spin, 1.0, 0.06) << tilt << " " << d;
    }
}

TEST(Strips, ForceAndMomentAreTheDerivativeOfTheEnergy) {
  // Of a capsule that lies, leans and stands in a rigid and in a soft plane, and rigid in a soft one.
  const PressureField rigid = rigid_field(collision_shape(Capsule{kRadius, kLength}));
  double worst = 0.0;
  for (const double tilt : {0.0, 0.004, 0.02, 0.1, 0.3, 0.8, 1.5})
    for (const double d : {3e-4, 2e-3})
      for (const auto& pair : {std::pair(&rigid_plane(), &capsule()), std::pair(&soft_plane(), &capsule()),
                               std::pair(&soft_plane(), &rigid)}) {
        const PressureField &plane = *pair.first, &rod = *pair.second;
        const Pose X = leaning(tilt, d);
        const Vec6 wrench = patch_of(plane, {}, rod, X).wrench();
        const double force = wrench.tail<3>().norm(), e = 1e-6;
        for (int k = 0; k < 6; ++k) {
          const auto energy_after = [&](double step) {
            Pose moved = X;
            if (k < 3)
              moved.R = turned(step / kLength, Vec3::Unit(k)) * X.R;
            else
              moved.p += step * Vec3::Unit(k - 3);
            return energy_of(plane, {}, rod, moved);
          };
          const double by_energy = -(energy_after(e) - energy_after(-e)) / (2.0 * e);
          // About the middle of the capsule, over its length.
          const Vec3 moment = wrench.head<3>() - X.p.cross(Vec3(wrench.tail<3>()));
          const double ours = k < 3 ? moment[k] / kLength : wrench[k];
          worst = std::max(worst, std::abs(by_energy - ours) / force);
          EXPECT_LT(std::abs(by_energy - ours), 3e-3 * force) << tilt << " " << d << " " << k;
        }
      }
  EXPECT_GT(worst, 0.0);
}

TEST(Strips, TheEnergyIsTheIntegralOfTheSmallerPressure) {
  // Over columns of the overlap: of the rigid plane, the integral of p over what is below it.
  const Pose X = leaning(0.01, 2e-3);
  constexpr int n = 300;
  double sum = 0.0;
  const Vec3 half(0.08, 0.08, 1e-3), centre(X.p.x(), X.p.y(), -1e-3);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < 60; ++k) {
        const Vec3 at = centre + half.cwiseProduct(Vec3((2 * i + 1.0) / n - 1.0, (2 * j + 1.0) / n - 1.0,
                                                        (2 * k + 1.0) / 60 - 1.0));
        const Vec3 in = X.inverse() * at;
        const double z = std::clamp(in.z(), -0.5 * kLength, 0.5 * kLength);
        sum += std::max(0.0, E / kRadius * (kRadius - (in - Vec3(0, 0, z)).norm()));
      }
  const double by_grid = sum * 8.0 * half.prod() / (n * n * 60.0);
  EXPECT_NEAR(energy_of(rigid_plane(), {}, capsule(), X) / by_grid, 1.0, 3e-3);
}

TEST(Strips, TheWrenchIsContinuousFromLyingToStandingAndOntoTheOtherEnd) {
  // Half the step, half the largest change: no jump, nor where facets take over in a deep overlap and at a box's edge.
  const PressureField floor = rigid_field(collision_shape(Box{Vec3(0.06, 0.06, 1)}));
  for (const double d : {1e-3, 0.6 * kRadius})
    for (const auto& pair : {std::pair(&rigid_plane(), Pose()), std::pair(&soft_plane(), Pose()),
                             std::pair(&floor, translation(0, 0, -1))}) {
      const PressureField& plane = *pair.first;
      const Pose& X_plane = pair.second;
      const auto largest_change = [&](int steps) {
        double most = 0.0;
        Vec6 before = Vec6::Zero();
        for (int i = 0; i <= steps; ++i) {
          const double t = 2.0 * i / steps - 1.0;
          const Vec6 wrench =
              patch_of(plane, X_plane, capsule(), leaning(0.5 * kPi * t * t * t, d), {.margin = 1e-3})
                  .wrench();
          if (i > 0) most = std::max(most, (wrench - before).norm());
          before = wrench;
        }
        return most;
      };
      const double coarse = largest_change(2000), fine = largest_change(4000);
      EXPECT_GT(coarse, 0.0);
      EXPECT_LT(fine, 0.6 * coarse) << d << " " << name_of(plane.shape.kind);
    }
}

TEST(Strips, TurningACapsuleAboutItsAxisChangesNothing) {
  for (const double tilt : {0.0, 0.02, 0.7, 0.5 * kPi})
    for (const PressureField* plane : {&rigid_plane(), &soft_plane()}) {
      const Pose X = leaning(tilt, 1e-3);
      const Vec6 before = patch_of(*plane, {}, capsule(), X).wrench();
      for (const double angle : {0.3, 1.0, kPi}) {
        const Pose spun{X.R * turned(angle, Vec3::UnitZ()), X.p};
        const Vec6 after = patch_of(*plane, {}, capsule(), spun).wrench();
        EXPECT_LT((after - before).norm(), 1e-12 * before.norm()) << tilt << " " << angle;
      }
      // End over end as well.
      const Pose swapped{X.R * turned(kPi, Vec3::UnitX()), X.p};
      EXPECT_LT((patch_of(*plane, {}, capsule(), swapped).wrench() - before).norm(), 1e-12 * before.norm());
    }
}

TEST(Rings, AnEllipsoidOnAPlaneHasTheForceStiffnessAndEnergyOfABallInOtherCoordinates) {
  // With the semi-axes a, b and c, c upright and l the least of them, p = (E l/H)(1 - |y|), y = x/a, ..: a ball of radius 1
  // that is d/c deep, areas times a b, volumes times a b c. In an inclined plane too: x = D y turns its normal n into D n.
  const Vec3 size(0.04, 0.06, 0.05);
  const double modulus = 2e6, H = 0.03;
  const PressureField soft = compliant_field(collision_shape(Ellipsoid{size}), modulus, H),
                      rigid = rigid_field(collision_shape(Ellipsoid{size}));
  const PressureField floor = rigid_field(collision_shape(Box{Vec3(1, 1, 1)}));
  Random random(3);
  for (int i = 0; i < 40; ++i) {
    const Mat3 turn = random_pose(&random, 0.0).R;
    const double reach = (size.asDiagonal() * (turn.transpose() * Vec3::UnitZ())).norm();
    const double d = std::pow(10.0, random.uniform(-6.0, -2.0)), y = d / reach;
    const double depth = modulus / H * size.minCoeff();  // Pa, in the middle
    const double volume = size.prod();
    const double F = kPi * depth * y * y * (1.0 - 2.0 / 3.0 * y) * volume / reach;
    const Pose X{turn, Vec3(0.01, 0.02, reach - d)};
    for (const auto& [plane, X_plane] :
         {std::pair(&rigid_plane(), Pose()), std::pair(&floor, translation(0, 0, -1))}) {
      const PressurePatch patch = patch_of(*plane, X_plane, soft, X, {.wants_energy = true});
      EXPECT_NEAR(force_of(patch).z() / F, 1.0, kRoundOff);
      EXPECT_NEAR(stiffness_of(patch) * reach * reach / (2.0 * kPi * depth * y * (1.0 - y) * volume), 1.0,
                  kRoundOff);
      EXPECT_NEAR(patch.energy / (kPi * depth * volume * (y * y * y / 3.0 - y * y * y * y / 6.0)), 1.0,
                  kRoundOff);
      EXPECT_EQ(patch.points.size(), 12u);
    }
    // Rigid in a soft plane it floats by Archimedes, in the middle of its sections.
    const double kappa = soft_plane().kappa(), lift = kappa * kPi * y * y * (1.0 - y / 3.0) * volume;
    const PressurePatch patch = patch_of(soft_plane(), {}, rigid, X);
    EXPECT_NEAR(force_of(patch).z() / lift, 1.0, kRoundOff);
    EXPECT_LT(force_of(patch).head<2>().norm(), 1e-2 * y * lift);
  }
}

}  // namespace
}  // namespace stiction
