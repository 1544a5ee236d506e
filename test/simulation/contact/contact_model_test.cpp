#include "stiction/simulation/contact/contact_model.h"

#include <cmath>

#include <gtest/gtest.h>

#include "stiction/io/mjcf/mjcf.h"
#include "stiction/io/urdf/urdf.h"
#include "stiction/simulation/contact/default_stiffness.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/model_tables.h"

namespace stiction {
namespace {

// The material of the first two shapes of a model.
PairMaterial pair_of(const Model& model) {
  const auto collision = make_collision_model(model);
  return make_contact_model(model, *collision)->pair(0, 1);
}

Model mjcf(const std::string& floor, const std::string& ball, const std::string& more = "") {
  return parse_mjcf("<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1' " + floor +
                        "/><body name='ball' pos='0 0 1'><freejoint/><geom name='ball' size='0.1' mass='2' " +
                        ball + "/></body></worldbody>" + more + "</mujoco>",
                    "test.xml");
}

TEST(MujocoContact, TakesTheLargerFrictionOrThatOfTheHigherPriority) {
  EXPECT_EQ(pair_of(mjcf("friction='0.3'", "friction='0.7'")).static_friction, 0.7);
  EXPECT_EQ(pair_of(mjcf("friction='0.3' priority='1'", "friction='0.7'")).static_friction, 0.3);
}

TEST(MujocoContact, HasNoFrictionWithCondimOne) {
  EXPECT_EQ(pair_of(mjcf("condim='1'", "condim='1'")).static_friction, 0.0);
  EXPECT_EQ(pair_of(mjcf("condim='1'", "condim='3'")).static_friction, 1.0);
}

TEST(MujocoContact, HasTorsionalFrictionFromCondimFourAndRollingFrictionFromCondimSix) {
  const std::string floor = "friction='0.3 0.02 0.001' ", ball = "friction='0.7 0.01 0.004' ";
  const auto of = [&](const char* more_floor, const char* more_ball) {
    return pair_of(mjcf(floor + more_floor, ball + more_ball));
  };
  EXPECT_FALSE(of("", "").has_torsional_or_rolling_friction());
  // Condim and each number are the larger of the two.
  EXPECT_EQ(of("", "condim='4'").torsional_friction, 0.02);
  EXPECT_EQ(of("", "condim='4'").rolling_friction, 0.0);
  EXPECT_EQ(of("condim='6'", "condim='1'").torsional_friction, 0.02);
  EXPECT_EQ(of("condim='6'", "condim='1'").rolling_friction, 0.004);
  EXPECT_EQ(of("condim='6'", "condim='1'").static_friction, 0.7);
  // Unless one of them decides.
  EXPECT_EQ(of("condim='6'", "condim='4' priority='1'").torsional_friction, 0.01);
  EXPECT_EQ(of("condim='6'", "condim='4' priority='1'").rolling_friction, 0.0);
}

TEST(MujocoContact, TakesTheMeanOfTheTwoRollingFrictionsOfAListedPair) {
  const PairMaterial pair = pair_of(mjcf("", "",
                                         "<contact><pair geom1='ball' geom2='floor' condim='6' "
                                         "friction='0.5 0.5 0.02 0.001 0.003'/></contact>"));
  EXPECT_EQ(pair.torsional_friction, 0.02);
  EXPECT_NEAR(pair.rolling_friction, 0.002, 1e-18);
}

TEST(MujocoContact, MeetsAMaterialWithTheFrictionThatItsCondimHas) {
  Model model = mjcf("friction='0.6 0.02 0.001' condim='4'", "");
  model.shapes[1].contact.rolling_friction = 0.003;
  const PairMaterial pair = pair_of(model);
  EXPECT_EQ(pair.torsional_friction, 0.02);
  EXPECT_EQ(pair.rolling_friction, 0.003);
}

TEST(MujocoContact, BoundsTheFrictionOfEveryPairWhereCondimsDiffer) {
  // A shape without friction among its like has the larger number with others.
  const Model model = mjcf("condim='1' friction='2 0.1 0.03'", "condim='6' friction='0.5 0.01 0.002'");
  const auto contact = make_contact_model(model, *make_collision_model(model));
  EXPECT_EQ(contact->largest_friction, 2.0);
  EXPECT_EQ(contact->largest_friction_length, 0.1);
}

TEST(MujocoContact, ReadsStiffnessAndDampingFromANegativeSolref) {
  const PairMaterial pair = pair_of(mjcf("", "solref='-4000 -80' priority='1'"));
  EXPECT_EQ(pair.stiffness, 4000.0);
  EXPECT_EQ(pair.relaxation_time, 80.0 / 4000.0);
  EXPECT_NEAR(pair.dissipation, 80.0 / (2.0 * 9.81), 1e-12);
}

TEST(MujocoContact, TakesDampingButNoStiffnessFromAPositiveSolref) {
  // timeconst 1 ms, dampratio 0.5, dmax 0.9.
  const PairMaterial stiff = pair_of(mjcf("", "solref='0.001 0.5' solimp='0.8 0.9' priority='1'"));
  EXPECT_FALSE(stiff.stiffness_is_given);
  EXPECT_EQ(stiff.stiffness, kDefaultStiffness);
  EXPECT_NEAR(stiff.dissipation, 2.0 / (0.001 * 0.9 * 9.81), 1e-9);
  // Its damper would be weaker than our default.
  const PairMaterial weak = pair_of(mjcf("", "solref='0.025 0.8' priority='1'"));
  EXPECT_EQ(weak.stiffness, kDefaultStiffness);
  EXPECT_EQ(weak.dissipation, kDefaultDissipation);
}

TEST(MujocoContact, GivesAListedPairItsOwnNumbers) {
  const PairMaterial pair = pair_of(
      mjcf("friction='0.3'", "friction='0.7'",
           "<contact><pair geom1='ball' geom2='floor' friction='0.2 0.2' solref='-5000 -1'/></contact>"));
  EXPECT_EQ(pair.static_friction, 0.2);
  EXPECT_EQ(pair.stiffness, 5000.0);
}

TEST(UrdfContact, ReadsDrakesProximityTags) {
  const Model model = parse_urdf(
      "<robot name='r'><link name='base'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' "
      "ixz='0' iyz='0'/></inertial><collision><geometry><sphere radius='0.1'/></geometry>"
      "<drake:proximity_properties><drake:mu_static value='0.9'/><drake:mu_dynamic value='0.7'/>"
      "<drake:point_contact_stiffness value='3e5'/><drake:hunt_crossley_dissipation value='12'/>"
      "<drake:relaxation_time value='0.02'/></drake:proximity_properties></collision></link></robot>",
      "test.urdf");
  ContactMaterial expected;
  expected.static_friction = 0.9;
  expected.dynamic_friction = 0.7;
  expected.stiffness = 3e5;
  expected.dissipation = 12.0;
  expected.relaxation_time = 0.02;
  EXPECT_EQ(model.shapes[0].contact, expected);
}

constexpr double kStep = 2e-3;  // s

// A ball of mass m and radius r over the floor.
ModelBuilder ball(double m, double r) {
  ModelBuilder builder;
  builder.add_shape("floor", "world", {}, HalfSpace{});
  Inertia inertia;
  inertia.mass = m;
  inertia.I_com = 0.4 * m * r * r * Mat3::Identity();
  builder.add_free_body("ball", translation(0, 0, r), inertia);
  builder.add_shape("ball", "ball", {}, Sphere{r});
  return builder;
}

TEST(Stiffness, IsRaisedSoThatAHeavyBodySinksByAThousandthOfItsExtent) {
  const Model model = ball(1000.0, 0.05).build();
  EXPECT_NEAR(model.tables().pair(0, 1, kStep).stiffness, 1000.0 * 9.81 / (1e-3 * 0.1), 1.0);
  ASSERT_EQ(stiffness_notes(model, kStep).size(), 1u);
  EXPECT_NE(stiffness_notes(model, kStep)[0].find("raised"), std::string::npos);
}

TEST(Stiffness, StaysAsGivenAndIsReportedWhereItIsTooSoft) {
  ModelBuilder builder = ball(1000.0, 0.05);
  ContactMaterial soft;
  soft.stiffness = 1e5;
  builder.set_material("ball", soft);
  const Model model = builder.build();
  EXPECT_EQ(pair_of(model).stiffness, 1e5);
  ASSERT_EQ(stiffness_notes(model, kStep).size(), 1u);
  EXPECT_NE(stiffness_notes(model, kStep)[0].find("too soft"), std::string::npos);
}

TEST(Stiffness, OfHertzFollowsModulusAndRadius) {
  ModelBuilder builder = ball(1.0, 0.05);
  ContactMaterial rubber;
  rubber.modulus = 1e7;
  builder.set_material("ball", rubber);
  const double E = 1e7 / (1.0 - 0.09);
  EXPECT_NEAR(pair_of(builder.build()).hertz_stiffness, 4.0 / 3.0 * E * std::sqrt(0.05), 1.0);
}

}  // namespace
}  // namespace stiction
