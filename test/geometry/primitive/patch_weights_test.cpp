// The least total weight of pairs of round shapes with everything (patch_weights.h). Polytopes among themselves:
// test/geometry/polytope/least_weights_test.cpp.

#include "stiction/geometry/primitive/patch_weights.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "stiction/geometry/primitive/cylinder_pairs.h"
#include "test/base/fewer.h"
#include "test/geometry/pair_continuity.h"
#include "test/geometry/polytope/polytope_reference.h"

namespace stiction {
namespace {

struct Named {
  std::string name;
  CollisionShape shape;
};

std::vector<Named> convex_shapes() {
  return {{"sphere", collision_shape(Sphere{0.2})},
          {"capsule", collision_shape(Capsule{0.1, 0.4})},
          {"ellipsoid", collision_shape(Ellipsoid{Vec3(0.3, 0.2, 0.1)})},
          {"superellipsoid", collision_shape(Superellipsoid{Vec3(0.3, 0.2, 0.1), 0.5, 0.4})},
          {"cylinder", collision_shape(Cylinder{0.2, 0.3})},
          {"coin", collision_shape(Cylinder{0.3, 0.04})},
          {"box", box_shape(0.3, 0.2, 0.1)},
          {"hull of 8", round_hull(8, Vec3(0.3, 0.2, 0.1), 8)},
          {"hull of 100", round_hull(100, Vec3(0.3, 0.2, 0.1), 100)},
          {"hull of 2000", round_hull(2000, Vec3(0.2, 0.2, 0.2), 2000)},
          {"prism", prism(48, 0.2, 0.3)},
          {"plane", collision_shape(HalfSpace{})}};
}

double distance_from_edge(const Polytope& P, const PolytopeEdge& edge, const Vec3& x) {
  const Vec3 a = P.vertices[edge.vertices[0]], d = P.vertices[edge.vertices[1]] - a;
  return (a + std::clamp((x - a).dot(d) / d.squaredNorm(), 0.0, 1.0) * d - x).norm();
}

// T of the part of the surface on which the point x lies, in the shape's axes.
double least_at(const CollisionShape& shape, const Vec3& x) {
  constexpr double kThere = 1e-7;  // m: faces of hulls are flat to 1e-6 of the size
  if (shape.kind == ShapeKind::capsule) return 0.5;
  if (shape.kind == ShapeKind::cylinder) {
    const bool at_end = std::abs(x.z()) > shape.size[1] - kThere;
    return !at_end ? 0.5 : std::hypot(x.x(), x.y()) > shape.size[0] - kThere ? kCornerWeight : 1.0;
  }
  if (shape.polytope == nullptr) return 1.0;
  const Polytope& P = *shape.polytope;
  for (std::size_t v = 0; v < P.vertices.size(); ++v)
    if ((P.vertices[v] - x).norm() < kThere) return P.least.of_vertex[v];
  for (std::size_t e = 0; e < P.edges.size(); ++e)
    if (distance_from_edge(P, P.edges[e], x) < kThere) return P.least.of_edge[e];
  return 1.0;
}

ContactPoints points_of(const CollisionShape& A, const Pose& X_A, const CollisionShape& B, const Pose& X_B) {
  CollideOptions options;
  options.margin = 1e-4;
  ContactPoints points;
  collide(A, X_A, B, X_B, options, nullptr, &points);
  return points;
}

double sum_of(const ContactPoints& points) {
  double sum = 0.0;
  for (const ContactPoint& point : points) sum += point.weight;
  return sum;
}

// B beside A in a random direction, 1 um to 2 cm deep.
struct Poses {
  Pose X_A, X_B;
};
Poses overlapping_poses(const CollisionShape& A, const CollisionShape& B, Random* random) {
  Poses poses{{random_rotation(random), Vec3::Zero()}, {random_rotation(random), Vec3::Zero()}};
  Vec3 d = random_direction(random);
  if (B.kind == ShapeKind::half_space) d = -poses.X_B.R.col(2);
  double inside = 0.0, outside = 2.0;
  for (int k = 0; k < 45; ++k) {
    const double middle = 0.5 * (inside + outside);
    poses.X_B.p = middle * d;
    (signed_distance(A, poses.X_A, B, poses.X_B).distance > 0.0 ? outside : inside) = middle;
  }
  poses.X_B.p = (outside - 1e-6 * std::pow(2e4, random->uniform())) * d;
  return poses;
}

TEST(PatchWeights, SumsOfEveryConvexPairLieBetweenTAndOne) {
  const std::vector<Named> shapes = convex_shapes();
  Random random(7);
  int all = 0, below = 0;
  double worst = 0.0;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    for (std::size_t j = i; j < shapes.size(); ++j) {
      const CollisionShape &A = shapes[i].shape, &B = shapes[j].shape;
      if (A.polytope != nullptr || A.kind == ShapeKind::half_space) continue;
      // Others have a single point.
      const bool has_patches = A.kind == ShapeKind::capsule || A.kind == ShapeKind::cylinder ||
                               B.kind == ShapeKind::capsule || B.kind == ShapeKind::cylinder;
      const int poses = has_patches ? fewer(60) : 3;
      for (int k = 0; k < poses; ++k) {
        SCOPED_TRACE(fmt::format("{} and {}, pose {}", shapes[i].name, shapes[j].name, k));
        const auto [X_A, X_B] = overlapping_poses(A, B, &random);
        const ContactPoints points = points_of(A, X_A, B, X_B);
        ASSERT_FALSE(points.empty());
        const ContactPoint& deepest = *std::min_element(
            points.begin(), points.end(),
            [](const ContactPoint& x, const ContactPoint& y) { return x.distance < y.distance; });
        const double T = std::min(least_at(A, X_A.R.transpose() * (deepest.p_A - X_A.p)),
                                  least_at(B, X_B.R.transpose() * (deepest.p_B() - X_B.p)));
        const double sum = sum_of(points);
        EXPECT_LE(sum, 1.0 + 1e-12);
        // Never less than the rim of a cylinder or the corner of a box has.
        EXPECT_GE(sum, 0.25 - 1e-9);
        ++all;
        below += sum < T - 1e-9 ? 1 : 0;
        worst = std::max(worst, T - sum);
      }
    }
  fmt::print("{} poses, {} below T of the deepest point, by at most {:.3f}\n", all, below, worst);
  // Where the deepest vertex is no corner of the face that faces the other shape, T is blended with that of the
  // corners over a quarter of the overlap.
  EXPECT_LE(below, all / 500);
  EXPECT_LE(worst, 0.25);
}

// Points spread evenly over a ball of radius 1 m times `radius`, along a spiral.
CollisionShape ball_hull(int vertices, double radius) {
  std::vector<Vec3> points;
  for (int i = 0; i < vertices; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / vertices, r = std::sqrt(1.0 - z * z),
                 angle = 3.14159265358979323846 * (3.0 - std::sqrt(5.0)) * i;
    points.push_back(radius * Vec3(r * std::cos(angle), r * std::sin(angle), z));
  }
  return collision_shape(std::make_shared<const ConvexHull>(convex_hull(points)));
}

// A ball has the weight 1 on the end and on the side of a cylinder, and on a capsule.
TEST(PatchWeights, TheHullOfABallOnRoundShapesIsAsStiffAsTheBallTheFinerItIs) {
  constexpr double kRadius = 0.1, kDepth = 2e-3;  // m
  const Mat3 lying = rotation_about<double>(Vec3::UnitY(), 0.5 * 3.14159265358979323846);
  struct Ground {
    const char* name;
    CollisionShape shape;
    Pose X;
  };
  const std::vector<Ground> grounds = {
      {"end of a cylinder", collision_shape(Cylinder{1.0, 0.2}), translation(0, 0, -0.1)},
      {"side of a cylinder", collision_shape(Cylinder{0.5, 2.0}), Pose{lying, Vec3(0, 0, -0.5)}},
      {"side of a capsule", collision_shape(Capsule{0.5, 2.0}), Pose{lying, Vec3(0, 0, -0.5)}}};
  for (const Ground& ground : grounds) {
    double last = 1.0;
    for (const int vertices : {100, 1000, 10000}) {
      const CollisionShape ball = ball_hull(vertices, kRadius);
      Random random(5);
      double worst = 0.0;
      for (int i = 0; i < 30; ++i) {
        const Pose X{random_rotation(&random), Vec3(0, 0, kRadius - kDepth)};
        double force = 0.0, deepest = 0.0;
        for (const ContactPoint& point : points_of(ground.shape, ground.X, ball, X)) {
          force += point.weight * std::max(0.0, -point.distance);
          deepest = std::max(deepest, -point.distance);
        }
        if (deepest > 0.0) worst = std::max(worst, 1.0 - force / deepest);
      }
      fmt::print("hull of a ball, {:5d} vertices, on the {}: at most {:.3f} softer than the ball\n", vertices,
                 ground.name, worst);
      if (vertices == 10000) {
        EXPECT_LE(worst, std::min(0.05, last)) << ground.name;
      }
      last = worst;
    }
  }
}

// The side of a can crosses an edge of a table, far from its ends: 1/2, as for the edges of two boxes.
TEST(PatchWeights, ACanAcrossAnEdgeHasTheWeightOfCrossingEdges) {
  constexpr double kLean = 0.3, kDepth = 1e-3;
  const CollisionShape can = collision_shape(Cylinder{0.2, 1.0}), table = box_shape(0.5, 0.5, 0.1);
  const Mat3 leaning = rotation_about<double>(Vec3::UnitY(), 0.5 * 3.14159265358979323846 + kLean);
  const Vec3 edge(0.5, 0.0, 0.1), down(-std::sin(kLean), 0.0, -std::cos(kLean));
  const ContactPoints points = points_of(can, Pose{leaning, edge - (0.2 - kDepth) * down}, table, {});
  ASSERT_FALSE(points.empty());
  EXPECT_NEAR(points[0].distance, -kDepth, 1e-12);
  EXPECT_NEAR(sum_of(points), 0.5, 1e-9);
}

// Translations, so that the same faces face each other: pressed in, and slid over the end of the cylinder until
// the rim is nearly as near as the overlap is deep, where the shortest way out changes.
TEST(PatchWeights, OfAHullThatIsPressedInAndSlidOverAnEndAreContinuous) {
  const CollisionShape cylinder = collision_shape(Cylinder{0.2, 0.3});
  Random random(2);
  double pressed = 0.0, slid = 0.0;
  for (int i = 0; i < fewer(20); ++i) {
    const CollisionShape hull = round_hull(i % 2 == 0 ? 12 : 300, Vec3(0.1, 0.1, 0.1), i + 1);
    const Mat3 R = random_rotation(&random);
    Vec3 lowest = Vec3::Zero();
    for (const Vec3& v : placed_vertices(hull, Pose{R, Vec3::Zero()}))
      if (v.z() < lowest.z()) lowest = v;
    const double touch = 0.15 - lowest.z(), across = lowest.y() - 0.02;
    const double at_rim = lowest.x() + std::sqrt(0.199 * 0.199 - across * across);
    // The cylinder moves below the hull: the function takes it first.
    const Pose X{R, Vec3(0.0, 0.0, touch)};
    const auto worst = [&](const std::function<Pose(double)>& path, double begin, double end) {
      return worst_lipschitz(collide_round_polytope, cylinder, path, hull, X, begin, end, 1e-5);
    };
    pressed = std::max(pressed, worst([](double t) { return translation(0.05, 0.02, t); }, -1e-3, 5e-3));
    slid = std::max(slid, worst([](double t) { return translation(t, 0.02, 5e-4); }, 0.0, at_rim));
  }
  fmt::print("hulls on the end of a cylinder: C = {:.2f} pressed, {:.2f} slid\n", pressed, slid);
  EXPECT_LT(pressed, 10.0);
  EXPECT_LT(slid, 10.0);
}

}  // namespace
}  // namespace stiction
