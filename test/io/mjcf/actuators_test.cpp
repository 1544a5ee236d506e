#include <array>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/mjcf.h"

namespace stiction {
namespace {

constexpr double kRoundOff = 1e-12;  // relative, of a mass matrix and its inverse

// A hinge with inertia 0.5 kg m^2 about it and a slide of 2 kg, beside each other.
Model with_actuators(const std::string& actuators) {
  return parse_mjcf(
      "<mujoco><compiler angle='radian'/><worldbody>"
      "<body><joint name='hinge' axis='0 0 1' springref='0.3'/>"
      "<inertial pos='0 0 0' mass='1' diaginertia='0.5 0.5 0.5'/></body>"
      "<body><joint name='slide' type='slide' axis='1 0 0'/>"
      "<inertial pos='0 0 0' mass='2' diaginertia='1 1 1'/></body>"
      "<body><joint name='ball' type='ball'/><inertial pos='0 0 0' mass='2' diaginertia='1 2 2.5'/></body>"
      "</worldbody><tendon><fixed name='tendon' armature='0.7'><joint joint='hinge' "
      "coef='3'/></fixed></tendon>"
      "<actuator>" +
      actuators + "</actuator></mujoco>");
}

double damping(const Model& model) { return -model.elements.actuators[0].bias_parameters[2]; }

// The tendon's armature turns with the hinge.
constexpr double kHinge = 0.5 + 0.7 * 3.0 * 3.0;  // kg m^2

TEST(MjcfActuators, ADampingRatioIsRelativeToCriticalDampingOfWhatTheServoMoves) {
  const Model model = with_actuators("<position joint='slide' kp='8' dampratio='0.25'/>");
  EXPECT_NEAR(damping(model), 0.25 * 2.0 * std::sqrt(8.0 * 2.0), kRoundOff);
  EXPECT_EQ(model.elements.actuators[0].damping_ratio, 0.0);
}

TEST(MjcfActuators, AGearMakesWhatAServoMovesLighterByItsSquare) {
  const Model model = with_actuators("<position joint='slide' gear='4' kp='8' dampratio='1'/>");
  EXPECT_NEAR(damping(model), 2.0 * std::sqrt(8.0 * 2.0 / 16.0), kRoundOff);
}

TEST(MjcfActuators, ARotorCountsInTheDampingRatio) {
  const Model model =
      with_actuators("<position joint='slide' gear='4' kp='8' armature='0.5' dampratio='1'/>");
  EXPECT_NEAR(damping(model), 2.0 * std::sqrt(8.0 * (2.0 + 16.0 * 0.5) / 16.0), kRoundOff);
}

TEST(MjcfActuators, ArmatureOfTendonsCountsInTheDampingRatio) {
  EXPECT_NEAR(damping(with_actuators("<position joint='hinge' kp='8' dampratio='1'/>")),
              2.0 * std::sqrt(8.0 * kHinge), kRoundOff);
  EXPECT_NEAR(damping(with_actuators("<position tendon='tendon' kp='8' dampratio='1'/>")),
              2.0 * std::sqrt(8.0 * kHinge / 9.0), kRoundOff);
}

TEST(MjcfActuators, AServoOfOrientationTakesTheHarmonicMeanOfTheMoments) {
  const double mean = 3.0 / (1.0 / 1.0 + 1.0 / 2.0 + 1.0 / 2.5);
  EXPECT_NEAR(damping(with_actuators("<orientation joint='ball' kp='8' dampratio='1'/>")),
              2.0 * std::sqrt(8.0 * mean), kRoundOff);
}

TEST(MjcfActuators, APositiveNumberForTheDampingOfAGeneralServoIsItsRatio) {
  const Model model = with_actuators(
      "<general joint='slide' gainprm='8' biastype='affine' biasprm='0 -8 0.25'/>"
      "<general joint='slide' gainprm='8' biastype='affine' biasprm='0 -9 0.25'/>");
  EXPECT_NEAR(damping(model), 0.25 * 2.0 * std::sqrt(8.0 * 2.0), kRoundOff);
  EXPECT_EQ(model.elements.actuators[1].bias_parameters[2], 0.25);
}

TEST(MjcfActuators, ADcMotorHasTheConstantsOfItsNominalValues) {
  const Model model = with_actuators("<dcmotor joint='hinge' nominal='24 3 500'/>");
  const double K = 24.0 / 500.0, R = K * 24.0 / 3.0;
  EXPECT_NEAR(model.elements.actuators[0].gain_parameters[0], R, kRoundOff);
  EXPECT_NEAR(model.elements.actuators[0].gain_parameters[1], K, kRoundOff);
}

TEST(MjcfActuators, ADcMotorWithoutConstantsIsRefused) {
  EXPECT_THROW(with_actuators("<dcmotor joint='hinge'/>"), UserError);
  EXPECT_THROW(with_actuators("<dcmotor joint='hinge' resistance='1'/>"), UserError);
  EXPECT_NO_THROW(with_actuators("<dcmotor joint='hinge' resistance='1' input='none'/>"));
}

TEST(MjcfActuators, ATendonsSpringRestsWhereTheSpringsOfItsJointsDo) {
  const Model model = with_actuators("");
  EXPECT_NEAR(model.elements.tendons[0].spring_length[0], 3.0 * 0.3, kRoundOff);
}

// What the report says about the first actuator of a hinge with a range, or about one of its attributes.
CompatibilityEntry entry_of(const std::string& actuator, const std::string& attribute = "") {
  CompatibilityReport report;
  parse_mjcf(
      "<mujoco><compiler angle='radian'/><worldbody><body><joint name='hinge' range='-1 2'/><geom size='0.1' "
      "pos='0.2 0 0'/></body></worldbody><actuator>" +
          actuator + "</actuator><extension><plugin plugin='p'/></extension></mujoco>",
      "model.xml", {}, &report);
  const std::string element = actuator.substr(1, actuator.find(' ') - 1);
  for (const CompatibilityEntry& entry : report.entries)
    if (entry.element == element && entry.attribute == attribute) return entry;
  return {};
}

TEST(MjcfActuators, ThatActAreHonouredAndThoseThatDoNotAreIgnored) {
  for (const char* actuator :
       {"<motor joint='hinge'/>", "<position joint='hinge' timeconst='0.1'/>", "<velocity joint='hinge'/>",
        "<intvelocity joint='hinge'/>", "<damper joint='hinge' ctrlrange='0 1'/>",
        "<cylinder joint='hinge'/>", "<muscle joint='hinge' lengthrange='-1 1'/>"})
    EXPECT_EQ(entry_of(actuator).status, Compatibility::honoured) << actuator;
  for (const char* actuator :
       {"<pid joint='hinge'/>", "<dcmotor joint='hinge' nominal='24 3 500'/>",
        "<general joint='hinge' gaintype='user'/>", "<plugin joint='hinge' plugin='p'/>"})
    EXPECT_EQ(entry_of(actuator).status, Compatibility::ignored) << actuator;
  EXPECT_EQ(entry_of("<motor joint='hinge' delay='0.1' nsample='9'/>", "delay").status,
            Compatibility::ignored);
}

TEST(MjcfActuators, AMuscleWithoutLengthsGetsThoseOfItsJoint) {
  EXPECT_EQ(entry_of("<muscle joint='hinge' gear='-3'/>").status, Compatibility::approximated);
  const Model model = parse_mjcf(
      "<mujoco><compiler angle='radian'/><worldbody><body><joint name='hinge' range='-1 2'/><geom size='0.1' "
      "pos='0.2 0 0'/></body></worldbody><actuator><muscle joint='hinge' gear='-3'/></actuator></mujoco>");
  EXPECT_EQ(model.elements.actuators[0].length_range, (std::array<double, 2>{-6.0, 3.0}));
}

TEST(MjcfActuators, ControlsOfAKeyframeMustFit) {
  const auto load = [](const std::string& key) {
    return parse_mjcf(
        "<mujoco><worldbody><body><joint name='hinge'/><geom size='0.1' pos='0.2 0 0'/></body></worldbody>"
        "<actuator><intvelocity joint='hinge'/></actuator><keyframe><key " +
        key + "/></keyframe></mujoco>");
  };
  EXPECT_EQ(load("ctrl='2' act='3'").elements.keyframes[0].activations, std::vector<double>{3.0});
  EXPECT_THROW(load("ctrl='2 3'"), UserError);
  EXPECT_THROW(load("act='2 3'"), UserError);
}

}  // namespace
}  // namespace stiction
