// Files that MJCF does not allow, or that cannot move: every one is refused with its file, its line and a
// reason.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/mjcf.h"

namespace stiction {
namespace {

struct Broken {
  const char* name;
  const char* text;    // inside <mujoco>, from the second line on
  const char* reason;  // part of the message
};

std::string message_of(const std::string& text) {
  try {
    parse_mjcf(text, "broken.xml");
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

#define IN_WORLD(inside) "<worldbody>" inside "</worldbody>"
#define IN_BODY(inside) IN_WORLD("<body name='b'><geom name='g' size='1'/>" inside "</body>")

const std::vector<Broken>& broken_files() {
  static const std::vector<Broken> files = {
      {"UnknownSection", "<wordbody/>", "did you mean 'worldbody'"},
      {"UnknownElement", IN_WORLD("<gem size='1'/>"), "did you mean 'geom'"},
      {"UnknownAttribute", IN_WORLD("<geom sise='1'/>"), "did you mean 'size'"},
      {"ElementInTheWrongPlace", IN_WORLD("<motor joint='j'/>"), "not known here"},
      {"AttributesOfTheWorld", "<worldbody pos='0 0 0'/>", "'pos' is not known"},
      {"NotANumber", IN_WORLD("<geom size='abc'/>"), "'abc' is not a finite number"},
      {"Infinity", IN_WORLD("<geom size='inf'/>"), "is not a finite number"},
      {"TooManyNumbers", IN_WORLD("<geom size='1' pos='1 2 3 4'/>"), "has 4 numbers, not 3"},
      {"UnknownWord", IN_WORLD("<geom type='spher' size='1'/>"), "did you mean 'sphere'"},
      {"NoSize", IN_WORLD("<geom type='box' size='1 1'/>"), "size 3 of a box must be positive"},
      {"NegativeSize", IN_WORLD("<geom size='-1'/>"), "must be positive"},
      {"TwoOrientations", IN_WORLD("<geom size='1' quat='1 0 0 0' euler='1 2 3'/>"),
       "given by 'quat' already"},
      {"ZeroQuaternion", IN_WORLD("<geom size='1' quat='0 0 0 0'/>"), "is no rotation"},
      {"AxesInOneLine", IN_WORLD("<geom size='1' xyaxes='1 0 0 2 0 0'/>"), "has no direction"},
      {"FromToOfASphere", IN_WORLD("<geom size='1' fromto='0 0 0 1 1 1'/>"), "capsules"},
      {"FromToAndPos", IN_WORLD("<geom type='capsule' size='1' pos='0 0 0' fromto='0 0 0 1 1 1'/>"),
       "already"},
      {"FromToWithoutLength", IN_WORLD("<geom type='capsule' size='1' fromto='1 0 0 1 0 0'/>"), "same point"},
      {"MuscleOnJointsThatMoveAsOne",
       "<worldbody><body><joint name='a' type='slide'/><joint type='slide'/><geom "
       "size='1'/></body></worldbody>"
       "<actuator><muscle joint='a' lengthrange='0 1'/></actuator>",
       "the mass matrix is not positive definite"},
      {"NoMesh", IN_WORLD("<geom type='mesh'/>"), "'mesh' is required"},
      {"UnknownMesh", IN_WORLD("<geom type='mesh' mesh='m'/>"), "no mesh 'm'"},
      {"MissingFile",
       "<asset><mesh file='nowhere.stl'/></asset>" IN_WORLD("<geom type='mesh' mesh='nowhere'/>"),
       "nowhere.stl"},
      {"FaceWithoutVertex",
       "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 4'/></asset>" IN_WORLD(
           "<geom type='mesh' mesh='m'/>"),
       "4 is not one of the 4 vertices"},
      {"JointOfTheWorld", IN_WORLD("<frame><joint/></frame>"), "the world cannot have joints"},
      {"AxisWithoutDirection", IN_BODY("<joint axis='0 0 0'/>"), "no direction"},
      {"RangeUpsideDown", IN_BODY("<joint limited='true' range='1 -1'/>"), "below the upper limit"},
      {"RangeWithoutLimited", "<compiler autolimits='false'/>" IN_BODY("<joint range='-1 1'/>"),
       "autolimits"},
      {"TwoNames", IN_BODY("<joint name='j'/><joint name='j'/>"), "already a joint 'j'"},
      {"FreeInsideABody", IN_BODY("<body><freejoint/><geom size='1'/></body>"), "a child of the world"},
      {"FreeAndHinge", IN_BODY("<freejoint/><joint/>"), "cannot have other joints"},
      {"BallAndHinge", IN_BODY("<joint type='ball'/><joint/>"), "another rotation"},
      {"TwoBalls", IN_BODY("<joint type='ball'/><joint type='ball'/>"), "another rotation"},
      {"MovingWithoutMass", IN_WORLD("<body name='b'><joint/></body>"), "b"},
      {"NegativeMass", IN_BODY("<inertial pos='0 0 0' mass='-1' diaginertia='1 1 1'/>"), "negative"},
      {"ImpossibleInertia", IN_BODY("<joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/>"),
       "triangle"},
      {"InertiaMissing", IN_BODY("<inertial pos='0 0 0' mass='1'/>"), "'diaginertia' and 'fullinertia'"},
      {"UnknownClass", IN_WORLD("<geom size='1' class='c'/>"), "no default class 'c'"},
      {"ClassTwice", "<default><default class='c'/><default class='c'/></default>",
       "already a default class"},
      {"ClassWithoutName", "<default><default/></default>", "needs the attribute 'class'"},
      {"OutermostClassRenamed", "<default class='c'/>", "called 'main'"},
      {"UnknownJoint", "<actuator><motor joint='j'/></actuator>", "no joint 'j'"},
      {"ActuatorOfNothing", "<actuator><motor/></actuator>", "acts on nothing"},
      {"TwoActuators",
       IN_BODY(
           "<joint name='j'/>") "<actuator><motor name='m' joint='j'/><motor name='m' joint='j'/></actuator>",
       "'m' of another actuator"},
      {"TwoKeys", "<keyframe><key name='k'/><key name='k'/></keyframe>", "'k' of another keyframe"},
      {"FarMesh",
       "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' scale='1e300 1e300 1e300'/></asset>" IN_WORLD(
           "<geom type='mesh' mesh='m'/>"),
       "farther away"},
      {"UnknownBody", "<contact><exclude body1='world' body2='c'/></contact>", "no body 'c'"},
      {"TendonWithoutPath", "<tendon><spatial/></tendon>", "needs a path"},
      {"KeyOfTheWrongSize", IN_BODY("<joint/>") "<keyframe><key qpos='1 2'/></keyframe>",
       "has 2 numbers, not 1"},
      {"MissingInclude", "<include file='nowhere.xml'/>", "no file"},
      {"NoReplicas", IN_WORLD("<replicate count='-1'><geom size='1'/></replicate>"), "must be 0 to"},
      {"TooManyReplicas",
       IN_WORLD("<replicate count='9999'><replicate count='9999'><geom size='1'/></replicate></replicate>"),
       "more than"},
      {"GlobalCoordinates", "<compiler coordinate='global'/>", "no longer part of MJCF"},
      {"MocapWithJoint", IN_WORLD("<body mocap='true'><joint/><geom size='1'/></body>"), "has no joints"},
      {"InertiaOfTheWorld", IN_WORLD("<frame><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></frame>"),
       "the world has no inertia"},
      {"TwoInertiasInFrames",
       IN_BODY("<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><frame><inertial pos='0 0 0' mass='1' "
               "diaginertia='1 1 1'/></frame>"),
       "has an <inertial> already"},
      {"FramesOfOneName", IN_WORLD("<frame name='f'/><frame name='f'/>"), "already a frame 'f'"},
      {"PlaneOfAMesh",
       "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>" IN_WORLD(
           "<geom type='plane' size='1 1 1' mesh='m'/>"),
       "no plane can be fitted"},
      {"UnknownMaterial", IN_WORLD("<geom size='1' material='red'/>"), "no material 'red'"},
      {"UnknownMaterialOfASite", "<asset><material name='red'/></asset>" IN_WORLD("<site material='rid'/>"),
       "did you mean 'red'"},
      {"UnknownTexture", "<asset><material name='m' texture='t'/></asset>", "no texture 't'"},
      {"LayerWithoutRole", "<asset><material name='m'><layer texture='t'/></material></asset>",
       "'role' is required"},
      {"MaterialWithoutName", "<asset><material rgba='1 0 0 1'/></asset>", "'name' is required"},
      {"HeightFieldWithoutSize", "<asset><hfield name='h' nrow='2' ncol='2'/></asset>", "'size' is required"},
      {"SitePlane", IN_WORLD("<site type='plane'/>"), "plane"},
      {"SiteWithoutSize", IN_WORLD("<site size='0'/>"), "must be positive"},
      {"CameraOfNobody", IN_WORLD("<camera mode='targetbody' target='b'/>"), "no body 'b'"},
      {"CameraOpenTwice", IN_WORLD("<camera fovy='30' sensorsize='1 1'/>"), "together with 'fovy'"},
      {"CameraThatSeesAll", IN_WORLD("<camera fovy='180'/>"), "less than 180"},
      {"LightWithoutDirection", IN_WORLD("<light dir='0 0 0'/>"), "no direction"},
      {"SleepOfAnotherWord", IN_WORLD("<body sleep='sometimes'/>"), "no word 'sometimes'"},
      {"IncludeWithChildren", "<include file='a.xml'><geom/></include>", "no elements inside"},
      {"TwoFlags", "<option><flag/><flag/></option>", "has only one"},
      {"ExtentOfNothing", "<statistic extent='0'/>", "must be positive"},
      {"EulerInUnknownOrder", "<compiler eulerseq='abc'/>" IN_WORLD("<body euler='1 2 3'/>"), "eulerseq"},
      {"NegativeStiffness", IN_BODY("<joint stiffness='-1'/>"), "'stiffness': must not be negative"},
      {"NegativeDamping", IN_BODY("<joint damping='-1'/>"), "'damping': must not be negative"},
      {"NegativeArmatureOfAnActuator",
       IN_BODY("<joint name='j'/>") "<actuator><motor joint='j' armature='-1'/></actuator>",
       "'armature': must not be negative"},
      {"NegativeSpringDamper", IN_BODY("<joint springdamper='-1 1'/>"), "must not be negative"},
      {"PairOfTwoRows",
       IN_BODY("<joint/>") "<worldbody><geom name='f' type='plane'/></worldbody>"
                           "<contact><pair geom1='f' geom2='g' condim='2'/></contact>",
       "is not one of 1, 3, 4 and 6"},
      {"EqualityOfOneJoint",
       IN_BODY("<joint name='j'/>") "<equality><joint joint1='j' joint2='j'/></equality>", "both sides"},
      {"EqualityOfABall", IN_BODY("<joint name='j' type='ball'/>") "<equality><joint joint1='j'/></equality>",
       "no hinge and no slide"},
      {"ConnectOfSitesAndBodies",
       IN_BODY("<site name='s'/><site name='t'/>") "<equality><connect site1='s' site2='t' anchor='0 0 "
                                                   "0'/></equality>",
       "together with 'site1'"},
      {"TendonOfOneSite", IN_BODY("<site name='s'/>") "<tendon><spatial><site site='s'/></spatial></tendon>",
       "two sites at least"},
      {"TendonThatBeginsWithAGeom",
       IN_BODY("<site name='s'/>") "<tendon><spatial><geom geom='g'/><site site='s'/></spatial></tendon>",
       "between two sites"},
      {"TendonThatEndsWithAPulley",
       IN_BODY("<site name='s'/><site name='t'/>") "<tendon><spatial><site site='s'/><site site='t'/>"
                                                   "<pulley divisor='2'/></spatial></tendon>",
       "followed by two sites"},
      {"TendonAroundOnePoint",
       IN_BODY("<site name='s'/>") "<tendon><spatial><site site='s'/><site site='s'/></spatial></tendon>",
       "'s' is repeated"},
      {"TendonOfOneJointTwice",
       IN_BODY("<joint name='j'/>") "<tendon><fixed><joint joint='j' coef='1'/><joint joint='j' coef='2'/>"
                                    "</fixed></tendon>",
       "'j' is repeated"},
      {"TendonThatShrinks",
       IN_BODY("<joint name='j'/>") "<tendon><fixed springlength='1 0'><joint joint='j' "
                                    "coef='1'/></fixed></tendon>",
       "longer one"},
      {"ActivationWithoutDynamics",
       IN_BODY("<joint name='j'/>") "<actuator><general joint='j' actrange='-1 1'/></actuator>",
       "has no activation"},
      {"DampingGivenTwice",
       IN_BODY("<joint name='j'/>") "<actuator><position joint='j' kv='1' dampratio='1'/></actuator>",
       "together with 'kv'"},
      {"DamperWithoutRange", IN_BODY("<joint name='j'/>") "<actuator><damper joint='j' kv='1'/></actuator>",
       "'ctrlrange' is required"},
      {"AdhesionThatRepels",
       IN_BODY("<joint name='j'/>") "<actuator><adhesion body='b' ctrlrange='-1 1'/></actuator>",
       "must not be negative"},
      {"MuscleUpsideDown",
       IN_BODY("<joint name='j'/>") "<actuator><muscle joint='j' lengthrange='0 1' range='1 0'/></actuator>",
       "range[0] < range[1]"},
      {"CrankWithoutLength",
       IN_BODY(
           "<site name='s'/><site name='t'/>") "<actuator><motor cranksite='s' slidersite='t'/></actuator>",
       "'cranklength'"},
      {"OrientationOfAHinge",
       IN_BODY("<joint name='j'/>") "<actuator><orientation joint='j' kp='1'/></actuator>", "no ball joint"},
      {"PluginThatIsNotDeclared",
       IN_BODY("<joint name='j'/>") "<actuator><plugin joint='j' plugin='mujoco.pid'/></actuator>",
       "no <extension>"},
      {"PluginWithAnUnknownKey",
       "<extension><plugin plugin='mujoco.pid'/></extension>" IN_BODY(
           "<joint name='j'/>") "<actuator><plugin joint='j' plugin='mujoco.pid'><config key='kq' "
                                "value='1'/></plugin></actuator>",
       "has no 'kq'"},
      {"SensorOfNothing", "<sensor><gyro name='s'/></sensor>", "'site' is required"},
      {"RangefinderOfNothing", "<sensor><rangefinder/></sensor>", "'site' or 'camera' is required"},
      {"FrameSensorOfAJoint",
       IN_BODY("<joint name='j'/>") "<sensor><framepos objtype='joint' objname='j'/></sensor>",
       "no word 'joint'"},
      {"ReferenceWithoutName",
       IN_BODY("<joint name='j'/>") "<sensor><framepos objtype='body' objname='b' reftype='body'/></sensor>",
       "go together"},
      {"BallSensorOfAHinge", IN_BODY("<joint name='j'/>") "<sensor><ballquat joint='j'/></sensor>",
       "no ball joint"},
      {"LimitSensorWithoutLimit", IN_BODY("<joint name='j'/>") "<sensor><jointlimitpos joint='j'/></sensor>",
       "has no range"},
      {"CutoffOfARotation", IN_BODY("") "<sensor><framequat objtype='body' objname='b' cutoff='1'/></sensor>",
       "no cutoff"},
      {"NegativeNoise", "<sensor><clock noise='-1'/></sensor>", "must not be negative"},
      {"DistanceFromItself", IN_BODY("") "<sensor><distance geom1='g' geom2='g' cutoff='1'/></sensor>",
       "from itself"},
      {"ContactDataOutOfOrder", "<sensor><contact data='force found'/></sensor>", "the order is"},
      {"UserQuaternionOfThree", "<sensor><user name='u' dim='3' datatype='quaternion'/></sensor>",
       "not the numbers"},
      {"NumericOfNothing", "<custom><numeric name='n'/></custom>", "is required"},
      {"TextOfNothing", "<custom><text name='t' data=''/></custom>", "'data' is required"},
      {"EmptyTuple", "<custom><tuple name='t'/></custom>", "one element at least"},
      {"TupleOfNobody", "<custom><tuple name='t'><element objtype='body' objname='b'/></tuple></custom>",
       "no body 'b'"},
  };
  return files;
}

class MjcfErrors : public testing::TestWithParam<Broken> {};

TEST_P(MjcfErrors, IsRefusedWithItsPlaceAndAReason) {
  const std::string message = message_of(std::string("<mujoco>\n") + GetParam().text + "\n</mujoco>");
  EXPECT_NE(message.find(GetParam().reason), std::string::npos) << message;
  EXPECT_EQ(message.find("broken.xml:"), 0u) << message;
}

INSTANTIATE_TEST_SUITE_P(All, MjcfErrors, testing::ValuesIn(broken_files()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(MjcfErrors, TheLineIsThatOfTheAttribute) {
  const std::string message =
      message_of("<mujoco>\n<worldbody>\n<geom name='g'\n      size='x'/>\n</worldbody>\n</mujoco>");
  EXPECT_EQ(message.find("broken.xml:4: element <geom>"), 0u) << message;
}

// The dynamics find it, which know nothing of files.
TEST(MjcfErrors, ABodyThatCannotMoveIsFoundInItsLine) {
  const std::string message = message_of(
      "<mujoco>\n<worldbody>\n<geom size='1'/>\n<body name='b'><joint/></body>\n</worldbody>\n</mujoco>");
  EXPECT_EQ(message.find("broken.xml:4: "), 0u) << message;
}

TEST(MjcfErrors, MessagesStayShortWhateverTheFileSays) {
  const std::string long_word(100'000, 'x');
  for (const std::string& text : {"<mujoco><worldbody><geom size='" + long_word + "'/></worldbody></mujoco>",
                                  "<mujoco><worldbody><" + long_word + "/></worldbody></mujoco>",
                                  "<mujoco><worldbody><geom " + long_word + "='1'/></worldbody></mujoco>"}) {
    const std::string message = message_of(text);
    EXPECT_EQ(message.find("broken.xml:1: "), 0u) << message.substr(0, 200);
    EXPECT_LT(message.size(), 2000u);
  }
}

TEST(MjcfErrors, TheRootIsMujoco) { EXPECT_NE(message_of("<robot/>").find("<mujoco>"), std::string::npos); }

}  // namespace
}  // namespace stiction
