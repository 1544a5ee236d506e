#include "stiction/io/mjcf/expand.h"

#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/mjcf.h"

namespace stiction {
namespace {

const std::string kLeg =
    "<body name='leg' pos='0 1 0'><joint name='hip' axis='1 0 0'/><geom size='0.1' pos='0 0 1'/></body>";

Model parse(const std::string& inside) { return parse_mjcf("<mujoco>" + inside + "</mujoco>"); }

std::vector<std::string> names_of_actuators(const Model& model) {
  std::vector<std::string> names;
  for (const Actuator& actuator : model.elements.actuators) names.push_back(actuator.name);
  return names;
}

// The model with another one, called 'child', beside it in a folder.
Model with_child(const std::string& child, const std::string& inside) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "stiction_mjcf_expand";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "child.xml") << "<mujoco>" << child << "</mujoco>";
  return parse_mjcf("<mujoco><asset><model name='child' file='child.xml'/></asset>" + inside + "</mujoco>",
                    folder / "model.xml");
}

TEST(MjcfExpand, ABodyOfTheModelItselfIsAttachedWithWhatRefersToIt) {
  const Model model = parse("<worldbody>" + kLeg +
                            "<frame pos='5 0 0'><attach body='leg' prefix='second/'/></frame></worldbody>"
                            "<actuator><motor name='m' joint='hip'/></actuator>");
  EXPECT_EQ(model.forest.bodies[std::size_t(model.body("second/leg"))].X_PB.p, Vec3(5, 1, 0));
  EXPECT_EQ(names_of_actuators(model), (std::vector<std::string>{"m", "second/m"}));
  EXPECT_EQ(model.elements.actuators[1].target, "second/hip");
}

TEST(MjcfExpand, AFrameIsAttachedWithItsOwnPoseAndWithoutTheFramesAroundIt) {
  const Model model = with_child(
      "<worldbody><frame pos='100 0 0'><frame name='corner' pos='0 0 2'>" + kLeg +
          "</frame></frame></worldbody>",
      "<worldbody><frame pos='5 0 0'><attach model='child' frame='corner' prefix='a/'/></frame></worldbody>");
  EXPECT_EQ(model.forest.bodies[std::size_t(model.body("a/leg"))].X_PB.p, Vec3(5, 1, 2));
}

TEST(MjcfExpand, APartThatAttachesItselfIsRefused) {
  EXPECT_THROW(
      parse("<worldbody><body name='a'><geom size='1'/><attach body='a' prefix='b'/></body></worldbody>"),
      UserError);
}

TEST(MjcfExpand, CopiesOfActuatorsComeCopyAfterCopyBehindTheOthers) {
  const Model model =
      parse("<worldbody><body><joint name='o'/><geom size='1'/></body><replicate count='2'>" + kLeg +
            "</replicate></worldbody><actuator><motor name='m' joint='hip'/><motor name='other' joint='o'/>"
            "<motor name='n' joint='hip'/></actuator>");
  EXPECT_EQ(names_of_actuators(model), (std::vector<std::string>{"other", "m0", "n0", "m1", "n1"}));
}

const std::string kTwoLegs =
    "<worldbody><body name='first'><joint name='a'/><geom size='1'/></body>" + kLeg +
    "</worldbody><actuator><motor name='m' joint='a'/><motor name='n' joint='hip'/></actuator>"
    "<keyframe><key name='bent' qpos='0.1 0.2' qvel='1 2' ctrl='3 4'/></keyframe>";
const std::string kOwnBody =
    "<body name='own'><joint name='own' axis='0 1 0' ref='90'/><geom size='1'/></body>";

TEST(MjcfExpand, KeyframesOfAnAttachedModelLeaveTheRestAtItsInitialPosition) {
  const Model model =
      with_child(kTwoLegs, "<worldbody>" + kOwnBody + "<attach model='child' prefix='c/'/></worldbody>");
  ASSERT_EQ(model.elements.keyframes.size(), 1u);
  const Keyframe& key = model.elements.keyframes[0];
  EXPECT_EQ(key.name, "c/bent");
  EXPECT_EQ(key.q, (Vec3(model.q0[0], 0.1, 0.2)));
  EXPECT_EQ(key.v, Vec3(0, 1, 2));
  EXPECT_EQ(key.controls, (std::vector<double>{3, 4}));
}

TEST(MjcfExpand, AnAttachedBodyTakesItsPartOfTheKeyframe) {
  const Model model = with_child(
      kTwoLegs, "<worldbody>" + kOwnBody + "<attach model='child' body='leg' prefix='c/'/></worldbody>");
  ASSERT_EQ(model.elements.keyframes.size(), 1u);
  const Keyframe& key = model.elements.keyframes[0];
  EXPECT_EQ(key.q[1], 0.2);
  EXPECT_EQ(key.v[1], 2.0);
  EXPECT_EQ(key.controls, (std::vector<double>{4}));
}

}  // namespace
}  // namespace stiction
