#include "stiction/geometry/polytope/polytope_axes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "test/geometry/polytope/polytope_reference.h"

namespace stiction {
namespace {

constexpr double kStiffness = 1e7;  // N/m
constexpr double kPi = 3.14159265358979323846;

// The largest displacement of a vertex of B between two poses.
double way(const CollisionShape& B, const Pose& from, const Pose& to) {
  double largest = 0.0;
  for (const Vec3& v : B.polytope->vertices) largest = std::max(largest, (to * v - from * v).norm());
  return largest;
}

// The largest change of the wrench on B in a step of the motion, relative to stiffness x displacement (x
// diagonal of B for the moment).
double largest_slope(const CollisionShape& A, const CollisionShape& B,
                     const std::function<Pose(double)>& motion, double begin, double end, double step) {
  CollideOptions options;
  options.margin = 1e-3;
  double largest = 0.0;
  const auto wrench = [&](const Pose& X_B) {
    return penalty_wrench(contacts(A, Pose{}, B, X_B, options), kStiffness, X_B.p);
  };
  Pose before = motion(begin);
  Vec6 wrench_before = wrench(before);
  for (double t = begin + step; t <= end; t += step) {
    const Pose now = motion(t);
    const Vec6 wrench_now = wrench(now), change = wrench_now - wrench_before;
    const double scale = kStiffness * way(B, before, now);
    largest = std::max(
        {largest, change.tail<3>().norm() / scale, change.head<3>().norm() / (scale * B.polytope->size)});
    before = now;
    wrench_before = wrench_now;
  }
  return largest;
}

struct Ground {
  const char* name;
  CollisionShape shape;
  double top;  // m, height of its upper face
};

std::vector<Ground> grounds() {
  return {{"half-space", collision_shape(HalfSpace{}), 0.0},
          {"box", box_shape(0.3, 0.25, 0.1), 0.1},
          {"equal box", box_shape(0.05, 0.05, 0.05), 0.05},
          {"hull", prism(9, 0.2, 0.1), 0.05}};
}

// What stands on the ground: a cube, and a hull of triangles and squares.
std::vector<Ground> bodies() {
  return {{"cube", box_shape(0.05, 0.05, 0.05), 0.05}, {"cut cube", cut_cube(0.05), 0.05}};
}

// m, how deep the bodies sit. A step moves them by a hundredth of this or less, so that a force that came or
// went at once would exceed the bound ten times.
constexpr double kDepth = 2e-3;

void expect_lipschitz(const std::function<std::function<Pose(double)>(double)>& motion_at_height,
                      double begin, double end, double step) {
  for (const Ground& ground : grounds()) {
    for (const Ground& body : bodies()) {
      SCOPED_TRACE(std::string(body.name) + " on " + ground.name);
      const double height = ground.top + body.top - kDepth;
      EXPECT_LE(largest_slope(ground.shape, body.shape, motion_at_height(height), begin, end, step),
                kWrenchLipschitz);
    }
  }
}

TEST(PolytopeAxes, WrenchOfATiltingBodyIsLipschitz) {
  for (const Vec3& axis : {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(1, 1, 0), Vec3(0.3, -0.9, 0.4)}) {
    expect_lipschitz(
        [&axis](double height) {
          return [&axis, height](double t) {
            return Pose{rotation_about<double>(axis.normalized(), t), Vec3(0.003, 0.001, height)};
          };
        },
        -0.02, 0.02, 1e-5);
  }
}

TEST(PolytopeAxes, WrenchOfATurningBodyIsLipschitz) {
  for (double tilt : {0.0, 1e-3, 5e-3}) {
    expect_lipschitz(
        [tilt](double height) {
          return [tilt, height](double t) {
            return Pose{
                rotation_about<double>(Vec3::UnitX(), tilt) * rotation_about<double>(Vec3::UnitZ(), t),
                Vec3(0.003, 0.001, height)};
          };
        },
        0.0, 0.5 * kPi, 2e-4);
  }
}

TEST(PolytopeAxes, WrenchOfABodySlidOverAnEdgeIsLipschitz) {
  for (const Vec3& turn : {Vec3(0, 0, 0), Vec3(1e-3, 2e-3, 0.3), Vec3(-4e-3, 1e-3, 0.7)}) {
    expect_lipschitz(
        [&turn](double height) {
          return [&turn, height](double t) {
            return Pose{rotation_exp<double>(turn), Vec3(t, 0.01 + 0.3 * t, height)};
          };
        },
        0.0, 0.4, 1e-5);
  }
}

TEST(PolytopeAxes, WrenchOfABodyTurnedAroundAnEdgeIsLipschitz) {
  // From one face over an edge to the next, pressed down by kDepth all the way.
  for (const Ground& ground : grounds()) {
    SCOPED_TRACE(ground.name);
    const CollisionShape box = box_shape(0.05, 0.04, 0.03);
    const auto motion = [&](double t) {
      const Mat3 R = rotation_about<double>(Vec3::UnitX(), t) * rotation_about<double>(Vec3::UnitZ(), 0.2);
      double lowest = 1e300;
      for (const Vec3& v : box.polytope->vertices) lowest = std::min(lowest, (R * v).z());
      return Pose{R, Vec3(0.004, 0.001, ground.top - lowest - kDepth)};
    };
    EXPECT_LE(largest_slope(ground.shape, box, motion, 0.0, 0.5 * kPi, 1e-4), kWrenchLipschitz);
  }
}

TEST(PolytopeAxes, BoxFlatOnAnEdgeAndOnACornerHasTheWeights1AndHalfAndQuarter) {
  const CollisionShape box = box_shape(0.05, 0.05, 0.05);
  const Mat3 on_edge = rotation_about<double>(Vec3::UnitX(), 0.25 * kPi);
  const Mat3 on_corner = rotation_about<double>(Vec3::UnitY(), std::atan(std::sqrt(0.5))) * on_edge;
  for (const Ground& ground : grounds()) {
    if (ground.shape.kind == ShapeKind::box && ground.top < 0.1) continue;  // too small for a box on its edge
    SCOPED_TRACE(ground.name);
    const auto total = [&](const Mat3& R) {
      double lowest = 1e300, sum = 0.0;
      for (const Vec3& v : box.polytope->vertices) lowest = std::min(lowest, (R * v).z());
      for (const ContactPoint& point :
           contacts(ground.shape, Pose{}, box, Pose{R, Vec3(0.01, 0.02, ground.top - lowest - kDepth)}))
        sum += point.weight;
      return sum;
    };
    EXPECT_NEAR(total(Mat3::Identity()), 1.0, 1e-12);
    EXPECT_NEAR(total(on_edge), 0.5, 1e-12);
    EXPECT_NEAR(total(on_corner), 0.25, 1e-12);
  }
}

TEST(PolytopeAxes, TiltedBoxKeepsADepthForEachCorner) {
  // Four corners at their own heights: the heave and tilt of a plane.
  const CollisionShape ground = box_shape(0.3, 0.25, 0.1), box = box_shape(0.05, 0.05, 0.05);
  for (double tilt : {1e-5, 1e-4, 1e-3}) {
    const Pose X_B{rotation_about<double>(Vec3::UnitY(), tilt), Vec3(0, 0, 0.15 - kDepth)};
    const ContactPoints points = contacts(ground, Pose{}, box, X_B);
    ASSERT_EQ(points.size(), 4u);
    for (const ContactPoint& point : points) {
      EXPECT_NEAR(point.weight, 0.25, 1e-12);
      EXPECT_NEAR(point.distance, point.p_B().z() - 0.1, 1e-14);
    }
  }
}

TEST(PolytopeAxes, FeaturesStayTheSameAlongASlide) {
  const CollisionShape ground = box_shape(0.3, 0.25, 0.1), box = box_shape(0.05, 0.05, 0.05);
  std::vector<std::uint64_t> first;
  for (double t = 0.0; t < 0.2; t += 1e-3) {
    std::vector<std::uint64_t> features;
    for (const ContactPoint& point :
         contacts(ground, Pose{}, box,
                  Pose{rotation_exp<double>(Vec3(1e-5 * t, 0, 0.3)), Vec3(t, 0.01, 0.15 - kDepth)}))
      features.push_back(point.feature);
    std::sort(features.begin(), features.end());
    if (first.empty()) first = features;
    ASSERT_EQ(features, first) << t;
    ASSERT_EQ(std::adjacent_find(features.begin(), features.end()), features.end());
  }
}

TEST(PolytopeAxes, FourPointsKeepTheDeepestAndTheTotalWeight) {
  CollideOptions four, eight;
  four.max_points = 4;
  const CollisionShape A = box_shape(0.05, 0.05, 0.05), B = box_shape(0.05, 0.05, 0.05);
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const Mat3 R =
        rotation_exp<double>(Vec3(1e-3 * random.normal(), 1e-3 * random.normal(), random.uniform(0, 1)));
    const Pose X_B{R, Vec3(0.01 * random.normal(), 0.01 * random.normal(), 0.1 - 1e-3)};
    const ContactPoints all = contacts(A, Pose{}, B, X_B, eight), few = contacts(A, Pose{}, B, X_B, four);
    ASSERT_EQ(few.size(), std::min<std::size_t>(4, all.size()));
    const auto deepest = [](const ContactPoints& points) {
      double least = 1e300;
      for (const ContactPoint& p : points) least = std::min(least, p.distance);
      return least;
    };
    const auto total = [](const ContactPoints& points) {
      double sum = 0.0;
      for (const ContactPoint& p : points) sum += p.weight;
      return sum;
    };
    EXPECT_EQ(deepest(few), deepest(all));
    EXPECT_NEAR(total(few), total(all), 1e-12);
  }
}

TEST(PolytopeAxes, TheSameAxesShareInWhateverOrderTheyAreFound) {
  // The best of these is just above the depth at which sharing ends, the others within its window.
  const std::array<SeparatingAxis, 3> axes{{{Vec3::UnitX(), -0.65, AxisKind::face_of_a, 0, -1},
                                            {Vec3::UnitY(), -0.72, AxisKind::face_of_b, -1, 0},
                                            {Vec3::UnitZ(), -0.73, AxisKind::edges, 0, 0}}};
  std::array<int, 3> order{0, 1, 2};
  do {
    AxisList list;
    list.deepest_share = 0.7;
    list.floor = -0.8;
    for (const int i : order) list.offer(axes[i]);
    EXPECT_EQ(list.best.s, -0.65);
    EXPECT_EQ(list.count, 2);
  } while (std::next_permutation(order.begin(), order.end()));
}

}  // namespace
}  // namespace stiction
