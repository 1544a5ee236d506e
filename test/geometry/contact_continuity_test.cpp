// How fast the wrench of a penalty law on the weighted points changes along motions: never faster than
//   |F(X') - F(X)| <= C k delta,       |M(X') - M(X)| <= C k delta size,       C = kWrenchLipschitz,
// delta the largest displacement of a point of the moving body in the step. Steps are kStep (m or rad); each
// is then halved kHalvings times, keeping the half in which more changes, so that the least jump shows as a
// large C: one of a thousandth of the force comes to more than 10. Every test prints the largest C it met.

#include <functional>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "stiction/geometry/polytope/polytope_axes.h"
#include "test/base/fewer.h"
#include "test/geometry/pair_samples.h"

namespace stiction {
namespace {

constexpr double kStiffness = 1e7;                  // N/m
constexpr double kStep = kSanitized ? 1e-3 : 1e-4;  // m or rad
constexpr int kHalvings = 12;
constexpr double kSteep = 1e-2;  // C from which on a step is halved
constexpr double kPi = std::numbers::pi;

struct Ground {
  const char* name;
  CollisionShape shape;
  Pose X;
  double edge;    // m, where it ends along x
  bool is_floor;  // one plane made of triangles: no force may be horizontal
};

std::vector<Ground> grounds() {
  std::vector<Vec3> corners;
  for (int i = 0; i < 9; ++i)
    for (double z : {-0.1, 0.0})
      corners.emplace_back(0.4 * std::cos(2 * kPi * i / 9), 0.4 * std::sin(2 * kPi * i / 9), z);
  return {
      {"plane", collision_shape(HalfSpace{}), Pose{}, 0.4, true},
      {"box", collision_shape(Box{Vec3(0.4, 0.3, 0.1)}), translation(0, 0, -0.1), 0.4, false},
      {"hull", collision_shape(std::make_shared<const ConvexHull>(convex_hull(corners))), Pose{}, 0.4, false},
      {"triangulated floor", collision_shape(std::make_shared<const TriangleMesh>(floor_mesh(16, 0.8))),
       Pose{}, 0.8, true}};
}

struct Slope {
  double force = 0.0, moment = 0.0, horizontal = 0.0;
};

Vec6 wrench_on(const CollisionShape& body, const Pose& X, const Ground& ground) {
  ContactPoints points;
  CollideOptions options;
  options.margin = 1e-3;
  collide(ground.shape, ground.X, body, X, options, nullptr, &points);
  Vec6 wrench = Vec6::Zero();
  for (const ContactPoint& p : points) {
    const Vec3 force = kStiffness * p.weight * std::max(0.0, -p.distance) * p.normal;
    wrench += stack<double>(Vec3((0.5 * (p.p_A + p.p_B()) - X.p).cross(force)), force);
  }
  return wrench;
}

using Motion = std::function<Pose(double)>;

// A moment of the motion.
struct Instant {
  double t = 0.0;
  Pose X;
  Vec6 wrench = Vec6::Zero();
};

Slope slope_between(const CollisionShape& body, const Instant& from, const Instant& to) {
  double way = 0.0;
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner =
        body.box_half.cwiseProduct(Vec3((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1));
    way = std::max(way, (to.X * corner - from.X * corner).norm());
  }
  const Vec6 change = to.wrench - from.wrench;
  const double scale = kStiffness * way;
  return {change.tail<3>().norm() / scale, change.head<3>().norm() / (scale * 2.0 * body.box_half.norm()),
          0.0};
}

double worst_of(const Slope& slope) { return std::max(slope.force, slope.moment); }

Slope largest_slope(const CollisionShape& body, const Ground& ground, const Motion& motion, double begin,
                    double end) {
  Slope worst;
  const auto at = [&](double t) {
    const Pose X = motion(t);
    return Instant{t, X, wrench_on(body, X, ground)};
  };
  Instant before = at(begin);
  for (double t = begin + kStep; t <= end; t += kStep) {
    const Instant now = at(t);
    Instant low = before, high = now;
    Slope slope = slope_between(body, low, high);
    worst.force = std::max(worst.force, slope.force);
    worst.moment = std::max(worst.moment, slope.moment);
    for (int k = 0; k < kHalvings && worst_of(slope) > kSteep; ++k) {
      const Instant middle = at(0.5 * (low.t + high.t));
      const Slope first = slope_between(body, low, middle), second = slope_between(body, middle, high);
      const bool is_first = worst_of(first) > worst_of(second);
      (is_first ? high : low) = middle;
      slope = is_first ? first : second;
    }
    worst.force = std::max(worst.force, slope.force);
    worst.moment = std::max(worst.moment, slope.moment);
    if (now.wrench[5] > 0.0)
      worst.horizontal = std::max(worst.horizontal, now.wrench.segment<2>(3).norm() / now.wrench[5]);
    before = now;
  }
  return worst;
}

// Puts the lowest point of the body `depth` below the top of the ground.
double resting_height(const CollisionShape& body, const Mat3& R, double depth) {
  return pair_check::reach(body, -(R.transpose() * Vec3::UnitZ())) - depth;
}

// m: a body of 100 kg on k, and one pressed in twenty times as far.
constexpr double kDepths[] = {1e-4, 2e-3};

void expect_continuous(const char* what, const CollisionShape& body,
                       const std::function<Motion(const Ground&, double depth)>& motion_on, double begin,
                       double end) {
  for (const Ground& ground : grounds()) {
    Slope worst;
    for (const double depth : kDepths) {
      const Slope slope = largest_slope(body, ground, motion_on(ground, depth), begin, end);
      worst.force = std::max(worst.force, slope.force);
      worst.moment = std::max(worst.moment, slope.moment);
      worst.horizontal = std::max(worst.horizontal, slope.horizontal);
    }
    fmt::print("[ continuity ] {:26s} on {:18s}  C {:5.2f} of the force, {:5.2f} of the moment", what,
               ground.name, worst.force, worst.moment);
    if (ground.is_floor) fmt::print(", horizontal {:.0e}", worst.horizontal);
    fmt::print("\n");
    EXPECT_LE(worst.force, kWrenchLipschitz) << what << " on " << ground.name;
    EXPECT_LE(worst.moment, kWrenchLipschitz) << what << " on " << ground.name;
    if (ground.is_floor) {
      EXPECT_LE(worst.horizontal, 1e-10) << what << " on " << ground.name;
    }
  }
}

const CollisionShape& box() {
  static const CollisionShape shape = collision_shape(Box{Vec3(0.06, 0.05, 0.04)});
  return shape;
}

TEST(ContactContinuity, OfABoxThatTilts) {
  for (const Vec3& axis : {Vec3(1, 0, 0), Vec3(0.6, 0.8, 0)})
    expect_continuous(
        "box tilted 0..20 mrad", box(),
        [&](const Ground&, double depth) {
          return [&, depth](double t) {
            const Mat3 R = rotation_about<double>(axis, t);
            return Pose{R, Vec3(0.013, 0.007, resting_height(box(), R, depth))};
          };
        },
        0.0, 0.02);
}

TEST(ContactContinuity, OfABoxThatTurns) {
  for (const double tilt : {0.0, 1e-3, 5e-3})
    expect_continuous(
        "box turned 0..90 degrees", box(),
        [tilt](const Ground&, double depth) {
          return [tilt, depth](double t) {
            const Mat3 R =
                rotation_about<double>(Vec3::UnitX(), tilt) * rotation_about<double>(Vec3::UnitZ(), t);
            return Pose{R, Vec3(0.013, 0.007, resting_height(box(), R, depth))};
          };
        },
        0.0, 0.5 * kPi);
}

TEST(ContactContinuity, OfACubeTurnedOnAnEqualOne) {
  // All axes of the two compete here.
  const CollisionShape cube = collision_shape(Box{Vec3::Constant(0.05)});
  const Ground equal{"equal cube", cube, translation(0, 0, -0.05), 0.05, false};
  for (const double depth : kDepths) {
    for (const double tilt : {0.0, 1e-3, 2e-3, 3e-3, 4e-3, 5e-3}) {
      const Slope slope = largest_slope(
          cube, equal,
          [&](double t) {
            const Mat3 R =
                rotation_about<double>(Vec3::UnitX(), tilt) * rotation_about<double>(Vec3::UnitZ(), t);
            return Pose{R, Vec3(0.003, 0.001, 0.05 - depth)};
          },
          0.0, 0.5 * kPi);
      fmt::print("[ continuity ] {:26s} on {:18s}  C {:5.2f} of the force, {:5.2f} of the moment\n",
                 fmt::format("cube turned, tilted {:.0f} mrad", 1e3 * tilt), equal.name, slope.force,
                 slope.moment);
      EXPECT_LE(slope.force, kWrenchLipschitz) << depth << " " << tilt;
      EXPECT_LE(slope.moment, kWrenchLipschitz) << depth << " " << tilt;
    }
  }
}

TEST(ContactContinuity, OfABoxSlidOverAnEdge) {
  for (const Vec3& turn : {Vec3(0, 0, 0), Vec3(1e-3, 2e-3, 0.3)})
    expect_continuous(
        "box slid over an edge", box(),
        [&](const Ground& ground, double depth) {
          const Mat3 R = rotation_exp<double>(turn);
          const double begin = ground.edge - 0.1;
          return [R, begin, depth](double t) {
            return Pose{R, Vec3(begin + t, 0.01, resting_height(box(), R, depth))};
          };
        },
        0.0, 0.2);
}

TEST(ContactContinuity, OfARollingCylinder) {
  const CollisionShape cylinder = collision_shape(Cylinder{0.05, 0.12});
  expect_continuous(
      "cylinder that rolls", cylinder,
      [&](const Ground&, double depth) {
        return [&, depth](double t) {
          const Mat3 R =
              rotation_about<double>(Vec3::UnitY(), t) * rotation_about<double>(Vec3::UnitX(), 0.5 * kPi);
          return Pose{R, Vec3(0.05 * t - 0.1, 0.007, resting_height(cylinder, R, depth))};
        };
      },
      0.0, 4.0);
}

TEST(ContactContinuity, OfACapsuleThatLiesDown) {
  const CollisionShape capsule = collision_shape(Capsule{0.03, 0.12});
  expect_continuous(
      "capsule that lies down", capsule,
      [&](const Ground&, double depth) {
        return [&, depth](double t) {
          const Mat3 R = rotation_about<double>(Vec3(0.6, 0.8, 0), t);
          return Pose{R, Vec3(0.013, 0.007, resting_height(capsule, R, depth))};
        };
      },
      0.0, 0.5 * kPi);
}

}  // namespace
}  // namespace stiction
