#include "stiction/io/mjcf/mjcf.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction {
namespace {

constexpr double kRoundOff = 1e-14;  // of a few operations on numbers of order one
constexpr double kDegree = std::numbers::pi / 180.0;

Model parse(const std::string& inside, CompatibilityReport* report = nullptr) {
  return parse_mjcf("<mujoco>" + inside + "</mujoco>", "test.xml", {}, report);
}

const Joint& joint_of(const Model& model, const std::string& name) {
  return model.forest.joint(model.joint(name));
}

// What the report says about an attribute, or about an element if the attribute is empty.
const CompatibilityEntry* find(const CompatibilityReport& report, const std::string& element,
                               const std::string& attribute) {
  for (const CompatibilityEntry& entry : report.entries)
    if (entry.element == element && entry.attribute == attribute) return &entry;
  return nullptr;
}

const char* kArm =
    "<worldbody><body name='link'><joint name='hinge' axis='0 2 0' range='-90 45'/>"
    "<geom name='rod' type='capsule' size='0.1' fromto='0 0 0 0 0 1'/><site name='tip' pos='0 0 1'/>"
    "</body></worldbody>";

TEST(Mjcf, AnglesAreInDegreesUnlessTheCompilerSaysRadian) {
  EXPECT_NEAR(joint_of(parse(kArm), "hinge").upper[0], 45.0 * kDegree, kRoundOff);
  EXPECT_EQ(joint_of(parse(std::string("<compiler angle='radian'/>") + kArm), "hinge").upper[0], 45.0);
}

TEST(Mjcf, AxesBecomeUnitVectors) { EXPECT_EQ(joint_of(parse(kArm), "hinge").axis, Vec3::UnitY()); }

TEST(Mjcf, AGeomWithoutInertialWeighsItsVolumeInWater) {
  const Model model = parse("<worldbody><body name='b'><freejoint/><geom size='0.1'/></body></worldbody>");
  const double mass = 1000.0 * 4.0 / 3.0 * std::numbers::pi * 1e-3;
  const Inertia& inertia = model.forest.bodies[1].inertia;
  EXPECT_NEAR(inertia.mass, mass, kRoundOff);
  EXPECT_NEAR(inertia.I_com(0, 0), 0.4 * mass * 0.01, kRoundOff);
}

TEST(Mjcf, AnInertialElementReplacesTheMassOfGeoms) {
  const Model model = parse(
      "<worldbody><body name='b'><freejoint/><geom size='0.1'/>"
      "<inertial pos='1 2 3' mass='5' diaginertia='1 1 1'/></body></worldbody>");
  EXPECT_EQ(model.forest.bodies[1].inertia.mass, 5.0);
  EXPECT_EQ(model.forest.bodies[1].inertia.com, Vec3(1, 2, 3));
}

TEST(Mjcf, AFreeBodyStartsWhereTheFilePutsItQuaternionFirst) {
  const Model model =
      parse("<worldbody><body pos='1 2 3' euler='90 0 0'><freejoint/><geom size='0.1'/></body></worldbody>");
  const double half = std::sqrt(0.5);
  const Eigen::Matrix<double, 7, 1> expected = {half, half, 0, 0, 1, 2, 3};
  EXPECT_LT((model.q0 - expected).norm(), kRoundOff);
}

TEST(Mjcf, AnElementOverridesItsClassAndAClassItsParent) {
  const Model model = parse(
      "<default><joint armature='1' damping='1'/>"
      "<default class='inner'><joint damping='2'/></default></default>"
      "<worldbody><body childclass='inner'><joint name='a'/><joint name='b' damping='3' axis='1 0 0'/>"
      "<joint name='c' class='main' axis='0 1 0'/><geom size='1'/></body></worldbody>");
  EXPECT_EQ(joint_of(model, "a").armature[0], 1.0);
  EXPECT_EQ(joint_of(model, "a").damping[0], 2.0);
  EXPECT_EQ(joint_of(model, "b").damping[0], 3.0);
  EXPECT_EQ(joint_of(model, "c").damping[0], 1.0);
}

TEST(Mjcf, AShortListOfNumbersKeepsTheRestOfItsClass) {
  const Model model = parse(
      "<default><geom friction='0.5 0.1 0.2'/></default>"
      "<worldbody><geom size='1' friction='0.7'/></worldbody>");
  const std::array<double, 3> expected = {0.7, 0.1, 0.2};
  EXPECT_EQ(model.elements.shapes[0].friction, expected);
}

TEST(Mjcf, UnnamedThingsGetNamesThatNobodyElseHas) {
  const Model model = parse(
      "<worldbody><body><joint/><geom size='1'/></body><body name='body1'><joint/><geom size='1'/></body>"
      "</worldbody>");
  EXPECT_EQ(model.forest.bodies[1].name, "body1_1");
  EXPECT_EQ(model.forest.bodies[2].name, "body1");
}

TEST(Mjcf, AMocapBodyIsKinematic) {
  const Model model = parse("<worldbody><body name='m' mocap='true'><geom size='1'/></body></worldbody>");
  EXPECT_EQ(model.forest.kinematic_bodies.size(), 1u);
  EXPECT_EQ(model.elements.mocap_bodies, std::vector<std::string>{"m"});
}

TEST(Mjcf, TheSpringOfAJointWithATimeConstantHasItsPeriod) {
  // k = I / (T r)^2 and d = 2 I / T with the rod's inertia about the hinge, I = 2 + armature 1.
  const Model model = parse(
      "<worldbody><body><joint name='j' axis='0 1 0' armature='1' springdamper='0.5 2'/>"
      "<inertial pos='0 0 1' mass='1' diaginertia='1 1 1'/></body></worldbody>");
  EXPECT_NEAR(joint_of(model, "j").stiffness[0], 3.0, 1e-12);
  EXPECT_NEAR(joint_of(model, "j").damping[0], 12.0, 1e-12);
}

TEST(Mjcf, FlagsSwitchGravityAndSpringsOff) {
  const Model model = parse(
      "<option gravity='0 0 -5'><flag gravity='disable' spring='disable'/></option>"
      "<worldbody><body><joint name='j' stiffness='3'/><geom size='1'/></body></worldbody>");
  EXPECT_EQ(model.forest.gravity, Vec3::Zero());
  EXPECT_EQ(joint_of(model, "j").stiffness[0], 0.0);
}

TEST(Mjcf, ReplicasAreNumberedWithAsManyDigitsAsTheirCount) {
  const Model model = parse(
      "<worldbody><replicate count='10' offset='1 0 0' sep='-'><body name='b'><freejoint/>"
      "<geom size='0.1'/></body></replicate></worldbody>");
  const int body = model.body("b-07");
  EXPECT_EQ(model.forest.bodies[std::size_t(body)].X_PB.p, Vec3(7, 0, 0));
}

TEST(Mjcf, WhatRefersToAReplicatedThingIsReplicatedToo) {
  const Model model = parse(
      "<worldbody><replicate count='2'><body><joint name='j'/><geom size='0.1' pos='1 0 "
      "0'/></body></replicate>"
      "</worldbody><tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon>"
      "<actuator><motor name='m' tendon='t'/></actuator>");
  ASSERT_EQ(model.elements.actuators.size(), 2u);
  EXPECT_EQ(model.elements.actuators[1].name, "m1");
  EXPECT_EQ(model.elements.actuators[1].target, "t1");
}

TEST(Mjcf, APositionServoIsAGainAndABias) {
  const Model model =
      parse(std::string(kArm) + "<actuator><position joint='hinge' kp='40' kv='3'/></actuator>");
  const Actuator& servo = model.elements.actuators.at(0);
  EXPECT_EQ(servo.gain_parameters[0], 40.0);
  EXPECT_EQ(servo.bias_parameters[1], -40.0);
  EXPECT_EQ(servo.bias_parameters[2], -3.0);
}

TEST(Mjcf, TheReportSaysWhatActsAndWhatDoesNot) {
  CompatibilityReport report;
  parse(std::string(kArm) +
            "<actuator><motor joint='hinge'/></actuator><custom><text name='a' data='b'/></custom>",
        &report);
  EXPECT_EQ(find(report, "joint", "axis")->status, Compatibility::honoured);
  EXPECT_EQ(find(report, "joint", "range")->status, Compatibility::honoured);
  EXPECT_EQ(find(report, "motor", "")->status, Compatibility::honoured);
  EXPECT_EQ(find(report, "text", "")->status, Compatibility::ignored);
  EXPECT_FALSE(find(report, "text", "")->why.empty());
}

TEST(Mjcf, FilesAreNotReadWhereTheyAreNotAllowed) {
  MjcfOptions options;
  options.allow_files = false;
  EXPECT_THROW(parse_mjcf("<mujoco><include file='x.xml'/></mujoco>", "test.xml", options), UserError);
}

TEST(Mjcf, AnAttachedModelBringsItsElementsUnderNewNames) {
  const Model arm = parse(std::string(kArm) +
                          "<actuator><motor name='m' joint='hinge'/></actuator>"
                          "<contact><exclude body1='world' body2='link'/></contact>");
  ModelBuilder builder("two arms");
  builder.add_body("table", "world").add_shape("top", "table", {}, Box{Vec3::Ones()});
  builder.attach(arm, "table", translation(0, 0, 1), "left/");
  builder.attach(arm, "table", translation(0, 1, 1), "right/");
  const Model model = builder.build();
  ASSERT_EQ(model.elements.actuators.size(), 2u);
  EXPECT_EQ(model.elements.actuators[1].target, "right/hinge");
  EXPECT_EQ(model.elements.excludes[0].body1, "table");
  EXPECT_EQ(model.elements.sites[0].frame, "left/tip");
  EXPECT_EQ(model.elements.shapes.size(), model.shapes.size());
}

TEST(Mjcf, WhatRefersToADeformableBodyIsReportedAndLeftOut) {
  CompatibilityReport report;
  const Model model = parse(std::string(kArm) +
                                "<worldbody><flexcomp name='rod' type='grid' count='2 2 2'/></worldbody>"
                                "<equality><connect body1='rod_0_1' body2='link' anchor='0 0 0'/></equality>"
                                "<keyframe><key qpos='1 2 3'/></keyframe>",
                            &report);
  EXPECT_TRUE(model.elements.equalities.empty());
  EXPECT_TRUE(model.elements.keyframes.empty());
  EXPECT_EQ(find(report, "connect", "body1")->status, Compatibility::ignored);
}

TEST(Mjcf, AMeshThatOnlyAPluginKnowsIsLeftOutAndReported) {
  CompatibilityReport report;
  const Model model = parse(
      "<extension><plugin plugin='p'><instance name='i'/></plugin></extension>"
      "<asset><mesh name='m'><plugin instance='i'/></mesh></asset>"
      "<worldbody><body><freejoint/><geom type='sdf' mesh='m' mass='2'><plugin instance='i'/></geom></body>"
      "</worldbody>",
      &report);
  EXPECT_TRUE(model.shapes.empty());
  EXPECT_EQ(model.forest.bodies[1].inertia.mass, 2.0);
  EXPECT_EQ(find(report, "geom", "mesh")->status, Compatibility::approximated);
}

TEST(Mjcf, AFreeBodyIsAlignedWithItsInertiaIfItsJointAsksForIt) {
  const Model model = parse(
      "<worldbody><body name='b' pos='0 0 1'><freejoint align='true'/>"
      "<geom type='box' size='0.1 0.2 0.3' pos='1 0 0' euler='0 0 30'/><site name='s' pos='1 0 0.5'/></body>"
      "</worldbody>");
  EXPECT_EQ(model.forest.bodies[1].X_PB.p, Vec3(1, 0, 1));
  EXPECT_LT(model.shapes[0].X_BS.p.norm(), kRoundOff);
  EXPECT_LT((model.frames[std::size_t(model.frame("s"))].X_BF.p - Vec3(0, 0, 0.5)).norm(), kRoundOff);
  const Mat3& I = model.forest.bodies[1].inertia.I_com;
  EXPECT_EQ(I, Mat3(I.diagonal().asDiagonal()));
}

}  // namespace
}  // namespace stiction
