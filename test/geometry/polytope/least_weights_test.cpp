// The least total weight of contact points of convex pairs (shape/least_weights.h, polytope_manifold.h).

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "stiction/geometry/polytope/polytope_manifold.h"
#include "test/geometry/polytope/polytope_reference.h"

namespace stiction {
namespace {

constexpr double kPi = std::numbers::pi;

CollisionShape hull_of(const std::vector<Vec3>& points) {
  return collision_shape(std::make_shared<const ConvexHull>(convex_hull(points)));
}

CollisionShape hull_of_box(const Vec3& half) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back(
        half.cwiseProduct(Vec3((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1)));
  return hull_of(corners);
}

// Points spread evenly over a ball of radius 1 m times `radius`, along a spiral.
CollisionShape ball_hull(int vertices, double radius) {
  std::vector<Vec3> points;
  for (int i = 0; i < vertices; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / vertices, r = std::sqrt(1.0 - z * z),
                 turn = kPi * (3.0 - std::sqrt(5.0)) * i;
    points.push_back(radius * Vec3(r * std::cos(turn), r * std::sin(turn), z));
  }
  return hull_of(points);
}

// The solid angle of the normals of a vertex: spherical triangles between the normals of the faces around it
// (A. Van Oosterom, J. Strackee, IEEE Trans. Biomed. Eng. 30(2), 1983).
double solid_angle_of_normals(const ConvexHull& hull, int vertex) {
  std::vector<Vec3> normals;
  Vec3 middle = Vec3::Zero();
  for (const HullFace& face : hull.faces)
    for (int c = face.begin; c < face.end; ++c)
      if (hull.corners[c].vertex == vertex) {
        normals.push_back(face.normal);
        middle += face.normal;
      }
  middle.normalize();
  const Vec3 u = middle.unitOrthogonal(), v = middle.cross(u);
  std::sort(normals.begin(), normals.end(), [&](const Vec3& a, const Vec3& b) {
    return std::atan2(v.dot(a), u.dot(a)) < std::atan2(v.dot(b), u.dot(b));
  });
  double sum = 0.0;
  for (std::size_t i = 0; i < normals.size(); ++i) {
    const Vec3 &a = normals[i], &b = normals[(i + 1) % normals.size()];
    sum += 2.0 * std::atan2(middle.dot(a.cross(b)), 1.0 + middle.dot(a) + a.dot(b) + b.dot(middle));
  }
  return sum;
}

TEST(LeastWeights, OfAVertexFollowsFromTheSolidAngleOfItsNormals) {
  for (const int vertices : {8, 30, 300}) {
    const CollisionShape shape = round_hull(vertices, Vec3(0.5, 0.3, 0.2), 3);
    double total = 0.0;
    for (int v = 0; v < vertices; ++v) {
      const double angle = solid_angle_of_normals(*shape.hull, v);
      total += angle;
      // Faces of hulls are flat to 1e-6 of the size.
      EXPECT_NEAR(shape.polytope->least.of_vertex[v], 1.0 - 0.75 * std::min(1.0, 2.0 * angle / kPi), 1e-4);
    }
    EXPECT_NEAR(total, 4.0 * kPi, 1e-9);
  }
}

TEST(LeastWeights, ABoxHasAQuarterAndAHalfAndAPrismLessTheRounderItIs) {
  for (const CollisionShape& box : {box_shape(0.3, 0.2, 0.1), hull_of_box(Vec3(0.3, 0.2, 0.1))}) {
    for (const double least : box.polytope->least.of_vertex) EXPECT_NEAR(least, 0.25, 1e-12);
    for (const double least : box.polytope->least.of_edge) EXPECT_NEAR(least, 0.5, 1e-12);
  }
  // Two right angles and pi - 2 pi/n meet in a corner: Psi = 2 pi/n. Sides turn by 2 pi/n, rims by pi/2.
  for (const int sides : {6, 48}) {
    const CollisionShape shape = prism(sides, 0.2, 0.1);
    for (const double least : shape.polytope->least.of_vertex) EXPECT_NEAR(least, 1.0 - 3.0 / sides, 1e-9);
    for (std::size_t e = 0; e < shape.polytope->edges.size(); ++e) {
      const auto& ends = shape.polytope->edges[e].vertices;
      const bool is_side =
          std::abs(shape.polytope->vertices[ends[0]].z() - shape.polytope->vertices[ends[1]].z()) > 0.05;
      EXPECT_NEAR(shape.polytope->least.of_edge[e], is_side ? 1.0 - 2.0 / sides : 0.5, 1e-9);
    }
  }
}

// T of the features of a point of two polytopes or of a polytope on a plane.
double least_of(const CollisionShape& A, const CollisionShape& B, const ContactPoint& point) {
  const auto side = [](const CollisionShape& shape, std::uint64_t feature) {
    const auto kind = static_cast<FeatureKind>(feature >> 30 & 3);
    const std::size_t index = feature & 0x1fffffff;  // without the mark of a second direction
    if (shape.polytope == nullptr || kind == FeatureKind::face) return 1.0;
    const LeastWeights& least = shape.polytope->least;
    const std::vector<double>& of = kind == FeatureKind::vertex ? least.of_vertex : least.of_edge;
    return index < of.size() ? of[index] : 0.0;
  };
  return std::min(side(A, point.feature >> 32), side(B, point.feature & 0xffffffff));
}

// Whether a vertex or an edge (FeatureKind, index) belongs to a face.
bool is_of_face(const Polytope& P, const PolytopeFace& face, FeatureKind kind, std::size_t index) {
  const auto has = [&](int vertex) {
    const int* corners = P.corner_vertex.data();
    return std::find(corners + face.begin, corners + face.end, vertex) != corners + face.end;
  };
  if (kind == FeatureKind::vertex) return has(static_cast<int>(index));
  if (kind == FeatureKind::edge) return has(P.edges[index].vertices[0]) && has(P.edges[index].vertices[1]);
  return true;
}

// Whether all points are along one direction, one face of either body faces it, and the deepest point is on
// these faces: nothing is blended between directions, faces, and vertices deeper than a face.
bool is_of_one_face_pair(const CollisionShape& A, const Pose& X_A, const CollisionShape& B, const Pose& X_B,
                         const ContactPoints& points) {
  const ContactPoint* deepest = &points.at(0);
  for (const ContactPoint& point : points) {
    if ((point.normal - points.at(0).normal).norm() > 1e-12) return false;
    if (point.distance < deepest->distance) deepest = &point;
  }
  const auto faces_with_deepest = [&](const CollisionShape& shape, const Pose& X, const Vec3& d,
                                      std::uint64_t feature) {
    if (shape.polytope == nullptr) return true;
    std::array<FaceShare, kMaxFacing> faces;
    if (facing_faces(*shape.polytope, X.R.transpose() * d, faces.data()) != 1) return false;
    return is_of_face(*shape.polytope, shape.polytope->faces[faces[0].face],
                      static_cast<FeatureKind>(feature >> 30 & 3), feature & 0x1fffffff);
  };
  // From A into B, or the other way round.
  const Vec3 n = points.at(0).normal;
  const double sign = n.dot(X_B.p - X_A.p) < 0.0 ? -1.0 : 1.0;
  return faces_with_deepest(A, X_A, sign * n, deepest->feature >> 32) &&
         faces_with_deepest(B, X_B, -sign * n, deepest->feature & 0xffffffff);
}

// T = max T_i b_i, b_i = 1 - (D - D_i)/max(D, kLeastWindow), of the points.
double least_total(const CollisionShape& A, const CollisionShape& B, const ContactPoints& points) {
  double D = -1.0, T = 0.0;
  for (const ContactPoint& point : points) D = std::max(D, -point.distance);
  for (const ContactPoint& point : points)
    T = std::max(T, least_of(A, B, point) * (1.0 - (D + point.distance) / std::max(D, kLeastWindow)));
  return T;
}

struct Sums {
  int of_one_pair = 0;
  double worst_of_one_pair = 0.0;
  int poses = 0, alone = 0, below = 0, far_below = 0;
  double least = 1.0, most = 0.0, worst_alone = 0.0, worst = 0.0, worst_ratio = 1.0;
};

// Pairs of hulls of 8 to 2,000 vertices and boxes, or one of them on a plane, 1 um to 2 cm deep.
Sums sums_of_random_poses(int poses, std::uint64_t seed) {
  Random random(seed);
  std::vector<CollisionShape> shapes{box_shape(0.5, 0.3, 0.1), collision_shape(HalfSpace{})};
  for (const int vertices : {8, 20, 100, 500, 2000})
    for (const Vec3& radii : {Vec3(0.5, 0.5, 0.5), Vec3(0.5, 0.3, 0.1), Vec3(0.1, 0.05, 0.1)})
      shapes.push_back(round_hull(vertices, radii, vertices));
  const int last = static_cast<int>(shapes.size()) - 1;
  Sums sums;
  for (int i = 0; i < poses; ++i) {
    const CollisionShape &A = shapes[random.uniform_int(0, last)], &B = shapes[random.uniform_int(2, last)];
    const Pose X_A{random_rotation(&random), Vec3::Zero()};
    Pose X_B{random_rotation(&random), Vec3::Zero()};
    const Vec3 d = A.kind == ShapeKind::half_space ? Vec3(X_A.R.col(2)) : random_direction(&random);
    double inside = 0.0, outside = 2.0;
    for (int k = 0; k < 40; ++k) {
      const double middle = 0.5 * (inside + outside);
      X_B.p = middle * d;
      (signed_distance(A, X_A, B, X_B).distance > 0.0 ? outside : inside) = middle;
    }
    X_B.p = (outside - 1e-6 * std::pow(2e4, random.uniform())) * d;
    CollideOptions options;
    options.margin = 1e-4;
    ContactPoints points;
    collide(A, X_A, B, X_B, options, nullptr, &points);
    double sum = 0.0;
    const ContactPoint* deepest = &points.at(0);
    int overlapping = 0;
    for (const ContactPoint& point : points) {
      sum += point.weight;
      overlapping += point.distance < 0.0 ? 1 : 0;
      if (point.distance < deepest->distance) deepest = &point;
    }
    if (!(deepest->distance < 0.0)) continue;
    double lowest = 1.0;
    for (const ContactPoint& point : points)
      if (point.distance < 0.5 * deepest->distance) lowest = std::min(lowest, least_of(A, B, point));
    if (is_of_one_face_pair(A, X_A, B, X_B, points)) {
      ++sums.of_one_pair;
      sums.worst_of_one_pair = std::max(sums.worst_of_one_pair, least_total(A, B, points) - sum);
    }
    const double short_of = least_of(A, B, *deepest) - sum;
    ++sums.poses;
    if (overlapping == 1) {
      ++sums.alone;
      sums.worst_alone = std::max(sums.worst_alone, short_of);
    }
    sums.below += short_of > 1e-9 ? 1 : 0;
    sums.far_below += short_of > 0.05 ? 1 : 0;
    sums.worst = std::max(sums.worst, short_of);
    sums.worst_ratio = std::min(sums.worst_ratio, sum / lowest);
    sums.least = std::min(sums.least, sum);
    sums.most = std::max(sums.most, sum);
  }
  fmt::print("{} poses along one direction with one face on either side: at most {:.2e} below T\n",
             sums.of_one_pair, sums.worst_of_one_pair);
  fmt::print(
      "{} poses: sums {:.4f} to {:.12f}; {} with one point {:.2e} below T; of all {} below T of the deepest, "
      "{} by more than 0.05, at most {:.3f}; ratio {:.3f}\n",
      sums.poses, sums.least, sums.most, sums.alone, sums.worst_alone, sums.below, sums.far_below, sums.worst,
      sums.worst_ratio);
  return sums;
}

TEST(LeastWeights, SumsOfRandomPosesLieBetweenTAndOne) {
  // A hundred thousand poses: STICTION_POSES=100000.
  const char* wanted = std::getenv("STICTION_POSES");
  const Sums sums = sums_of_random_poses(wanted != nullptr ? std::atoi(wanted) : 2000, 17);
  EXPECT_LE(sums.most, 1.0 + 1e-12);
  // Where nothing else is blended the sum is at least T, to the round-off of heights (some 1e-15 m over the
  // window of 1e-5 m and more).
  EXPECT_GT(sums.of_one_pair, sums.poses / 4);
  EXPECT_LE(sums.worst_of_one_pair, 1e-9);
  EXPECT_GE(sums.least, 0.25 - 1e-9);
  // Where other features lie within the blend T is between theirs: below that of the deepest point alone, in
  // few poses and not by much; never below 3/4 of the least T of points half as deep.
  EXPECT_LE(sums.worst_alone, 0.1);
  EXPECT_LE(sums.below, sums.poses / 20);
  EXPECT_LE(sums.far_below, std::max(2, sums.poses / 500));
  EXPECT_GE(sums.worst_ratio, 0.75);
}

double sum_of(const ContactPoints& points) {
  double sum = 0.0;
  for (const ContactPoint& point : points) sum += point.weight;
  return sum;
}

ContactPoints contacts_of(const CollisionShape& A, const Pose& X_A, const CollisionShape& B,
                          const Pose& X_B) {
  CollideOptions options;
  options.margin = 1e-4;
  ContactPoints points;
  collide(A, X_A, B, X_B, options, nullptr, &points);
  return points;
}

struct Ground {
  const char* name;
  CollisionShape shape;
  Pose X;
};

// Their tops are at z = 0.
std::vector<Ground> grounds() {
  TriangleMesh floor;
  floor.vertices = {Vec3(-2, -2, 0), Vec3(2, -2, 0), Vec3(2, 2, 0), Vec3(-2, 2, 0)};
  floor.triangles = {{0, 1, 2}, {0, 2, 3}};
  return {{"plane", collision_shape(HalfSpace{}), Pose{}},
          {"box", box_shape(1, 1, 0.1), translation(0, 0, -0.1)},
          {"hull", hull_of_box(Vec3(1, 1, 0.1)), translation(0, 0, -0.1)},
          {"mesh", collision_shape(std::make_shared<const TriangleMesh>(floor)), Pose{}}};
}

TEST(LeastWeights, ADiscOfManyCornersKeepsItsStiffnessOnOneOfThem) {
  constexpr int kSides = 60;
  const CollisionShape disc = prism(kSides, 0.1, 0.02);
  for (const Ground& ground : grounds())
    for (const double tilt : {0.05, 0.3, 0.7}) {
      SCOPED_TRACE(fmt::format("on a {}, tilted by {}", ground.name, tilt));
      Pose X{rotation_about<double>(Vec3::UnitY(), tilt), Vec3::Zero()};
      double lowest = 1e300;
      for (const Vec3& v : placed_vertices(disc, X)) lowest = std::min(lowest, v.z());
      // So little that the corners beside the lowest one stay above.
      X.p.z() = -lowest - 1e-6;
      // T, less what its neighbours have within the blend of 10 um.
      const double sum = sum_of(contacts_of(ground.shape, ground.X, disc, X));
      EXPECT_GE(sum, 1.0 - 3.0 / kSides - 1e-9);
      EXPECT_LE(sum, 1.0 + 1e-12);
    }
}

TEST(LeastWeights, TheHullOfABallIsAsStiffAsTheBallTheFinerItIs) {
  // A ball has the weight 1. Of its hull, T >= 1 - 6/n (n vertices share 4 pi) holds where one vertex touches;
  // where several do, the mean overlap is less than that of the deepest.
  constexpr double kRadius = 0.1;  // m
  for (const Ground& ground : grounds()) {
    double last = 0.0;
    for (const int vertices : {100, 1000, 10000}) {
      const CollisionShape ball = ball_hull(vertices, kRadius);
      Random random(5);
      double worst = 0.0;
      for (int i = 0; i < 30; ++i) {
        Pose X{random_rotation(&random), Vec3::Zero()};
        X.p.z() = kRadius - 2e-3;
        double force = 0.0, deepest = 0.0;
        for (const ContactPoint& point : contacts_of(ground.shape, ground.X, ball, X)) {
          force += point.weight * std::max(0.0, -point.distance);
          deepest = std::max(deepest, -point.distance);
        }
        if (deepest > 0.0) worst = std::max(worst, 1.0 - force / deepest);
      }
      fmt::print("hull of a ball, {:5d} vertices, on a {:8s}: at most {:.3f} softer than the ball\n",
                 vertices, ground.name, worst);
      if (vertices == 10000) {
        EXPECT_LE(worst, std::min(0.05, last)) << ground.name;
      }
      last = worst;
    }
  }
}

}  // namespace
}  // namespace stiction
