#include "stiction/simulation/override_list.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/mjcf.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/model_tables.h"

namespace stiction {
namespace {

// A ball above a floor, and a block on a slide with a motor.
Model ball_and_slide() {
  ModelBuilder builder("ball and slide");
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_free_body("ball", translation(0.0, 0.0, 0.5), Inertia{});
  builder.add_solid("ball", "ball", {}, Sphere{0.1}, 1000.0);
  builder.add_body("block", "world", translation(5.0, 0.0, 5.0), solid_box(2.0, Vec3::Constant(0.1)));
  builder.add_joint("block", {.name = "slide", .type = JointType::prismatic, .axis = Vec3::UnitX()});
  Actuator motor;
  motor.name = "motor";
  motor.target = "slide";
  return builder.add_actuator(motor).build();
}

WorldOptions with(const char* formulation) {
  WorldOptions options;
  options.h = 1e-3;
  set_formulation(formulation, &options.formulation.contact);
  return options;
}

TEST(OverrideList, GravityIsThatOfTheMoonWithoutAName) {
  World world(ball_and_slide(), with("icf_lagged"));
  apply_override({"gravity", {}, {0.0, 0.0, -1.62}}, &world);
  world.simulate(0.2);
  EXPECT_NEAR(world.body_velocity("ball")[5], -1.62 * 0.2, 1e-12);
}

TEST(OverrideList, ABallOfAnotherSizeRestsAtItsRadius) {
  World world(ball_and_slide(), with("coulomb_ncp+pgs"));
  world.simulate(0.1);
  apply_override({"size", {"ball"}, {0.3}}, &world);
  world.simulate(2.0);
  EXPECT_NEAR(world.body_pose("ball").p.z(), 0.3, 1e-4);
  EXPECT_NEAR(world.contact_force("ball").z(), 9.81 * 1000.0 * 4.0 / 3.0 * M_PI * 1e-3, 1e-3);
}

TEST(OverrideList, ABallBouncesToTheSquareOfItsRestitution) {
  World world(ball_and_slide(), with("coulomb_ncp+pgs"));
  apply_override({"restitution", {"ball"}, {0.6}}, &world);
  while (world.body_velocity("ball")[5] <= 0.0) world.step();
  double highest = 0.0;
  while (world.body_velocity("ball")[5] > 0.0) {
    world.step();
    highest = std::max(highest, world.body_pose("ball").p.z() - 0.1);
  }
  // 0.4 m of free fall; an impact is found within a step, which at 2.8 m/s is 2.8 mm.
  EXPECT_NEAR(highest, 0.36 * 0.4, 3e-3);
  apply_override({"pair_restitution", {"ball", "floor"}, {0.0}}, &world);
  world.simulate(1.0);
  EXPECT_NEAR(world.body_pose("ball").p.z(), 0.1, 1e-4);
}

TEST(OverrideList, AnActuatorThatIsOffMakesNoForceUntilItIsOnAgain) {
  World world(ball_and_slide(), with("icf_lagged"));
  world.set_control("motor", 4.0);
  world.simulate(0.1);
  EXPECT_NEAR(world.velocity("slide"), 0.2, 1e-12);
  apply_override({"actuator_active", {"motor"}, {0.0}}, &world);
  EXPECT_FALSE(world.is_actuator_active("motor"));
  world.simulate(0.1);
  EXPECT_NEAR(world.velocity("slide"), 0.2, 1e-12);
  apply_override({"actuator_active", {"motor"}, {1.0}}, &world);
  world.simulate(0.1);
  EXPECT_NEAR(world.velocity("slide"), 0.4, 1e-12);
}

TEST(OverrideList, ForcesOfAnActuatorStayInTheirRange) {
  World world(ball_and_slide(), with("icf_lagged"));
  world.set_control("motor", 4.0);
  apply_override({"force_range", {"motor"}, {-1.0, 1.5}}, &world);
  world.simulate(0.1);
  EXPECT_NEAR(world.velocity("slide"), 0.1 * 1.5 / 2.0, 1e-12);
}

TEST(OverrideList, APendulumSwingsAboutItsNewCentreOfMass) {
  ModelBuilder builder("pendulum");
  builder.add_body("rod", "world", {}, solid_sphere(2.0, 0.1));
  builder.add_joint("rod", {.name = "hinge", .type = JointType::revolute, .axis = Vec3::UnitY()});
  World world(builder.build(), with("icf_lagged"));
  apply_override({"centre_of_mass", {"rod"}, {0.5, 0.0, 0.0}}, &world);
  apply_override({"inertia", {"rod"}, {0.1, 0.3, 0.3}}, &world);
  world.step();
  // I w' = m g l, from the side: w' = 2 9.81 0.5 / (0.3 + 2 0.25).
  EXPECT_NEAR(world.velocity("hinge") / 1e-3, 9.81 / 0.8, 1e-9);
}

TEST(OverrideList, EveryWordTakesItsNamesAndNumbersAndNothingElse) {
  World world(ball_and_slide(), with("icf_lagged"));
  for (const OverrideKind& kind : override_kinds()) {
    SCOPED_TRACE(kind.word);
    std::vector<std::string> names;
    for (const std::string_view of : kind.of)
      names.emplace_back(of == "shape"   ? (names.empty() ? "ball" : "floor")
                         : of == "body"  ? "ball"
                         : of == "joint" ? "slide"
                                         : "motor");
    const int width = override_width(kind, names, world.model(), kind.least);
    const std::vector<double> values(static_cast<std::size_t>(width), 1.0);
    EXPECT_NO_THROW(apply_override({kind.word, names, values}, &world));
    EXPECT_THROW(apply_override({kind.word, names, {}}, &world), UserError);
    names.emplace_back("one more");
    EXPECT_THROW(apply_override({kind.word, names, values}, &world), UserError);
  }
  EXPECT_THROW(apply_override({"gravty", {}, {0.0, 0.0, 0.0}}, &world), UserError);
  EXPECT_THROW(apply_override({"size", {"floor"}, {1.0}}, &world), UserError);
  EXPECT_THROW(apply_override({"size", {"ball"}, {-1.0}}, &world), UserError);
  EXPECT_THROW(apply_override({"actuator_active", {"motor"}, {0.5}}, &world), UserError);
}

// What is said about an override of a box on a floor in an MJCF file.
std::vector<std::string> said(const char* box, const char* floor, const Override& change) {
  World world(parse_mjcf(std::string("<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1' ") +
                             floor + "/><body><freejoint/><geom name='box' type='box' size='.1 .1 .1' " +
                             box + "/></body></worldbody></mujoco>",
                         "test.xml"));
  apply_override(change, &world);
  return overrides_without_effect(std::vector<Override>{change}, world.model());
}

TEST(OverrideList, SaysWhatCannotAct) {
  const Override low = {"friction", {"box"}, {0.1}}, high = {"friction", {"box"}, {1.5}};
  ASSERT_EQ(said("", "friction='1'", low).size(), 1u);
  EXPECT_EQ(
      said("", "friction='1'", low)[0],
      "the friction of 'box' does not act on 'floor': a pair has the larger friction of the two, and 'floor' "
      "has 1");
  EXPECT_TRUE(said("", "friction='1'", high).empty());
  EXPECT_TRUE(said("priority='1'", "friction='1'", low).empty());
  ASSERT_EQ(said("", "priority='1'", high).size(), 1u);
  EXPECT_NE(said("", "priority='1'", high)[0].find("'floor' has the higher priority"), std::string::npos);
  ASSERT_EQ(said("contype='0' conaffinity='0'", "", high).size(), 1u);
  EXPECT_NE(said("contype='0' conaffinity='0'", "", high)[0].find("it touches nothing"), std::string::npos);
  EXPECT_EQ(said("contype='0' conaffinity='0'", "", {"pair_friction", {"box", "floor"}, {1.0}}).size(), 1u);
  EXPECT_TRUE(said("", "", {"pair_friction", {"box", "floor"}, {0.01}}).empty());
}

TEST(OverrideList, NumbersOfElasticityLeaveFrictionToMujocosRules) {
  World world(
      parse_mjcf("<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1' friction='1'/>"
                 "<body pos='0 0 .1'><freejoint name='box'/><geom name='box' type='box' size='.1 .1 .1' "
                 "friction='0.3'/></body></worldbody></mujoco>",
                 "test.xml"));
  for (const char* word : {"dissipation", "relaxation_time", "restitution"})
    apply_override({word, {"box"}, {0.01}}, &world);
  const PairMaterial pair = world.model().tables().contact->pair(0, 1);
  EXPECT_EQ(pair.static_friction, 1.0);
  EXPECT_EQ(pair.dissipation, 0.01);
  EXPECT_EQ(pair.relaxation_time, 0.01);
  EXPECT_EQ(pair.restitution, 0.01);
}

}  // namespace
}  // namespace stiction
