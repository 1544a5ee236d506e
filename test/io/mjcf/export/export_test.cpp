#include "stiction/io/mjcf/export/export.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "scenes/catalog.h"
#include "stiction/base/check.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/io/mjcf/mjcf.h"
#include "stiction/io/model_json.h"
#include "stiction/io/xml/xml.h"
#include "stiction/multibody/positions.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction {
namespace {

constexpr double kRoundOff = 1e-12;  // a quaternion and principal axes, and back to matrices

// The first element with this tag and name anywhere in the text.
struct FoundElement {
  XmlDocument document;
  std::optional<XmlElement> element;
};

std::optional<XmlElement> find(const XmlElement& root, const std::string& tag, const std::string& name) {
  if (root.name() == tag && (name.empty() || (root.has("name") && root.string("name") == name))) return root;
  for (const XmlElement& child : root.children())
    if (const auto found = find(child, tag, name)) return found;
  return std::nullopt;
}

FoundElement element_of(const Model& model, const std::string& tag, const std::string& name = "") {
  FoundElement out{parse_xml(write_mjcf(model), "written.xml"), std::nullopt};
  out.element = find(out.document.root(), tag, name);
  return out;
}

bool has_screw(const Model& model) {
  for (int j = 0; j < int(model.forest.joints.size()); ++j)
    if (model.forest.joint(j).type == JointType::screw) return true;
  return false;
}

bool has_superellipsoid(const Model& model) {
  for (const PlacedShape& shape : model.shapes)
    if (std::holds_alternative<Superellipsoid>(shape.shape)) return true;
  return false;
}

void expect_near(const double* a, const double* b, int count) {
  for (int i = 0; i < count; ++i) EXPECT_NEAR(a[i], b[i], kRoundOff);
}

// The compiled forests agree: what a joint of two axes is written as gives the same nodes.
void expect_same_forest(const Forest& a, const Forest& b) {
  ASSERT_EQ(a.nodes.size(), b.nodes.size());
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  EXPECT_EQ(a.gravity, b.gravity);
  for (std::size_t n = 0; n < a.nodes.size(); ++n) {
    SCOPED_TRACE(a.bodies[std::size_t(a.joints[std::size_t(a.nodes[n].joint)].body)].name);
    EXPECT_EQ(a.nodes[n].kind, b.nodes[n].kind);
    EXPECT_EQ(a.nodes[n].parent, b.nodes[n].parent);
    EXPECT_EQ(a.nodes[n].q_begin, b.nodes[n].q_begin);
    const NodeConstants &p = a.constants[n], &q = b.constants[n];
    expect_near(p.R, q.R, 12);
    expect_near(p.p, q.p, 4);
    expect_near(p.pseudo_inertia, q.pseudo_inertia, 16);
    EXPECT_EQ(p.slide, q.slide);
    EXPECT_EQ(p.reference, q.reference);
  }
  for (std::size_t d = 0; d < a.dofs.size(); ++d) {
    EXPECT_EQ(a.dofs[d].armature, b.dofs[d].armature);
    EXPECT_EQ(a.dofs[d].damping, b.dofs[d].damping);
    EXPECT_EQ(a.dofs[d].stiffness, b.dofs[d].stiffness);
    EXPECT_EQ(a.dofs[d].neutral, b.dofs[d].neutral);
  }
}

// Equal but for round-off in the numbers.
void expect_same_json(const nlohmann::json& a, const nlohmann::json& b, const std::string& where) {
  if (a.is_number() && b.is_number()) {
    EXPECT_NEAR(a.get<double>(), b.get<double>(), kRoundOff) << where;
  } else if (a.is_structured() && a.size() == b.size() && a.type() == b.type()) {
    for (const auto& item : a.items()) {
      const std::string place = where + "/" + item.key();
      if (a.is_array())
        expect_same_json(item.value(), b[std::stoul(item.key())], place);
      else if (b.contains(item.key()))
        expect_same_json(item.value(), b[item.key()], place);
      else
        ADD_FAILURE() << place << " is missing";
    }
  } else {
    EXPECT_EQ(a, b) << where;
  }
}

// Two fingers with a bit of everything that MJCF has.
constexpr const char* kEverything = R"(
<mujoco model="everything">
  <compiler angle="radian" autolimits="true"/>
  <option timestep="0.003" integrator="implicitfast" cone="elliptic" impratio="5" gravity="0.1 0 -9.8"
          density="1.2" viscosity="2e-5" wind="1 0 0">
    <flag warmstart="disable" energy="enable"/>
  </option>
  <asset>
    <texture name="grid" type="2d" builtin="checker" rgb1="0.1 0.2 0.3" width="64" height="64"/>
    <material name="matt" texture="grid" specular="0.1" rgba="0.2 0.3 0.4 1"/>
    <mesh name="wedge" vertex="0 0 0 0.5 0 0 0 0.5 0 0 0 0.5"/>
    <hfield name="hills" nrow="2" ncol="3" elevation="0 0.25 1 0.5 0.125 0" size="2 1 0.5 0.1"/>
  </asset>
  <worldbody>
    <light name="sun" pos="0 0 3" dir="0.6 0 -0.8" directional="true" castshadow="false"/>
    <camera name="eye" pos="1 0 1" quat="0.6 0 0.8 0" fovy="60" mode="targetbody" target="finger"/>
    <geom name="ground" type="plane" size="0 0 1" condim="1" friction="0.7 0.01 0.001"/>
    <geom name="terrain" type="hfield" hfield="hills" pos="5 0 0"/>
    <body name="hand" mocap="true" pos="0 0 1"><geom name="palm" type="box" size="0.1 0.2 0.3"/></body>
    <body name="finger" pos="0.1 0.2 0.3" quat="0.8 0.6 0 0" gravcomp="0.5">
      <inertial mass="0.7" pos="0.01 0.02 0.03" fullinertia="0.02 0.03 0.04 0.001 -0.002 0.003"/>
      <joint name="knuckle" axis="0 1 0" range="-0.5 1.5" damping="0.3" stiffness="2" springref="0.2" ref="0.1"
             armature="0.01" frictionloss="0.05" actuatorfrcrange="-3 3"/>
      <joint name="stretch" type="slide" axis="1 0 0" pos="0 0 0.1"/>
      <geom name="bone" type="capsule" size="0.02 0.1" rgba="1 0 0 1" group="2" margin="0.01" gap="0.002"/>
      <geom name="skin" type="mesh" mesh="wedge" contype="0" conaffinity="0" material="matt"/>
      <geom name="pad" type="mesh" mesh="wedge" solref="0.01 0.9" solimp="0.8 0.9 0.01 0.4 3" priority="1"/>
      <site name="tip" pos="0 0 0.2" type="box" size="0.01 0.02 0.03"/>
      <site name="side" pos="0.05 0 0.1"/>
      <body name="nail" pos="0 0 0.2">
        <inertial mass="0.1" pos="0 0 0" diaginertia="1e-4 2e-4 2.5e-4"/>
        <joint name="nail_hinge" axis="0 0 1" limited="true" range="-1 1"/>
        <geom name="pulley" type="cylinder" size="0.01 0.02"/>
        <geom name="ball" type="sphere" size="0.01"/>
        <geom name="egg" type="ellipsoid" size="0.01 0.02 0.03"/>
        <site name="end" pos="0 0 0.05"/>
      </body>
    </body>
    <body name="thing" pos="1 2 3" quat="0.6 0 0 0.8">
      <freejoint name="flight"/>
      <inertial mass="2" pos="0.1 0 0" diaginertia="0.1 0.2 0.25"/>
    </body>
    <body name="lead" pos="3 0 1"><inertial mass="1" pos="0.1 0 0" quat="0.8 0 0.6 0" diaginertia="0.2 0.1 0.15"/></body>
    <body name="bob" pos="2 0 1">
      <joint name="swing" type="ball" range="0 1.2" damping="0.1"/>
      <inertial mass="1" pos="0 0 -0.5" diaginertia="0.1 0.1 0.02"/>
    </body>
  </worldbody>
  <contact>
    <exclude name="none" body1="finger" body2="nail"/>
    <pair name="touch" geom1="bone" geom2="palm" condim="4" friction="1 0.9 0.01 0.001 0.002" margin="0.001"/>
  </contact>
  <tendon>
    <fixed name="both" range="-1 1" stiffness="3"><joint joint="knuckle" coef="0.5"/><joint joint="nail_hinge" coef="-0.7"/></fixed>
    <spatial name="string" width="0.002" springlength="0.1 0.2" damping="0.4">
      <site site="tip"/><geom geom="pulley" sidesite="side"/><site site="end"/><pulley divisor="2"/><site site="tip"/><site site="side"/>
    </spatial>
  </tendon>
  <equality>
    <connect name="pin" body1="bob" body2="thing" anchor="0 0 0.1"/>
    <weld name="glue" body1="nail" body2="finger" relpose="0 0 0.2 0.6 0.8 0 0" torquescale="2" active="false"/>
    <joint name="couple" joint1="nail_hinge" joint2="knuckle" polycoef="0.1 0.2 0.3 0 0" solref="0.03 1"/>
    <weld name="marks" site1="tip" site2="side"/>
  </equality>
  <actuator>
    <motor name="pull" tendon="string" gear="3" ctrlrange="-1 1"/>
    <position name="servo" joint="knuckle" kp="20" dampratio="0.8" forcerange="-5 5"/>
    <general name="slow" joint="nail_hinge" dyntype="filter" dynprm="0.1" gainprm="2" biastype="affine" biasprm="0 -2 -0.1" armature="0.001" damping="0.02" gear="10" actearly="true"/>
    <general name="jet" site="tip" refsite="side" gear="1 0 0 0 0.5 0"/>
  </actuator>
  <sensor>
    <gyro name="turning" site="tip" noise="0.01"/>
    <jointpos name="angle" joint="knuckle" cutoff="3"/>
    <framepos name="place" objtype="body" objname="nail" reftype="site" refname="side"/>
    <tendonpos name="length" tendon="string"/>
    <actuatorfrc name="effort" actuator="servo"/>
    <subtreecom name="centre" body="finger"/>
    <distance name="gap" geom1="bone" geom2="palm" cutoff="1"/>
    <clock name="time"/>
    <framequat name="leaning" objtype="body" objname="lead"/>
    <contact name="press" geom1="bone" body2="thing" data="found force" num="3" reduce="maxforce"/>
    <contact name="anything" subtree2="finger"/>
    <insidesite name="home" site="tip" objtype="xbody" objname="nail"/>
    <rangefinder name="far" site="tip" data="dist normal"/>
  </sensor>
  <custom><numeric name="gains" data="1 2.5 3"/><text name="note" data="a &amp; b"/></custom>
  <keyframe>
    <key name="home" time="1" qpos="0.3 0.1 -0.2 1 2 3.5 0.8 0 0.6 0 1 0 0 0" qvel="0.1 0.2 0.3 1 2 3 0.4 0.5 0.6 0.7 0.8 0.9"
         act="0.25" ctrl="0.1 0.2 0.3 0.4" mpos="0 0 1.5" mquat="1 0 0 0"/>
  </keyframe>
</mujoco>
)";

TEST(MjcfExport, EverySceneComesBackAsTheSameForest) {
  for (const SceneEntry& entry : scene_catalog()) {
    SCOPED_TRACE(entry.name);
    const Model model = entry.make();
    if (has_screw(model) || has_superellipsoid(model)) continue;
    const Model back = parse_mjcf(write_mjcf(model));
    expect_same_forest(model.forest, back.forest);
    ASSERT_EQ(model.frames.size(), back.frames.size());
    for (const Frame& frame : model.frames) {
      const Frame& there = back.frames[std::size_t(back.frame(frame.name))];
      EXPECT_EQ(model.forest.bodies[std::size_t(frame.body)].name,
                back.forest.bodies[std::size_t(there.body)].name);
      expect_near(frame.X_BF.R.data(), there.X_BF.R.data(), 9);
      EXPECT_EQ(frame.X_BF.p, there.X_BF.p);
    }
    ASSERT_EQ(model.shapes.size(), back.shapes.size());
    for (const PlacedShape& shape : model.shapes) {
      const PlacedShape& there = back.shapes[std::size_t(back.shape(shape.name))];
      EXPECT_EQ(shape.shape.index(), there.shape.index());
      // MJCF keeps the vertices of meshes in single precision.
      const bool is_mesh = std::holds_alternative<SharedHull>(shape.shape);
      if (is_mesh)
        EXPECT_NEAR(volume(shape.shape), volume(there.shape), 1e-6 * volume(shape.shape));
      else
        EXPECT_EQ(volume(shape.shape), volume(there.shape));
      expect_near(shape.X_BS.R.data(), there.X_BS.R.data(), 9);
    }
  }
}

TEST(MjcfExport, EverythingThatMjcfSaysComesBack) {
  const Model model = parse_mjcf(kEverything);
  MjcfExportReport report;
  const Model back = parse_mjcf(write_mjcf(model, &report));
  EXPECT_EQ(to_text(report), "");
  expect_same_json(nlohmann::json::parse(model_to_json(model)), nlohmann::json::parse(model_to_json(back)),
                   "");
}

TEST(MjcfExport, AFreeBodyOfAKeyframeHasItsPlaceFirstAndTheVelocityOfItsOrigin) {
  ModelBuilder builder;
  Inertia inertia = solid_box(2.0, Vec3(0.1, 0.2, 0.3));
  inertia.com = Vec3(0.5, 0, 0);
  builder.add_free_body("brick", {}, inertia);
  Model model = builder.build();
  Keyframe key;
  key.q = VecX::Zero(7);
  // A quarter turn about z: the centre of mass is at y = 0.5 from the origin.
  key.q << std::sqrt(0.5), 0, 0, std::sqrt(0.5), 1, 2, 3;
  key.v = VecX::Zero(6);
  key.v << 0, 3, 4, 10, 20, 30;
  model.elements.keyframes.push_back(key);
  const FoundElement found = element_of(model, "key");
  const std::vector<double> q = found.element->numbers("qpos", 7, 7),
                            v = found.element->numbers("qvel", 6, 6);
  EXPECT_EQ(Vec3(q[0], q[1], q[2]), Vec3(1, 2, 3));
  EXPECT_EQ(Vec4(q[3], q[4], q[5], q[6]), Vec4(std::sqrt(0.5), 0, 0, std::sqrt(0.5)));
  // v = u - w x r with w = (0, 3, 4), r = (0, 0.5, 0), w x r = (-2, 0, 0); w in the body's axes is (3, 0, 4).
  EXPECT_LT((Vec3(v[0], v[1], v[2]) - Vec3(12, 20, 30)).norm(), kRoundOff);
  EXPECT_LT((Vec3(v[3], v[4], v[5]) - Vec3(3, 0, 4)).norm(), kRoundOff);
}

TEST(MjcfExport, AnInitialPositionThatIsNotTheReferenceIsAKeyframe) {
  const Model model = make_scene("pendulum");
  ASSERT_NE(model.q0, reference_positions(model.forest));
  MjcfExportReport report;
  const Model back = parse_mjcf(write_mjcf(model, &report));
  ASSERT_EQ(back.elements.keyframes.size(), 1u);
  EXPECT_EQ(back.elements.keyframes[0].name, "initial");
  EXPECT_EQ(back.elements.keyframes[0].q, model.q0);
  EXPECT_NE(to_text(report).find("reference position"), std::string::npos);
}

TEST(MjcfExport, RodsSlotsAndBushingsAreReportedAsLeftOut) {
  ModelBuilder builder;
  builder.add_free_body("ball", translation(0, 0, 1), solid_sphere(1.0, 0.1));
  builder.add_frame("centre", "ball", {});
  builder.add_constraint(DistanceConstraint{"rope", "centre", "", 0.0, 1.0});
  builder.add_constraint(SlotConstraint{"groove", "centre", ""});
  Bushing bushing;
  bushing.name = "mount";
  bushing.frame1 = "centre";
  builder.add_constraint(bushing);
  MjcfExportReport report;
  write_mjcf(builder.build(), &report);
  EXPECT_NE(to_text(report).find("rope"), std::string::npos);
  EXPECT_NE(to_text(report).find("MJCF has no slots"), std::string::npos);
  EXPECT_NE(to_text(report).find("MJCF has no bushings"), std::string::npos);
}

TEST(MjcfExport, AScrewBecomesAHingeAndASlideAndIsReported) {
  const Model model = make_scene("all_joints");
  MjcfExportReport report;
  const Model back = parse_mjcf(write_mjcf(model, &report));
  EXPECT_NE(to_text(report).find("a screw becomes a hinge and a slide"), std::string::npos);
  EXPECT_EQ(back.num_v(), model.num_v() + 1);
  ASSERT_EQ(back.elements.equalities.size(), 1u);
  const Equality& equality = back.elements.equalities[0];
  EXPECT_EQ(equality.object1, "thread_slide");
  EXPECT_EQ(equality.object2, "thread");
  EXPECT_EQ(equality.polynomial[1], 0.04);  // the scene's pitch, m/rad
}

TEST(MjcfExport, AJointThatFollowsAnotherIsAnEqualityBetweenDistancesFromTheReferences) {
  ModelBuilder builder;
  Joint leader, follower;
  leader.name = "leader";
  leader.reference = 0.5;
  follower.name = "follower";
  follower.reference = 0.2;
  follower.mimic = Mimic{"leader", -2.0, 0.3};
  for (Joint* joint : {&leader, &follower}) {
    builder.add_body(joint->name + "_body", "world", {}, solid_sphere(1.0, 0.1));
    builder.add_joint(joint->name + "_body", *joint);
  }
  const Model model = builder.build();
  FoundElement found{parse_xml(write_mjcf(model), "written.xml"), std::nullopt};
  const XmlElement equality = found.document.root().required_child("equality").required_child("joint");
  EXPECT_EQ(equality.string("joint1"), "follower");
  EXPECT_EQ(equality.string("joint2"), "leader");
  // q1 = -2 q2 + 0.3: q1 - 0.2 = -2 (q2 - 0.5) + (0.3 - 2 * 0.5 - 0.2).
  const std::vector<double> c = equality.numbers("polycoef", 5, 5);
  EXPECT_NEAR(c[0], -0.9, kRoundOff);
  EXPECT_EQ(c[1], -2.0);
}

TEST(MjcfExport, RotorsOfActuatorsAreNotCountedTwice) {
  const Model model = parse_mjcf(kEverything);
  const FoundElement found = element_of(model, "joint", "nail_hinge");
  EXPECT_EQ(model.forest.joint(model.joint("nail_hinge")).armature[0], 100.0 * 0.001);  // gear 10
  EXPECT_FALSE(found.element->has("armature"));
  EXPECT_FALSE(found.element->has("damping"));
}

TEST(MjcfExport, NamesThatAreTakenOrCannotBeWrittenAreChangedAndReported) {
  Model model = make_scene("arm");
  Sensor sensor;
  sensor.kind = "clock";
  sensor.name = "time";
  model.elements.sensors = {sensor, sensor};
  sensor.name = "bell\a";
  model.elements.sensors.push_back(sensor);
  MjcfExportReport report;
  const Model back = parse_mjcf(write_mjcf(model, &report));
  EXPECT_EQ(back.elements.sensors[0].name, "time");
  EXPECT_EQ(back.elements.sensors[1].name, "time_1");
  EXPECT_EQ(back.elements.sensors[2].name, "bell_");
  EXPECT_NE(to_text(report).find("written as 'time_1'"), std::string::npos);
}

TEST(MjcfExport, NamesWithMarksOfXmlComeBack) {
  ModelBuilder builder("a<b> & \"c\"");
  builder.add_free_body("left/'arm' <1> & 2", {}, solid_sphere(1.0, 0.1));
  const Model back = parse_mjcf(write_mjcf(builder.build()));
  EXPECT_EQ(back.name, "a<b> & \"c\"");
  EXPECT_EQ(back.forest.bodies[1].name, "left/'arm' <1> & 2");
}

TEST(MjcfExport, ThingsThatReferToWhatIsLeftOutAreLeftOutAndReported) {
  ModelBuilder builder;
  builder.add_free_body("tray", {}, solid_sphere(1.0, 0.1));
  builder.add_shape("plate", "tray", {}, HalfSpace{});
  builder.add_shape("knob", "tray", {}, Sphere{0.1});
  Model model = builder.build();
  ContactPair pair;
  pair.shape1 = "plate";
  pair.shape2 = "knob";
  model.elements.pairs.push_back(pair);
  MjcfExportReport report;
  const Model back = parse_mjcf(write_mjcf(model, &report));
  EXPECT_TRUE(back.elements.pairs.empty());
  EXPECT_EQ(back.shapes.size(), 1u);
  EXPECT_NE(to_text(report).find("planes and terrains do not move"), std::string::npos);
  EXPECT_NE(to_text(report).find("there is no single geom 'plate'"), std::string::npos);
}

TEST(MjcfExport, TerrainThatDoesNotStartAtZeroKeepsItsHeights) {
  auto field = std::make_shared<HeightField>(height_field(2, 2, {0, 1, 2, 3}, {1.0, 1.0, 1.5, 0.25}));
  for (double& height : field->heights) height = 0.5 + height / 2.0;  // 0.5 to 1.25
  ModelBuilder builder;
  builder.add_shape("hills", "world", {}, SharedHeightField(field));
  const Model back = parse_mjcf(write_mjcf(builder.build()));
  const PlacedShape& placed = back.shapes[0];
  const SharedHeightField& there = std::get<SharedHeightField>(placed.shape);
  for (int row = 0; row < 2; ++row)
    for (int col = 0; col < 2; ++col)
      EXPECT_LT((placed.X_BS * there->point(row, col) - field->point(row, col)).norm(), kRoundOff);
  EXPECT_NEAR(placed.X_BS.p.z() - there->size.base, -field->size.base, kRoundOff);
}

TEST(MjcfExport, MeshesBecomeFilesBesideTheModelWhereThatIsWanted) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "mjcf_export_test";
  std::filesystem::create_directories(folder);
  TriangleMesh surface;
  surface.vertices = {Vec3(0, 0, 0), Vec3(0.5, 0, 0), Vec3(0, 0.25, 0), Vec3(0, 0, 0.75)};
  surface.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  ModelBuilder builder;
  builder.add_free_body("block", {}, solid_sphere(1.0, 0.1));
  builder.add_shape("block/hull", "block", {},
                    std::make_shared<const ConvexHull>(convex_hull(surface.vertices)));
  const Model model = builder.build();
  save_mjcf(model, folder / "block.xml", {.mesh_files = true});
  EXPECT_TRUE(std::filesystem::exists(folder / "block_meshes" / "block_hull.obj"));
  const Model back = load_mjcf(folder / "block.xml");
  EXPECT_NEAR(volume(back.shapes[0].shape), 0.5 * 0.25 * 0.75 / 6.0, kRoundOff);
  std::filesystem::remove_all(folder);
}

TEST(MjcfExport, BodiesNestedTooDeepAreRefused) {
  ModelBuilder builder;
  std::string parent = "world";
  for (int i = 0; i < 1200; ++i) {
    const std::string name = "link" + std::to_string(i);
    builder.add_body(name, parent, translation(0, 0, 0.1), solid_sphere(1.0, 0.1));
    parent = name;
  }
  EXPECT_THROW(write_mjcf(builder.build()), UserError);
}

}  // namespace
}  // namespace stiction
