#include "stiction/geometry/polytope/polytope_pairs.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "test/geometry/polytope/polytope_reference.h"

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

// All axes of two overlapping polytopes: the normals of all faces, and across all pairs of edges that are the
// farthest of the two along n, against each other.
std::vector<SeparatingAxis> all_axes(const Polytope& A, const Polytope& B, const Pose& X_AB) {
  std::vector<SeparatingAxis> axes;
  const std::vector<Vec3>& a = A.vertices;
  std::vector<Vec3> b;
  for (const Vec3& v : B.vertices) b.push_back(X_AB * v);
  for (int i = 0; i < static_cast<int>(A.faces.size()); ++i)
    axes.push_back({A.faces[i].normal, separation(a, b, A.faces[i].normal), AxisKind::face_of_a, i, -1});
  for (int j = 0; j < static_cast<int>(B.faces.size()); ++j) {
    const Vec3 n = -(X_AB.R * B.faces[j].normal);
    axes.push_back({n, separation(a, b, n), AxisKind::face_of_b, -1, j});
  }
  for (int i = 0; i < static_cast<int>(A.edges.size()); ++i) {
    const Vec3 from_a = a[A.edges[i].vertices[0]], along_a = a[A.edges[i].vertices[1]] - from_a;
    for (int j = 0; j < static_cast<int>(B.edges.size()); ++j) {
      const Vec3 from_b = b[B.edges[j].vertices[0]], along_b = b[B.edges[j].vertices[1]] - from_b;
      const Vec3 across = along_a.cross(along_b);
      // Those nearly parallel are left to faces.
      if (across.norm() < 1e-5 * along_a.norm() * along_b.norm()) continue;
      for (const Vec3& n : {Vec3(across.normalized()), Vec3(-across.normalized())}) {
        const double s = n.dot(from_b - from_a);
        if (s <= separation(a, b, n) + 1e-15 * (A.size + B.size))
          axes.push_back({n, s, AxisKind::edges, i, j});
      }
    }
  }
  return axes;
}

// The part of the overlap by which an axis is nearer to the best one than its share needs (polytope_axes.h).
double share_beside(const SeparatingAxis& axis, const SeparatingAxis& best) {
  const double chord = std::min((axis.n - best.n).norm(), std::sqrt(2.0));
  return kShareWindow * chord - (best.s - axis.s) / -best.s;
}

void expect_all_sharing_axes(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB) {
  const std::vector<SeparatingAxis> all = all_axes(*A.polytope, *B.polytope, X_AB);
  const SeparatingAxis& best =
      *std::max_element(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.s < y.s; });
  if (best.s >= 0.0) return;
  AxisList found;
  find_polytope_axes(*A.polytope, *B.polytope, X_AB, 0.0, Vec3::Zero(), &found);
  const double round_off = 1e-12 * (A.polytope->size + B.polytope->size);
  ASSERT_NEAR(found.best.s, best.s, round_off);
  if (-best.s >= found.deepest_share || found.count == AxisList::kCapacity) return;
  const auto same = [](const SeparatingAxis& x, const SeparatingAxis& y) {
    return x.kind == y.kind && x.i == y.i && x.j == y.j;
  };
  for (const SeparatingAxis& axis : all) {
    if (same(axis, found.best) || share_beside(axis, found.best) * -best.s < round_off) continue;
    const auto at = std::find_if(found.others.begin(), found.others.begin() + found.count,
                                 [&](const SeparatingAxis& other) { return same(axis, other); });
    ASSERT_NE(at, found.others.begin() + found.count)
        << static_cast<int>(axis.kind) << " " << axis.i << " " << axis.j << " " << axis.s << " " << best.s;
    ASSERT_NEAR(at->s, axis.s, round_off);
  }
}

TEST(PolytopePairs, EveryAxisThatSharesWithTheBestIsFoundOverAnEdge) {
  // Slid over an edge, the axis changes from the upper face to the side, by way of edges.
  const CollisionShape body = cut_cube(0.05);
  for (const CollisionShape& ground : {box_shape(0.3, 0.25, 0.1), box_shape(0.05, 0.05, 0.05)}) {
    for (const Vec3& turn : {Vec3(1e-3, 2e-3, 0.3), Vec3(-4e-3, 1e-3, 0.7), Vec3(3e-3, -2e-3, 1.2)}) {
      for (double t = 0.0; t < 0.4; t += 1e-4) {
        const double height = ground.size.z() + 0.05 - 2e-3;
        expect_all_sharing_axes(ground, body,
                                Pose{rotation_exp<double>(turn), Vec3(t, 0.01 + 0.3 * t, height)});
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(PolytopePairs, EveryAxisThatSharesWithTheBestIsFoundInRandomPoses) {
  const std::vector<CollisionShape> shapes{box_shape(0.05, 0.04, 0.03),
                                           box_shape(0.1, 0.1, 0.005),
                                           cut_cube(0.05),
                                           prism(5, 0.05, 0.1),
                                           prism(16, 0.05, 0.004),
                                           round_hull(8, Vec3(0.05, 0.05, 0.05), 1),
                                           round_hull(16, Vec3(0.08, 0.05, 0.01), 2),
                                           round_hull(32, Vec3(0.05, 0.06, 0.04), 3)};
  Random random(14);
  for (const CollisionShape& A : shapes) {
    for (const CollisionShape& B : shapes) {
      if (A.polytope->is_box && B.polytope->is_box) continue;
      for (int i = 0; i < 40; ++i) {
        // Any turn, or little: then faces are nearly parallel.
        const Mat3 R = i % 2 == 0 ? random_rotation(&random)
                                  : Mat3(rotation_exp<double>(Vec3(0.01 * random_vector(&random))));
        const Vec3 d = random_direction(&random);
        const double touching =
            -separation(placed_vertices(A, Pose{}), placed_vertices(B, Pose{R, Vec3::Zero()}), d);
        const double depth = std::pow(10.0, random.uniform(-6.0, -2.0));  // m
        expect_all_sharing_axes(A, B, Pose{R, Vec3((touching - depth) * d)});
        if (HasFatalFailure()) return;
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
