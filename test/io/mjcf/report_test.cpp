// What the report says about parts of a file that no element uses, and about those that act.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/io/mjcf/mjcf.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

CompatibilityEntry entry_of(const std::string& text, const std::string& element,
                            const std::string& attribute) {
  CompatibilityReport report;
  parse_mjcf(text, "model.xml", {}, &report);
  for (const CompatibilityEntry& entry : report.entries)
    if (entry.element == element && entry.attribute == attribute) return entry;
  return {};
}

std::string with_default(const std::string& joint) {
  return "<mujoco><default><joint axis='0 1 0'/></default><worldbody><body>" + joint +
         "<geom size='1'/></body></worldbody></mujoco>";
}

TEST(MjcfReport, ADefaultThatAnElementTakesIsHonoured) {
  EXPECT_EQ(entry_of(with_default("<joint/>"), "joint", "axis").status, Compatibility::honoured);
}

TEST(MjcfReport, ADefaultThatEveryElementOverridesIsIgnoredAndSaysSo) {
  const CompatibilityEntry entry = entry_of(with_default("<joint axis='1 0 0'/>"), "joint", "axis");
  EXPECT_EQ(entry.status, Compatibility::ignored);
  EXPECT_EQ(entry.why, "no element of the model takes this value from its class");
}

TEST(MjcfReport, SaysThatTheScaleOfAFrameDoesNotAct) {
  for (const std::string attribute : {"scale='2'", "massscale='3'", "scaling='geometry'"}) {
    const std::string text =
        "<mujoco><worldbody><frame " + attribute + "><geom size='1'/></frame></worldbody></mujoco>";
    const std::string name = attribute.substr(0, attribute.find('='));
    EXPECT_EQ(entry_of(text, "frame", name).status, Compatibility::ignored) << name;
    EXPECT_FALSE(entry_of(text, "frame", name).why.empty());
  }
}

// MuJoCo does not look at what it does not know of frames and replicas.
TEST(MjcfReport, AttributesThatMujocoPassesOverAreReported) {
  for (const std::string element : {"frame", "replicate"}) {
    const std::string text = "<mujoco><worldbody><" + element +
                             " count='1' siez='2' childclas='c'><geom size='1'/></" + element +
                             "></worldbody></mujoco>";
    const CompatibilityEntry entry = entry_of(text, element, "siez");
    EXPECT_EQ(entry.status, Compatibility::ignored) << element;
    EXPECT_NE(entry.why.find("MuJoCo passes over it"), std::string::npos) << entry.why;
  }
}

// Of several things that an actuator names, MuJoCo takes the last of joint, tendon, site and body.
TEST(MjcfReport, AnActuatorActsOnTheLastOfWhatItNames) {
  const std::string text =
      "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='1'/><site name='s'/></body></worldbody>"
      "<actuator><motor joint='j' site='s' gear='1 0 0 0 0 0'/></actuator></mujoco>";
  EXPECT_EQ(entry_of(text, "motor", "joint").status, Compatibility::ignored);
  EXPECT_EQ(parse_mjcf(text).elements.actuators[0].target, "s");
}

TEST(MjcfReport, ActuatorsOfDeformableBodiesAreLeftOut) {
  const std::string text =
      "<mujoco><worldbody><flexcomp name='cloth' type='grid' count='3 3 1' spacing='0.1 0.1 0.1'/><body>"
      "<joint name='j'/><geom size='1'/></body></worldbody><actuator><adhesion body='cloth_1' ctrlrange='0 "
      "1'/>"
      "<motor joint='j'/></actuator><keyframe><key name='k' ctrl='1 2'/></keyframe></mujoco>";
  EXPECT_EQ(entry_of(text, "adhesion", "").status, Compatibility::ignored);
  EXPECT_EQ(entry_of(text, "key", "ctrl").status, Compatibility::ignored);
  EXPECT_EQ(parse_mjcf(text).elements.actuators.size(), 1u);
}

// Two hinges with cylinders and a mocap body, and a keyframe.
std::string with_key(const std::string& attributes) {
  return "<mujoco><worldbody><body name='m' mocap='true' pos='1 2 3'><geom size='0.1'/></body>"
         "<body><joint name='j' ref='10'/><geom size='1'/>"
         "<body pos='0 0 3'><joint name='k' ref='20'/><geom size='1'/></body></body></worldbody>"
         "<actuator><cylinder joint='j'/><cylinder joint='k'/></actuator>"
         "<keyframe><key " +
         attributes + "/></keyframe></mujoco>";
}

TEST(MjcfReport, AKeyframeThatIsShorterThanTheModelIsApproximatedAndSaysWhatFillsIt) {
  const struct {
    std::string attribute, whole, part;
  } cases[] = {{"qpos", "0.1 0.2", "0.1"}, {"qvel", "1 2", "1"},     {"act", "1 2", "1"},
               {"ctrl", "1 2", "1"},       {"mpos", "4 5 6", "4 5"}, {"mquat", "0 1 0 0", "0 1 0"}};
  for (const auto& [attribute, whole, part] : cases) {
    SCOPED_TRACE(attribute);
    EXPECT_EQ(entry_of(with_key(attribute + "='" + whole + "'"), "key", attribute).status,
              Compatibility::honoured);
    const CompatibilityEntry entry = entry_of(with_key(attribute + "='" + part + "'"), "key", attribute);
    EXPECT_EQ(entry.status, Compatibility::approximated);
    for (const char* words : {"fewer numbers than the model", "those of the initial state"})
      EXPECT_NE(entry.why.find(words), std::string::npos) << entry.why;
  }
}

TEST(MjcfReport, WhatFillsAKeyframeIsTheInitialState) {
  const Model model = parse_mjcf(with_key("qpos='0.1' qvel='1' act='2' ctrl='3' mpos='4 5'"));
  const Keyframe& key = model.elements.keyframes.at(0);
  EXPECT_EQ(key.q, Eigen::Vector2d(0.1, model.q0[1]));
  EXPECT_EQ(key.v, Eigen::Vector2d(1.0, 0.0));
  EXPECT_EQ(key.activations, std::vector<double>({2.0, 0.0}));
  EXPECT_EQ(key.controls, std::vector<double>({3.0, 0.0}));
  EXPECT_EQ(key.mocap_positions, std::vector<double>({1.0, 2.0, 3.0}));
}

std::string with_geom(const std::string& attributes) {
  return "<mujoco><worldbody><geom size='1' " + attributes + "/></worldbody></mujoco>";
}

TEST(MjcfReport, ContactNumbersAreHonouredWhereTheyMeanTheSame) {
  for (const char* attribute :
       {"friction", "priority", "solmix", "margin", "gap", "contype", "conaffinity"}) {
    const std::string geom = with_geom(std::string(attribute) + "='1'");
    EXPECT_EQ(entry_of(geom, "geom", attribute).status, Compatibility::honoured) << attribute;
  }
  EXPECT_EQ(entry_of(with_geom("solref='-1000 -10'"), "geom", "solref").status, Compatibility::honoured);
  for (const char* condim : {"1", "3", "4", "6"}) {
    const std::string geom = with_geom(std::string("friction='1 0.01 0.001' condim='") + condim + "'");
    EXPECT_EQ(entry_of(geom, "geom", "condim").status, Compatibility::honoured) << condim;
    EXPECT_EQ(entry_of(geom, "geom", "friction").status, Compatibility::honoured) << condim;
  }
}

TEST(MjcfReport, ContactNumbersAreApproximatedWhereTheyMeanSomethingElse) {
  EXPECT_EQ(entry_of(with_geom("solref='0.02 1'"), "geom", "solref").status, Compatibility::approximated);
  for (const char* attribute : {"solimp='0.9 0.95'", "solref='0.03 1'"}) {
    const std::string name(attribute, 6);
    EXPECT_EQ(entry_of(with_geom(attribute), "geom", name).status, Compatibility::approximated);
    for (const char* word : {"convex_cone+newton_mujoco", "force table"})
      EXPECT_NE(entry_of(with_geom(attribute), "geom", name).why.find(word), std::string::npos) << name;
  }
}

TEST(MjcfReport, FrictionOfAPairIsApproximatedWhereItHasDirections) {
  const auto status = [](const std::string& pair) {
    return entry_of(
               "<mujoco><worldbody><geom name='a' size='1'/><body><freejoint/><geom name='b' size='1'/>"
               "</body></worldbody><contact><pair geom1='a' geom2='b' " +
                   pair + "/></contact></mujoco>",
               "pair", "friction")
        .status;
  };
  EXPECT_EQ(status("condim='6' friction='1 1 0.01 0.002 0.002'"), Compatibility::honoured);
  EXPECT_EQ(status("condim='4' friction='1 1 0.01 0.002 0.001'"), Compatibility::honoured);
  EXPECT_EQ(status("condim='6' friction='1 1 0.01 0.002 0.001'"), Compatibility::approximated);
  EXPECT_EQ(status("condim='3' friction='1 0.5'"), Compatibility::approximated);
}

// Two hinges in a row, with attributes of the first, and more sections.
std::string two_hinges(const std::string& joint, const std::string& more = "") {
  return "<mujoco><worldbody><body name='a'><joint name='j' " + joint +
         "/><geom size='1'/><body name='b'><joint name='k'/><geom size='1'/></body></body></worldbody>" +
         more + "</mujoco>";
}

TEST(MjcfReport, LimitsAndDryFrictionOfJointsAreHonouredAndTheirSoftnessIsApproximated) {
  const std::string text = two_hinges(
      "limited='true' range='-1 1' solreflimit='0.01 1' solimplimit='0.9 0.95' "
      "frictionloss='1' solreffriction='0.01 1' solimpfriction='0.9 0.95' actuatorfrcrange='-1 1'");
  for (const char* attribute : {"limited", "range", "frictionloss", "actuatorfrcrange"})
    EXPECT_EQ(entry_of(text, "joint", attribute).status, Compatibility::honoured) << attribute;
  for (const char* attribute : {"solreflimit", "solimplimit", "solreffriction", "solimpfriction"})
    EXPECT_EQ(entry_of(text, "joint", attribute).status, Compatibility::approximated) << attribute;
  EXPECT_EQ(entry_of(two_hinges("margin='0.1'"), "joint", "margin").status, Compatibility::ignored);
  EXPECT_EQ(entry_of(two_hinges("margin='0'"), "joint", "margin").status, Compatibility::honoured);
}

TEST(MjcfReport, EqualitiesAreHonouredAndTheirSoftnessIsOnlyWhereItIsAStiffness) {
  const auto with = [](const std::string& equality) {
    return two_hinges("", "<equality>" + equality + "</equality>");
  };
  const std::string coupled = with("<joint joint1='j' joint2='k' polycoef='0 2 0 0 0' solref='0.01 1'/>");
  // The first element called joint is a joint itself.
  EXPECT_EQ(entry_of(coupled, "joint", "polycoef").status, Compatibility::honoured);
  EXPECT_EQ(entry_of(coupled, "joint", "solref").status, Compatibility::approximated);
  const std::string weld =
      with("<weld body1='a' body2='b' solref='-100 -1' solimp='0.9 0.95' torquescale='2' active='false'/>");
  for (const char* attribute : {"", "body1", "body2", "active", "solref"})
    EXPECT_EQ(entry_of(weld, "weld", attribute).status, Compatibility::honoured) << attribute;
  for (const char* attribute : {"solimp", "torquescale"})
    EXPECT_EQ(entry_of(weld, "weld", attribute).status, Compatibility::approximated) << attribute;
}

TEST(MjcfReport, TendonsActExceptForTheirInertia) {
  const auto with = [](const std::string& attributes) {
    return two_hinges("", "<tendon><fixed " + attributes + "><joint joint='j' coef='1'/></fixed></tendon>");
  };
  const std::string text =
      with("range='0 1' stiffness='1' damping='1' springlength='1' frictionloss='1' solreflimit='-100 -1'");
  for (const char* attribute :
       {"range", "stiffness", "damping", "springlength", "frictionloss", "solreflimit"})
    EXPECT_EQ(entry_of(text, "fixed", attribute).status, Compatibility::honoured) << attribute;
  EXPECT_EQ(entry_of(with("solreflimit='0.01 1'"), "fixed", "solreflimit").status,
            Compatibility::approximated);
  EXPECT_EQ(entry_of(with("armature='1'"), "fixed", "armature").status, Compatibility::ignored);
}

TEST(MjcfReport, FlagsThatSwitchForcesOffAreHonoured) {
  for (const char* flag : {"constraint", "equality", "frictionloss", "limit", "contact", "filterparent",
                           "actuation", "gravity", "spring", "damper", "clampctrl"}) {
    const std::string text = "<mujoco><option><flag " + std::string(flag) + "='disable'/></option></mujoco>";
    EXPECT_EQ(entry_of(text, "flag", flag).status, Compatibility::honoured) << flag;
  }
}

// A ball on the floor, and a hinge at its limit with dry friction, coupled to another one.
TEST(MjcfReport, FlagsThatSwitchConstraintsOffDoSo) {
  const auto rows_and_patches = [](const std::string& flag) {
    World world(
        parse_mjcf("<mujoco><option><flag " + flag +
                       "/></option><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 0.1'>"
                       "<freejoint/><geom size='0.1'/></body><body pos='0 0 9'>"
                       "<joint name='j' axis='0 1 0' range='0 90' frictionloss='1'/><geom size='0.1'/>"
                       "<body pos='0 0 3'><joint name='k'/><geom size='0.1'/></body></body></worldbody>"
                       "<equality><joint joint1='j' joint2='k'/></equality></mujoco>",
                   "flags.xml"));
    world.step();
    const ContactProblem& problem = world.record().contact.problem;
    return std::pair(problem.rows.size(), problem.patches.size());
  };
  using Counts = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(rows_and_patches(""), Counts(3, 1));
  for (const char* kind : {"limit", "frictionloss", "equality"})
    EXPECT_EQ(rows_and_patches(std::string(kind) + "='disable'"), Counts(2, 1)) << kind;
  EXPECT_EQ(rows_and_patches("contact='disable'"), Counts(3, 0));
  EXPECT_EQ(rows_and_patches("constraint='disable'"), Counts(0, 0));
}

}  // namespace
}  // namespace stiction
