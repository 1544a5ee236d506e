#include "stiction/simulation/constraint/constraint_rows.h"

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/multibody/positions.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"
#include "test/base/allocation_counter.h"

namespace stiction {
namespace {

const Inertia kLink{1.3, Vec3(0.1, -0.05, 0.2), Vec3(0.02, 0.03, 0.04).asDiagonal()};

// An arm of three joints and a free body, with places on their ends.
ModelBuilder arm_and_body() {
  ModelBuilder builder;
  builder.add_body("upper", "world", translation(0, 0, 1), kLink);
  builder.add_joint("upper", {.name = "shoulder", .type = JointType::ball, .p_BJ = Vec3(0.1, 0, 0)});
  builder.add_body("lower", "upper", translation(0.4, 0.1, 0), kLink);
  builder.add_joint("lower", {.name = "elbow", .axis = Vec3(0.48, 0.36, 0.8)});
  builder.add_joint("lower", {.name = "slide", .type = JointType::prismatic, .axis = Vec3::UnitX()});
  builder.add_free_body("body", translation(1, 0.2, 0.7), kLink);
  builder.add_frame("on_upper", "upper", {rotation_about<double>(Vec3::UnitX(), 0.4), Vec3(0, 0.2, 0.1)});
  builder.add_frame("on_lower", "lower", {rotation_about<double>(Vec3::UnitY(), 0.5), Vec3(0.2, 0, 0.1)});
  builder.add_frame("on_body", "body", {rotation_about<double>(Vec3::UnitZ(), 0.3), Vec3(0.1, 0.2, 0.3)});
  return builder;
}

Equality tie(EqualityKind kind, const char* frame1, const char* frame2) {
  Equality equality;
  equality.name = std::string(frame1) + "-" + frame2;
  equality.kind = kind;
  equality.between_sites = true;
  equality.object1 = frame1;
  equality.object2 = frame2;
  return equality;
}

Pose frame_pose(const World& world, const std::string& name) {
  if (name.empty()) return {};
  const Frame& frame = world.model().frames[world.model().frame(name)];
  return world.body_pose(world.model().forest.bodies[frame.body].name) * frame.X_BF;
}

// J v of a row of the last step.
double along(const StepRecord& r, std::size_t row, const VecX& v) {
  const ContactProblem& p = r.contact.problem;
  double u = 0.0;
  for (int k = p.rows[row].part_begin; k < p.rows[row].part_end; ++k) {
    const RowPart& part = p.row_parts[k];
    for (int e = part.begin; e < part.end; ++e)
      u += p.row_values[e] * v[p.trees[part.tree].v_begin + p.row_dofs[e]];
  }
  return u;
}

// The world moved for `time` along velocities v, without dynamics.
World moved(const World& world, const VecX& v, double time) {
  World other(world.model());
  State state = world.state();
  VecX q = state.q;
  integrate_positions(world.model().forest, q.data(), v.data(), time, state.q.data());
  other.set_state(state);
  return other;
}

TEST(ConstraintRows, OfLoopClosuresAreTheRatesOfWhatTheyHold) {
  // Central differences of places, distances and turns, along random velocities.
  constexpr double kStep = 1e-6, kError = 1e-8;
  Random random(5);
  for (const char* second : {"on_body", "on_lower", ""}) {
    SCOPED_TRACE(second);
    for (const EqualityKind kind : {EqualityKind::connect, EqualityKind::weld}) {
      World world(arm_and_body().add_constraint(tie(kind, "on_upper", second)).build());
      VecX v(world.model().num_v());
      for (Eigen::Index i = 0; i < v.size(); ++i) v[i] = random.uniform(-1.0, 1.0);
      // What turns both ends alike is no motion along a tie.
      if (std::string(second) == "on_lower") v.head<3>().setZero();
      world.set_state(moved(world, v, 0.5).state());
      const World before = moved(world, v, -kStep), after = moved(world, v, kStep);
      const auto apart = [&](const World& w) {
        return Vec3(frame_pose(w, "on_upper").p - frame_pose(w, second).p);
      };
      const Vec3 rate = (apart(after) - apart(before)) / (2.0 * kStep);
      // Angular velocities from the skew part of R(t) R(-t)'.
      const auto spin = [&](const std::string& name) {
        const Mat3 R = frame_pose(after, name).R * frame_pose(before, name).R.transpose();
        return Vec3(Vec3(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)) / (4.0 * kStep));
      };
      const Vec3 relative = spin("on_upper") - spin(second);
      World stepped(world.model());
      stepped.set_state(world.state());
      stepped.step();
      const StepRecord& r = stepped.record();
      ASSERT_EQ(r.constraints.owners.size(), kind == EqualityKind::connect ? 3u : 6u);
      for (std::size_t i = 0; i < r.constraints.owners.size(); ++i) {
        const int c = r.constraints.owners[i].component;
        EXPECT_NEAR(along(r, i, v), c < 3 ? rate[c] : relative[c - 3], kError) << c;
      }
    }
  }
}

TEST(ConstraintRows, OfADistanceIsItsRate) {
  constexpr double kStep = 1e-6, kError = 1e-8;
  World world(
      arm_and_body().add_constraint(DistanceConstraint{"rod", "on_lower", "on_body", 0.5, 0.5}).build());
  VecX v(world.model().num_v());
  Random random(6);
  for (Eigen::Index i = 0; i < v.size(); ++i) v[i] = random.uniform(-1.0, 1.0);
  const auto length = [](const World& w) {
    return (frame_pose(w, "on_lower").p - frame_pose(w, "on_body").p).norm();
  };
  const double rate = (length(moved(world, v, kStep)) - length(moved(world, v, -kStep))) / (2.0 * kStep);
  world.step();
  ASSERT_EQ(world.record().constraints.owners.size(), 1u);
  EXPECT_NEAR(along(world.record(), 0, v), rate, kError);
}

TEST(ConstraintRows, OfASlotAreTheRatesOfItsPin) {
  constexpr double kStep = 1e-6, kError = 1e-8;
  Random random(8);
  for (const auto& [pin, groove] : {std::pair{"on_lower", "on_body"},
                                    {"on_body", "on_lower"},
                                    {"on_upper", "on_lower"},
                                    {"on_body", ""},
                                    {"", "on_body"}}) {
    SCOPED_TRACE(std::string(pin) + " in " + groove);
    SlotConstraint slot{"slot", pin, groove, -3.0, 3.0};
    World world(arm_and_body().add_constraint(slot).build());
    VecX v(world.model().num_v());
    for (Eigen::Index i = 0; i < v.size(); ++i) v[i] = random.uniform(-1.0, 1.0);
    world.set_state(moved(world, v, 0.5).state());
    const auto at = [&, pin = std::string(pin), groove = std::string(groove)](const World& w) {
      return Vec3(frame_pose(w, groove).inverse() * frame_pose(w, pin).p);
    };
    const Vec3 rate = (at(moved(world, v, kStep)) - at(moved(world, v, -kStep))) / (2.0 * kStep);
    World stepped(world.model());
    stepped.set_state(world.state());
    stepped.step();
    const StepRecord& r = stepped.record();
    ASSERT_EQ(r.constraints.owners.size(), 4u);
    const double expected[] = {rate.y(), rate.z(), -rate.x(), rate.x()};
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(r.constraints.owners[i].component, static_cast<int>(i));
      EXPECT_NEAR(along(r, i, v), expected[i], kError) << i;
    }
  }
}

TEST(ConstraintRows, ThatNothingCanMoveAlongAreLeftOut) {
  // A weld of a slide along x to the world has one direction left of six; of two static frames, none.
  ModelBuilder builder;
  builder.add_body("slider", "world", {}, kLink);
  builder.add_joint("slider", {.name = "slide", .type = JointType::prismatic, .axis = Vec3::UnitX()});
  builder.add_frame("pin", "slider", {});
  builder.add_frame("static", "world", {});
  builder.add_constraint(tie(EqualityKind::weld, "pin", "static"));
  builder.add_constraint(tie(EqualityKind::weld, "static", ""));
  World world(builder.build());
  world.simulate(0.1);
  EXPECT_EQ(world.record().constraints.owners.size(), 1u);
  EXPECT_EQ(world.record().contact.problem.rows.size(), 1u);
  EXPECT_NEAR(world.position("slide"), 0.0, 1e-12);
}

TEST(ConstraintRows, OfAStretchedArmHoldItStill) {
  // Two links of 0.5 m are tied to a point at the end of their reach.
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  for (const bool first : {true, false}) {
    builder.add_body(first ? "upper" : "lower", first ? "world" : "upper", translation(first ? 0 : 0.5, 0, 0),
                     solid_box(1.0, Vec3(0.25, 0.02, 0.02)));
    builder.add_joint(first ? "upper" : "lower",
                      {.name = first ? "shoulder" : "elbow", .axis = Vec3::UnitY(), .damping = per_dof(1.0)});
  }
  builder.add_frame("hand", "lower", translation(0.5, 0, 0));
  builder.add_frame("far", "world", translation(1.0, 0, 0));
  builder.add_constraint(tie(EqualityKind::connect, "hand", "far"));
  World world(builder.build());
  world.set_position("elbow", 1e-3);
  world.simulate(1.0);
  EXPECT_LT((frame_pose(world, "hand").p - Vec3(1, 0, 0)).norm(), 1e-6);
  EXPECT_LT(world.state().v.norm(), 1e-3);
}

TEST(ConstraintRows, OfASlackTendonWithoutADamperAreLeftOut) {
  ModelBuilder builder;
  builder.add_body("slider", "world", {}, kLink);
  builder.add_joint("slider", {.name = "slide", .type = JointType::prismatic});
  Tendon tendon;
  tendon.name = "band";
  tendon.wraps = {{WrapKind::joint, "slide", "", 1.0}};
  tendon.stiffness = 100.0;
  tendon.spring_length = {-1e3, 1e3};
  World world(builder.add_tendon(tendon).build());
  world.simulate(0.1);
  EXPECT_NEAR(world.velocity("slide"), -9.81 * 0.1, 1e-9);
}

TEST(ConstraintRows, AllocateNothingOnceUnderWay) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  World world(arm_and_body()
                  .add_constraint(tie(EqualityKind::weld, "on_lower", "on_body"))
                  .add_constraint(DistanceConstraint{"rope", "on_upper", "", 0.0, 1.0})
                  .build());
  world.lock_joint("elbow");
  for (int i = 0; i < 3; ++i) world.step();
  const AllocationCounter counter;
  for (int i = 0; i < 10; ++i) world.step();
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace stiction
