#include "stiction/geometry/derivative/pair_derivatives.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/geometry/shape/polytope.h"
#include "test/base/fewer.h"
#include "test/geometry/pair_contract.h"

namespace stiction {
namespace {

using Mat3x12 = Eigen::Matrix<double, 3, 12>;

CollisionShape hull_of_points(double rounding = 0.0) {
  return collision_shape(hull_shape(Vec3(0.2, 0.15, 0.12), 20).hull, rounding);
}

// Sizes of 0.1 to 0.3 m.
CollisionShape sample(ShapeKind kind, double rounding = 0.0) {
  switch (kind) {
    case ShapeKind::sphere:
      return collision_shape(Sphere{0.15});
    case ShapeKind::capsule:
      return collision_shape(Capsule{0.08, 0.3});
    case ShapeKind::ellipsoid:
      return collision_shape(Ellipsoid{Vec3(0.1, 0.15, 0.25)}, rounding);
    case ShapeKind::superellipsoid:
      return collision_shape(Superellipsoid{Vec3(0.15, 0.2, 0.12), 0.7, 0.8}, rounding);
    case ShapeKind::cylinder:
      return collision_shape(Cylinder{0.12, 0.25}, rounding);
    case ShapeKind::box:
      return collision_shape(Box{Vec3(0.1, 0.15, 0.2)}, rounding);
    case ShapeKind::hull:
      return hull_of_points(rounding);
    default:
      return collision_shape(HalfSpace{});
  }
}

// Both bodies moved by the columns' small motion.
Pose moved(const Pose& X, const Vec6& motion) {
  return {rotation_exp(Vec3(motion.head<3>())) * X.R, X.p + motion.tail<3>()};
}

struct Scene {
  CollisionShape A, B;
  Pose XA, XB;
  CollideOptions options;

  ContactPoints points(int column = 0, double step = 0.0) const {
    Vec6 of_a = Vec6::Zero(), of_b = Vec6::Zero();
    (column < 6 ? of_a : of_b)[column % 6] = step;
    ContactPoints out;
    collide(A, moved(XA, of_a), B, moved(XB, of_b), options, nullptr, &out);
    return out;
  }
};

// p_A, normal and distance of one point.
using Values = Eigen::Matrix<double, 7, 1>;
using Slopes = Eigen::Matrix<double, 7, 12>;

// The point of this feature, or else the nearest one, if it is no farther than kSamePlace: where a part ends
// right at the border of another, round-off decides which of two features the point is given.
constexpr double kSamePlace = 0.005;  // m
std::optional<Values> values_of(const ContactPoints& points, const ContactPoint& like) {
  const ContactPoint* found = nullptr;
  double least = kSamePlace;
  for (const ContactPoint& point : points) {
    const double off = point.feature == like.feature ? 0.0 : (point.p_A - like.p_A).norm();
    if (off < least) least = off, found = &point;
  }
  if (found == nullptr) return std::nullopt;
  Values out;
  out << found->p_A, found->normal, found->distance;
  return out;
}

// The step of differences, rad and m: nearest points of smooth bodies are found to some 1e-11 and need a long
// one; corners and edges a few millimetres apart turn their normal fast and need a short one.
double step_for(const CollisionShape& A, const CollisionShape& B) {
  const auto one_is = [&](ShapeKind kind) { return A.kind == kind || B.kind == kind; };
  if (one_is(ShapeKind::superellipsoid)) return 2e-4;
  if (one_is(ShapeKind::ellipsoid)) return 4e-4;
  return A.kind >= ShapeKind::box && B.kind >= ShapeKind::box ? 2e-5 : 1e-4;
}

// Slopes by differences of collide() over one, two and three steps: two values of fourth order, from the
// steps 1, 2 and 2, 3. They say nothing where the point is missing at one of the poses, or the two values differ,
// relative to the largest slope, by more than kAgreement.
constexpr double kAgreement = 5e-7;

enum class Says { slope, nothing };
struct Difference {
  Says says = Says::slope;
  Slopes slopes;
};

std::vector<Difference> differences(const Scene& scene, const ContactPoints& points, double h) {
  std::vector<Slopes> near(points.size()), far(points.size());
  std::vector<Difference> out(points.size());
  for (int column = 0; column < 12; ++column) {
    std::array<ContactPoints, 3> up, down;
    for (int k = 0; k < 3; ++k) {
      up[k] = scene.points(column, (k + 1) * h);
      down[k] = scene.points(column, -(k + 1) * h);
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      std::array<Values, 3> slope;
      for (int k = 0; k < 3; ++k) {
        const auto u = values_of(up[k], points[i]), d = values_of(down[k], points[i]);
        if (!u || !d)
          out[i].says = Says::nothing;
        else
          slope[k] = (*u - *d) / (2.0 * (k + 1) * h);
      }
      if (out[i].says == Says::nothing) continue;
      near[i].col(column) = (4.0 * slope[0] - slope[1]) / 3.0;
      far[i].col(column) = (9.0 * slope[1] - 4.0 * slope[2]) / 5.0;
    }
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (out[i].says == Says::nothing) continue;
    const double most = std::max(1.0, near[i].cwiseAbs().maxCoeff());
    out[i].slopes = near[i];
    if (!((near[i] - far[i]).cwiseAbs().maxCoeff() <= kAgreement * most)) out[i].says = Says::nothing;
  }
  return out;
}

// The same with the step of the pair, and where that says nothing with shorter ones, down to where round-off hides
// the slope, and with a longer one. What stays undecided is at a pose where a feature changes within the shortest step:
// there is no derivative, or a one-sided one.
std::vector<Difference> differences(const Scene& scene, const ContactPoints& points) {
  constexpr double kOthers[] = {0.25, 0.0625, 4.0, 0.015625, 0.00390625};
  const double h = step_for(scene.A, scene.B);
  std::vector<Difference> best = differences(scene, points, h);
  const auto says_nothing = [](const Difference& d) { return d.says != Says::slope; };
  for (const double other : kOthers) {
    if (std::none_of(best.begin(), best.end(), says_nothing)) break;
    const std::vector<Difference> again = differences(scene, points, other * h);
    for (std::size_t i = 0; i < points.size(); ++i)
      if (says_nothing(best[i])) best[i] = again[i];
  }
  return best;
}

Slopes analytic(const Scene& scene, const ContactPoint& point) {
  const PointDerivatives d = point_derivatives(scene.A, scene.XA, scene.B, scene.XB, point);
  Slopes out;
  out << d.d_p_A, d.d_normal, d.d_distance;
  return out;
}

// Moves B along the normal until its distance from A is the given one; false where that fails.
bool move_to_distance(double distance, Scene* scene) {
  for (int k = 0; k < 20; ++k) {
    const ContactPoint found = signed_distance(scene->A, scene->XA, scene->B, scene->XB);
    if (std::abs(found.distance - distance) < 1e-13) return true;
    scene->XB.p += (distance - found.distance) * found.normal;
  }
  return false;
}

constexpr double kMostOverlap = -0.02;  // m

// Random poses: every fourth one touching, as bodies do that are pulled out of an overlap; every fourth one 2
// to 10 mm apart, where corners and edges may be nearest; the rest overlap.
bool place_at_random(int k, Random* random, Scene* scene) {
  scene->XA = random_pose(random, 0.3);
  scene->XB = random_pose(random, 0.3);
  if (k % 4 == 1) return move_to_distance(random->uniform(0.002, 0.01), scene);
  if (!move_to_distance(kMostOverlap, scene)) return false;
  return move_to_distance(k % 4 == 0 ? 0.0 : random->uniform(kMostOverlap, -0.001), scene);
}

constexpr int kPoses = kSanitized ? 20 : 150;  // of each pair

struct Tally {
  int points = 0, skipped = 0, wrong = 0;
  double worst = 0.0;
};

// Visits every contact point of random poses, with its slopes by differences where these say something.
template <class Visit>
void for_each_point(const CollisionShape& A, const CollisionShape& B, int poses, bool share_axes,
                    const Visit& visit) {
  Random random(7);
  for (int k = 0; k < poses; ++k) {
    Scene scene{A, B, {}, {}, {}};
    scene.options.margin = 0.03;
    scene.options.share_axes = share_axes;
    scene.options.max_points = 8;
    if (!place_at_random(k, &random, &scene)) continue;
    const ContactPoints points = scene.points();
    const auto slopes = differences(scene, points);
    for (std::size_t i = 0; i < points.size(); ++i) visit(scene, points[i], slopes[i]);
  }
}

// Relative to the largest slope, or to 1.
double error_of(const Scene& scene, const ContactPoint& point, const Slopes& slopes) {
  const double most = std::max(1.0, slopes.cwiseAbs().maxCoeff());
  return (analytic(scene, point) - slopes).cwiseAbs().maxCoeff() / most;
}

Tally compare(const CollisionShape& A, const CollisionShape& B, double tolerance) {
  Tally tally;
  for_each_point(A, B, kPoses, false, [&](const Scene& scene, const ContactPoint& point, const auto& slopes) {
    ++tally.points;
    if (slopes.says != Says::slope) {
      ++tally.skipped;
      return;
    }
    const double error = error_of(scene, point, slopes.slopes);
    tally.worst = std::max(tally.worst, error);
    if (!(error <= tolerance)) ++tally.wrong;
  });
  return tally;
}

void expect_agreement(const CollisionShape& A, const CollisionShape& B, int most_skipped) {
  const Tally t = compare(A, B, 1e-6);
  std::printf("%-15s %-15s %5d points, %d skipped, worst %.1e\n", name_of(A.kind), name_of(B.kind), t.points,
              t.skipped, t.worst);
  EXPECT_EQ(t.wrong, 0) << name_of(A.kind) << ", " << name_of(B.kind);
  EXPECT_LE(t.skipped, most_skipped) << name_of(A.kind) << ", " << name_of(B.kind);
  EXPECT_GE(t.points, kPoses / 2) << name_of(A.kind) << ", " << name_of(B.kind);
}

// Of every pair of convex kinds, in the order of the pair table.
template <class Visit>
void for_each_pair(const Visit& visit) {
  const int last = static_cast<int>(ShapeKind::half_space);
  for (int a = 0; a < last; ++a)
    for (int b = a; b <= last; ++b) visit(static_cast<ShapeKind>(a), static_cast<ShapeKind>(b));
}

TEST(PairDerivatives, AgreeWithDifferencesOfEveryConvexPair) {
  for_each_pair([](ShapeKind A, ShapeKind B) { expect_agreement(sample(A), sample(B), 0); });
}

TEST(PairDerivatives, AgreeWithDifferencesOfRoundedShapes) {
  for_each_pair([](ShapeKind A, ShapeKind B) {
    const bool is_rounded = A >= ShapeKind::cylinder && B <= ShapeKind::hull;
    const bool beside_capsule = A == ShapeKind::capsule && B >= ShapeKind::cylinder && B <= ShapeKind::hull;
    // One point of a cylinder on a box changes its place by 0.05 mm from pose to pose down to steps of 3e-8: it jumps
    // at the pose itself. One point of two hulls ends there: at every step a neighbour is without it.
    const bool has_one =
        (A == ShapeKind::cylinder && B == ShapeKind::box) || (A == ShapeKind::hull && B == ShapeKind::hull);
    if (is_rounded || beside_capsule) expect_agreement(sample(A, 0.01), sample(B, 0.02), has_one ? 1 : 0);
  });
}

// Whether n is the normal of a face of either body or perpendicular to an edge of each, found by trying all.
bool is_of_one_axis(const Scene& scene, const Vec3& n) {
  constexpr double kSame = 1e-9;  // rad: round-off of normals
  const Polytope &A = *scene.A.polytope, &B = *scene.B.polytope;
  for (const PolytopeFace& face : A.faces)
    if ((scene.XA.R * face.normal).cross(n).norm() < kSame) return true;
  for (const PolytopeFace& face : B.faces)
    if ((scene.XB.R * face.normal).cross(n).norm() < kSame) return true;
  const auto along = [](const Polytope& P, const PolytopeEdge& edge) {
    return Vec3((P.vertices[edge.vertices[1]] - P.vertices[edge.vertices[0]]).normalized());
  };
  for (const PolytopeEdge& a : A.edges) {
    const Vec3 e = scene.XA.R * along(A, a);
    if (std::abs(e.dot(n)) > kSame) continue;
    for (const PolytopeEdge& b : B.edges)
      if (std::abs((scene.XB.R * along(B, b)).dot(n)) < kSame) return true;
  }
  return false;
}

// With shared axes a point on features that several axes have in common has a mean normal and place; its factors
// change with the poses, and the derivative leaves that out (pair_derivatives.h). But for three points that jump,
// every point whose normal is that of one axis agrees.
TEST(PairDerivatives, AgreeForEveryPointOfPolytopesThatShareAxesUnlessItsNormalIsAMeanOfSeveral) {
  const CollisionShape box = sample(ShapeKind::box), hull = sample(ShapeKind::hull);
  const std::array<std::array<const CollisionShape*, 2>, 3> pairs{
      {{&box, &box}, {&box, &hull}, {&hull, &hull}}};
  for (const auto& pair : pairs) {
    const CollisionShape *A = pair[0], *B = pair[1];
    int of_one = 0, of_several = 0, several_differ = 0, skipped = 0;
    double place_differs = 0.0, gap_differs = 0.0;
    for_each_point(*A, *B, 4 * kPoses, true,
                   [&](const Scene& scene, const ContactPoint& point, const auto& slopes) {
                     const bool is_of_one = is_of_one_axis(scene, point.normal);
                     ++(is_of_one ? of_one : of_several);
                     if (slopes.says != Says::slope) {
                       ++skipped;
                       return;
                     }
                     const double error = error_of(scene, point, slopes.slopes);
                     if (is_of_one)
                       EXPECT_LE(error, 1e-6) << name_of(A->kind) << ", " << name_of(B->kind);
                     else if (error > 1e-6) {
                       ++several_differ;
                       const Slopes off = analytic(scene, point) - slopes.slopes;
                       const double most = std::max(1.0, slopes.slopes.cwiseAbs().maxCoeff());
                       place_differs = std::max(place_differs, off.topRows<3>().cwiseAbs().maxCoeff() / most);
                       gap_differs = std::max(gap_differs, off.bottomRows<1>().cwiseAbs().maxCoeff() / most);
                     }
                   });
    std::printf(
        "%-4s %-4s %5d points with the normal of one axis, %d with a mean, of which %d differ: places %.2f, "
        "distances %.3f; %d skipped\n",
        name_of(A->kind), name_of(B->kind), of_one, of_several, several_differ, place_differs, gap_differs,
        skipped);
    // Points that jump between axes at the pose itself: their differences grow as 1/h down to steps of 5e-9 m.
    EXPECT_LE(skipped, A == &box ? (B == &box ? 0 : 1) : 2);
    // A mean differs only where its factors change, which is where the axes' overlaps are within the band that shares
    // them: fewer than two in five, and one in twenty of all points. It is the direction that they turn, within the
    // spread of the axes; place and distance go with the bodies but for a small part.
    EXPECT_LE(several_differ, 0.4 * of_several);
    EXPECT_LE(several_differ, 0.05 * (of_one + of_several));
    EXPECT_LE(place_differs, 0.15);
    EXPECT_LE(gap_differs, 0.05);
  }
}

TEST(PairDerivatives, SwappedShapesHaveTheSameDerivativesSeenFromTheOtherSide) {
  for_each_pair([](ShapeKind kind_a, ShapeKind kind_b) {
    if (kind_a == kind_b) return;
    const CollisionShape A = sample(kind_a), B = sample(kind_b);
    Random random(5);
    for (int k = 0; k < 20; ++k) {
      Scene scene{A, B, {}, {}, {}};
      if (!place_at_random(2, &random, &scene)) continue;
      const ContactPoint ab = signed_distance(A, scene.XA, B, scene.XB);
      const ContactPoint ba{ab.p_B(), -ab.normal, ab.distance, ab.weight, swapped_feature(ab.feature)};
      const PointDerivatives d = point_derivatives(A, scene.XA, B, scene.XB, ab);
      const PointDerivatives e = point_derivatives(B, scene.XB, A, scene.XA, ba);
      // To round-off, which slopes of up to 1e3 amplify.
      const double slack = 1e-9 * std::max(1.0, d.d_normal.cwiseAbs().maxCoeff());
      EXPECT_LE((d.d_p_A.leftCols<6>() - e.d_p_B.rightCols<6>()).cwiseAbs().maxCoeff(), slack);
      EXPECT_LE((d.d_p_B.rightCols<6>() - e.d_p_A.leftCols<6>()).cwiseAbs().maxCoeff(), slack);
      EXPECT_LE((d.d_normal.leftCols<6>() + e.d_normal.rightCols<6>()).cwiseAbs().maxCoeff(), slack);
      EXPECT_LE((d.d_distance.leftCols<6>() - e.d_distance.rightCols<6>()).cwiseAbs().maxCoeff(), slack);
    }
  });
}

TEST(PairDerivatives, DistanceFollowsTheWitnessPointsAlongTheNormal) {
  for_each_pair([](ShapeKind kind_a, ShapeKind kind_b) {
    const CollisionShape A = sample(kind_a), B = sample(kind_b);
    Random random(6);
    for (int k = 0; k < 20; ++k) {
      Scene scene{A, B, {}, {}, {}};
      if (!place_at_random(2, &random, &scene)) continue;
      const ContactPoint point = signed_distance(A, scene.XA, B, scene.XB);
      const PointDerivatives d = point_derivatives(A, scene.XA, B, scene.XB, point);
      // The deepest point: its distance only sees the motion of the two bodies there.
      Eigen::Matrix<double, 1, 12> expected;
      const Vec3 n = point.normal, a = point.p_A - scene.XA.p, b = point.p_B() - scene.XB.p;
      const Vec3 turn_a = a.cross(n), turn_b = b.cross(n);
      for (int i = 0; i < 3; ++i) {
        expected[i] = -turn_a[i];
        expected[3 + i] = -n[i];
        expected[6 + i] = turn_b[i];
        expected[9 + i] = n[i];
      }
      EXPECT_LE((d.d_distance - expected).cwiseAbs().maxCoeff(), 1e-6)
          << name_of(kind_a) << ", " << name_of(kind_b);
    }
  });
}

TEST(PairDerivatives, NormalOfTwoBallsTurnsByTheWayOverTheDistanceOfTheirCentres) {
  const CollisionShape A = collision_shape(Sphere{0.2}), B = collision_shape(Sphere{0.1});
  const Pose XA, XB = translation(0, 0, 0.29);
  const ContactPoint point = signed_distance(A, XA, B, XB);
  const PointDerivatives d = point_derivatives(A, XA, B, XB, point);
  Mat3x12 expected = Mat3x12::Zero();
  expected(0, 3) = expected(1, 4) = -1.0 / 0.29;
  expected(0, 9) = expected(1, 10) = 1.0 / 0.29;
  EXPECT_LE((d.d_normal - expected).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(PairDerivatives, EllipsoidWithEqualRadiiMovesLikeASphere) {
  const CollisionShape ball = collision_shape(Sphere{0.15});
  const CollisionShape round = collision_shape(Ellipsoid{Vec3::Constant(0.15)});
  for (const ShapeKind kind : {ShapeKind::superellipsoid, ShapeKind::cylinder, ShapeKind::box}) {
    const CollisionShape B = sample(kind);
    Random random(9);
    for (int k = 0; k < 50; ++k) {
      Scene scene{round, B, {}, {}, {}};
      if (!place_at_random(k, &random, &scene)) continue;
      const ContactPoint point = signed_distance(round, scene.XA, B, scene.XB);
      PointDerivatives sphere = point_derivatives(ball, scene.XA, B, scene.XB, point);
      const PointDerivatives ellipsoid = point_derivatives(round, scene.XA, B, scene.XB, point);
      const double most = sphere.d_normal.cwiseAbs().maxCoeff();
      EXPECT_LE((sphere.d_normal - ellipsoid.d_normal).cwiseAbs().maxCoeff(), 1e-9 * most);
      EXPECT_LE((sphere.d_p_B - ellipsoid.d_p_B).cwiseAbs().maxCoeff(), 1e-9 * most);
    }
  }
}

TEST(PairDerivatives, MeshesAreRefused) {
  CollisionShape mesh = sample(ShapeKind::box);
  mesh.kind = ShapeKind::mesh;
  EXPECT_THROW(point_derivatives(mesh, {}, sample(ShapeKind::box), {}, {}), UserError);
  const CollisionShape ground = sample(ShapeKind::half_space);
  EXPECT_THROW(point_derivatives(ground, {}, ground, {}, {}), UserError);
}

}  // namespace
}  // namespace stiction
