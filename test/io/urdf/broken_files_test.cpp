// What happens to broken URDF files: one message with file and line, and soon.

#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/io/urdf/urdf.h"

namespace stiction {
namespace {

struct BrokenFile {
  const char* name;
  std::string text;
  int line;             // that the message must name
  const char* message;  // that it must contain
};

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

const std::string kMass =
    "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>";

// Line 1 opens the robot, lines 2 and 3 are the links a and b, the rest starts in line 4.
std::string with_links(const std::string& rest) {
  return "<robot name='r'>\n<link name='a'>" + kMass + "</link>\n<link name='b'>" + kMass + "</link>\n" +
         rest + "\n</robot>";
}

// Line 4 is a joint from a to b.
std::string with_joint(const std::string& type, const std::string& inside) {
  return with_links("<joint name='j' type='" + type + "'><parent link='a'/><child link='b'/>" + inside +
                    "</joint>");
}

// Line 2 is a link.
std::string with_link(const std::string& inside) {
  return "<robot name='r'>\n<link name='a'>" + inside + "</link></robot>";
}

std::string with_inertial(const std::string& inside) {
  return with_link("<inertial>" + inside + "</inertial>");
}

std::string with_shape(const std::string& shape) {
  return with_link("<collision><geometry>" + shape + "</geometry></collision>");
}

// A chain of so many links, a line each.
std::string chain(int links) {
  std::string text = "<robot name='r'>";
  for (int i = 0; i < links; ++i) {
    const std::string name = "l" + std::to_string(i);
    text += "<link name='" + name + "'>" + kMass + "</link>";
    if (i > 0)
      text += "<joint name='j" + std::to_string(i) + "' type='continuous'><parent link='l" +
              std::to_string(i - 1) + "'/><child link='" + name + "'/></joint>";
  }
  return text + "</robot>";
}

std::vector<BrokenFile> broken_files() {
  const std::string ab = "<parent link='a'/><child link='b'/>", ba = "<parent link='b'/><child link='a'/>";
  return {
      // Not XML.
      {"empty", "", 1, "no"},
      {"not_xml", "solid cube\nfacet", 1, ""},
      {"binary",
       std::string("\x7f"
                   "ELF\x02\x01\x01\0\0\0",
                   10),
       1, "UTF-8"},
      {"truncated", "<robot name='r'>\n<link name='a'>", 2, "not well-formed"},
      {"mismatched_tags", "<robot name='r'>\n<link name='a'></lnk></robot>", 2, "not well-formed"},
      {"attribute_without_quotes", "<robot name=r></robot>", 1, "not well-formed"},
      {"attribute_twice", "<robot name='r'>\n<link name='a' name='b'/></robot>", 2, "given twice"},
      {"two_roots", "<robot name='r'/>\n<robot name='s'/>", 2, "second root"},
      {"latin1", "<robot name='r'>\n<link name='\xe9'/></robot>", 2, "UTF-8"},
      {"utf16", std::string("\xff\xfe<\0r\0", 6), 1, "UTF-8"},
      {"nul_byte", std::string("<robot name='r'>\n\0</robot>", 26), 2, "UTF-8"},
      {"entity_bomb", "<!DOCTYPE r [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]>\n<robot name='&b;'/>", 1,
       "document type"},
      {"external_entity", "<!DOCTYPE r SYSTEM 'file:///etc/passwd'>\n<robot name='r'/>", 1, "document type"},
      {"unknown_entity", "<robot name='&who;'/>", 1, "'&who'"},
      {"nested_million_deep", repeated("<a>", 1'000'000) + repeated("</a>", 1'000'000), 1, "nested"},
      {"nested_in_gazebo",
       "<robot name='r'>\n<link name='a'/><gazebo>" + repeated("<a>", 100'000) + repeated("</a>", 100'000) +
           "</gazebo></robot>",
       2, "nested"},

      // Not URDF.
      {"other_format", "<sdf version='1.6'/>", 1, "<robot>"},
      {"xacro", "<robot name='r' xmlns:xacro='x'>\n<xacro:leg/></robot>", 2, "xacro"},
      {"unknown_element", "<robot name='r'>\n<lnik name='a'/></robot>", 2, "did you mean 'link'"},
      {"unknown_attribute", with_joint("continuous", "<axis xyzz='1 0 0'/>"), 4, "did you mean 'xyz'"},
      {"unknown_drake_tag", "<robot name='r'>\n<drake:joinnt/></robot>", 2, "did you mean 'drake:joint'"},
      {"no_robot_name", "<robot>\n<link name='a'/></robot>", 1, "'name' is required"},

      // Links.
      {"no_links", "<robot name='r'/>", 1, "needs a link"},
      {"link_without_name", "<robot name='r'>\n<link/></robot>", 2, "'name' is required"},
      {"link_with_empty_name", "<robot name='r'>\n<link name=''/></robot>", 2, "empty"},
      {"links_of_one_name", "<robot name='r'>\n<link name='a'/>\n<link name='a'/></robot>", 3, "line 2"},
      {"no_mass", with_inertial("<inertia ixx='1' iyy='1' izz='1'/>"), 2, "child <mass>"},
      {"no_inertia", with_inertial("<mass value='1'/>"), 2, "child <inertia>"},
      {"negative_mass", with_inertial("<mass value='-1'/><inertia ixx='1' iyy='1' izz='1'/>"), 2, "negative"},
      {"mass_not_a_number", with_inertial("<mass value='heavy'/><inertia ixx='1' iyy='1' izz='1'/>"), 2,
       "'heavy'"},
      {"mass_nan", with_inertial("<mass value='nan'/><inertia ixx='1' iyy='1' izz='1'/>"), 2, "finite"},
      {"mass_infinite", with_inertial("<mass value='1e999'/><inertia ixx='1' iyy='1' izz='1'/>"), 2,
       "finite"},
      {"negative_moment", with_inertial("<mass value='1'/><inertia ixx='-1' iyy='1' izz='1'/>"), 2,
       "negative"},
      {"missing_moment", with_inertial("<mass value='1'/><inertia ixx='1' iyy='1'/>"), 2,
       "'izz' is required"},
      {"two_inertials", with_link(kMass + kMass), 2, "only one"},

      // Shapes.
      {"origin_of_two_numbers",
       with_link("<visual><origin xyz='1 2'/><geometry><sphere radius='1'/></geometry></visual>"), 2,
       "3 numbers expected, 2 found"},
      {"no_geometry", with_link("<collision/>"), 2, "child <geometry>"},
      {"geometry_without_shape", with_shape(""), 2, "holds no shape"},
      {"geometry_of_two_shapes", with_shape("<sphere radius='1'/><sphere radius='1'/>"), 2, "one shape"},
      {"negative_radius", with_shape("<sphere radius='-1'/>"), 2, "<sphere>"},
      {"flat_box", with_shape("<box size='1 0 1'/>"), 2, "<box>"},
      {"cylinder_without_length", with_shape("<cylinder radius='1'/>"), 2, "'length' is required"},
      {"missing_mesh", with_shape("<mesh filename='gone.stl'/>"), 2, "gone.stl"},
      {"missing_package", with_shape("<mesh filename='package://no_such_package/m.stl'/>"), 2,
       "no_such_package"},
      {"escaping_mesh", with_shape("<mesh filename='package://p/../../etc/passwd'/>"), 2, "leads out"},
      {"mesh_from_the_web", with_shape("<mesh filename='http://host/m.stl'/>"), 2, "cannot be fetched"},
      {"flattened_mesh", with_shape("<mesh filename='m.stl' scale='1 1 0'/>"), 2, "zero"},
      {"color_out_of_range",
       "<robot name='r'>\n<material name='m'><color rgba='1 2 0 1'/></material></robot>", 2,
       "between 0 and 1"},

      // Joints.
      {"joint_without_parent", with_links("<joint name='j' type='fixed'><child link='b'/></joint>"), 4,
       "child <parent>"},
      {"unknown_parent",
       with_links("<joint name='j' type='fixed'><parent link='aa'/><child link='b'/></joint>"), 4,
       "no link 'aa'"},
      {"unknown_child",
       with_links("<joint name='j' type='fixed'><parent link='a'/><child link='c'/></joint>"), 4,
       "no link 'c'"},
      {"unknown_type", with_joint("revolut", ""), 4, "did you mean 'revolute'"},
      {"revolute_without_limit", with_joint("revolute", ""), 4, "needs a <limit>"},
      {"limits_crossed", with_joint("revolute", "<limit lower='1' upper='-1'/>"), 4, "above upper"},
      {"negative_effort", with_joint("continuous", "<limit effort='-1'/>"), 4, "negative"},
      {"negative_damping", with_joint("continuous", "<dynamics damping='-1'/>"), 4, "negative"},
      {"zero_axis", with_joint("continuous", "<axis xyz='0 0 0'/>"), 4, "length zero"},
      {"zero_quaternion", with_joint("continuous", "<origin quat_xyzw='0 0 0 0'/>"), 4, "length zero"},
      {"mimic_of_nothing", with_joint("continuous", "<mimic joint='k'/>"), 4, "no joint 'k'"},
      {"mimic_of_itself", with_joint("continuous", "<mimic joint='j'/>"), 4, "itself"},
      {"screw_without_pitch", with_links("<drake:joint name='j' type='screw'>" + ab + "</drake:joint>"), 4,
       "drake:screw_thread_pitch"},
      {"joints_of_one_name",
       with_links("<joint name='j' type='fixed'>" + ab + "</joint>\n<joint name='j' type='fixed'>" + ba +
                  "</joint>"),
       5, "line 4"},
      {"two_parents",
       with_links("<joint name='j' type='fixed'>" + ab + "</joint>\n<joint name='k' type='fixed'>" + ab +
                  "</joint>"),
       5, "one parent"},
      {"two_roots_links", with_links(""), 3, "one root"},
      {"cycle",
       with_links("<joint name='j' type='fixed'>" + ab + "</joint>\n<joint name='k' type='fixed'>" + ba +
                  "</joint>"),
       1, "cycle"},
      {"cycle_beside_a_tree",
       "<robot name='r'><link name='root'/>\n<link name='a'/><link name='b'/>\n<joint name='j' "
       "type='fixed'>" +
           ab + "</joint>\n<joint name='k' type='fixed'>" + ba + "</joint></robot>",
       4, "cycle"},
      {"link_on_itself",
       "<robot name='r'><link name='root'/><link name='a'/>\n<joint name='j' type='fixed'><parent link='a'/>"
       "<child link='a'/></joint></robot>",
       2, "cycle"},
      {"nothing_to_move",
       "<robot name='r'><link name='a'/><link name='b'/>\n<joint name='j' type='continuous'>" + ab +
           "</joint></robot>",
       2, "no mass"},
      {"point_mass_on_its_axis",
       "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='0' iyy='0' "
       "izz='0'/>"
       "</inertial></link>\n<joint name='j' type='continuous'>" +
           ab + "</joint></robot>",
       2, "no inertia"},
      {"floating_on_a_moving_link",
       "<robot name='r'><link name='a'/><link name='b'>" + kMass + "</link><link name='c'>" + kMass +
           "</link>\n<joint name='j' type='continuous'>" + ab +
           "</joint>\n<joint name='k' type='floating'><parent link='b'/><child link='c'/></joint></robot>",
       3, "connect to the world"},
      {"chain_too_long", chain(5000), 1, "1000 links"},
      {"transmission_of_nothing",
       "<robot name='r'><link name='a'/>\n<transmission name='t'><joint name='k'/><actuator name='m'/>"
       "</transmission></robot>",
       2, "no joint 'k'"},
      {"frame_on_nothing", "<robot name='r'><link name='a'/>\n<frame name='f' link='x'/></robot>", 2,
       "no link 'x'"},
      {"filter_of_nothing",
       "<robot name='r'><link name='a'/>\n<drake:collision_filter_group name='g'><drake:member link='x'/>"
       "<drake:ignored_collision_filter_group name='g'/></drake:collision_filter_group></robot>",
       2, "no link 'x'"},
  };
}

class BrokenUrdf : public testing::TestWithParam<BrokenFile> {};

TEST_P(BrokenUrdf, GivesOneMessageWithFileAndLineSoon) {
  const BrokenFile& file = GetParam();
  const auto start = std::chrono::steady_clock::now();
  std::string message = "no error";
  try {
    parse_urdf(file.text, "robot.urdf");
  } catch (const UserError& error) {
    message = error.what();
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_EQ(message.rfind("robot.urdf:" + std::to_string(file.line) + ": ", 0), 0u) << message;
  EXPECT_NE(message.find(file.message), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos);
  EXPECT_LT(seconds, 2.0);
}

INSTANTIATE_TEST_SUITE_P(Files, BrokenUrdf, testing::ValuesIn(broken_files()),
                         [](const auto& file) { return std::string(file.param.name); });

}  // namespace
}  // namespace stiction
