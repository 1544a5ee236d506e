// The contract of the pair table over every pair of kinds.

#include <algorithm>
#include <cctype>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "test/base/fewer.h"
#include "test/geometry/pair_samples.h"

namespace stiction {
namespace {

constexpr int kPoses = fewer(10000, 33);  // of each pair

// Of ordinary sizes, about 1 m.
CollisionShape ordinary_shape(ShapeKind kind, bool is_second) {
  Random random(is_second ? 2 : 1);
  const Vec3 radii = is_second ? Vec3(0.35, 0.5, 0.3) : Vec3(0.4, 0.3, 0.5);
  switch (kind) {
    case ShapeKind::superellipsoid:
      return collision_shape(Superellipsoid{radii, is_second ? 0.9 : 0.5, is_second ? 0.6 : 0.7});
    case ShapeKind::hull:
      return collision_shape(sample_hull(&random, is_second ? 12 : 20, radii));
    case ShapeKind::mesh:
      return collision_shape(std::make_shared<const TriangleMesh>(scaled_mesh(sphere_mesh(1), radii)));
    default:
      return sample_shape(kind, radii, 0.0, &random);
  }
}

class PairTable : public ::testing::TestWithParam<std::tuple<int, int>> {
 protected:
  ShapeKind kind_a() const { return ShapeKind(std::get<0>(GetParam())); }
  ShapeKind kind_b() const { return ShapeKind(std::get<1>(GetParam())); }
  const CollisionShape A = ordinary_shape(kind_a(), false), B = ordinary_shape(kind_b(), true);
  bool has_surface() const { return !A.is_convex() || !B.is_convex(); }

  // Between an overlap of a third of the smaller shape and a gap twice the margin.
  PosePair near_poses(Random* random) const {
    return beside(A, B, sample_rotation(random), sample_rotation(random), sample_direction(random),
                  random->uniform(-0.25, 2.0 * kMargin));
  }
  static constexpr double kMargin = 0.05;  // m
};

std::string pair_name(const ::testing::TestParamInfo<std::tuple<int, int>>& pair) {
  std::string name = std::string(name_of(ShapeKind(std::get<0>(pair.param)))) + "_" +
                     name_of(ShapeKind(std::get<1>(pair.param)));
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

std::vector<std::tuple<int, int>> all_pairs() {
  std::vector<std::tuple<int, int>> pairs;
  for (int a = 0; a < kNumShapeKinds; ++a)
    for (int b = a; b < kNumShapeKinds; ++b)
      if (pair_entry(ShapeKind(a), ShapeKind(b)).function != nullptr) pairs.emplace_back(a, b);
  return pairs;
}

std::vector<std::tuple<int, int>> convex_pairs() {
  std::vector<std::tuple<int, int>> pairs = all_pairs();
  std::erase_if(pairs, [](const auto& pair) { return std::get<1>(pair) > int(ShapeKind::half_space); });
  return pairs;
}

using ConvexPairTable = PairTable;

// On both surfaces, unit normals, weights in [0, 1], no better direction, the deepest point the signed
// distance, the same from the other side: pair_check.h.
TEST_P(PairTable, GivesPointsThatPassThePairCheck) {
  Random random(5);
  pair_check::Limits limits;
  limits.directions = 4;
  const auto has = [&](ShapeKind kind) { return A.kind == kind || B.kind == kind; };
  // Looser than 1e-12 where more was measured: 4e-10 on cylinders and superellipsoids over triangles.
  if (has_surface() && (has(ShapeKind::cylinder) || has(ShapeKind::superellipsoid))) limits.on_surface = 1e-9;

  ContactPoints points;
  int touching = 0;
  for (int k = 0; k < kPoses; ++k) {
    const PosePair X = near_poses(&random);
    const std::string wrong = pair_check::defect(A, X.X_WA, B, X.X_WB, kMargin, limits, &random, &points);
    ASSERT_EQ(wrong, "") << "pose " << k << "\nA " << pair_check::text_of(A, X.X_WA) << "\nB "
                         << pair_check::text_of(B, X.X_WB);
    touching += points.empty() ? 0 : 1;
  }
  EXPECT_GT(touching, kPoses / 500);
}

// A list that is nearly full must not lead to other numbers: how full it is depends on what it held before, and
// on how many threads collide pairs.
TEST_P(PairTable, GivesTheSameBitsHoweverFullTheListIs) {
  Random random(8);
  CollideOptions options;
  options.margin = kMargin;
  for (int k = 0; k < kPoses / 10; ++k) {
    const PosePair X = near_poses(&random);
    ContactPoints roomy;
    roomy.reserve(1000);
    collide(A, X.X_WA, B, X.X_WB, options, nullptr, &roomy);
    for (const std::size_t spare : {0, 1, 2}) {
      ContactPoints full(5);
      full.shrink_to_fit();
      full.resize(5 - spare);
      collide(A, X.X_WA, B, X.X_WB, options, nullptr, &full);
      ASSERT_EQ(full.size() - (5 - spare), roomy.size()) << "pose " << k;
      for (std::size_t i = 0; i < roomy.size(); ++i) {
        const ContactPoint &a = roomy[i], &b = full[5 - spare + i];
        ASSERT_TRUE(a.p_A == b.p_A && a.normal == b.normal && a.distance == b.distance &&
                    a.weight == b.weight && a.feature == b.feature)
            << "pose " << k << ", spare " << spare << ", point " << i << "\nA "
            << pair_check::text_of(A, X.X_WA) << "\nB " << pair_check::text_of(B, X.X_WB);
      }
    }
  }
}

TEST_P(PairTable, MovesWithBothShapes) {
  constexpr double kTurned = 1e-8;  // N: an overlap of 0.25 m along a normal known to some 1e-9 rad
  Random random(6);
  CollideOptions options;
  options.margin = kMargin;
  for (int k = 0; k < kPoses; ++k) {
    const PosePair X = near_poses(&random);
    const Pose M{sample_rotation(&random), Vec3(3, -2, 5)};
    ContactPoints here, there;
    collide(A, X.X_WA, B, X.X_WB, options, nullptr, &here);
    collide(A, M * X.X_WA, B, M * X.X_WB, options, nullptr, &there);
    // Round-off may put a point beyond the margin; it has no force.
    const Vec3 change = M.R * pair_check::spring_force(here) - pair_check::spring_force(there);
    ASSERT_LE(change.norm(), kTurned) << "pose " << k << "\nA " << pair_check::text_of(A, X.X_WA) << "\nB "
                                      << pair_check::text_of(B, X.X_WB);
  }
}

// Central differences of the signed distance over translations of B. Where another feature or another side of
// the medial axis is within a step, second differences tell, and the pose says nothing.
TEST_P(ConvexPairTable, NormalIsTheGradientOfTheDistance) {
  constexpr double kStep = 1e-7;       // m
  constexpr double kCurvature = 2e-6;  // second difference over step: a kink turns the gradient by half of it
  Random random(7);
  int checked = 0;
  for (int k = 0; k < kPoses; ++k) {
    const PosePair X = near_poses(&random);
    const ContactPoint nearest = signed_distance(A, X.X_WA, B, X.X_WB);
    Vec3 gradient;
    double bend = 0.0;
    for (int i = 0; i < 3; ++i) {
      const Vec3 step = kStep * Vec3::Unit(i);
      const double up = signed_distance(A, X.X_WA, B, {X.X_WB.R, X.X_WB.p + step}).distance;
      const double down = signed_distance(A, X.X_WA, B, {X.X_WB.R, X.X_WB.p - step}).distance;
      gradient[i] = (up - down) / (2.0 * kStep);
      bend = std::max(bend, std::abs(up + down - 2.0 * nearest.distance) / kStep);
    }
    if (bend > kCurvature) continue;
    ++checked;
    ASSERT_LE((gradient - nearest.normal).norm(), 1e-6)
        << "pose " << k << "\nA " << pair_check::text_of(A, X.X_WA) << "\nB "
        << pair_check::text_of(B, X.X_WB);
  }
  EXPECT_GT(checked, kPoses * 9 / 10);
}

INSTANTIATE_TEST_SUITE_P(All, PairTable, ::testing::ValuesIn(all_pairs()), pair_name);
INSTANTIATE_TEST_SUITE_P(Convex, ConvexPairTable, ::testing::ValuesIn(convex_pairs()), pair_name);

}  // namespace
}  // namespace stiction
