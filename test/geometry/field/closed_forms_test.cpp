// Closed forms of docs/models/pressure_fields.md: bodies in a compliant half-space, tilted blocks, friction of a disc that
// spins and slides, refinement of facets, mirror images, a height field.

#include <gtest/gtest.h>

#include "stiction/geometry/shape/height_field.h"
#include "test/geometry/field/patches.h"
#include "test/geometry/test_meshes.h"

namespace stiction {
namespace {

using namespace patches;

const PressureField& soft_ground() {
  static const PressureField field = compliant_field(collision_shape(HalfSpace{}), E, 0.05);
  return field;
}
constexpr double kKappa = E / 0.05;  // Pa/m, of the ground

TEST(ClosedForms, AConeInASoftGroundHasTheForceOfItsSubmergedVolume) {
  // F = kappa pi/3 d^3 tan^2(angle): a pyramid of n sides has n/(2 pi) sin(2 pi/n) of that, exactly.
  const double angle = 0.6, height = 0.05, d = 0.01;
  for (const int n : {8, 64}) {
    std::vector<Vec3> corners = {Vec3(0, 0, 0)};
    for (int i = 0; i < n; ++i)
      corners.emplace_back(height * std::tan(angle) * std::cos(2.0 * kPi * i / n),
                           height * std::tan(angle) * std::sin(2.0 * kPi * i / n), height);
    const PressureField cone =
        rigid_field(collision_shape(std::make_shared<const ConvexHull>(convex_hull(corners))));
    const double F = kKappa * kPi / 3.0 * d * d * d * std::pow(std::tan(angle), 2);
    const double share = n / (2.0 * kPi) * std::sin(2.0 * kPi / n);
    EXPECT_NEAR(force_of(patch_of(soft_ground(), {}, cone, translation(0, 0, -d))).z() / (F * share), 1.0,
                kRoundOff);
  }
}

TEST(ClosedForms, AMeshThatIsNotConvexFloatsByArchimedes) {
  // Wholly under the surface: kappa V upwards through the centroid of V, with V from the tetrahedra of the mesh.
  Random random(1);
  for (int i = 0; i < 10; ++i) {
    TriangleMesh mesh = sphere_mesh(2);
    for (Vec3& v : mesh.vertices) v *= random.uniform(0.01, 0.03);
    double V = 0.0;
    Vec3 first = Vec3::Zero();
    const Pose X{random_pose(&random, 0.0).R, Vec3(0.01, -0.02, -0.04)};
    for (const Triangle& t : mesh.triangles) {
      const Vec3 a = X * mesh.vertices[t[0]], b = X * mesh.vertices[t[1]], c = X * mesh.vertices[t[2]];
      const double v = a.dot(b.cross(c)) / 6.0;
      V += v;
      first += 0.25 * v * (a + b + c);
    }
    ASSERT_GT(V, 0.0);
    const PressureField body = rigid_field(collision_shape(std::make_shared<const TriangleMesh>(mesh)));
    const Vec6 wrench = patch_of(soft_ground(), {}, body, X, {.is_fine = true}).wrench();
    const double F = kKappa * V;
    EXPECT_LT((wrench.tail<3>() - Vec3(0, 0, F)).norm(), 1e-8 * F);
    const Vec3 centre = first / V;
    EXPECT_LT((wrench.head<3>() - centre.cross(Vec3(0, 0, F))).norm(), 1e-8 * F);
  }
}

TEST(ClosedForms, ATiltedBlockHasTheMomentOfBothRegimes) {
  // A rigid block b x c in a soft ground, its bottom in the middle d deep, tilted by a small angle t about y. All of the
  // bottom under the surface: M = kappa c b^3 t/12. Less of it: the length l = b/2 + d/t, F = kappa c t l^2/2 at l/3 from
  // the deep edge. Of first order in t, since the ends go under too.
  const double b = 0.1, c = 0.06, t = 1e-3, H = 0.04;
  const PressureField block = rigid_field(collision_shape(Box{Vec3(0.5 * b, 0.5 * c, H)}));
  for (const double d : {2e-4, 6e-5, 2e-5, -2e-5}) {
    const Mat3 turn = turned(t, Vec3::UnitY());
    const Pose X{turn, turn * Vec3(0, 0, H) - Vec3(0, 0, d)};
    const Vec6 wrench = patch_of(soft_ground(), {}, block, X, {.is_fine = true}).wrench();
    // Turned about y, the end at +x is the deep one, which pushes up: a moment -x F about y.
    if (d > 0.5 * b * t) {
      EXPECT_NEAR(wrench[5] / (kKappa * b * c * d), 1.0, 0.01);
      EXPECT_NEAR(-wrench[1] / (kKappa * c * b * b * b * t / 12.0), 1.0, 0.01) << d;
    } else {
      const double l = 0.5 * b + d / t, F = 0.5 * kKappa * c * t * l * l;
      EXPECT_NEAR(wrench[5] / F, 1.0, 0.01) << d;
      EXPECT_NEAR(-wrench[1] / (F * (0.5 * b - l / 3.0)), 1.0, 0.01) << d;
    }
  }
}

TEST(ClosedForms, ADiscThatSpinsAndSlidesLosesDragAsContensouHasIt) {
  // Uniform pressure: force and moment of Coulomb's friction are integrals of v/|v| over the disc, here by 400 x 400 cells
  // in polar coordinates; over mu N, the moment over mu N R.
  const double d = 1e-6;
  const PressureField cylinder =
      compliant_field(collision_shape(Cylinder{R, 2.0 * R}), E, 0.0, FacetRings::three);
  const PressurePatch patch =
      patch_of(rigid_plane(), {}, cylinder, translation(0, 0, R - d), {.is_fine = true});
  ASSERT_GT(patch.points.size(), 30u);
  for (const double ratio : {0.0, 0.2, 1.0, 5.0}) {  // v/(omega R)
    const auto drag_at = [&](double x, double y) {
      const Eigen::Vector2d v(ratio * R - y, x);
      const double speed = v.norm();
      return speed > 0.0 ? Eigen::Vector2d(v[0] / speed, (x * v[1] - y * v[0]) / (R * speed))
                         : Eigen::Vector2d(0, 0);
    };
    constexpr int n = 400;
    Eigen::Vector2d exact(0, 0), sum(0, 0);
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k) {
        const double r = R * (i + 0.5) / n, angle = 2.0 * kPi * (k + 0.5) / n;
        exact += 2.0 * r / (R * n * n) * drag_at(r * std::cos(angle), r * std::sin(angle));
      }
    double N = 0.0, largest = 0.0;
    for (const PressurePoint& point : patch.points) {
      largest = std::max(largest, point.force());
      sum += point.force() * drag_at(point.p.x(), point.p.y());
      N += point.force();
    }
    sum /= N;
    // As the centre of rotation goes through the disc, points turn round two at a time, on both sides of its path.
    const double share_of_two = 2.0 * largest / N;
    ASSERT_LT(share_of_two, 0.15);
    EXPECT_NEAR(sum[0], exact[0], share_of_two) << ratio;
    EXPECT_NEAR(sum[1], exact[1], share_of_two) << ratio;
  }
}

TEST(ClosedForms, FacetsAreOfSecondOrderInTheirAngle) {
  // Deep enough that the calibration at small depths does not hide it: at most C w^2, with one C for 7, 19 and 37 facets.
  const double d = 0.4 * R, u = R - d, s = std::sqrt(R * R - u * u);
  const double ball = kPi * E * d * d * (1.0 - 2.0 * d / (3.0 * R));
  const double mantle = E / R * (R * s - u * u * std::asinh(s / u));
  const double end = kPi * E / R * d * (R * R - R * d + d * d / 3.0);
  const PressureField box = rigid_field(collision_shape(Box{Vec3(3, 3, 1)}));
  std::vector<double> of_ball, of_mantle, of_end;
  for (const FacetRings rings : {FacetRings::one, FacetRings::two, FacetRings::three}) {
    const PressureField round = compliant_field(collision_shape(Ellipsoid{Vec3::Constant(R)}), E, 0.0, rings),
                        rod = compliant_field(collision_shape(Cylinder{R, 4.0}), E, 0.0, rings),
                        upright = compliant_field(collision_shape(Cylinder{R, 4.0 * R}), E, R, rings);
    const double w = 1.0 / (static_cast<int>(rings) + 0.5);
    const auto error = [&](const PressureField& field, const Pose& X, double exact) {
      return std::abs(force_of(patch_of(box, translation(0, 0, -1), field, X)).z() / exact - 1.0) / (w * w);
    };
    of_ball.push_back(error(round, translation(0, 0, R - d), ball));
    // Less its ends, over a length of the depth.
    of_mantle.push_back(error(rod, {turned(0.5 * kPi, Vec3::UnitX()), Vec3(0, 0, R - d)}, mantle * 4.0));
    of_end.push_back(error(upright, translation(0, 0, 2.0 * R - d), end));
  }
  for (const auto* errors : {&of_ball, &of_mantle, &of_end})
    for (const double error : *errors) EXPECT_LT(error, 0.1);
}

TEST(ClosedForms, FirstTouchAndZeroPressureAreContinuous) {
  // A ball that comes down: F = pi E d^2 (1 - 2d/3R) from the first touch on, and no force before it, at any margin; its
  // speculative faces pass p = 0 without a jump of the sum of area times pressure.
  const PressureField floor = rigid_field(collision_shape(Box{Vec3(1, 1, 1)}));
  const PressureField round = compliant_field(collision_shape(Ellipsoid{Vec3::Constant(R)}), E);
  for (const double d : {-1e-4, -1e-9, 0.0, 1e-9, 1e-6, 1e-4}) {
    const PressurePatch patch =
        patch_of(floor, translation(0, 0, -1), round, translation(0, 0, R - d), {.margin = 5e-4});
    const double F = d > 0.0 ? kPi * E * d * d * (1.0 - 2.0 * d / (3.0 * R)) : 0.0;
    EXPECT_NEAR(force_of(patch).z(), F, 0.03 * F);
  }
  double before = 0.0;
  for (int i = 0; i <= 400; ++i) {
    const double d = 1e-6 * (i - 200);
    double sum = 0.0;
    for (const PressurePoint& point :
         patch_of(floor, translation(0, 0, -1), round, translation(0, 0, R - d), {.margin = 5e-4}).points)
      sum += point.area * point.pressure;
    // All of it grows by no more than kappa times the area within the margin, 2 pi R (d + margin), and that area's own
    // growth at its edge, where p = -kappa margin.
    const double most = 1.5 * E / R * 2.0 * kPi * R * 1e-6 * (0.7e-3 + 5e-4);
    if (i > 0) {
      EXPECT_LT(std::abs(sum - before), most) << d;
    }
    before = sum;
  }
}

TEST(ClosedForms, AMirrorImageHasTheMirroredWrench) {
  // Across the plane x = 0. Boxes and rings are their own images; facets are, to their order, whose phase on a box is not.
  const Mat3 M = Vec3(-1, 1, 1).asDiagonal();
  const CollisionShape shapes[] = {collision_shape(Box{Vec3(0.05, 0.04, 0.03)}),
                                   collision_shape(Sphere{0.04}), collision_shape(Capsule{0.03, 0.06}),
                                   collision_shape(Cylinder{0.04, 0.06}),
                                   collision_shape(Ellipsoid{Vec3(0.05, 0.03, 0.04)})};
  Random random(5);
  for (int a = 0; a < 5; ++a)
    for (int b = 0; b < 5; ++b) {
      const PressureField A = compliant_field(shapes[a], 1e6), B = compliant_field(shapes[b], 3e6);
      const Pose X_A = random_pose(&random, 0.0);
      Pose X_B = random_pose(&random, 0.0);
      X_B.p = 0.055 * Vec3(0.4, 0.5, 0.77);
      // The shapes are their own mirror images.
      const auto mirrored = [&](const Pose& X) { return Pose{M * X.R * M, M * X.p}; };
      const Vec6 wrench = patch_of(A, X_A, B, X_B).wrench(),
                 image = patch_of(A, mirrored(X_A), B, mirrored(X_B)).wrench();
      const Vec3 force = M * wrench.tail<3>(), moment = -(M * wrench.head<3>());
      const bool is_exact = (a < 1 && b < 1) || (a == 1 && b == 1);
      const bool has_phase = (a == 0) != (b == 0);
      const double bound = is_exact ? 1e-9 : has_phase ? 0.03 : 1e-5;
      EXPECT_LE((image.tail<3>() - force).norm(), bound * force.norm()) << a << b;
      EXPECT_LE((image.head<3>() - moment).norm(), bound * force.norm()) << a << b;
    }
}

TEST(ClosedForms, AFlatHeightFieldIsAFloor) {
  const HeightField flat = height_field(5, 7, std::vector<double>(35, 1.0), {0.3, 0.2, 0.1, 0.05});
  const PressureField ground = rigid_field(collision_shape(std::make_shared<const HeightField>(flat)));
  for (const double d : {1e-4, 2e-3}) {
    const double kappa = E / (0.5 * a), F = kappa * (a * a * d - 2.0 * a * d * d + 4.0 / 3.0 * d * d * d);
    const Pose X{turned(0.3, Vec3::UnitZ()), Vec3(0.02, 0.01, 0.5 * a - d)};
    const double z = flat.height(0, 0);
    // The sides of the cube press outside of the field's top only where it ends.
    EXPECT_NEAR(force_of(patch_of(ground, {}, soft_cube(), {X.R, X.p + Vec3(0, 0, z)})).z() / F, 1.0,
                kRoundOff);
    const double ball = kPi * E * d * d * (1.0 - 2.0 * d / (3.0 * R));
    EXPECT_NEAR(force_of(patch_of(ground, {}, soft_ball(), translation(0.013, 0.007, z + R - d))).z() / ball,
                1.0, 0.03);
  }
}

}  // namespace
}  // namespace stiction
