#include <array>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/io/mjcf.h"

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

}  // namespace
}  // namespace stiction
