#include "stiction/io/scene_file/scene_file.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "stiction/base/check.h"
#include "stiction/io/scene_file/schema.h"
#include "stiction/simulation/formulation.h"
#include "test/base/caught_warnings.h"

namespace stiction {
namespace {

std::string error_of(const std::string& text, const SceneFileOptions& options = {}) {
  try {
    parse_scene(text, "s.toml", options);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

// A ball of 2 kg above a floor.
const std::string kBall = R"(
[[ground]]
[[object]]
name = "ball"
shape = "sphere"
radius = 0.1
mass = 2.0
position = [0, 0, 1]
)";

// A folder of its own with one file in it, gone at the end of the test.
class SceneFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("stiction_scene_" + std::to_string(::getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }

  std::filesystem::path folder_;
};

constexpr const char* kSled = R"(<mujoco model="sled"><option timestep="0.004" gravity="0 0 -5"/>
<worldbody><body name="sled" pos="0 0 1"><joint name="rail" type="slide" axis="1 0 0"/><geom name="sled" size="0.1" mass="3"/></body></worldbody>
<actuator><motor name="push" joint="rail"/></actuator>
<keyframe><key name="ahead" qpos="0.5" ctrl="6"/></keyframe></mujoco>)";

TEST(SceneFile, ASphereHasItsMassAndPlaceAndFallsByHalfGTSquared) {
  const Scene scene = parse_scene(kBall + "[simulation]\nstep = 1e-4\n");
  EXPECT_EQ(scene.model.shapes.size(), 2u);
  EXPECT_NEAR(scene.model.forest.bodies[1].inertia.mass, 2.0, 1e-15);
  World world = make_world(scene);
  world.simulate(0.2);
  // Semi-implicit Euler falls by g h t/2 more than g t^2/2.
  EXPECT_NEAR(world.body_pose("ball").p.z(), 1.0 - 0.5 * 9.81 * 0.04, 9.81 * 1e-4 * 0.2);
}

TEST(SceneFile, SettlesAndHasARelaxationTimeAndWritesBoth) {
  const std::string text = R"(
[simulation]
relaxation_time = 0.2
[[ground]]
[[object]]
name = "ball"
shape = "sphere"
radius = 0.1
position = [0, 0, 0.09]
[start]
settle = true
)";
  const Scene scene = parse_scene(text);
  EXPECT_EQ(scene.options.formulation.constraints.relaxation_time, 0.2);
  EXPECT_TRUE(scene.settles);
  EXPECT_NEAR(make_world(scene).body_pose("ball").p.z(), 0.1, 2e-6);
  const Scene copy = parse_scene(write_scene(scene, ""));
  EXPECT_EQ(copy.options.formulation.constraints.relaxation_time, 0.2);
  EXPECT_TRUE(copy.settles);
  EXPECT_EQ(hash(make_world(copy).state()), hash(make_world(scene).state()));
  EXPECT_THROW(parse_scene("[simulation]\nrelaxation_time = -1\n"), UserError);
}

TEST(SceneFile, SizesOfABoxAreItsEdges) {
  const Scene scene = parse_scene("[[object]]\nname='b'\nshape='box'\nsize=[1, 2, 3]\ndensity=10\n");
  EXPECT_NEAR(scene.model.forest.bodies[1].inertia.mass, 60.0, 1e-12);
}

TEST(SceneFile, ThreeWaysToSayTheSameTurn) {
  const std::string object = "[[object]]\nname='b'\nshape='sphere'\nradius=1\n";
  for (const std::string turn :
       {"rpy=[0, 0, 1.5707963267948966]", "quaternion=[2, 0, 0, 2]", "rotation=[[0,-1,0],[1,0,0],[0,0,1]]"}) {
    const Pose X = parse_scene(object + turn).model.forest.bodies[1].X_PB;
    EXPECT_NEAR((X.R * Vec3::UnitX() - Vec3::UnitY()).norm(), 0.0, 1e-15) << turn;
  }
  EXPECT_NE(error_of(object + "rpy=[0,0,0]\nquaternion=[1,0,0,0]").find("only one of"), std::string::npos);
}

TEST(SceneFile, CopiesStandOnAGridWithNumbersInTheirNames) {
  const Scene scene = parse_scene(
      "[[object]]\nname='b'\nshape='sphere'\nradius=0.1\nposition=[1,0,0]\ncount=[2,1,3]\nspacing=[0.5,0,1]"
      "\n");
  EXPECT_EQ(scene.model.forest.bodies.size(), 7u);
  EXPECT_EQ(scene.model.forest.bodies[size_t(scene.model.body("b5"))].X_PB.p, Vec3(1.5, 0, 2));
}

TEST(SceneFile, MaterialsGoToShapesByPattern) {
  const Scene scene =
      parse_scene(kBall + "[material.ice]\nfriction=0.05\n[[assign]]\nshapes='b*'\nmaterial='ice'\n");
  EXPECT_EQ(scene.model.shapes[1].contact.static_friction, 0.05);
  EXPECT_FALSE(scene.model.shapes[0].contact.static_friction);
}

TEST(SceneFile, AForceTableCarriesTheWeightAtItsOverlapAndIsWritten) {
  // 2 kg weigh 19.62 N: the second point.
  const std::string text = kBall +
                           "[material.foam]\nforce_table = [[0, 0], [0.002, 19.62], [0.005, 60]]\n"
                           "[[assign]]\nshapes = '*'\nmaterial = 'foam'\n";
  const Scene scene = parse_scene(text), copy = parse_scene(write_scene(scene, ""));
  ASSERT_EQ(copy.model.shapes[1].contact.force_table, scene.model.shapes[1].contact.force_table);
  // Two such surfaces in series: each gives 2 mm.
  World world(scene.model, scene.options);
  world.set_body_pose("ball", translation(0, 0, 0.096));
  world.simulate(2.0);
  EXPECT_NEAR(0.1 - world.body_pose("ball").p.z(), 4e-3, 1e-6);
  EXPECT_NE(error_of("[material.a]\nforce_table = [[0, 0], [1, 2], [2, 1]]")
                .find("s.toml:1:1: point 3 of the force table"),
            std::string::npos);
}

TEST(SceneFile, APairHasItsOwnFriction) {
  // A block at 1 m/s on a floor: it stops after v^2/(2 mu g).
  const Scene scene = parse_scene(R"(
[simulation]
step = 5e-4
[[ground]]
[[object]]
name = "block"
shape = "box"
size = [0.2, 0.2, 0.05]
position = [0, 0, 0.025]
velocity = [1, 0, 0]
[[pair]]
shapes = ["block", "ground"]
friction = 0.25
)");
  World world = make_world(scene);
  world.simulate(1.0);
  EXPECT_NEAR(world.body_pose("block").p.x(), 1.0 / (2.0 * 0.25 * 9.81), 0.01 * 0.2);
}

TEST(SceneFile, WhatIsKeptApartFallsThrough) {
  const Scene scene = parse_scene(kBall + "[[pair]]\nshapes=['ball','ground']\ncollides=false\n");
  World world = make_world(scene);
  world.simulate(1.0);
  EXPECT_LT(world.body_pose("ball").p.z(), -3.0);
}

TEST(SceneFile, SettingsReachTheWorld) {
  const Scene scene = parse_scene(kBall + R"(
[simulation]
time = 3
step = 0.005
scheme = "midpoint"
threads = 2
seed = 7
gravity = [0, 0, -1.62]
[contact]
formulation = "pyramid_lcp+lemke"
facets = 8
inscribed = true
tolerance = 1e-9
absolute_tolerance = 1e-5
max_iterations = 50
penetration_recovery = 0.3
)");
  EXPECT_EQ(scene.time, 3.0);
  EXPECT_EQ(scene.options.h, 0.005);
  EXPECT_STREQ(scene.options.formulation.scheme->name(), "midpoint");
  EXPECT_EQ(scene.threads, 2);
  EXPECT_EQ(scene.options.sensor_noise, 7u);
  EXPECT_EQ(scene.model.forest.gravity, Vec3(0, 0, -1.62));
  const Formulation& f = scene.options.formulation;
  EXPECT_EQ(formulation_name(f.contact), "pyramid_lcp+lemke");
  EXPECT_EQ(f.dual.pyramid.facets, 8);
  EXPECT_TRUE(f.dual.pyramid.is_inscribed);
  EXPECT_EQ(f.dual.tolerance, 1e-9);
  EXPECT_EQ(f.dual.absolute_tolerance, 1e-5);
  EXPECT_EQ(f.newton.max_iterations, 50);
  EXPECT_EQ(f.contact.rigid.penetration_recovery, 0.3);
}

TEST_F(SceneFolder, AModelAloneKeepsItsStepGravityAndKeyframes) {
  write("sled.xml", kSled);
  write("s.toml", "[[model]]\nfile='sled.xml'\n[start]\nkeyframe='ahead'\n");
  const Scene scene = load_scene_file(folder_ / "s.toml");
  EXPECT_EQ(scene.options.h, 0.004);
  EXPECT_EQ(scene.model.forest.gravity, Vec3(0, 0, -5));
  World world = make_world(scene);
  EXPECT_EQ(world.position("rail"), 0.5);
  EXPECT_EQ(world.control("push"), 6.0);
}

TEST_F(SceneFolder, AModelWithObjectsBesideItKeepsItsKeyframes) {
  write("sled.xml", kSled);
  write("s.toml", "[[model]]\nfile='sled.xml'\n[start]\nkeyframe='ahead'\n" + kBall);
  const Scene scene = load_scene_file(folder_ / "s.toml");
  World world = make_world(scene);
  EXPECT_EQ(world.position("rail"), 0.5);
  EXPECT_EQ(world.control("push"), 6.0);
  EXPECT_EQ(world.body_pose("ball").p, Vec3(0, 0, 1));
  EXPECT_EQ(scene.model.forest.gravity, Vec3(0, 0, -5));
}

TEST_F(SceneFolder, TwoModelsHaveNamesPosesAndKeyframesOfTheirOwn) {
  write("sled.xml", kSled);
  write("s.toml", R"(
[[model]]
file = "sled.xml"
name = "a"
keyframe = "ahead"
[[model]]
file = "sled.xml"
name = "b"
position = [0, 5, 0]
)");
  CompatibilityReport report;
  const Scene scene = load_scene_file(folder_ / "s.toml", {}, &report);
  World world = make_world(scene);
  EXPECT_EQ(world.position("a/rail"), 0.5);
  EXPECT_EQ(world.control("a/push"), 6.0);
  EXPECT_EQ(world.position("b/rail"), 0.0);
  EXPECT_EQ(world.control("b/push"), 0.0);
  EXPECT_EQ(world.body_pose("b/sled").p, Vec3(0, 5, 1));
  // Their steps and gravities do not come along, and the report says so.
  bool is_said = false;
  for (const CompatibilityEntry& entry : report.entries)
    is_said = is_said || (entry.element == "option" && entry.status == Compatibility::ignored);
  EXPECT_TRUE(is_said);
}

TEST_F(SceneFolder, DrivesMoveJointsByTheirSetpoints) {
  write("sled.xml", kSled);
  write("s.toml", R"(
[[model]]
file = "sled.xml"
[[drive]]
joint = "rail"
name = "servo"
kp = 3e4
kv = 6e2
[[setpoint]]
actuator = "servo"
table = [[0, 0], [1, 0.3]]
)");
  const Scene scene = load_scene_file(folder_ / "s.toml");
  World world = make_world(scene);
  while (world.time() < 3.0) {
    apply(scene.schedule, &world);
    world.step();
  }
  EXPECT_NEAR(world.position("rail"), 0.3, 1e-6);  // two seconds are 200 time constants of 10 ms
}

TEST(SceneFile, ATableOfForcesPushesAlongEveryAxis) {
  const Scene scene = parse_scene(kBall + R"(
[simulation]
gravity = [0, 0, 0]
[[disturbance]]
body = "ball"
table = [[0, 2, 0, 4], [0.5, 2, 0, 4]]
)");
  World world = make_world(scene);
  for (int i = 0; i < 100; ++i) {
    apply(scene.schedule, &world);
    world.step();
  }
  // F t/m
  EXPECT_NEAR((Vec3(world.body_velocity("ball").tail<3>()) - Vec3(0.2, 0, 0.4)).norm(), 0.0, 1e-12);
}

TEST(SceneFile, JointsStartWhereTheFileSays) {
  const Scene scene = parse_scene(kBall +
                                  "[start]\npositions = { ball = [1, 0, 0, 0, 3, 4, 5] }\n"
                                  "velocities = { ball = [0, 0, 0, 1, 2, 3] }\n");
  const World world = make_world(scene);
  EXPECT_EQ(world.body_pose("ball").p, Vec3(3, 4, 5));
  EXPECT_EQ(Vec3(world.body_velocity("ball").tail<3>()), Vec3(1, 2, 3));
}

TEST(SceneFile, RecordsChooseSensorsByPattern) {
  const Scene scene = parse_scene(kBall + R"(
[[sensor]]
name = "ball place"
kind = "framepos"
object = "ball"
[[sensor]]
name = "time"
kind = "clock"
[record]
sensors = "ball*"
every = 10
)");
  EXPECT_EQ(scene.recorded_sensors, std::vector<int>{0});
  EXPECT_EQ(scene.record_every, 10);
  World world = make_world(scene);
  EXPECT_EQ(world.sensor("ball place")[2], 1.0);
}

TEST(SceneFile, MistakesAreNamedWithFileLineAndColumn) {
  const struct {
    const char* text;
    const char* message;
  } cases[] = {
      {"[material.a]\nstifness = 1e6",
       "s.toml:2:1: 'stifness' is not a key of [material.NAME]; did you mean 'stiffness'?"},
      {"[simulaton]", "s.toml:1:2: 'simulaton' is not a key of a scene; did you mean 'simulation'?"},
      {"[object]\nname = 'b'", "s.toml:1:2: there may be several of these: write [[object]]"},
      {"[[simulation]]", "s.toml:1:3: there is only one of these: write [simulation]"},
      {"[simulation]\nstep = 'fast'", "s.toml:2:8: 'step' must be a number, not a text"},
      {"[simulation]\nstep = 0", "s.toml:2:8: 'step' must be positive, not 0"},
      {"[simulation]\nstep = nan", "s.toml:2:8: 'step' must be finite"},
      {"[simulation]\ngravity = [0, 1]", "s.toml:2:11: 'gravity' must be 3 numbers, not 2"},
      {"[simulation]\ngravity = [0, 1, 'z']",
       "s.toml:2:18: the items of 'gravity' must be numbers, not a text"},
      {"[simulation]\nscheme = 'midpiont'", "did you mean 'midpoint'"},
      {"[simulation]\nthreads = 2.5", "'threads' must be a whole number"},
      {"[contact]\nformulation = 'sapp'", "did you mean 'sap'"},
      {"[contact]\nformulation = 'sap'\nelasticity = 'hertz'", "s.toml:3:14: sap has linear elasticity"},
      {"[contact]\nfacets = 5", "'facets' must be even"},
      {"[[object]]\nname = 'b'\nshape = 'boks'", "s.toml:3:9: there is no shape 'boks'; did you mean 'box'?"},
      {"[[object]]\nname = 'b'\nshape = 'box'", "needs 'size'"},
      {"[[object]]\nname = 'b'\nshape = 'box'\nsize = [1, 1, 0]", "s.toml:1:1: "},
      {"[[object]]\nname = 'b'\nshape = 'box'\nsize = [1, 1, 1]\nradius = 1", "a box has no 'radius'"},
      {"[[object]]\nshape = 'sphere'\nradius = 1", "[[object]] needs 'name'"},
      {"[[object]]\nname = 'b'\nshape = 'sphere'\nradius = 1\nmass = 1\ndensity = 1",
       "only one of 'mass' and 'density'"},
      {"[[object]]\nname = 'b'\nshape = 'sphere'\nradius = 1\nmass = 1\nfixed = true",
       "what is fixed has no 'mass'"},
      {"[[object]]\nname = 'b'\nshape = 'sphere'\nradius = 1\nmaterial = 'ice'",
       "there is no material 'ice'"},
      {"[[object]]\nname = 'b'\nshape = 'sphere'\nradius = 1\ncount = [2, 1, 1]", "need their 'spacing'"},
      {"[[object]]\nname = 'b'\nshape = 'sphere'\nradius = 1\nquaternion = [0, 0, 0, 0]", "is no rotation"},
      {"[[object]]\nname = 'b'\nshape = 'sphere'\nradius = 1\nrotation = [[2, 0, 0], [0, 1, 0], [0, 0, 1]]",
       "not a rotation"},
      {"[[object]]\nname = 'b'\nshape = 'mesh'\nfile = 'nowhere.obj'", "s.toml:4:8: "},
      {"[[ground]]\n[[ground]]", "s.toml:2:1: there is already a shape 'ground'"},
      {"[[ground]]\n[material.a]\n[[assign]]\nshapes = 'grund'\nmaterial = 'a'", "did you mean 'ground'"},
      {"[[ground]]\n[material.a]\n[[assign]]\nmaterial = 'a'", "needs 'shapes' or 'bodies'"},
      {"[[ground]]\n[[pair]]\nshapes = ['ground', 'ball']\nfriction = 1",
       "s.toml:3:21: there is no shape 'ball'"},
      {"[[ground]]\n[[pair]]\nshapes = ['ground', 'ground']", "needs 'friction'"},
      {"[[drive]]\njoint = 'elbow'\nkp = 1", "there is no joint 'elbow'"},
      {"[[setpoint]]\nactuator = 'elbow'\nvalue = 1", "there is no actuator 'elbow'"},
      {"[[setpoint]]\nactuator = 'elbow'", "needs 'value', 'table' or 'sine'"},
      {"[[setpoint]]\nactuator = 'a'\ntable = [[0, 1], [0, 2]]", "ascend"},
      {"[[setpoint]]\nactuator = 'a'\ntable = [[0, 1, 2]]",
       "s.toml:3:10: rows of 'table' must be [time, value]"},
      {"[[setpoint]]\nactuator = 'a'\nsine = { periode = 1 }", "did you mean 'period'"},
      {"[[setpoint]]\nactuator = 'a'\nvalue = 1\nfrom = 2\nuntil = 1", "'until' must come after 'from'"},
      {"[[disturbance]]\nbody = 'bal'\nforce = [1, 0, 0]", "there is no body 'bal'"},
      {"[[disturbance]]\nbody = 'world'\nforce = [1, 0, 0]", "the world cannot be pushed"},
      {"[start.positions]\nelbow = 1", "s.toml:2:1: model 's': there is no joint 'elbow'"},
      {"[start]\nkeyframe = 'home'", "the model has no keyframes"},
      {"[[sensor]]\nname = 's'\nkind = 'giro'", "did you mean 'gyro'"},
      {"[[sensor]]\nname = 's'\nkind = 'framepos'\nobject = 'ball'", "s.toml:4:10: "},
      {"[record]\nsensors = 'x*'", "there is no sensor 'x*'"},
      {"[[model]]\nfile = 'nowhere.xml'", "s.toml:2:8: "},
      {"[[model]]\nname = 'a'", "[[model]] needs 'file'"},
      {"[material.a]\nfriction = 0.5\nstatic_friction = 0.5", "say the same"},
      {"[material]\na = 1", "must be a table"},
      {"name = 5", "'name' must be a text, not a whole number"},
  };
  for (const auto& one : cases) {
    const std::string error = error_of(one.text);
    EXPECT_NE(error.find(one.message), std::string::npos) << one.text << "\nsays: " << error;
    EXPECT_EQ(error.substr(0, 7), "s.toml:") << one.text << "\nsays: " << error;
  }
}

TEST(SceneFile, NumbersOfAJointThatCannotBeHaveTheirPlace) {
  EXPECT_NE(error_of(kBall + "[start.positions]\nball = [0, 0, 0, 0, 1, 1, 1]").find("quaternion"),
            std::string::npos);
  EXPECT_NE(error_of(kBall + "[start.positions]\nball = [1, 0]").find("joint 'ball' has 7 positions, not 2"),
            std::string::npos);
}

TEST(SceneFile, TextFromStrangersReadsNoFilesAndMakesNoCrowd) {
  SceneFileOptions strict;
  strict.allow_files = false;
  strict.max_objects = 100;
  EXPECT_NE(error_of("[[model]]\nfile = '/etc/passwd'", strict).find("not allowed"), std::string::npos);
  EXPECT_NE(error_of("[[object]]\nname='b'\nshape='mesh'\nfile='a.obj'", strict).find("not allowed"),
            std::string::npos);
  const std::string many = "[[object]]\nname='b'\nshape='sphere'\nradius=1\nspacing=[1,1,1]\ncount=";
  EXPECT_NE(error_of(many + "[1000000, 1000000, 1000000]", strict), "");
  EXPECT_NE(error_of(many + "[10, 10, 2]", strict).find("more than 100"), std::string::npos);
  EXPECT_EQ(error_of(many + "[10, 10, 1]", strict), "");
}

TEST(SceneFile, OldNamesOfKeysAreReadAndNotedWithTheirLineAndTheNewName) {
  const CaughtWarnings caught;
  CompatibilityReport report;
  const Scene scene = parse_scene(R"([contact]
push_out = 0.3
fastest_push_out = 0.7
[material.wood]
cross_friction = 0.4
grain = [0, 1, 0]
[[ground]]
material = "wood"
)",
                                  "old.toml", {}, &report);
  const RigidOptions& rigid = scene.options.formulation.contact.rigid;
  EXPECT_EQ(rigid.penetration_recovery, 0.3);
  EXPECT_EQ(rigid.fastest_recovery, 0.7);
  const ContactMaterial& wood = scene.model.shapes[0].contact;
  EXPECT_EQ(wood.anisotropy_ratio, 0.4);
  EXPECT_EQ(wood.friction_direction, Vec3::UnitY());
  EXPECT_EQ(
      caught.lines,
      (std::vector<std::string>{
          "old.toml:2:1: 'push_out' is now called 'penetration_recovery'; the old name is still read",
          "old.toml:3:1: 'fastest_push_out' is now called 'fastest_recovery'; the old name is still read",
          "old.toml:5:1: 'cross_friction' is now called 'anisotropy_ratio'; the old name is still read",
          "old.toml:6:1: 'grain' is now called 'friction_direction'; the old name is still read"}));
  ASSERT_EQ(report.entries.size(), 4u);
  EXPECT_EQ(report.entries[0].attribute, "push_out");
  EXPECT_EQ(report.entries[0].line, 2);
  EXPECT_EQ(report.entries[0].why, "is now called 'penetration_recovery'");
}

TEST(SceneFile, NewNamesOfKeysAreReadWithoutANote) {
  const CaughtWarnings caught;
  CompatibilityReport report;
  const Scene scene = parse_scene(R"([contact]
penetration_recovery = 0.3
fastest_recovery = 0.7
[material.wood]
anisotropy_ratio = 0.4
friction_direction = [0, 1, 0]
[[ground]]
material = "wood"
)",
                                  "new.toml", {}, &report);
  EXPECT_EQ(scene.options.formulation.contact.rigid.penetration_recovery, 0.3);
  EXPECT_EQ(scene.options.formulation.contact.rigid.fastest_recovery, 0.7);
  EXPECT_EQ(scene.model.shapes[0].contact.anisotropy_ratio, 0.4);
  EXPECT_EQ(scene.model.shapes[0].contact.friction_direction, Vec3::UnitY());
  EXPECT_EQ(caught.lines, std::vector<std::string>{});
  EXPECT_TRUE(report.entries.empty());
}

TEST(SceneFile, AnOldNameBesideTheNewOneIsRefusedByBothNames) {
  const char* value[] = {"0.3", "0.3", "0.3", "[1, 0, 0]"};
  int i = 0;
  for (const RenamedKey& renamed : renamed_scene_keys()) {
    const std::string header = std::string(renamed.section) == "contact" ? "[contact]" : "[material.wood]";
    const std::string text =
        format("{0}\n{1} = {3}\n{2} = {3}\n", header, renamed.key, renamed.old_key, value[i++]);
    EXPECT_EQ(error_of(text),
              format("s.toml:3:1: '{}' is the old name of '{}': only one of them may be given",
                     renamed.old_key, renamed.key));
  }
  EXPECT_EQ(i, 4);
}

}  // namespace
}  // namespace stiction
