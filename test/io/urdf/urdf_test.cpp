#include "stiction/io/urdf/urdf.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>
#include <regex>

#include <gtest/gtest.h>
#include <unistd.h>

#include "stiction/base/check.h"
#include "stiction/base/shared_files.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/io/model_file.h"
#include "stiction/io/urdf/mesh_path.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

const std::string kInertial =
    "<inertial><mass value='2'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>";

std::string link(const std::string& name, const std::string& inside = kInertial) {
  return "<link name='" + name + "'>" + inside + "</link>";
}

std::string joint(const std::string& name, const std::string& type, const std::string& inside = "",
                  const std::string& parent = "base", const std::string& child = "arm") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" +
         child + "'/>" + inside + "</joint>";
}

const std::string kLimit = "<limit effort='7' velocity='3' lower='-1' upper='2'/>";

std::string robot(const std::string& inside) { return "<robot name='r'>" + inside + "</robot>"; }

// A base and an arm on a joint of the given type.
std::string two_links(const std::string& type, const std::string& inside = "", const std::string& more = "") {
  return robot(link("base") + link("arm") + joint("j", type, inside) + more);
}

const Joint& only_joint(const Model& model) { return model.forest.joint(model.joint("j")); }

const CompatibilityEntry& entry(const CompatibilityReport& report, const std::string& element,
                                const std::string& attribute = "") {
  const auto found = std::find_if(
      report.entries.begin(), report.entries.end(),
      [&](const CompatibilityEntry& e) { return e.element == element && e.attribute == attribute; });
  EXPECT_NE(found, report.entries.end()) << element << " " << attribute;
  static const CompatibilityEntry none;
  return found == report.entries.end() ? none : *found;
}

// ---- Links and joints ----

TEST(Urdf, LinksBecomeBodiesAtTheOriginOfTheirJoint) {
  const Model model = parse_urdf(
      two_links("revolute", "<origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/><axis xyz='0 0 2'/>" + kLimit),
      "r.urdf");
  const Body& arm = model.forest.bodies[std::size_t(model.body("arm"))];
  EXPECT_EQ(arm.parent, model.body("base"));
  EXPECT_TRUE(arm.X_PB.p.isApprox(Vec3(1, 2, 3)));
  EXPECT_TRUE((arm.X_PB.R * Vec3::UnitX()).isApprox(Vec3::UnitY()));
  EXPECT_EQ(only_joint(model).axis, Vec3::UnitZ());  // of unit length
  EXPECT_EQ(model.name, "r");
}

TEST(Urdf, AnOriginMayBeAQuaternion) {
  const Model model = parse_urdf(
      two_links("fixed", "<origin quat_xyzw='0 0 0.7071067811865476 0.7071067811865476'/>"), "r.urdf");
  EXPECT_TRUE((model.forest.bodies[2].X_PB.R * Vec3::UnitX()).isApprox(Vec3::UnitY()));
}

TEST(Urdf, InertiaTurnsWithTheInertialFrame) {
  const std::string inertial =
      "<inertial><origin xyz='0 0 1' rpy='1.5707963267948966 0 0'/><mass value='3'/>"
      "<inertia ixx='1' ixy='0' ixz='0' iyy='2' iyz='0' izz='2.5'/></inertial>";
  const Model model = parse_urdf(robot(link("base", inertial)), "r.urdf");
  const Inertia& inertia = model.forest.bodies[1].inertia;
  EXPECT_EQ(inertia.mass, 3.0);
  EXPECT_TRUE(inertia.com.isApprox(Vec3(0, 0, 1)));
  EXPECT_TRUE(inertia.I_com.isApprox(Mat3(Vec3(1, 2.5, 2).asDiagonal())));  // y of the frame is z of the link
}

TEST(Urdf, EveryTypeOfJointIsRead) {
  const auto type_of = [](const std::string& type, const std::string& inside = "") {
    return only_joint(parse_urdf(two_links(type, inside), "r.urdf")).type;
  };
  EXPECT_EQ(type_of("revolute", kLimit), JointType::revolute);
  EXPECT_EQ(type_of("continuous"), JointType::continuous);
  EXPECT_EQ(type_of("prismatic", kLimit), JointType::prismatic);
  EXPECT_EQ(type_of("floating"), JointType::free);
  EXPECT_EQ(type_of("planar"), JointType::planar);
  EXPECT_EQ(parse_urdf(two_links("fixed"), "r.urdf").forest.joints.size(), 0u);
}

TEST(Urdf, TheAxisIsXWhereNoneIsGiven) {
  EXPECT_EQ(only_joint(parse_urdf(two_links("continuous"), "r.urdf")).axis, Vec3::UnitX());
}

TEST(Urdf, APlanarJointSlidesNormalToItsAxis) {
  const Model model = parse_urdf(two_links("planar", "<axis xyz='0 0 1'/>"), "r.urdf");
  EXPECT_EQ(only_joint(model).axis, Vec3::UnitZ());
  EXPECT_EQ(only_joint(model).axis2, Vec3::UnitX());
}

TEST(Urdf, LimitsDampingAndFrictionAreKept) {
  const Model model =
      parse_urdf(two_links("prismatic", kLimit + "<dynamics damping='0.5' friction='0.25'/>"), "r.urdf");
  const Joint& j = only_joint(model);
  EXPECT_TRUE(j.limited);
  EXPECT_EQ(j.lower[0], -1.0);
  EXPECT_EQ(j.upper[0], 2.0);
  EXPECT_EQ(j.effort_limit, 7.0);
  EXPECT_EQ(j.velocity_limit, 3.0);
  EXPECT_EQ(j.damping[0], 0.5);
  EXPECT_EQ(j.friction_loss[0], 0.25);
}

TEST(Urdf, LimitsFrictionAndMimicAreHonouredAndSpeedsAreNotLimited) {
  CompatibilityReport report;
  parse_urdf(robot(link("base") + link("arm") + link("hand") +
                   joint("j", "prismatic", kLimit + "<dynamics damping='0.5' friction='0.25'/>") +
                   joint("k", "continuous", "<mimic joint='j' multiplier='2'/>", "arm", "hand")),
             "r.urdf", {}, &report);
  for (const char* attribute : {"lower", "upper"})
    EXPECT_EQ(entry(report, "limit", attribute).status, Compatibility::honoured) << attribute;
  EXPECT_EQ(entry(report, "limit", "effort").status, Compatibility::approximated);
  EXPECT_EQ(entry(report, "limit", "velocity").status, Compatibility::ignored);
  EXPECT_EQ(entry(report, "dynamics", "friction").status, Compatibility::honoured);
  for (const char* attribute : {"", "joint", "multiplier"})
    EXPECT_EQ(entry(report, "mimic", attribute).status, Compatibility::honoured) << attribute;
}

TEST(Urdf, AMimicJointNamesTheJointItFollows) {
  const Model model = parse_urdf(
      robot(link("base") + link("arm") + link("hand") + joint("j", "continuous") +
            joint("k", "continuous", "<mimic joint='j' multiplier='2' offset='0.5'/>", "arm", "hand")),
      "r.urdf");
  const Joint& k = model.forest.joint(model.joint("k"));
  ASSERT_TRUE(k.mimic);
  EXPECT_EQ(k.mimic->joint, "j");
  EXPECT_EQ(k.mimic->multiplier, 2.0);
  EXPECT_EQ(k.mimic->offset, 0.5);
}

TEST(Urdf, TheBaseIsFixedOrFloatsAsAsked) {
  EXPECT_EQ(parse_urdf(two_links("continuous"), "r.urdf").num_v(), 1);
  const Model floating = parse_urdf(two_links("continuous"), "r.urdf", {.floating_base = true});
  EXPECT_EQ(floating.num_q(), 8);
  EXPECT_EQ(floating.num_v(), 7);
  EXPECT_EQ(floating.forest.joint(floating.joint("base")).type, JointType::free);
}

TEST(Urdf, ARootLinkCalledWorldIsTheWorld) {
  const Model model = parse_urdf(robot(link("world", "") + link("base") +
                                       joint("j", "floating", "<origin xyz='0 0 1'/>", "world", "base")),
                                 "r.urdf");
  EXPECT_EQ(model.forest.bodies.size(), 2u);
  EXPECT_EQ(model.num_v(), 6);
  EXPECT_EQ(model.q0[6], 1.0);  // starts where the joint's origin is
}

TEST(Urdf, JointsComeDepthFirstInTheOrderOfTheFile) {
  const Model model = parse_urdf(
      robot(link("c") + link("b") + link("a") + link("base") + joint("z", "continuous", "", "base", "a") +
            joint("y", "continuous", "", "base", "b") + joint("x", "continuous", "", "a", "c")),
      "r.urdf");
  EXPECT_EQ(model.joint("z"), 0);
  EXPECT_EQ(model.joint("x"), 1);
  EXPECT_EQ(model.joint("y"), 2);
}

TEST(Urdf, MomentsThatViolateTheTriangleInequalityStayUnlessBalanced) {
  const std::string inertial =
      "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='4'/></inertial>";
  EXPECT_EQ(parse_urdf(robot(link("base", inertial)), "r.urdf").forest.bodies[1].inertia.I_com(2, 2), 4.0);
  const std::string block = "<mujoco><compiler balanceinertia='true'/></mujoco>";
  const Model balanced = parse_urdf(robot(block + link("base", inertial)), "r.urdf");
  EXPECT_TRUE(balanced.forest.bodies[1].inertia.I_com.isApprox(Mat3(2.0 * Mat3::Identity())));
}

TEST(Urdf, MujocosBoundsRaiseMassesAndMomentsThatAreBelow) {
  const std::string inertial =
      "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='2' iyz='0' izz='3'/></inertial>";
  const Model model = parse_urdf(
      robot("<mujoco><compiler boundmass='1.5' boundinertia='2.5'/></mujoco>" + link("base", inertial)),
      "r.urdf");
  EXPECT_EQ(model.forest.bodies[1].inertia.mass, 1.5);
  const Mat3 expected = Vec3(2.5, 2.5, 3.0).asDiagonal();
  EXPECT_LT((model.forest.bodies[1].inertia.I_com - expected).norm(), 1e-14);  // turned there and back
}

TEST(Urdf, MujocosTotalMassScalesAllLinks) {
  const Model model =
      parse_urdf(two_links("continuous", "", "<mujoco><compiler settotalmass='1'/></mujoco>"), "r.urdf");
  for (const int body : {1, 2}) {
    EXPECT_EQ(model.forest.bodies[std::size_t(body)].inertia.mass, 0.5);
    EXPECT_EQ(model.forest.bodies[std::size_t(body)].inertia.I_com(0, 0), 0.25);
  }
}

// ---- Shapes ----

std::string collision(const std::string& geometry, const std::string& more = "") {
  return "<collision><geometry>" + geometry + "</geometry>" + more + "</collision>";
}

Shape only_shape(const std::string& geometry) {
  const Model model = parse_urdf(robot(link("base", collision(geometry))), "r.urdf");
  EXPECT_EQ(model.shapes.size(), 1u);
  return model.shapes.at(0).shape;
}

TEST(Urdf, PrimitivesHaveTheSizesOfTheFile) {
  EXPECT_EQ(std::get<Box>(only_shape("<box size='2 4 6'/>")).half_extents, Vec3(1, 2, 3));
  EXPECT_EQ(std::get<Sphere>(only_shape("<sphere radius='2'/>")).radius, 2.0);
  EXPECT_EQ(std::get<Cylinder>(only_shape("<cylinder radius='2' length='3'/>")).length, 3.0);
  EXPECT_EQ(std::get<Capsule>(only_shape("<capsule radius='2' length='3'/>")).radius, 2.0);
  EXPECT_EQ(std::get<Ellipsoid>(only_shape("<drake:ellipsoid a='1' b='2' c='3'/>")).radii, Vec3(1, 2, 3));
}

TEST(Urdf, VisualsAreShownAndDoNotCollide) {
  const std::string visual =
      "<visual><geometry><sphere radius='1'/></geometry><material name='red'/></visual>";
  const Model model = parse_urdf(robot("<material name='red'><color rgba='1 0 0 1'/></material>" +
                                       link("base", visual + collision("<sphere radius='1'/>"))),
                                 "r.urdf");
  ASSERT_EQ(model.elements.shapes.size(), 2u);
  EXPECT_FALSE(model.elements.shapes[0].collides);
  EXPECT_EQ(model.elements.shapes[0].rgba, (Rgba{1, 0, 0, 1}));
  EXPECT_TRUE(model.elements.shapes[1].collides);
}

// A folder that is gone at the end of the test.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("stiction_urdf_" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  const fs::path& path() const { return path_; }
  fs::path write(const fs::path& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
    return path_ / name;
  }

 private:
  fs::path path_;
};

const std::string kTetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

TEST(Urdf, ACollisionMeshIsItsScaledHullAndReportedSo) {
  const Folder folder;
  folder.write("pack/meshes/t.obj", kTetrahedron);
  const fs::path file = folder.write(
      "pack/urdf/r.urdf",
      robot(link("base", collision("<mesh filename='package://pack/meshes/t.obj' scale='2 3 -4'/>"))));
  CompatibilityReport report;
  const Model model = load_urdf(file, {}, &report);
  const SharedHull hull = std::get<SharedHull>(model.shapes.at(0).shape);
  EXPECT_EQ(hull->vertices.size(), 4u);
  EXPECT_NEAR(volume(model.shapes[0].shape), 2.0 * 3.0 * 4.0 / 6.0, 1e-12);
  EXPECT_EQ(entry(report, "mesh").status, Compatibility::approximated);
}

// A tetrahedron in decimetres.
const std::string kDae =
    "<COLLADA version='1.4.1'><asset><unit meter='0.1'/><up_axis>Z_UP</up_axis></asset><library_geometries>"
    "<geometry id='g'><mesh><source id='s'><float_array>0 0 0 1 0 0 0 1 0 0 0 1</float_array></source>"
    "<vertices id='v'><input semantic='POSITION' source='#s'/></vertices><triangles count='4'>"
    "<input semantic='VERTEX' source='#v' offset='0'/><p>0 2 1  0 1 3  0 3 2  1 2 3</p></triangles>"
    "</mesh></geometry></library_geometries></COLLADA>";

TEST(Urdf, AColladaMeshCollidesInMetres) {
  const Folder folder;
  folder.write("t.dae", kDae);
  const fs::path file = folder.write("r.urdf", robot(link("base", collision("<mesh filename='t.dae'/>"))));
  EXPECT_NEAR(volume(load_urdf(file).shapes.at(0).shape), 1e-3 / 6.0, 1e-15);
}

TEST(Urdf, AColladaMeshThatCannotBeReadIsLeftOutIfItOnlyShowsSomething) {
  const Folder folder;
  folder.write("t.dae", "<COLLADA/>");
  const std::string mesh = "<geometry><mesh filename='t.dae'/></geometry>";
  const fs::path shown = folder.write("shown.urdf", robot(link("base", "<visual>" + mesh + "</visual>")));
  CompatibilityReport report;
  EXPECT_EQ(load_urdf(shown, {}, &report).shapes.size(), 0u);
  EXPECT_EQ(entry(report, "mesh", "filename").status, Compatibility::ignored);
  const fs::path touched =
      folder.write("touched.urdf", robot(link("base", "<collision>" + mesh + "</collision>")));
  EXPECT_THROW(load_urdf(touched), UserError);
}

TEST(Urdf, WithoutMeshesTheFileLoadsAndTheReportSaysSo) {
  CompatibilityReport report;
  const Model model = parse_urdf(robot(link("base", collision("<mesh filename='package://none/t.obj'/>"))),
                                 "r.urdf", {.load_meshes = false}, &report);
  EXPECT_EQ(model.shapes.size(), 0u);
  EXPECT_EQ(entry(report, "mesh", "filename").status, Compatibility::ignored);
}

TEST(UrdfMeshPath, PackagesAreFoundAboveTheFileAndOnThePackagePaths) {
  const Folder folder;
  folder.write("ws/near/m.obj", "");
  folder.write("elsewhere/far/m.obj", "");
  const UrdfFolders folders{folder.path() / "ws/robot/urdf", {folder.path() / "elsewhere"}, {}, true};
  EXPECT_EQ(find_urdf_file("package://near/m.obj", folders).path, folder.path() / "ws/near/m.obj");
  EXPECT_EQ(find_urdf_file("package://far/m.obj", folders).path, folder.path() / "elsewhere/far/m.obj");
  EXPECT_NE(find_urdf_file("package://gone/m.obj", folders).defect, "");
}

TEST(UrdfMeshPath, RelativeAbsoluteAndFilePathsAreFound) {
  const Folder folder;
  const fs::path mesh = folder.write("meshes/a b.obj", "");
  const UrdfFolders folders{folder.path() / "urdf", {}, {}, true};
  EXPECT_EQ(find_urdf_file("../meshes/a b.obj", folders).path, mesh);
  EXPECT_EQ(find_urdf_file(mesh.string(), folders).path, mesh);
  EXPECT_EQ(find_urdf_file("file://" + (folder.path() / "meshes/a%20b.obj").string(), folders).path, mesh);
}

TEST(UrdfMeshPath, PathsThatLeadOutAreRefused) {
  const UrdfFolders folders{"/opt/robot/urdf", {}, {}, true};
  EXPECT_NE(find_urdf_file("package://robot/../../etc/passwd", folders).defect.find("leads out"),
            std::string::npos);
  EXPECT_NE(find_urdf_file("package://../x", folders).defect.find("leads out"), std::string::npos);
  EXPECT_NE(find_urdf_file("../../../etc/passwd", folders).defect.find("leads out"), std::string::npos);
  EXPECT_NE(find_urdf_file("https://host/x.obj", folders).defect.find("cannot be fetched"),
            std::string::npos);
}

TEST(UrdfMeshPath, MujocosMeshFolderComesFirst) {
  const Folder folder;
  const fs::path mesh = folder.write("assets/t.obj", "");
  const UrdfFolders folders{folder.path(), {}, "assets", true};
  EXPECT_EQ(find_urdf_file("package://gone/deep/t.obj", folders).path, mesh);
}

// ---- Extensions ----

TEST(Urdf, ATransmissionIsAnActuatorWithDrakesReflectedInertia) {
  const std::string transmission =
      "<transmission name='t'><type>transmission_interface/SimpleTransmission</type>"
      "<joint name='j'><hardwareInterface>EffortJointInterface</hardwareInterface></joint>"
      "<actuator name='motor'><drake:rotor_inertia value='0.01'/><drake:gear_ratio value='10'/>"
      "<mechanicalReduction>1</mechanicalReduction></actuator></transmission>";
  CompatibilityReport report;
  const Model model = parse_urdf(two_links("revolute", kLimit, transmission), "r.urdf", {}, &report);
  ASSERT_EQ(model.elements.actuators.size(), 1u);
  EXPECT_EQ(model.elements.actuators[0].name, "motor");
  EXPECT_EQ(model.elements.actuators[0].target, "j");
  EXPECT_EQ(model.elements.actuators[0].force.upper, 7.0);
  EXPECT_DOUBLE_EQ(only_joint(model).armature[0], 0.01 * 10 * 10);
  EXPECT_EQ(entry(report, "drake:rotor_inertia", "value").status, Compatibility::honoured);
  EXPECT_EQ(entry(report, "mechanicalReduction").status, Compatibility::ignored);
}

TEST(Urdf, DrakesFrictionAndComplianceAreTakenAndAModulusOfARigidShapeIsReported) {
  CompatibilityReport report;
  const std::string properties =
      "<drake:proximity_properties><drake:mu_dynamic value='0.7'/><drake:mu_static value='0.9'/>"
      "<drake:hunt_crossley_dissipation value='3'/><drake:hydroelastic_modulus value='1e6'/>"
      "</drake:proximity_properties>";
  const Model model =
      parse_urdf(robot(link("base", collision("<sphere radius='1'/>", properties))), "r.urdf", {}, &report);
  EXPECT_EQ(model.elements.shapes.at(0).friction[0], 0.7);
  EXPECT_EQ(entry(report, "drake:mu_dynamic").status, Compatibility::honoured);
  EXPECT_EQ(model.shapes.at(0).contact.static_friction, 0.9);
  EXPECT_EQ(model.shapes.at(0).contact.dissipation, 3.0);
  EXPECT_EQ(entry(report, "drake:hunt_crossley_dissipation").status, Compatibility::honoured);
  EXPECT_EQ(entry(report, "drake:hydroelastic_modulus").status, Compatibility::ignored);
}

TEST(Urdf, DrakesJointsAreRead) {
  const auto drake = [](const std::string& type, const std::string& inside = "") {
    return parse_urdf(robot(link("base") + link("arm") + "<drake:joint name='j' type='" + type +
                            "'><parent link='base'/><child link='arm'/>" + inside + "</drake:joint>"),
                      "r.urdf");
  };
  EXPECT_EQ(only_joint(drake("ball")).type, JointType::ball);
  EXPECT_EQ(only_joint(drake("universal")).axis2, Vec3::UnitY());
  EXPECT_DOUBLE_EQ(only_joint(drake("screw", "<drake:screw_thread_pitch value='0.5'/>")).pitch,
                   0.5 / (2.0 * std::numbers::pi));  // Drake's pitch is per turn
}

TEST(Urdf, CollisionFilterGroupsExcludeEveryPairBetweenThem) {
  const Model model = parse_urdf(
      two_links("continuous", "",
                "<drake:collision_filter_group name='g'><drake:member link='base'/><drake:member link='arm'/>"
                "<drake:ignored_collision_filter_group name='g'/></drake:collision_filter_group>"),
      "r.urdf");
  ASSERT_EQ(model.elements.excludes.size(), 1u);
  EXPECT_EQ(model.elements.excludes[0].body1, "arm");
  EXPECT_EQ(model.elements.excludes[0].body2, "base");
}

TEST(Urdf, MujocosBlockSetsGravityAndDiscardsVisuals) {
  const Model model = parse_urdf(
      robot("<mujoco><compiler discardvisual='true'/><option gravity='0 0 -1' timestep='0.01'/></mujoco>" +
            link("base", kInertial + "<visual><geometry><sphere radius='1'/></geometry></visual>")),
      "r.urdf");
  EXPECT_EQ(model.forest.gravity, Vec3(0, 0, -1));
  EXPECT_EQ(model.elements.options.timestep, 0.01);
  EXPECT_EQ(model.shapes.size(), 0u);
}

TEST(Urdf, GazeboTagsAreReportedAsIgnored) {
  CompatibilityReport report;
  parse_urdf(two_links("fixed", "", "<gazebo reference='arm'><mu1>0.2</mu1></gazebo>"), "r.urdf", {},
             &report);
  EXPECT_EQ(entry(report, "gazebo", "reference").status, Compatibility::ignored);
  EXPECT_EQ(entry(report, "mu1").status, Compatibility::ignored);
}

TEST(Urdf, ALinkWithoutInertialIsReported) {
  CompatibilityReport report;
  parse_urdf(robot(link("base", "")), "r.urdf", {}, &report);
  EXPECT_EQ(entry(report, "link").status, Compatibility::approximated);
}

// ---- Real robots ----

struct RealRobot {
  const char* file;
  int joints;  // that move, counted in the file
};

// How often a pattern occurs in a file without its comments and its declaration.
int count_in(const fs::path& file, const char* pattern) {
  std::ifstream stream(file);
  std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  for (std::size_t begin = text.find("<!--"); begin != std::string::npos; begin = text.find("<!--"))
    text.erase(begin, text.find("-->", begin) + 3 - begin);
  if (text.rfind("<?", 0) == 0) text.erase(0, text.find("?>") + 2);
  const std::regex expression(pattern);
  return int(
      std::distance(std::sregex_iterator(text.begin(), text.end(), expression), std::sregex_iterator()));
}

class RealUrdf : public testing::TestWithParam<RealRobot> {};

TEST_P(RealUrdf, LoadsAndItsReportIsComplete) {
  const auto file = shared_file(GetParam().file);
  if (!file) GTEST_SKIP() << missing_shared_file(GetParam().file);
  CompatibilityReport report;
  const Model model = load_model_file(*file, {.floating_base = true}, &report);
  EXPECT_EQ(model.num_v(), GetParam().joints + 6);
  const auto attributes = std::count_if(report.entries.begin(), report.entries.end(),
                                        [](const CompatibilityEntry& e) { return !e.attribute.empty(); });
  EXPECT_EQ(attributes, count_in(*file, "=\\s*\""));
  EXPECT_EQ(int(report.entries.size()) - attributes, count_in(*file, "<[A-Za-z]"));
  // Nothing of these files is left without a word about it.
  for (const CompatibilityEntry& e : report.entries)
    EXPECT_NE(e.why, "not read") << e.element << " " << e.attribute << " in line " << e.line;
}

INSTANTIATE_TEST_SUITE_P(
    Robots, RealUrdf,
    testing::Values(
        RealRobot{"models/example-robot-data/robots/solo_description/robots/solo.urdf", 8},
        RealRobot{"models/example-robot-data/robots/solo_description/robots/solo12.urdf", 12},
        RealRobot{"models/example-robot-data/robots/allegro_hand_description/urdf/allegro_left_hand.urdf",
                  16},
        RealRobot{"models/example-robot-data/robots/allegro_hand_description/urdf/allegro_right_hand.urdf",
                  16},
        RealRobot{"models/google_barkour_vb/barkour_vb_rev_1_0_head_straight.urdf", 12}));

}  // namespace
}  // namespace stiction
