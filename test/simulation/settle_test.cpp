// What overlaps at the start is parted before time begins, without a speed.

#include "stiction/simulation/settle.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "stiction/contact/law/law_list.h"
#include "stiction/math/rotation.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/overlap_energy.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

constexpr double kHalf = 0.05;  // m, half an edge of a box
constexpr double kSunk = 0.01;  // m
constexpr double kPi = std::numbers::pi;

ModelBuilder on_floor() {
  ModelBuilder builder;
  builder.add_shape("floor", "world", {}, HalfSpace{});
  return builder;
}

void add_box(ModelBuilder* builder, const std::string& name, const Vec3& at, double mass = 1.0) {
  builder->add_free_body(name, translation(at), solid_box(mass, Vec3::Constant(kHalf)));
  builder->add_shape(name, name, {}, Box{Vec3::Constant(kHalf)});
}

double fastest_of(World* world, double time) {
  double fastest = 0.0;
  while (world->time() < time) {
    world->step();
    fastest = std::max(fastest, world->state().v.cwiseAbs().maxCoeff());
  }
  return fastest;
}

TEST(Settle, LiftsABoxOutOfTheFloorAndChangesNothingElse) {
  ModelBuilder builder = on_floor();
  add_box(&builder, "box", Vec3(0.3, -0.2, kHalf - kSunk));
  ContactMaterial elastic;
  elastic.dissipation = 0.0;
  builder.set_material("box", elastic);
  const Model model = builder.build();
  World thrown(model), world(model);
  const Vec6 velocity = (Vec6() << 0.1, 0.2, 0.3, 1.0, 2.0, 3.0).finished();
  world.set_body_velocity("box", velocity);
  const SettleReport report = settle(&world);
  EXPECT_TRUE(report.settled());
  EXPECT_NEAR(report.overlap_before, kSunk, 1e-12);
  EXPECT_NEAR(report.moved, kSunk, 2.0 * kSettledOverlap);
  EXPECT_EQ(report.body, "box");
  EXPECT_EQ(world.time(), 0.0);
  EXPECT_LT((world.body_velocity("box") - velocity).norm(), 1e-12);
  EXPECT_LT((world.body_pose("box").p - Vec3(0.3, -0.2, kHalf)).norm(), 2.0 * kSettledOverlap);
  EXPECT_LT((world.body_pose("box").R - Mat3::Identity()).norm(), 1e-6);
  // From rest: the energy of the overlap in the one, the drop of a rest depth in the other.
  world.set_body_velocity("box", Vec6::Zero());
  EXPECT_GT(fastest_of(&thrown, 0.1), 3.0);
  EXPECT_LT(fastest_of(&world, 0.1), 0.05);
}

TEST(Settle, LeavesWhatDoesNotOverlap) {
  ModelBuilder builder = on_floor();
  add_box(&builder, "box", Vec3(0, 0, kHalf));
  World world(builder.build());
  const std::uint64_t before = hash(world.state());
  const SettleReport report = settle(&world);
  EXPECT_EQ(report.steps, 0);
  EXPECT_EQ(report.moved, 0.0);
  EXPECT_EQ(hash(world.state()), before);
}

TEST(Settle, PartsAStackFromTheFloorUp) {
  ModelBuilder builder = on_floor();
  for (int i = 0; i < 4; ++i)
    add_box(&builder, "box" + std::to_string(i), Vec3(0, 0, kHalf - 0.003 + i * (2.0 * kHalf - 0.005)));
  const Model model = builder.build();
  World world(model), again(model);
  const SettleReport report = settle(&world);
  EXPECT_TRUE(report.settled()) << report.text();
  for (int i = 0; i < 4; ++i) {
    // Boxes above are pushed no further than they must.
    EXPECT_NEAR(world.body_pose("box" + std::to_string(i)).p.z(), kHalf + 2.0 * i * kHalf, 1e-4);
    EXPECT_LT(world.body_pose("box" + std::to_string(i)).p.head<2>().norm(), 1e-6);
  }
  settle(&again);
  EXPECT_EQ(hash(world.state()), hash(again.state()));  // the same bits
}

TEST(Settle, MovesTheLighterOfTwo) {
  ModelBuilder builder;
  add_box(&builder, "heavy", Vec3::Zero(), 1000.0);
  add_box(&builder, "light", Vec3(2.0 * kHalf - kSunk, 0, 0));
  World world(builder.build());
  EXPECT_TRUE(settle(&world).settled());
  // m1 dx1 = m2 dx2.
  EXPECT_NEAR(world.body_pose("heavy").p.x(), -kSunk / 1001.0, 1e-6);
  EXPECT_NEAR(world.body_pose("light").p.x(), 2.0 * kHalf - kSunk + kSunk * 1000.0 / 1001.0, 2e-6);
}

TEST(Settle, LiftsARobotInItsPosture) {
  // A trunk of 20 kg on two bent legs, 10 mm in the floor.
  ModelBuilder builder = on_floor();
  builder.add_free_body("trunk", translation(0, 0, 0.5), solid_box(20.0, Vec3(0.3, 0.15, 0.05)));
  for (const double x : {-0.25, 0.25}) {
    const std::string leg = x < 0.0 ? "hind" : "fore";
    builder.add_body(leg, "trunk", translation(x, 0, 0), solid_sphere(0.5, 0.05));
    builder.add_joint(leg, {.name = leg, .axis = Vec3::UnitY()});
    const Vec3 foot(0.2, 0, -0.46);
    builder.add_shape(leg, leg, translation(foot), Sphere{0.05});
  }
  World world(builder.build());
  const SettleReport report = settle(&world);
  EXPECT_TRUE(report.settled()) << report.text();
  EXPECT_NEAR(report.overlap_before, 0.01, 1e-9);
  EXPECT_NEAR(world.body_pose("trunk").p.z(), 0.51, 5e-4);
  EXPECT_LT(std::abs(world.position("hind")), 5e-3);
  EXPECT_LT(std::abs(world.position("fore")), 5e-3);
}

TEST(Settle, ReturnsJointsToTheirLimitsAndClosesLoops) {
  ModelBuilder builder;
  builder.add_body("arm", "world", {}, solid_box(1.0, Vec3::Constant(0.1)));
  Joint hinge{.name = "hinge"};
  hinge.limited = true;
  hinge.upper = per_dof(0.5);
  hinge.friction_loss = per_dof(3.0);  // no friction in this
  builder.add_joint("arm", hinge);
  builder.add_free_body("ball", translation(0, 0, 1), solid_sphere(1.0, 0.1));
  Equality tie;
  tie.object1 = "ball";
  builder.add_constraint(tie);
  World world(builder.build());
  world.set_position("hinge", 0.8);
  world.set_body_pose("ball", translation(0.02, 0, 1));
  const SettleReport report = settle(&world);
  EXPECT_TRUE(report.settled()) << report.text();
  EXPECT_NEAR(world.position("hinge"), 0.5, 1e-5);
  EXPECT_LT((world.body_pose("ball").p - Vec3(0, 0, 1)).norm(), 1e-5);
}

// A rope that hangs through and a pin between the ends of its slot violate nothing.
TEST(Settle, LeavesRopesSlackAndPinsBetweenTheEndsOfTheirSlots) {
  ModelBuilder builder = on_floor();
  add_box(&builder, "tied", Vec3(0, 0, kHalf - kSunk));
  add_box(&builder, "pinned", Vec3(1, 0, kHalf - kSunk));
  builder.add_frame("ring", "tied", {});
  builder.add_frame("pin", "pinned", {});
  builder.add_frame("anchor", "world", translation(0, 0, 1));
  // Its x axis points up.
  builder.add_frame("groove", "world", {rotation_about<double>(Vec3::UnitY(), -0.5 * kPi), Vec3(1, 0, 0)});
  builder.add_constraint(DistanceConstraint{"rope", "ring", "anchor", 0.0, 2.0});
  SlotConstraint slot{"slot", "pin", "groove"};
  slot.lower = -1.0;
  slot.upper = 2.0;
  World world(builder.add_constraint(slot).build());
  const SettleReport report = settle(&world);
  EXPECT_TRUE(report.settled()) << report.text();
  for (const char* name : {"tied", "pinned"}) EXPECT_NEAR(world.body_pose(name).p.z(), kHalf, 1e-4) << name;
}

TEST(Settle, SaysWhatCannotBeParted) {
  // A ball between two walls that are nearer than its diameter.
  ModelBuilder builder;
  builder.add_shape("left", "world", translation(-0.14, 0, 0), Box{Vec3(0.1, 1, 1)});
  builder.add_shape("right", "world", translation(0.14, 0, 0), Box{Vec3(0.1, 1, 1)});
  builder.add_free_body("ball", {}, solid_sphere(1.0, 0.05));
  builder.add_shape("ball", "ball", {}, Sphere{0.05});
  World world(builder.build());
  const SettleReport report = settle(&world);
  EXPECT_FALSE(report.settled());
  EXPECT_NEAR(report.overlap, 0.01, 1e-3);
  EXPECT_TRUE(report.shape1 == "ball" || report.shape2 == "ball");
  EXPECT_NE(report.text().find("cannot be parted"), std::string::npos);
}

TEST(OverlapEnergy, IsThatOfTheSpringsAndBecomesTheSpeed) {
  // A ball of 1 kg, 2 mm in the floor, without gravity and damping: 1/2 k x^2 = 1/2 m v^2.
  ContactMaterial material;
  material.stiffness = 1e5;
  material.dissipation = 0.0;
  ModelBuilder builder = on_floor();
  builder.set_gravity(Vec3::Zero());
  builder.add_free_body("ball", translation(0, 0, 0.098), solid_sphere(1.0, 0.1));
  builder.add_shape("ball", "ball", {}, Sphere{0.1});
  builder.set_material("ball", material);
  WorldOptions options;
  options.h = 1e-5;
  World world(builder.build(), options);
  const auto overlaps = overlap_energies(world, world.input(), 1e-6);
  ASSERT_EQ(overlaps.size(), 1u);
  const double k = 1e5, x = 2e-3;
  EXPECT_NEAR(overlaps[0].depth, x, 1e-12);
  EXPECT_NEAR(overlaps[0].energy, 0.5 * k * x * x, 1e-9);
  EXPECT_NEAR(overlaps[0].mass, 1.0, 1e-12);
  EXPECT_NEAR(overlaps[0].speed, x * std::sqrt(k), 1e-9);
  // First order in h: 3 % at a three-hundredth of a period.
  EXPECT_NEAR(fastest_of(&world, 0.01), overlaps[0].speed, 0.03 * overlaps[0].speed);
}

// The ball of above under rigid laws: with the spring of its material it comes out with its energy, without it has none.
TEST(OverlapEnergy, OfRigidLawsIsThatOfTheSpringsOfMaterialsIfTheyHaveThem) {
  constexpr double k = 1e5, x = 2e-3;  // N/m, m
  ContactMaterial material;
  material.stiffness = k;
  material.relaxation_time = 0.0;
  ModelBuilder builder = on_floor();
  builder.set_gravity(Vec3::Zero());
  builder.add_free_body("ball", translation(0, 0, 0.1 - x), solid_sphere(1.0, 0.1));
  builder.add_shape("ball", "ball", {}, Sphere{0.1});
  builder.set_material("ball", material);
  const Model model = builder.build();
  int laws = 0;
  for (const LawRow& row : kLawRows) {
    if (row.family != LawFamily::rigid) continue;
    SCOPED_TRACE(row.name);
    ++laws;
    for (const bool has_springs : {true, false}) {
      WorldOptions options;
      options.h = 1e-5;
      set_formulation(row.name, &options.formulation.contact);
      options.formulation.contact.rigid.material_compliance = has_springs;
      World world(model, options);
      const auto overlaps = overlap_energies(world, world.input(), 1e-6);
      ASSERT_EQ(overlaps.size(), 1u);
      EXPECT_NEAR(overlaps[0].depth, x, 1e-12);
      EXPECT_NEAR(overlaps[0].energy, has_springs ? 0.5 * k * x * x : 0.0, 1e-9);
      EXPECT_NEAR(overlaps[0].speed, has_springs ? x * std::sqrt(k) : 0.0, 1e-9);
      // First order in h: 3 % at a three-hundredth of a period.
      if (!has_springs) continue;
      EXPECT_NEAR(fastest_of(&world, 0.01), overlaps[0].speed, 0.03 * overlaps[0].speed);
    }
  }
  EXPECT_GT(laws, 0);
}

TEST(OverlapEnergy, OfAForceTableIsTheIntegralOfItsForce) {
  // The force rises along a line to 10 N at 1 mm and along a steeper one from there on; at the knot the table is
  // a cubic, so the reference is the integral of its force by the trapezoidal rule.
  ContactMaterial foam;
  foam.force_table = {{0.0, 0.0}, {1e-3, 10.0}, {3e-3, 90.0}, {5e-3, 170.0}};
  foam.dissipation = 0.0;
  constexpr double kDepth = 2e-3;  // m
  ModelBuilder builder = on_floor();
  builder.add_free_body("ball", translation(0, 0, 0.1 - kDepth), solid_sphere(1.0, 0.1));
  builder.add_shape("ball", "ball", {}, Sphere{0.1});
  builder.set_material("ball", foam);
  World world(builder.build());
  const auto overlaps = overlap_energies(world, world.input(), 1e-6);
  ASSERT_EQ(overlaps.size(), 1u);
  const ForceTable table = make_force_table(foam.force_table);
  constexpr int kParts = 20000;
  double energy = 0.0;
  for (int i = 0; i < kParts; ++i)
    energy +=
        0.5 * (table.force(kDepth * i / kParts) + table.force(kDepth * (i + 1) / kParts)) * kDepth / kParts;
  EXPECT_NEAR(overlaps[0].energy, energy, 1e-6 * energy);
}

}  // namespace
}  // namespace stiction
