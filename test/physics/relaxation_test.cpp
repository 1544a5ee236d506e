// Joints outside their limits and open loops return in the relaxation time: nothing leaves faster than
// violation/tau, nothing overshoots, and what is left at rest under a load is what the rule says
// (stiction/constraint/row_laws.h).

#include <cmath>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "scenes/mechanisms.h"
#include "stiction/base/check.h"
#include "stiction/contact/catalog.h"
#include "stiction/math/rotation.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"
#include "test/physics/contact_laws.h"

namespace stiction {
namespace {

constexpr double kTau = kDefaultRelaxationTime;  // s
constexpr double kUpper = 0.5, kOutside = 0.1;   // rad or m

WorldOptions with_formulation(const std::string& name, double h = 2e-3) {
  WorldOptions options;
  options.h = h;
  set_formulation(name, &options.formulation.contact);
  return options;
}

// A body on a joint of a kind that can be limited, between -0.5 and 0.5, without gravity.
Model limited(JointType type) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  builder.add_body("body", "world", {}, Inertia{1.0, Vec3(0.2, 0, 0), Vec3(0.02, 0.03, 0.04).asDiagonal()});
  Joint joint{.name = "joint", .type = type, .axis = Vec3::UnitZ()};
  joint.pitch = 0.1;
  joint.limited = true;
  joint.lower = per_dof(-kUpper);
  joint.upper = per_dof(kUpper);
  builder.add_joint("body", joint);
  return builder.build();
}

constexpr JointType kLimited[] = {JointType::revolute,  JointType::prismatic, JointType::screw,
                                  JointType::universal, JointType::ball,      JointType::planar};

// A ball joint's angle, or the first position.
double position_of(JointType type, const VecX& q) {
  return type == JointType::ball ? quaternion_log<double>(q.head<4>()).norm() : q[0];
}
double rate_of(JointType type, const State& state) {
  if (type != JointType::ball) return state.v[0];
  return quaternion_log<double>(state.q.head<4>()).normalized().dot(state.v.head<3>());
}

TEST(JointOutsideItsLimit, ReturnsInTheRelaxationTimeUnderEveryFormulation) {
  for (const CatalogEntry& entry : catalog()) {
    SCOPED_TRACE(entry.name());
    for (const JointType type : kLimited) {
      SCOPED_TRACE(name_of(type));
      World world(limited(type), with_formulation(entry.name()));
      State state = world.state();
      if (type == JointType::ball)
        state.q.head<4>() << std::cos(0.5 * (kUpper + kOutside)), 0.0, 0.0,
            std::sin(0.5 * (kUpper + kOutside));
      else
        state.q[0] = kUpper + kOutside;
      world.set_state(state);
      double before = kOutside;
      while (world.time() < 0.5) {
        world.step();
        const double outside = position_of(type, world.state().q) - kUpper;
        EXPECT_LE(std::abs(rate_of(type, world.state())), 1.05 * before / kTau + 1e-9);
        // Towards the limit and never beyond it, but for what the solver's tolerance of 1e-6 leaves.
        EXPECT_LE(outside, before * (1.0 + 1e-6));
        EXPECT_GT(outside, -1e-5 * kOutside);
        before = std::max(outside, 0.0);
      }
      // Rigid laws recover at no more than 0.5 m/s or rad/s, which takes 0.2 s; then ten steps of tau.
      EXPECT_LT(before, kOutside * std::exp(-5.0));
    }
  }
}

TEST(JointOutsideItsLimit, AsksNoSpeedThatTheStepDoesNotChange) {
  // -phi/(h + tau): the same motion at any step.
  for (const double h : {1e-4, 1e-3, 1e-2}) {
    World world(limited(JointType::revolute), with_formulation("icf_lagged", h));
    world.set_position("joint", kUpper + kOutside);
    world.step();
    EXPECT_NEAR(world.velocity("joint"), -kOutside / (h + kTau), 1e-3 * kOutside / (h + kTau));
  }
}

TEST(JointOutsideItsLimit, HasTheTimeOfTheOptionsOrOfTheModel) {
  Model model = limited(JointType::revolute);
  model.elements.numbers.push_back({"relaxation_time", {0.2}});
  for (const double options : {-1.0, 0.5}) {
    WorldOptions asked = with_formulation("icf_lagged");
    asked.formulation.constraints.relaxation_time = options;
    World world(model, asked);
    world.set_position("joint", kUpper + kOutside);
    world.step();
    const double tau = options < 0.0 ? 0.2 : options;
    EXPECT_NEAR(world.velocity("joint"), -kOutside / (2e-3 + tau), 1e-3 * kOutside / tau);
  }
  model.elements.numbers.back().data = {-1.0};
  EXPECT_THROW(World{model}, UserError);
}

TEST(JointAtItsLimit, IsStoppedThereAndNotBefore) {
  // Kelvin and Voigt's damper with tau would act from a distance of u tau = 0.15 rad.
  World world(limited(JointType::revolute));
  world.set_velocity("joint", 3.0);
  while (world.position("joint") < kUpper - 2.0 * 3.0 * 2e-3) {
    EXPECT_NEAR(world.velocity("joint"), 3.0, 1e-9);
    world.step();
  }
  world.simulate(0.5);
  EXPECT_NEAR(world.position("joint"), kUpper, 1e-4);
}

TEST(RestViolation, IsThatOfTheRuleUnderEveryFormulation) {
  // F w (beta h/2 pi)^2, whatever the relaxation time, after 20 of them.
  const double h = 5e-3, rate = ConstraintOptions().beta * h / (2.0 * kPi);
  for (const CatalogEntry& entry : catalog()) {
    SCOPED_TRACE(entry.name());
    World world(limited(JointType::prismatic), with_formulation(entry.name(), h));
    world.set_position("joint", kUpper);
    world.set_joint_force("joint", 30.0);
    world.simulate(1.0);
    EXPECT_NEAR(world.position("joint") - kUpper, 30.0 * rate * rate, 0.02 * 30.0 * rate * rate);
  }
}

// A free body held by a loop closure that is 1 cm open; what is left of it by the state.
struct OpenLoop {
  const char* name;
  std::function<void(ModelBuilder*)> close;
  std::function<double(const World&)> open;
};

const std::vector<OpenLoop>& open_loops() {
  const auto tie = [](EqualityKind kind) {
    return [kind](ModelBuilder* builder) {
      Equality e;
      e.name = "tie";
      e.kind = kind;
      e.object1 = "ball";
      builder->add_constraint(e);
    };
  };
  const auto away = [](const World& world) { return (world.body_pose("ball").p - Vec3(0, 0, 1)).norm(); };
  static const std::vector<OpenLoop> list = {
      {"connect", tie(EqualityKind::connect), away},
      {"weld", tie(EqualityKind::weld), away},
      {"rod",
       [](ModelBuilder* builder) {
         builder->add_constraint(DistanceConstraint{"rod", "centre", "anchor", 0.5, 0.5});
       },
       [](const World& world) {
         return std::abs((world.body_pose("ball").p - Vec3(0, 0, 1.5)).norm() - 0.5);
       }},
      {"slot",
       [](ModelBuilder* builder) {
         builder->add_constraint(SlotConstraint{"slot", "centre", "groove"});
       },
       [](const World& world) { return world.body_pose("ball").p.tail<2>().cwiseAbs().sum() - 1.0; }}};
  return list;
}

TEST(OpenLoop, ClosesInTheRelaxationTimeWithoutOvershootUnderEveryFormulation) {
  constexpr double kOpen = 0.01;  // m
  for (const CatalogEntry& entry : catalog()) {
    SCOPED_TRACE(entry.name());
    for (const OpenLoop& loop : open_loops()) {
      SCOPED_TRACE(loop.name);
      ModelBuilder builder;
      builder.set_gravity(Vec3::Zero());
      builder.add_free_body("ball", translation(0, 0, 1), solid_sphere(3.0, 0.1));
      builder.add_frame("centre", "ball", {});
      builder.add_frame("anchor", "world", translation(0, 0, 1.5));
      builder.add_frame("groove", "world", translation(0, 0, 1));
      loop.close(&builder);
      World world(builder.build(), with_formulation(entry.name()));
      world.set_body_pose("ball", translation(0, 0, 1.0 + kOpen));
      double before = loop.open(world);
      EXPECT_NEAR(before, kOpen, 1e-12);
      while (world.time() < 0.4) {
        world.step();
        const double now = loop.open(world), speed = world.body_velocity("ball").tail<3>().norm();
        EXPECT_LE(speed, 1.05 * before / kTau + 1e-9);
        EXPECT_LE(now, before + 1e-9);
        before = now;
      }
      EXPECT_LT(before, 1.1 * kOpen * std::exp(-0.4 / (kTau + 2e-3)) + 1e-8);
      EXPECT_GT(world.body_pose("ball").p.z(), 1.0 - 1e-8);
    }
  }
}

// Without the curvature of a row its relaxation lets the motion add up: h tau c/2 instead of h^2 c.
TEST(ConstraintInMotion, IsOffBySecondOrder) {
  const auto off = [](const std::string& kind, double h) {
    ModelBuilder builder;
    builder.set_gravity(Vec3::Zero());
    WorldOptions options;
    options.h = h;
    double most = 0.0;
    if (kind == "rod" || kind == "rope") {
      builder.add_free_body("ball", translation(0.5, 0, 0), solid_sphere(1.0, 0.1));
      builder.add_frame("centre", "ball", {});
      builder.add_frame("hook", "world", {});
      builder.add_constraint(DistanceConstraint{"string", "centre", "hook", kind == "rod" ? 0.5 : 0.0, 0.5});
      World world(builder.build(), options);
      world.set_body_velocity("ball", (Vec6() << 0, 0, 0, 0, 2, 0).finished());
      while (world.time() < 1.0) {
        world.step();
        most = std::max(most, std::abs(world.body_pose("ball").p.norm() - 0.5));
      }
    } else if (kind == "gear") {
      // q1 = q2^2, q2 driven past at 2 m/s: c = -2 u2^2.
      for (const char* name : {"one", "two"}) {
        builder.add_body(name, "world", {}, solid_box(name[0] == 'o' ? 0.1 : 10.0, Vec3::Constant(0.1)));
        builder.add_joint(name, {.name = name, .type = JointType::prismatic});
      }
      Equality gear;
      gear.kind = EqualityKind::joint;
      gear.object1 = "one";
      gear.object2 = "two";
      gear.polynomial = {0, 0, 1, 0, 0};
      builder.add_constraint(gear);
      World world(builder.build(), options);
      world.set_velocity("two", 2.0);
      while (world.time() < 0.4) {
        world.step();
        most = std::max(most, std::abs(world.position("one") - std::pow(world.position("two"), 2)));
      }
    } else {
      // A body at the largest angle of its ball joint that turns about an axis across.
      builder.add_body("body", "world", {}, Inertia{1.0, Vec3::Zero(), Vec3::Constant(0.02).asDiagonal()});
      Joint ball{.name = "ball", .type = JointType::ball};
      ball.limited = true;
      ball.upper = per_dof(0.4);
      builder.add_joint("body", ball);
      World world(builder.build(), options);
      State state = world.state();
      state.q << std::cos(0.2), std::sin(0.2), 0.0, 0.0;
      state.v << 0.0, 2.0, 0.0;
      world.set_state(state);
      while (world.time() < 0.3) {
        world.step();
        most = std::max(most, quaternion_log<double>(world.state().q.head<4>()).norm() - 0.4);
      }
    }
    return most;
  };
  for (const char* kind : {"rod", "rope", "gear", "ball"}) {
    SCOPED_TRACE(kind);
    // v^2/L = 8 m/s^2, 2 u^2 = 8 m/s^2, w^2 cot(0.2)/2 = 9.9 rad/s^2.
    const double coarse = off(kind, 4e-3), fine = off(kind, 2e-3);
    EXPECT_LT(fine, 10.0 * 2e-3 * 2e-3);
    EXPECT_GT(std::log2(coarse / fine), 1.5);
  }
}

TEST(EnergyBooks, CloseWhileJointsAndLoopsReturn) {
  const auto worst_of = [](World* world, double time) {
    EnergyTotals totals;
    while (world->time() < time) {
      const double t = world->time();
      world->step();
      totals.add(world->energy_books(), t);
    }
    return totals;
  };
  World hinge(limited(JointType::revolute));
  hinge.set_position("joint", kUpper + kOutside);
  const EnergyTotals outside = worst_of(&hinge, 0.3);
  EXPECT_LT(outside.largest_error, 1e-9);
  // No more than the first push, J u with the impulse (I + m r^2) u and u = phi/tau, and the brake takes of it.
  EXPECT_LE(outside.sum.work.limits, 0.08 * std::pow(kOutside / kTau, 2));
  World bars(scenes::four_bar({}));
  State state = bars.state();
  state.q[1] += 0.05;
  bars.set_state(state);
  EXPECT_LT(worst_of(&bars, 0.3).largest_error, 1e-9);
}

}  // namespace
}  // namespace stiction
