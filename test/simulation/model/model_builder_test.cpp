#include "stiction/simulation/model/model_builder.h"

#include <cmath>
#include <cstring>
#include <string>

#include <gtest/gtest.h>

#include "scenes/all_joints.h"
#include "scenes/arm.h"
#include "stiction/base/check.h"
#include "stiction/base/random.h"
#include "stiction/multibody/inverse_dynamics.h"
#include "stiction/multibody/mass_matrix.h"
#include "stiction/multibody/positions.h"
#include "stiction/simulation/model/servos.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

constexpr double kRoundOff = 1e-14;  // products of a dozen poses of about a metre

Joint hinge(const std::string& name) {
  Joint joint;
  joint.name = name;
  return joint;
}

ModelBuilder rod_on_hinge() {
  ModelBuilder builder("rod_on_hinge");
  builder.add_body("rod", "world", translation(0, 0, 2), solid_cylinder(1.0, 0.01, 1.0));
  builder.add_joint("rod", hinge("elbow"));
  return builder;
}

// What a call complains about; empty if it does not.
template <class Call>
std::string complaint(const Call& call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

// X_WB by composing the motions of all joints from the world to the body.
Pose pose_of(const Model& model, int body, const VecX& q) {
  const Forest& forest = model.forest;
  if (body == 0) return {};
  Pose X = pose_of(model, forest.bodies[body].parent, q) * forest.bodies[body].X_PB;
  for (std::size_t j = 0; j < forest.joints.size(); ++j) {
    if (forest.joints[j].body != body) continue;
    const Joint& joint = forest.joint(int(j));
    const Pose motion = joint_motion<double>(joint, q.data() + forest.joints[j].q_begin);
    X = joint.type == JointType::free ? motion : X * motion;
  }
  return X;
}

double distance(const Pose& a, const Pose& b) { return (a.R - b.R).norm() + (a.p - b.p).norm(); }

TEST(ModelBuilder, BuildsBodiesJointsFramesAndShapesByName) {
  ModelBuilder builder = rod_on_hinge();
  builder.add_frame("tip", "rod", translation(0, 0, 0.5)).add_shape("skin", "rod", {}, Cylinder{0.01, 1.0});
  const Model model = builder.build();
  EXPECT_EQ(model.name, "rod_on_hinge");
  EXPECT_EQ(model.num_q(), 1);
  EXPECT_EQ(model.body("world"), 0);
  EXPECT_EQ(model.body("rod"), 1);
  EXPECT_EQ(model.joint("elbow"), 0);
  EXPECT_EQ(model.frames[model.frame("tip")].body, 1);
  EXPECT_STREQ(name_of(model.shapes[model.shape("skin")].shape), "cylinder");
}

TEST(ModelBuilder, GivesANamelessJointTheNameOfItsBody) {
  ModelBuilder builder;
  builder.add_body("rod", "world", {}, solid_sphere(1.0, 0.1)).add_joint("rod", hinge(""));
  EXPECT_EQ(builder.build().forest.joint(0).name, "rod");
}

TEST(ModelBuilder, SolidsAddTheirMassToTheBody) {
  ModelBuilder builder;
  builder.add_body("pair", "world").add_joint("pair", hinge("hinge"));
  builder.add_solid("left", "pair", translation(0, 0.3, 0), Box{Vec3::Constant(0.05)}, 1000.0);
  builder.add_solid("right", "pair", translation(0, -0.3, 0), Box{Vec3::Constant(0.05)}, 1000.0);
  // Two cubes of 1 kg at 0.3 m: 2 (m a^2/6 + m d^2) about z.
  const Inertia inertia = builder.build().forest.bodies[1].inertia;
  EXPECT_NEAR(inertia.mass, 2.0, kRoundOff);
  EXPECT_NEAR(inertia.I_com(2, 2), 2.0 * (0.01 / 6.0 + 0.09), kRoundOff);
}

TEST(ModelBuilder, SuggestsTheClosestNameForAnUnknownParent) {
  EXPECT_EQ(complaint([] { rod_on_hinge().add_body("hand", "rd"); }),
            "body 'hand': there is no body 'rd'; did you mean 'rod'?");
}

TEST(ModelBuilder, SuggestsNothingWhenNoNameIsClose) {
  EXPECT_EQ(complaint([] { rod_on_hinge().add_body("hand", "telescope"); }),
            "body 'hand': there is no body 'telescope'");
}

TEST(ModelBuilder, NamesTheJointFrameOrShapeThatAsksForAnUnknownBody) {
  EXPECT_EQ(complaint([] { rod_on_hinge().add_joint("rood", hinge("wrist")); }),
            "joint 'wrist': there is no body 'rood'; did you mean 'rod'?");
  EXPECT_EQ(complaint([] { rod_on_hinge().add_frame("tip", "rood", {}); }),
            "frame 'tip': there is no body 'rood'; did you mean 'rod'?");
  EXPECT_EQ(complaint([] { rod_on_hinge().add_shape("skin", "rood", {}, Sphere{1.0}); }),
            "shape 'skin': there is no body 'rood'; did you mean 'rod'?");
}

TEST(ModelBuilder, RefusesANameTwice) {
  EXPECT_EQ(complaint([] { rod_on_hinge().add_body("rod", "world"); }), "there is already a body 'rod'");
  EXPECT_EQ(complaint([] { rod_on_hinge().add_joint("rod", hinge("elbow")); }),
            "there is already a joint 'elbow'");
  EXPECT_EQ(complaint([] { rod_on_hinge().add_frame("f", "rod", {}).add_frame("f", "rod", {}); }),
            "there is already a frame 'f'");
  EXPECT_EQ(complaint([] {
              rod_on_hinge().add_shape("s", "rod", {}, Sphere{1.0}).add_shape("s", "rod", {}, Sphere{1.0});
            }),
            "there is already a shape 's'");
  EXPECT_EQ(complaint([] { rod_on_hinge().add_body("world", "rod"); }), "there is already a body 'world'");
}

TEST(ModelBuilder, RefusesAnEmptyName) {
  EXPECT_EQ(complaint([] { rod_on_hinge().add_body("", "rod"); }), "a body needs a name");
}

TEST(ModelBuilder, RefusesAShapeWithoutSizeAndNamesIt) {
  EXPECT_EQ(complaint([] { rod_on_hinge().add_shape("ball", "rod", {}, Sphere{0.0}); }),
            "shape 'ball': the sphere has radius 0 m, which must be positive and finite");
}

TEST(ModelBuilder, RefusesASolidHalfSpace) {
  EXPECT_EQ(complaint([] { rod_on_hinge().add_solid("floor", "rod", {}, HalfSpace{}, 1000.0); }),
            "shape 'floor': a half-space has no mass");
}

TEST(ModelBuilder, RefusesAPoseThatIsNotARotation) {
  Pose mirrored;
  mirrored.R(0, 0) = -1.0;
  EXPECT_EQ(complaint([&] { rod_on_hinge().add_frame("tip", "rod", mirrored); }),
            "frame 'tip': the orientation of its pose is not a rotation");
}

TEST(ModelBuilder, RefusesAMimicOfAnUnknownJoint) {
  ModelBuilder builder = rod_on_hinge();
  builder.add_body("hand", "rod", {}, solid_sphere(1.0, 0.1));
  Joint follower = hinge("wrist");
  follower.mimic = Mimic{"elbw", 1.0, 0.0};
  builder.add_joint("hand", follower);
  EXPECT_EQ(complaint([&] { builder.build(); }),
            "joint 'wrist' follows another: there is no joint 'elbw'; did you mean 'elbow'?");
}

TEST(ModelBuilder, RefusesAMovingBodyWithoutMassAndNamesIt) {
  ModelBuilder builder;
  builder.add_body("ghost", "world").add_joint("ghost", hinge("hinge"));
  EXPECT_NE(complaint([&] { builder.build(); }).find("'ghost'"), std::string::npos);
}

TEST(Model, SuggestsTheClosestNameForEveryKind) {
  ModelBuilder builder = rod_on_hinge();
  builder.add_frame("tip", "rod", {}).add_shape("skin", "rod", {}, Sphere{1.0});
  const Model model = builder.build();
  EXPECT_EQ(complaint([&] { model.body("rodd"); }),
            "model 'rod_on_hinge': there is no body 'rodd'; did you mean 'rod'?");
  EXPECT_EQ(complaint([&] { model.joint("elbows"); }),
            "model 'rod_on_hinge': there is no joint 'elbows'; did you mean 'elbow'?");
  EXPECT_EQ(complaint([&] { model.frame("tap"); }),
            "model 'rod_on_hinge': there is no frame 'tap'; did you mean 'tip'?");
  EXPECT_EQ(complaint([&] { model.shape("skim"); }),
            "model 'rod_on_hinge': there is no shape 'skim'; did you mean 'skin'?");
}

TEST(InitialPositions, AreTheReferenceUnlessToldOtherwise) {
  const Model model = rod_on_hinge().set_initial("elbow", {0.3}).build();
  EXPECT_EQ(model.q0[0], 0.3);
  EXPECT_EQ(rod_on_hinge().build().q0, reference_positions(model.forest));
}

TEST(InitialPositions, OfAFreeBodyAreItsPoseInTheWorld) {
  ModelBuilder builder;
  const Pose X{rotation_exp(Vec3(0.1, 0.5, -0.3)), Vec3(1, 2, 3)};
  builder.add_free_body("ball", X, solid_sphere(1.0, 0.1));
  const Model model = builder.build();
  EXPECT_LT(distance(pose_of(model, 1, model.q0), X), kRoundOff);
}

TEST(InitialPositions, MakeQuaternionsUnit) {
  ModelBuilder builder;
  builder.add_free_body("ball", {}, solid_sphere(1.0, 0.1)).set_initial("ball", {2, 0, 0, 2, 1, 2, 3});
  const VecX q0 = builder.build().q0;
  EXPECT_NEAR(q0[0], std::sqrt(0.5), kRoundOff);
  EXPECT_NEAR(q0[3], std::sqrt(0.5), kRoundOff);
}

TEST(InitialPositions, NeedAsManyNumbersAsTheJointHas) {
  EXPECT_EQ(complaint([] {
              rod_on_hinge().set_initial("elbow", {0.1, 0.2});
            }),
            "joint 'elbow': a revolute joint has 1 positions, not 2");
}

TEST(InitialPositions, NeedAKnownJoint) {
  EXPECT_EQ(complaint([] { rod_on_hinge().set_initial("elbo", {0.1}); }),
            "initial position: there is no joint 'elbo'; did you mean 'elbow'?");
}

// A model of all kinds attached alone at the world's origin must be the same forest to the last bit.
TEST(Attach, MakesAnEqualForestAtTheWorldsOrigin) {
  const Model original = scenes::all_joints();
  ModelBuilder builder;
  builder.set_gravity(original.forest.gravity).attach(original, "world", {}, "copy/");
  const Model copy = builder.build();
  ASSERT_EQ(copy.forest.nodes.size(), original.forest.nodes.size());
  for (std::size_t n = 0; n < copy.forest.nodes.size(); ++n) {
    EXPECT_EQ(std::memcmp(&copy.forest.constants[n], &original.forest.constants[n], sizeof(NodeConstants)),
              0);
    EXPECT_EQ(copy.forest.nodes[n].parent, original.forest.nodes[n].parent);
  }
  for (std::size_t d = 0; d < copy.forest.dofs.size(); ++d)
    EXPECT_EQ(copy.forest.dofs[d].armature, original.forest.dofs[d].armature);
  EXPECT_EQ(copy.q0, original.q0);
}

// vdot without applied forces.
VecX free_fall(const Model& model, const VecX& q, const VecX& v) {
  const Forest& forest = model.forest;
  Kinematics kinematics(forest);
  NodeForces work(forest);
  MassMatrix M(forest);
  compute_positions(forest, q.data(), &kinematics);
  compute_velocities(forest, v.data(), &kinematics);
  VecX vdot(forest.num_v);
  compute_bias(forest, kinematics, &work, vdot.data());
  vdot = -vdot;
  compute_mass_matrix(forest, kinematics, &M);
  EXPECT_EQ(factorise(forest, nullptr, &M), -1);
  solve(forest, M, vdot.data());
  return vdot;
}

TEST(Attach, MovesLikeTheOriginalWhenGravityIsTurnedAlong) {
  const Model original = scenes::all_joints();
  const Pose X{rotation_exp(Vec3(0.4, -1.0, 0.3)), Vec3(2.0, -1.0, 0.5)};
  ModelBuilder builder;
  builder.set_gravity(X.R * original.forest.gravity).attach(original, "world", X, "copy/");
  Random random(3);
  VecX v(original.num_v());
  for (double& value : v) value = random.normal();
  const VecX expected = free_fall(original, original.q0, v);
  // The mass matrix has a condition number of some thousands.
  EXPECT_LT((free_fall(builder.build(), original.q0, v) - expected).norm(), 1e-11 * expected.norm());
}

TEST(Attach, PutsThePrefixInFrontOfEveryName) {
  const Model arm = scenes::arm();
  ModelBuilder builder;
  builder.attach(arm, "world", {}, "left/");
  const Model model = builder.build();
  for (std::size_t b = 1; b < arm.forest.bodies.size(); ++b)
    EXPECT_GT(model.body("left/" + arm.forest.bodies[b].name), 0);
  for (std::size_t j = 0; j < arm.forest.joints.size(); ++j)
    EXPECT_GE(model.joint("left/" + arm.forest.joint(int(j)).name), 0);
  for (const Frame& frame : arm.frames) EXPECT_GE(model.frame("left/" + frame.name), 0);
  for (const PlacedShape& shape : arm.shapes) EXPECT_GE(model.shape("left/" + shape.name), 0);
}

TEST(Attach, TwicePutsTwoCopiesSideBySide) {
  const Model arm = scenes::arm();
  const Pose X_left{rotation_exp(Vec3(0, 0, 1.0)), Vec3(0, 1, 0)}, X_right = translation(0, -1, 0);
  ModelBuilder builder;
  builder.attach(arm, "world", X_left, "left/").attach(arm, "world", X_right, "right/");
  const Model both = builder.build();
  ASSERT_EQ(both.num_q(), 2 * arm.num_q());
  const Pose X_flange = pose_of(arm, arm.body("flange"), arm.q0);
  EXPECT_LT(distance(pose_of(both, both.body("left/flange"), both.q0), X_left * X_flange), kRoundOff);
  EXPECT_LT(distance(pose_of(both, both.body("right/flange"), both.q0), X_right * X_flange), kRoundOff);
}

TEST(Attach, TwiceWithTheSamePrefixIsAnError) {
  const Model arm = scenes::arm();
  EXPECT_EQ(complaint([&] { ModelBuilder().attach(arm, "world", {}, "a/").attach(arm, "world", {}, "a/"); }),
            "there is already a body 'a/base'");
}

TEST(Attach, OntoAFrameHangsOnItsBodyAtTheFrame) {
  const Model arm = scenes::arm();
  const Frame& tool = arm.frames[arm.frame("tool")];
  ModelBuilder gripper("gripper");
  gripper.add_body("finger", "world", translation(0.02, 0, 0.05), solid_box(0.1, Vec3::Constant(0.01)));
  gripper.add_joint("finger", hinge("finger")).add_frame("grasp", "world", translation(0, 0, 0.1));
  gripper.add_shape("plate", "world", translation(0, 0, 0.01), Box{Vec3(0.03, 0.03, 0.005)});
  const Pose X_FA = translation(0, 0, 0.02);

  ModelBuilder builder;
  builder.attach(arm, "world", {}, "").attach(gripper.build(), "tool", X_FA, "gripper/");
  const Model model = builder.build();
  const Body& finger = model.forest.bodies[model.body("gripper/finger")];
  const Pose X_tool = tool.X_BF * X_FA;
  EXPECT_EQ(finger.parent, model.body("flange"));
  EXPECT_LT(distance(finger.X_PB, X_tool * translation(0.02, 0, 0.05)), kRoundOff);
  const Frame& grasp = model.frames[model.frame("gripper/grasp")];
  EXPECT_EQ(grasp.body, model.body("flange"));
  EXPECT_LT(distance(grasp.X_BF, X_tool * translation(0, 0, 0.1)), kRoundOff);
  EXPECT_EQ(model.shapes[model.shape("gripper/plate")].body, model.body("flange"));
}

TEST(Attach, LeavesFreeAndKinematicBodiesOnTheWorld) {
  ModelBuilder loose("loose");
  loose.add_body("table", "world", translation(0, 0, 1));
  loose.add_body("ball", "table", translation(0, 0, 0.5), solid_sphere(1.0, 0.1));
  Joint free = hinge("ball");
  free.type = JointType::free;
  loose.add_joint("ball", free);
  loose.add_kinematic_body("hand", translation(1, 0, 0));
  const Pose X{rotation_exp(Vec3(0.3, 0.2, 0.1)), Vec3(0, 0, 1)};

  ModelBuilder builder = rod_on_hinge();
  builder.attach(loose.build(), "rod", X, "toy/");
  const Model model = builder.build();
  const Pose X_WA = translation(0, 0, 2) * X;  // the rod stands at (0, 0, 2)
  const int ball = model.body("toy/ball"), hand = model.body("toy/hand");
  EXPECT_EQ(model.forest.bodies[model.body("toy/table")].parent, model.body("rod"));
  EXPECT_EQ(model.forest.bodies[ball].parent, 0);
  EXPECT_LT(distance(pose_of(model, ball, model.q0), X_WA * translation(0, 0, 1.5)), kRoundOff);
  EXPECT_EQ(model.forest.bodies[hand].motion, BodyMotion::kinematic);
  EXPECT_LT(distance(model.forest.bodies[hand].X_PB, X_WA * translation(1, 0, 0)), kRoundOff);
}

TEST(Attach, CarriesInitialPositionsAlong) {
  const Model arm = scenes::arm();
  ModelBuilder builder;
  builder.attach(arm, "world", {}, "left/");
  EXPECT_EQ(builder.build().q0, arm.q0);
}

// A box that flies beside a hinge with a servo; both stand elsewhere in the keyframe "bent".
Model with_keyframe() {
  ModelBuilder builder("robot");
  builder.add_free_body("box", translation(1.0, 0.0, 0.0), solid_sphere(1.0, 0.1));
  builder.add_body("arm", "world", {}, solid_sphere(1.0, 0.1)).add_joint("arm", hinge("elbow"));
  builder.add_actuator(position_servo("servo", "elbow", 10.0, 1.0));
  Keyframe key;
  key.name = "bent";
  key.time = 0.5;
  key.q = VecX::Zero(8);
  key.v = VecX::Zero(7);
  const Model plain = builder.build();
  const int box = plain.forest.joints[plain.joint("box")].q_begin;
  key.q.segment<7>(box) << 1.0, 0.0, 0.0, 0.0, 2.0, 3.0, 4.0;
  key.q[plain.forest.joints[plain.joint("elbow")].q_begin] = 0.7;
  key.v[plain.forest.joints[plain.joint("elbow")].v_begin] = -0.2;
  key.v.segment<6>(plain.forest.joints[plain.joint("box")].v_begin) << 0.0, 0.0, 1.0, 5.0, 0.0, 0.0;
  key.controls = {0.7};
  return builder.add_keyframe(key).build();
}

TEST(Attach, KeepsKeyframesWhereTheModelStands) {
  const Model robot = with_keyframe();
  const Pose turned{rotation_about(Vec3(Vec3::UnitZ()), M_PI / 2.0), Vec3(10.0, 0.0, 0.0)};
  ModelBuilder builder;
  builder.attach(robot, "world", {}, "left/").attach(robot, "world", turned, "right/");
  World world(builder.build());
  ASSERT_EQ(world.model().elements.keyframes.size(), 2u);
  world.reset_to_keyframe("right/bent");
  EXPECT_EQ(world.time(), 0.5);
  EXPECT_EQ(world.position("right/elbow"), 0.7);
  EXPECT_EQ(world.velocity("right/elbow"), -0.2);
  EXPECT_EQ(world.control("right/servo"), 0.7);
  EXPECT_EQ(world.position("left/elbow"), 0.0);
  EXPECT_EQ(world.control("left/servo"), 0.0);
  // (2, 3, 4) a quarter turn about z, 10 m along x.
  EXPECT_NEAR((world.body_pose("right/box").p - Vec3(7.0, 2.0, 4.0)).norm(), 0.0, 1e-14);
  EXPECT_NEAR((world.body_velocity("right/box").tail<3>() - Vec3(0.0, 5.0, 0.0)).norm(), 0.0, 1e-14);
  EXPECT_NEAR((world.body_pose("left/box").p - Vec3(1.0, 0.0, 0.0)).norm(), 0.0, 1e-14);
}

TEST(Attach, GivesAKeyframeWhoseNameIsTakenANumber) {
  ModelBuilder builder;
  Keyframe own;
  own.name = "bent";
  builder.add_keyframe(own).attach(with_keyframe(), "world", {}, "");
  const Model model = builder.build();
  ASSERT_EQ(model.elements.keyframes.size(), 2u);
  EXPECT_EQ(model.elements.keyframes[1].name, "bent_2");
}

TEST(Attach, PutsThePrefixInFrontOfTheJointThatAMimicFollows) {
  ModelBuilder pair("pair");
  pair.add_body("a", "world", {}, solid_sphere(1.0, 0.1)).add_joint("a", hinge("lead"));
  Joint follower = hinge("follow");
  follower.mimic = Mimic{"lead", -2.0, 0.1};
  pair.add_body("b", "world", {}, solid_sphere(1.0, 0.1)).add_joint("b", follower);
  ModelBuilder builder;
  builder.attach(pair.build(), "world", {}, "left/");
  const Model model = builder.build();
  const Mimic mimic = model.forest.joint(model.joint("left/follow")).mimic.value();
  EXPECT_EQ(mimic.joint, "left/lead");
  EXPECT_EQ(mimic.multiplier, -2.0);
}

TEST(Attach, NeedsABodyOrAFrameThatIsThere) {
  const Model arm = scenes::arm();
  EXPECT_EQ(complaint([&] { ModelBuilder().attach(arm, "wrld", {}, "a/"); }),
            "model 'arm': there is no body or frame 'wrld'; did you mean 'world'?");
}

}  // namespace
}  // namespace stiction
