#include "stiction/geometry/polytope_pairs.h"

#include <cmath>

#include <gtest/gtest.h>

#include "test/geometry/polytope_reference.h"

namespace stiction {
namespace {

// Both ways of computing a distance lose some digits of the sizes, about 1 here.
constexpr double kExact = 1e-9;
constexpr double kOnSurface = 1e-12;

struct Pair {
  const char* name;
  CollisionShape A, B;
};

std::vector<Pair> pairs() {
  return {{"box-box", box_shape(0.5, 0.3, 0.4), box_shape(0.2, 0.6, 0.35)},
          {"plate-needle", box_shape(1.0, 1.0, 0.01), box_shape(0.01, 0.01, 0.8)},
          {"box-hull", box_shape(0.5, 0.3, 0.4), round_hull(12, Vec3(0.5, 0.4, 0.6), 3)},
          {"hull-hull", round_hull(16, Vec3(0.4, 0.5, 0.3), 1), round_hull(10, Vec3(0.3, 0.7, 0.4), 2)},
          {"prism-hull", prism(7, 0.4, 0.6), round_hull(8, Vec3(0.5, 0.5, 0.5), 5)}};
}

// Somewhere between deep overlap and a gap.
Pose near_pose(Random* random, double spread) {
  return {random_rotation(random), random->uniform(0.0, spread) * random_direction(random)};
}

TEST(PolytopePairs, SignedDistanceIsThatOfAllFeatures) {
  for (const Pair& pair : pairs()) {
    SCOPED_TRACE(pair.name);
    Random random(7);
    for (int i = 0; i < 1000; ++i) {
      const Pose X_A{random_rotation(&random), Vec3::Zero()}, X_B = near_pose(&random, 1.2);
      const double expected = reference_distance(pair.A, X_A, pair.B, X_B);
      const ContactPoint point = signed_distance(pair.A, X_A, pair.B, X_B);
      ASSERT_NEAR(point.distance, expected, kExact) << i;
      ASSERT_NEAR(point.normal.norm(), 1.0, kOnSurface);
      ASSERT_LE(off_surface(pair.A, X_A, point.p_A), kOnSurface) << i << " " << point.distance;
      ASSERT_LE(off_surface(pair.B, X_B, point.p_B()), kOnSurface) << i << " " << point.distance;
    }
  }
}

TEST(PolytopePairs, DeepestContactAlongTheBestAxisIsTheSignedDistance) {
  CollideOptions options;
  options.margin = 0.3;
  options.share_axes = false;
  for (const Pair& pair : pairs()) {
    SCOPED_TRACE(pair.name);
    Random random(8);
    for (int i = 0; i < 10000; ++i) {
      const Pose X_A{random_rotation(&random), Vec3::Zero()}, X_B = near_pose(&random, 1.2);
      const ContactPoint nearest = signed_distance(pair.A, X_A, pair.B, X_B);
      const ContactPoints points = contacts(pair.A, X_A, pair.B, X_B, options);
      ASSERT_EQ(points.empty(), nearest.distance > options.margin);
      ASSERT_LE(points.size(), 8u);
      double deepest = 1e300, total = 0.0;
      for (const ContactPoint& point : points) {
        ASSERT_LE(off_surface(pair.A, X_A, point.p_A), kOnSurface) << i;
        ASSERT_LE(off_surface(pair.B, X_B, point.p_B()), kOnSurface) << i;
        ASSERT_GT(point.weight, 0.0);
        deepest = std::min(deepest, point.distance);
        total += point.weight;
      }
      if (points.empty()) continue;
      ASSERT_NEAR(deepest, nearest.distance, kOnSurface) << i;
      ASSERT_LE(total, 1.25 + kOnSurface);
    }
  }
}

TEST(PolytopePairs, NormalIsTheGradientOfTheDistance) {
  constexpr double kStep = 1e-6;  // m: the distance is smooth between features, its curvature at most 1/gap
  for (const Pair& pair : pairs()) {
    SCOPED_TRACE(pair.name);
    Random random(9);
    for (int i = 0; i < 1000; ++i) {
      const Pose X_A{random_rotation(&random), Vec3::Zero()}, X_B = near_pose(&random, 1.2);
      const ContactPoint point = signed_distance(pair.A, X_A, pair.B, X_B);
      if (std::abs(point.distance) < 0.01) continue;
      Vec3 gradient;
      double kink = 0.0;
      for (int k = 0; k < 3; ++k) {
        Pose up = X_B, down = X_B;
        up.p[k] += kStep;
        down.p[k] -= kStep;
        const double above = signed_distance(pair.A, X_A, pair.B, up).distance;
        const double below = signed_distance(pair.A, X_A, pair.B, down).distance;
        gradient[k] = (above - below) / (2.0 * kStep);
        kink = std::max(kink, std::abs(above + below - 2.0 * point.distance) / kStep);
      }
      if (kink > 1e-3) continue;  // two features within a step of each other
      ASSERT_LE((gradient - point.normal).norm(), 1e-6) << i;
    }
  }
}

TEST(PolytopePairs, SwappingTheShapesTurnsTheNormalsRound) {
  CollideOptions options;
  options.margin = 0.1;
  for (const Pair& pair : pairs()) {
    SCOPED_TRACE(pair.name);
    Random random(10);
    for (int i = 0; i < 2000; ++i) {
      const Pose X_A{random_rotation(&random), Vec3::Zero()}, X_B = near_pose(&random, 1.2);
      const ContactPoints ab = contacts(pair.A, X_A, pair.B, X_B, options);
      const ContactPoints ba = contacts(pair.B, X_B, pair.A, X_A, options);
      const Vec6 on_b = penalty_wrench(ab, 1.0, Vec3::Zero()), on_a = penalty_wrench(ba, 1.0, Vec3::Zero());
      ASSERT_LE((on_a + on_b).norm(), 1e-9) << i << " " << ab.size() << " " << ba.size();
    }
  }
}

TEST(PolytopePairs, MovingBothMovesTheContacts) {
  CollideOptions options;
  options.margin = 0.1;
  for (const Pair& pair : pairs()) {
    SCOPED_TRACE(pair.name);
    Random random(11);
    for (int i = 0; i < 2000; ++i) {
      const Pose X_A{random_rotation(&random), Vec3::Zero()}, X_B = near_pose(&random, 1.2);
      const Pose X{random_rotation(&random), random_vector(&random)};
      const Vec6 here = penalty_wrench(contacts(pair.A, X_A, pair.B, X_B, options), 1.0, Vec3::Zero());
      const Vec6 there = penalty_wrench(contacts(pair.A, X * X_A, pair.B, X * X_B, options), 1.0, X.p);
      const Vec3 moment = X.R * here.head<3>(), force = X.R * here.tail<3>();
      ASSERT_LE((there - stack<double>(moment, force)).norm(), 1e-9) << i;
    }
  }
}

TEST(PolytopePairs, MemoryChangesNothing) {
  CollideOptions options;
  options.margin = 0.1;
  for (const Pair& pair : pairs()) {
    SCOPED_TRACE(pair.name);
    Random random(12);
    Pose X_B = near_pose(&random, 1.0);
    PairMemory memory;
    for (int i = 0; i < 2000; ++i) {
      X_B.p += 0.03 * random_vector(&random) - 0.05 * X_B.p;
      X_B.R = X_B.R * rotation_exp<double>(Vec3(0.1 * random_vector(&random)));
      ContactPoints remembered;
      collide(pair.A, Pose{}, pair.B, X_B, options, &memory, &remembered);
      const ContactPoints fresh = contacts(pair.A, Pose{}, pair.B, X_B, options);
      ASSERT_EQ(remembered.size(), fresh.size()) << i;
      for (std::size_t k = 0; k < fresh.size(); ++k) {
        ASSERT_EQ(remembered[k].feature, fresh[k].feature);
        ASSERT_EQ(remembered[k].distance, fresh[k].distance);
        ASSERT_EQ(remembered[k].weight, fresh[k].weight);
      }
    }
  }
}

TEST(PolytopePairs, RoundedBoxesAreAsFarApartAsTheirCoresLessTheRadii) {
  const CollisionShape A = collision_shape(Box{Vec3(0.5, 0.3, 0.4)}, 0.02);
  const CollisionShape B = collision_shape(Box{Vec3(0.2, 0.6, 0.35)}, 0.03);
  const CollisionShape core_a = box_shape(0.5, 0.3, 0.4), core_b = box_shape(0.2, 0.6, 0.35);
  Random random(13);
  for (int i = 0; i < 1000; ++i) {
    const Pose X_B = near_pose(&random, 1.5);
    EXPECT_NEAR(signed_distance(A, Pose{}, B, X_B).distance,
                reference_distance(core_a, Pose{}, core_b, X_B) - 0.05, kExact);
  }
}

}  // namespace
}  // namespace stiction
