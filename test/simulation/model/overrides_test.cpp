#include "stiction/simulation/model/overrides.h"

#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/mjcf.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/world.h"
#include "test/base/allocation_counter.h"

namespace stiction {
namespace {

// A box that slides on a floor beside an arm with a servo, a wheel with a velocity servo and a motor.
constexpr const char* kText = R"(<mujoco>
  <option gravity="0 0 -9.81"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1" friction="0.2"/>
    <body name="box" pos="0 0 0.1">
      <freejoint name="box"/>
      <inertial pos="0 0 0" mass="1" diaginertia="0.01 0.01 0.01"/>
      <geom name="box" type="box" size="0.1 0.1 0.1" friction="0.3"/>
    </body>
    <body name="ball" pos="0 1 0.1"><freejoint name="ball"/><geom name="ball" size="0.1" mass="2"/></body>
    <body name="arm" pos="2 0 1">
      <joint name="shoulder" axis="0 1 0" damping="0.1" stiffness="1.5" armature="0.02" frictionloss="0.03"/>
      <inertial pos="0.2 0 0" mass="1" diaginertia="0.01 0.01 0.01"/>
    </body>
    <body name="wheel" pos="3 0 1">
      <joint name="axle" axis="0 1 0"/><inertial pos="0 0 0" mass="1" diaginertia="0.01 0.01 0.01"/>
    </body>
  </worldbody>
  <contact><pair name="listed" geom1="ball" geom2="floor" friction="0.5"/></contact>
  <actuator>
    <position name="servo" joint="shoulder" kp="40" kv="2" forcerange="-3 3"/>
    <velocity name="spin" joint="axle" kv="0.7"/>
    <motor name="motor" joint="axle" gear="2"/>
  </actuator>
  <sensor><accelerometer name="shake" site="there"/></sensor>
</mujoco>)";

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

Model parsed(const std::string& text) {
  const std::string site = "<geom name=\"box\"";
  return parse_mjcf(with(text, site, "<site name=\"there\"/>" + site), "test.xml");
}

void start(World* world) {
  world->set_body_velocity("box", (Vec6() << 0.0, 0.0, 2.0, 1.0, 0.0, 0.0).finished());
  world->set_body_velocity("ball", (Vec6() << 0.0, 0.0, 0.0, 5.0, 0.0, 0.0).finished());
  world->set_control("servo", 1.0);
  world->set_control("spin", 3.0);
  world->set_control("motor", 0.1);
}

// A world that is changed under way goes on as one whose model was built so, bit for bit, and not as before.
void expect_as_built(const Model& model, const Model& built, const std::function<void(World*)>& change) {
  World changed(model), other(built), unchanged(model);
  for (World* world : {&changed, &other, &unchanged}) start(world);
  changed.simulate(0.1);
  change(&changed);
  for (World* world : {&other, &unchanged}) world->set_state(changed.state());
  for (World* world : {&changed, &other, &unchanged}) world->simulate(0.2);
  EXPECT_EQ(hash(changed.state()), hash(other.state()));
  EXPECT_NE(hash(changed.state()), hash(unchanged.state()));
}

TEST(Overrides, MoveAWorldAsAModelBuiltWithThem) {
  const struct {
    const char *from, *to;
    std::function<void(World*)> change;
  } cases[] = {
      {"mass=\"1\" diaginertia=\"0.01 0.01 0.01\"", "mass=\"2\" diaginertia=\"0.02 0.02 0.02\"",
       [](World* w) { w->set_mass("box", 2.0); }},
      {"pos=\"0.2 0 0\" mass=\"1\" diaginertia=\"0.01 0.01 0.01\"",
       "pos=\"0.3 0 0\" mass=\"4\" diaginertia=\"0.04 0.05 0.06\"",
       [](World* w) {
         w->set_inertia("arm", {4.0, Vec3(0.3, 0.0, 0.0), Vec3(0.04, 0.05, 0.06).asDiagonal()});
       }},
      {"damping=\"0.1\"", "damping=\"5\"", [](World* w) { w->set_joint_damping("shoulder", 5.0); }},
      {"stiffness=\"1.5\"", "stiffness=\"9\"", [](World* w) { w->set_joint_stiffness("shoulder", 9.0); }},
      {"armature=\"0.02\"", "armature=\"0.2\"", [](World* w) { w->set_joint_armature("shoulder", 0.2); }},
      {"frictionloss=\"0.03\"", "frictionloss=\"1\"",
       [](World* w) { w->set_joint_friction("shoulder", 1.0); }},
      {"friction=\"0.3\"", "friction=\"0.8\"", [](World* w) { w->set_friction("box", 0.8); }},
      {"friction=\"0.5\"", "friction=\"0.1\"", [](World* w) { w->set_pair_friction("floor", "ball", 0.1); }},
      {"kp=\"40\"", "kp=\"20\"", [](World* w) { w->set_gain("servo", 20.0); }},
      {"kp=\"40\" kv=\"2\"", "kp=\"20\" kv=\"3\"", [](World* w) { w->set_gain("servo", 20.0, 3.0); }},
      {"kv=\"0.7\"", "kv=\"0.2\"", [](World* w) { w->set_gain("spin", 0.2); }},
      {"forcerange=\"-3 3\"", "forcerange=\"-1 2\"",
       [](World* w) { w->set_force_range("servo", -1.0, 2.0); }},
      {"forcerange=\"-3 3\"", "",
       [](World* w) {
         w->set_force_range("servo", -std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::infinity());
       }},
      {"gear=\"2\"", "gear=\"2\" forcerange=\"-0.05 0.05\"",
       [](World* w) { w->set_force_range("motor", -0.05, 0.05); }},
      {"0 0 -9.81", "1 0 -3", [](World* w) { w->set_gravity(Vec3(1.0, 0.0, -3.0)); }},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.to);
    expect_as_built(parsed(kText), parsed(with(kText, c.from, c.to)), c.change);
  }
}

TEST(Overrides, ChangeTheGainOfAMotorAlone) {
  Model model = parsed(kText);
  set_gain("motor", 3.0, &model);
  EXPECT_EQ(model.elements.actuators[2].gain_parameters[0], 3.0);
  EXPECT_EQ(model.elements.actuators[2].bias_parameters, parsed(kText).elements.actuators[2].bias_parameters);
}

// A block on a floor, both with materials.
Model block(const ContactMaterial& floor, const ContactMaterial& block) {
  ModelBuilder builder("block");
  builder.add_shape("floor", "world", {}, HalfSpace{}).set_material("floor", floor);
  builder.add_free_body("block", translation(0.0, 0.0, 0.05), Inertia{});
  builder.add_solid("block", "block", {}, Box{Vec3(0.1, 0.1, 0.05)}, 1000.0).set_material("block", block);
  return builder.build();
}

TEST(Overrides, OfMaterialsMoveAWorldAsAModelBuiltWithThem) {
  ContactMaterial wood, soft, rough;
  wood.stiffness = 1e5;
  wood.static_friction = 0.5;
  soft = rough = wood;
  soft.stiffness = 2e4;
  rough.static_friction = 0.25;
  const struct {
    Model built;
    std::function<void(World*)> change;
  } cases[] = {
      {block(wood, soft), [](World* w) { w->set_stiffness("block", 2e4); }},
      {block(wood, rough), [](World* w) { w->set_friction("block", 0.25); }},
      {block(soft, wood), [&](World* w) { w->set_material("floor", soft); }},
      {block(rough, rough), [](World* w) { w->set_pair_friction("block", "floor", 0.25); }},
      // Two springs of 2e4 N/m in series.
      {block(soft, soft), [](World* w) { w->set_pair_stiffness("block", "floor", 1e4); }},
  };
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    SCOPED_TRACE(i);
    World changed(block(wood, wood)), built(cases[i].built);
    for (World* world : {&changed, &built})
      world->set_body_velocity("block", (Vec6() << 0.0, 0.0, 2.0, 1.0, 0.0, 0.0).finished());
    cases[i].change(&changed);
    for (World* world : {&changed, &built}) world->simulate(0.2);
    EXPECT_EQ(hash(changed.state()), hash(built.state()));
  }
}

TEST(Overrides, OfPairsSurviveThoseOfTheirShapes) {
  const Model model = parsed(kText);
  World world(model);
  world.set_pair_friction("box", "floor", 0.9);
  world.set_friction("box", 0.1);
  world.set_mass("box", 3.0);
  world.step();
  EXPECT_EQ(world.model().tables().contact->pair(0, 1).static_friction, 0.9);
}

TEST(Overrides, GiveAShapeOfMjcfAStiffnessAndLeaveItsDampingAndFriction) {
  World world(parsed(kText));
  const PairMaterial before = world.model().tables().contact->pair(0, 1);
  world.set_stiffness("box", 4e4);
  const PairMaterial after = world.model().tables().contact->pair(0, 1);
  EXPECT_EQ(after.stiffness, 4e4);
  EXPECT_EQ(after.static_friction, before.static_friction);
  EXPECT_EQ(after.dissipation, before.dissipation);
  EXPECT_EQ(after.relaxation_time, before.relaxation_time);
  // 4e4 N/m on both sides are two springs in series.
  world.set_stiffness("floor", 4e4);
  EXPECT_EQ(world.model().tables().contact->pair(0, 1).stiffness, 2e4);
}

TEST(Overrides, GiveFrictionToAShapeOfMjcfThatHasNone) {
  const std::string smooth = with(kText, "friction=\"0.3\"", "condim=\"1\"");
  World world(parsed(with(smooth, "friction=\"0.2\"", "friction=\"0.2\" condim=\"1\"")));
  EXPECT_EQ(world.model().tables().contact->pair(0, 1).static_friction, 0.0);
  world.set_friction("box", 0.6);
  EXPECT_EQ(world.model().tables().contact->pair(0, 1).static_friction, 0.6);
}

TEST(Overrides, StayInOneWorldOfASharedModel) {
  const auto shared = std::make_shared<const Model>(parsed(kText));
  World one(shared), two(shared), alone(parsed(kText));
  for (World* world : {&one, &two, &alone}) start(world);
  one.set_mass("box", 7.0);
  one.set_gain("servo", 5.0);
  EXPECT_EQ(shared->forest.bodies[shared->body("box")].inertia.mass, 1.0);
  EXPECT_EQ(one.model().forest.bodies[shared->body("box")].inertia.mass, 7.0);
  EXPECT_EQ(&two.model(), shared.get());
  two.simulate(0.1);
  alone.simulate(0.1);
  EXPECT_EQ(hash(two.state()), hash(alone.state()));
}

// A bar of two bodies that are welded to each other: the centre of mass is the second's where that is heavy.
TEST(Overrides, OfAMassThatMovesTheCentreOfAFreeBodyLeaveItsMotion) {
  ModelBuilder builder("bar");
  builder.add_free_body("bar", {}, solid_box(1.0, Vec3(0.1, 0.1, 0.1)));
  builder.add_body("end", "bar", translation(1.0, 0.0, 0.0), solid_box(1.0, Vec3(0.1, 0.1, 0.1)));
  builder.add_shape("end", "end", {}, Sphere{0.1});
  World world(builder.build());
  world.simulate(0.1);
  const Vec6 V = (Vec6() << 0.3, 1.0, 2.0, 0.5, 0.6, 0.7).finished();
  world.set_body_velocity("bar", V);
  const Pose X = world.body_pose("end");
  world.set_mass("end", 9.0);
  EXPECT_NEAR((world.body_velocity("bar") - V).norm(), 0.0, 1e-14);  // round-off
  EXPECT_NEAR((world.body_pose("end").p - X.p).norm(), 0.0, 1e-15);
  // In free fall the new centre of mass, 0.9 m along the bar, keeps its velocity but for gravity.
  const auto centre_velocity = [&] {
    const Vec6 now = world.body_velocity("bar");
    return Vec3(now.tail<3>() + now.head<3>().cross(world.body_pose("bar").R * Vec3(0.9, 0.0, 0.0)));
  };
  const Vec3 before = centre_velocity();
  world.simulate(0.1);
  EXPECT_NEAR((centre_velocity() - before - 0.1 * Vec3(0.0, 0.0, -9.81)).norm(), 0.0, 1e-13);
  // Where shapes are on the body follows.
  EXPECT_NEAR((world.model().tables().collision->items[0].X_NS.p - Vec3(0.1, 0.0, 0.0)).norm(), 0.0, 1e-15);
}

TEST(Overrides, AreReadByTheSensors) {
  World world(parsed(kText));
  world.simulate(0.5);
  const double weightless = 1e-3;  // m/s^2, against 3
  EXPECT_NEAR(world.sensor("shake")[2], 9.81, weightless);
  world.set_gravity(Vec3(0.0, 0.0, -3.0));
  world.simulate(0.5);
  EXPECT_NEAR(world.sensor("shake")[2], 3.0, weightless);
}

TEST(Overrides, LeaveStepsWithoutAllocation) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  World world(std::make_shared<const Model>(parsed(kText)));
  start(&world);
  world.simulate(0.1);
  world.set_mass("box", 2.0);
  world.set_friction("box", 0.7);
  world.set_pair_stiffness("box", "floor", 1e5);
  world.set_gain("servo", 10.0);
  world.set_joint_damping("axle", 0.1);
  world.set_gravity(Vec3(0.0, 0.0, -5.0));
  const AllocationCounter counter;
  for (int i = 0; i < 20; ++i) world.step();
  EXPECT_EQ(counter.count(), 0);
}

TEST(Overrides, NameWhatIsWrongAndChangeNothing) {
  World world(parsed(kText));
  start(&world);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::pair<std::function<void()>, const char*> bad[] = {
      {[&] { world.set_mass("bx", 1.0); }, "did you mean 'box'"},
      {[&] { world.set_mass("box", -1.0); }, "the mass of 'box' must be positive and finite, not -1"},
      {[&] { world.set_mass("box", nan); }, "the mass of 'box'"},
      {[&] { world.set_mass("world", 1.0); }, "world"},
      {[&] {
         world.set_inertia("box", {-1.0, Vec3::Zero(), Mat3::Identity()});
       },
       "body 'box'"},
      {[&] { world.set_inertia("wheel", {}); }, "neither mass nor armature"},
      {[&] { world.set_joint_damping("shouldr", 1.0); }, "did you mean 'shoulder'"},
      {[&] { world.set_joint_damping("shoulder", -0.1); }, "the damping of 'shoulder'"},
      {[&] { world.set_joint_armature("shoulder", nan); }, "the armature of 'shoulder'"},
      {[&] { world.set_joint_friction("shoulder", -1.0); }, "the dry friction of 'shoulder'"},
      {[&] { world.set_friction("flor", 1.0); }, "did you mean 'floor'"},
      {[&] { world.set_friction("floor", -0.5); }, "the friction of 'floor'"},
      {[&] { world.set_stiffness("floor", 0.0); }, "the stiffness of 'floor'"},
      {[&] { world.set_pair_friction("floor", "bx", 0.5); }, "did you mean 'box'"},
      {[&] { world.set_pair_friction("floor", "box", -0.5); }, "the friction of 'floor' and 'box'"},
      {[&] { world.set_gain("serve", 1.0); }, "did you mean 'servo'"},
      {[&] { world.set_gain("servo", 0.0); }, "the gain of 'servo'"},
      {[&] { world.set_gain("motor", 1.0, 1.0); }, "not a position servo"},
      {[&] { world.set_force_range("servo", 2.0, 1.0); }, "the force range of 'servo' cannot be [2, 1]"},
      {[&] { world.set_gravity(Vec3(nan, 0.0, 0.0)); }, "gravity"},
  };
  for (const auto& [call, message] : bad) {
    try {
      call();
      ADD_FAILURE() << message;
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }
  World untouched(parsed(kText));
  start(&untouched);
  for (World* w : {&world, &untouched}) w->simulate(0.1);
  EXPECT_EQ(hash(world.state()), hash(untouched.state()));
}

}  // namespace
}  // namespace stiction
