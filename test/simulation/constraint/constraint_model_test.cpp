#include "stiction/simulation/constraint/constraint_model.h"

#include <cmath>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/model/servos.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

const Inertia kBlock = solid_box(1.0, Vec3::Constant(0.1));

// Two slides, a free body and a frame on each.
ModelBuilder parts() {
  ModelBuilder builder;
  for (const char* name : {"first", "second"}) {
    builder.add_body(name, "world", {}, kBlock);
    builder.add_joint(name, {.name = name, .type = JointType::prismatic});
    builder.add_frame(std::string("on_") + name, name, translation(0, 0, 0.1));
  }
  builder.add_free_body("ball", translation(0, 0, 1), kBlock);
  builder.add_frame("on_ball", "ball", {});
  return builder;
}

Equality weld(const char* name, const char* body1, const char* body2) {
  Equality equality;
  equality.name = name;
  equality.kind = EqualityKind::weld;
  equality.object1 = body1;
  equality.object2 = body2;
  return equality;
}

ConstraintModel compiled(const Model& model) { return ConstraintModel(model, ActuationModel(model)); }

std::string complaint(const auto& build) {
  try {
    build();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(ConstraintModel, ListsWhatCanBeSwitchedByName) {
  ModelBuilder builder = parts();
  builder.add_constraint(weld("weld", "ball", "first"));
  builder.add_constraint(DistanceConstraint{"rod", "on_first", "on_ball", 1.0, 1.0});
  Bushing bushing;
  bushing.name = "bushing";
  bushing.frame1 = "on_second";
  builder.add_constraint(bushing);
  const ConstraintModel constraints = compiled(builder.build());
  ASSERT_EQ(constraints.constraints.size(), 3u);
  EXPECT_EQ(constraints.find("rod"), 1);
  EXPECT_NE(complaint([&] { constraints.find("wled"); }).find("did you mean 'weld'"), std::string::npos);
}

TEST(ConstraintModel, TakesAWeldAsTheInitialPositionHasIt) {
  const Model model = parts().add_constraint(weld("weld", "ball", "")).build();
  const ConstraintModel constraints = compiled(model);
  // Both ends are at the world's origin, 1 m below the ball.
  const LoopClosure* closure = constraints.constraints.at(0).loop_closure();
  ASSERT_NE(closure, nullptr);
  EXPECT_EQ(closure->b.X_NP.p, Vec3::Zero());
  EXPECT_LT((closure->a.X_NP.p - Vec3(0, 0, -1)).norm(), 1e-15);
}

TEST(ConstraintModel, OfServosKnowsTheirBounds) {
  ModelBuilder builder = parts();
  builder.add_actuator(position_servo("servo", "first", 10.0, 1.0, 3.0));
  builder.add_actuator(motor("motor", "second", 3.0));
  const ConstraintModel constraints = compiled(builder.build());
  ASSERT_EQ(constraints.drives.size(), 1u);
  EXPECT_EQ(constraints.drives[0].actuator, 0);
  EXPECT_EQ(constraints.drives[0].lower, -3.0);
  EXPECT_EQ(constraints.drives[0].upper, 3.0);
}

TEST(ModelBuilder, RefusesConstraintsOfThingsThatAreNotThere) {
  EXPECT_NE(complaint([] { parts().add_constraint(weld("weld", "bal", "")); }).find("did you mean 'ball'"),
            std::string::npos);
  EXPECT_NE(complaint([] {
              parts().add_constraint(DistanceConstraint{"rod", "on_frist", "", 1.0, 1.0});
            }).find("did you mean 'on_first'"),
            std::string::npos);
  EXPECT_NE(complaint([] { parts().add_actuator(motor("motor", "thrid")); }).find("actuator 'motor'"),
            std::string::npos);
}

TEST(ModelBuilder, RefusesANameOfAConstraintThatIsTaken) {
  ModelBuilder builder = parts().add_constraint(weld("tie", "ball", ""));
  EXPECT_EQ(complaint([&] {
              builder.add_constraint(DistanceConstraint{"tie", "on_first", "", 1.0, 1.0});
            }),
            "there is already a constraint 'tie'");
}

TEST(ModelBuilder, RefusesKeyframesThatDoNotFit) {
  Keyframe key;
  key.name = "home";
  key.q = VecX::Zero(4);
  EXPECT_EQ(complaint([&] { parts().add_keyframe(key).build(); }),
            "keyframe 'home': the model has 9 positions, not 4");
}

TEST(ConstraintModel, RefusesADistanceWithoutARange) {
  ModelBuilder builder = parts().add_constraint(DistanceConstraint{"rod", "on_first", "", 2.0, 1.0});
  EXPECT_NE(complaint([&] { World world(builder.build()); }).find("distance 'rod'"), std::string::npos);
}

TEST(ConstraintModel, RefusesASlotWhoseEndsAreNotInOrder) {
  ModelBuilder builder = parts().add_constraint(SlotConstraint{"groove", "on_first", "", 2.0, 1.0});
  EXPECT_NE(complaint([&] { World world(builder.build()); }).find("slot 'groove'"), std::string::npos);
  EXPECT_NE(complaint([] {
              parts().add_constraint(SlotConstraint{"groove", "on_frist", ""});
            }).find("did you mean 'on_first'"),
            std::string::npos);
}

TEST(World, RefusesSwitchesAndLocksThatDoNotFit) {
  World world(parts().add_constraint(weld("weld", "ball", "")).build());
  EXPECT_NE(complaint([&] { world.set_constraint_active("wled", true); }).find("'weld'"), std::string::npos);
  EXPECT_NE(complaint([&] { world.lock_joint("ball", 1.0); }), "");
  EXPECT_NE(complaint([&] { world.coupling_force("weld"); }).find("constraint_force"), std::string::npos);
  world.input().constraints.active = {1, 1};
  EXPECT_NE(complaint([&] { world.step(); }).find("has 1 constraints, but 2"), std::string::npos);
  world.input().constraints.active.clear();
  world.input().constraints.locks = {{0, {std::nan("")}}};
  EXPECT_NE(complaint([&] { world.step(); }).find("joint 'first'"), std::string::npos);
  world.input().constraints.locks = {{2, {}}};
  EXPECT_NE(complaint([&] { world.step(); }).find("quaternion of length 0"), std::string::npos);
  world.input().constraints.locks.clear();
  world.input().constraints.unlimited_joints = {99};
  EXPECT_NE(complaint([&] { world.step(); }).find("joint 99"), std::string::npos);
}

TEST(AttachedModel, TakesItsLoopClosuresAlong) {
  // A ball on a rope from its world's frame and a weld to its world, hung below a lift that rises.
  ModelBuilder inner;
  inner.add_free_body("ball", translation(0, 0, -0.5), kBlock);
  inner.add_frame("on_ball", "ball", {});
  inner.add_free_body("lamp", translation(1, 0, 0), kBlock);
  inner.add_constraint(DistanceConstraint{"rope", "on_ball", "", 0.0, 0.5});
  inner.add_constraint(weld("weld", "lamp", ""));
  ModelBuilder outer;
  outer.add_body("lift", "world", translation(0, 0, 5), kBlock);
  outer.add_joint("lift", {.name = "lift", .type = JointType::prismatic});
  outer.add_actuator(velocity_servo("drive", "lift", 1e5));
  outer.attach(inner.build(), "lift", translation(0, 1, 0), "cabin/");
  World world(outer.build());
  world.set_control("drive", 1.0);
  world.simulate(1.0);
  const double z = world.body_pose("lift").p.z();
  EXPECT_NEAR(z, 6.0, 1e-2);
  EXPECT_LT((world.body_pose("cabin/ball").p - Vec3(0, 1, z - 0.5)).norm(), 1e-5);
  EXPECT_LT((world.body_pose("cabin/lamp").p - Vec3(1, 1, z)).norm(), 1e-5);
}

}  // namespace
}  // namespace stiction
