// How fast the wrench on hulls of 8 to 2,000 vertices changes along random motions: kWrenchLipschitz of
// polytope_axes.h. Steps of 2e-5 (m or rad) in which more changes than in most are halved twelve times, so
// that a jump of a thousandth of the force shows as C > 10.

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "stiction/geometry/polytope/polytope_axes.h"
#include "test/geometry/polytope/polytope_reference.h"

namespace stiction {
namespace {

struct Walk {
  const CollisionShape& A;
  const CollisionShape& B;
  Pose X_A, X_B;
  Vec3 axis, slide;

  Pose at(double t) const { return {rotation_about<double>(axis, 0.5 * t) * X_B.R, X_B.p + 0.5 * t * slide}; }
  // Of springs of 1 N/m. All points: where they are cut down to eight, forces may jump (docs/collision.md).
  Vec6 wrench(const Pose& X) const {
    CollideOptions options;
    options.margin = 1e-4;
    options.max_points = 64;
    ContactPoints points;
    collide(A, X_A, B, X, options, nullptr, &points);
    Vec6 wrench = Vec6::Zero();
    for (const ContactPoint& point : points) {
      const Vec3 force = point.weight * std::max(0.0, -point.distance) * point.normal;
      wrench += stack<double>(Vec3((0.5 * (point.p_A + point.p_B()) - X.p).cross(force)), force);
    }
    return wrench;
  }
};

struct Instant {
  double t;
  Pose X;
  Vec6 wrench;
};

// The larger of the changes of the force and of the moment over the size, per displacement.
double slope_between(const Walk& walk, const Instant& from, const Instant& to) {
  const double way = (to.X.p - from.X.p).norm() + walk.B.ball_radius * (to.X.R - from.X.R).norm();
  const double size =
      2.0 * (walk.A.kind == ShapeKind::half_space ? walk.B.ball_radius
                                                  : std::min(walk.A.ball_radius, walk.B.ball_radius));
  const Vec6 change = to.wrench - from.wrench;
  return std::max(change.tail<3>().norm(), change.head<3>().norm() / size) / way;
}

double largest_slope(const Walk& walk) {
  constexpr double kStep = 2e-5, kEnd = 0.01;
  const auto look = [&](double t) {
    const Pose X = walk.at(t);
    return Instant{t, X, walk.wrench(X)};
  };
  double worst = 0.0;
  Instant before = look(0.0);
  for (double t = kStep; t < kEnd; t += kStep) {
    const Instant now = look(t);
    Instant low = before, high = now;
    double slope = slope_between(walk, low, high);
    worst = std::max(worst, slope);
    for (int k = 0; k < 12 && slope > 1.2; ++k) {
      const Instant middle = look(0.5 * (low.t + high.t));
      const double first = slope_between(walk, low, middle), second = slope_between(walk, middle, high);
      (first > second ? high : low) = middle;
      slope = std::max(first, second);
      worst = std::max(worst, slope);
    }
    before = now;
  }
  return worst;
}

TEST(HullWalk, WrenchOnHullsIsLipschitzInNearlyAllMotionsHoweverFineTheyAre) {
  // More of them: STICTION_WALKS=600.
  const char* wanted = std::getenv("STICTION_WALKS");
  const int walks = wanted != nullptr ? std::atoi(wanted) : 60;
  Random random(23);
  std::vector<CollisionShape> shapes{box_shape(0.5, 0.3, 0.1), collision_shape(HalfSpace{})};
  for (const int vertices : {8, 20, 100, 500, 2000})
    for (const Vec3& radii : {Vec3(0.5, 0.5, 0.5), Vec3(0.5, 0.3, 0.1)})
      shapes.push_back(round_hull(vertices, radii, vertices));
  const int last = static_cast<int>(shapes.size()) - 1;
  double worst = 0.0, jumps = 0.0;
  for (int i = 0; i < walks; ++i) {
    const CollisionShape &A = shapes[random.uniform_int(0, last)], &B = shapes[random.uniform_int(2, last)];
    Walk walk{A,
              B,
              Pose{random_rotation(&random), Vec3::Zero()},
              Pose{random_rotation(&random), Vec3::Zero()},
              random_direction(&random),
              random_direction(&random)};
    const Vec3 d = A.kind == ShapeKind::half_space ? Vec3(walk.X_A.R.col(2)) : random_direction(&random);
    double inside = 0.0, outside = 2.0;
    for (int k = 0; k < 45; ++k) {
      const double middle = 0.5 * (inside + outside);
      walk.X_B.p = middle * d;
      (signed_distance(A, walk.X_A, B, walk.X_B).distance > 0.0 ? outside : inside) = middle;
    }
    walk.X_B.p = (outside - (i % 2 == 0 ? 2e-3 : 1e-4)) * d;
    const double slope = largest_slope(walk);
    if (slope > kWrenchLipschitz)
      jumps += 1.0;
    else
      worst = std::max(worst, slope);
  }
  fmt::print("[ continuity ] hulls that turn and slide, {} walks: {} with a jump, C {:.2f} in the others\n",
             walks, jumps, worst);
  // Jumps are left where features of fine hulls change places (docs/collision.md): 8 of 600 walks, 24 without
  // shares that consider all faces.
  EXPECT_LE(jumps, walks / 50);
}

}  // namespace
}  // namespace stiction
