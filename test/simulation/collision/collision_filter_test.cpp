#include "stiction/simulation/collision/collision_filter.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction {
namespace {

// A fixed table, a carriage driven from outside with a hinged flap on it, and an arm of three links on the
// table: upper, fore and hand, the last of which has a plate fixed to it. Every body has one sphere, named as
// it.
ModelBuilder machine() {
  ModelBuilder builder;
  const Inertia inertia = solid_sphere(1.0, 0.1);
  builder.add_body("table", "world");
  builder.add_kinematic_body("carriage");
  builder.add_body("flap", "carriage", {}, inertia).add_joint("flap", {.type = JointType::revolute});
  builder.add_body("upper", "table", {}, inertia).add_joint("upper", {.type = JointType::revolute});
  builder.add_body("fore", "upper", {}, inertia).add_joint("fore", {.type = JointType::revolute});
  builder.add_body("hand", "fore", {}, inertia).add_joint("hand", {.type = JointType::revolute});
  builder.add_body("plate", "hand", {}, inertia);
  for (const char* name : {"world", "table", "carriage", "flap", "upper", "fore", "hand", "plate"})
    builder.add_shape(name, name, {}, Sphere{0.1});
  return builder;
}

bool may_touch(const Model& model, const char* a, const char* b, const DisabledContacts& disabled = {}) {
  std::vector<int> all(model.shapes.size());
  std::iota(all.begin(), all.end(), 0);
  const PairFilter filter = pair_filter(model, all, disabled);
  EXPECT_EQ(filter.allows(model.shape(a), model.shape(b)), filter.allows(model.shape(b), model.shape(a)));
  return filter.allows(model.shape(a), model.shape(b));
}

// Whether two items may collide whatever else is said.
bool is_forced(const PairFilter& filter, int i, int j) {
  return std::binary_search(filter.forced.begin(), filter.forced.end(),
                            IndexPair{std::min(i, j), std::max(i, j)});
}

TEST(CollisionFilter, LeavesOutBodiesThatAreFixedToEachOther) {
  const Model model = machine().build();
  EXPECT_FALSE(may_touch(model, "hand", "plate"));
  EXPECT_FALSE(may_touch(model, "world", "table"));
}

TEST(CollisionFilter, LeavesOutParentAndChildUnlessTheParentIsStatic) {
  const Model model = machine().build();
  EXPECT_FALSE(may_touch(model, "upper", "fore"));
  EXPECT_FALSE(may_touch(model, "fore", "plate"));
  EXPECT_FALSE(may_touch(model, "carriage", "flap"));
  EXPECT_TRUE(may_touch(model, "table", "upper"));
  EXPECT_TRUE(may_touch(model, "upper", "hand"));
}

TEST(CollisionFilter, LetsParentAndChildTouchWhereTheFileSaysSo) {
  Model model = machine().build();
  model.elements.options.disabled = {"filterparent"};
  EXPECT_TRUE(may_touch(model, "upper", "fore"));
  EXPECT_FALSE(may_touch(model, "hand", "plate"));
}

TEST(CollisionFilter, LeavesOutPairsThatNothingCanPush) {
  const Model model = machine().build();
  EXPECT_FALSE(may_touch(model, "table", "carriage"));
  EXPECT_TRUE(may_touch(model, "table", "flap"));
  EXPECT_TRUE(may_touch(model, "carriage", "upper"));
}

TEST(CollisionFilter, AsksForABitOfOneInTheOther) {
  ShapeProperties properties;
  properties.contype = 2;
  properties.conaffinity = 4;
  ModelBuilder builder = machine();
  builder.set_properties("hand", properties);
  EXPECT_FALSE(may_touch(builder.build(), "hand", "upper"));
  properties.contype = 4;
  properties.conaffinity = 0;
  builder.set_properties("upper", properties);
  EXPECT_TRUE(may_touch(builder.build(), "hand", "upper"));
}

TEST(CollisionFilter, HonoursExcludedBodiesAndListedPairs) {
  ModelBuilder builder = machine();
  builder.exclude_contacts("upper", "hand").add_contact_pair("upper", "fore");
  const Model model = builder.build();
  EXPECT_FALSE(may_touch(model, "upper", "hand"));
  EXPECT_TRUE(may_touch(model, "upper", "plate"));  // fixed to the hand, but another body
  std::vector<int> all(model.shapes.size());
  std::iota(all.begin(), all.end(), 0);
  EXPECT_TRUE(is_forced(pair_filter(model, all), model.shape("upper"), model.shape("fore")));
}

TEST(CollisionFilter, SwitchesShapesBodiesAndPairsOff) {
  const Model model = machine().build();
  DisabledContacts disabled;
  disabled.shapes = {model.shape("flap")};
  EXPECT_FALSE(may_touch(model, "flap", "upper", disabled));
  EXPECT_TRUE(may_touch(model, "hand", "upper", disabled));
  disabled.bodies = {model.body("hand")};
  EXPECT_FALSE(may_touch(model, "hand", "upper", disabled));
  EXPECT_TRUE(may_touch(model, "plate", "upper", disabled));
  disabled.pairs = {{model.shape("upper"), model.shape("plate")}};
  EXPECT_FALSE(may_touch(model, "plate", "upper", disabled));
  EXPECT_TRUE(may_touch(model, "plate", "table", disabled));
}

TEST(CollisionFilter, KeepsGroupsThatIgnoreEachOtherApart) {
  ModelBuilder builder = machine();
  builder.add_collision_group({.name = "arm", .bodies = {"upper", "fore"}, .shapes = {"hand"}});
  builder.add_collision_group({.name = "rest", .bodies = {"table", "flap"}, .ignores = {"arm"}});
  const Model model = builder.build();
  EXPECT_FALSE(may_touch(model, "flap", "upper"));
  EXPECT_FALSE(may_touch(model, "hand", "table"));
  EXPECT_TRUE(may_touch(model, "upper", "hand"));   // of one group, which does not ignore itself
  EXPECT_TRUE(may_touch(model, "plate", "table"));  // of no group
}

TEST(CollisionFilter, KeepsAGroupThatIgnoresItselfApart) {
  ModelBuilder builder = machine();
  builder.add_collision_group({.name = "arm", .bodies = {"upper", "hand"}, .ignores = {"arm"}});
  EXPECT_FALSE(may_touch(builder.build(), "upper", "hand"));
  EXPECT_TRUE(may_touch(builder.build(), "upper", "table"));
}

TEST(CollisionFilter, LeavesOutAGroupThatDoesNotCollide) {
  ModelBuilder builder = machine();
  builder.add_collision_group({.name = "ghosts", .bodies = {"flap"}, .collides = false});
  EXPECT_FALSE(may_touch(builder.build(), "flap", "upper"));
  EXPECT_TRUE(may_touch(builder.build(), "table", "upper"));
}

TEST(CollisionFilter, SwitchesGroupsWhateverTheModelSays) {
  ModelBuilder builder = machine();
  builder.add_collision_group({.name = "arm", .bodies = {"upper", "hand"}, .ignores = {"arm"}});
  builder.add_collision_group({.name = "flap", .bodies = {"flap"}, .collides = false});
  const Model model = builder.build();
  DisabledContacts switched;
  switched.groups = {{0, 0, true}, {1, -1, true}};
  EXPECT_TRUE(may_touch(model, "upper", "hand", switched));
  EXPECT_TRUE(may_touch(model, "upper", "flap", switched));
  switched.groups = {{0, 1, false}, {1, -1, true}};
  EXPECT_FALSE(may_touch(model, "upper", "flap", switched));
  EXPECT_TRUE(may_touch(model, "table", "flap", switched));
}

TEST(CollisionFilter, LetsListedPairsOfGroupsTouch) {
  ModelBuilder builder = machine();
  builder.add_collision_group({.name = "arm", .bodies = {"upper", "hand"}, .ignores = {"arm"}});
  builder.add_contact_pair("upper", "hand");
  const Model model = builder.build();
  std::vector<int> all(model.shapes.size());
  std::iota(all.begin(), all.end(), 0);
  EXPECT_TRUE(is_forced(pair_filter(model, all), model.shape("upper"), model.shape("hand")));
}

TEST(CollisionFilter, GroupsOfAnAttachedModelGetItsPrefix) {
  ModelBuilder arm = machine();
  arm.add_collision_group({.name = "arm", .bodies = {"upper", "hand"}, .ignores = {"arm"}});
  ModelBuilder builder;
  builder.attach(arm.build(), "world", {}, "left/").attach(arm.build(), "world", {}, "right/");
  const Model model = builder.build();
  EXPECT_FALSE(may_touch(model, "left/upper", "left/hand"));
  EXPECT_TRUE(may_touch(model, "left/upper", "right/hand"));
}

TEST(CollisionFilter, RejectsGroupsThatNameWhatIsNotThere) {
  ModelBuilder builder = machine();
  EXPECT_THROW(builder.add_collision_group({.name = "x", .bodies = {"nobody"}}), UserError);
  EXPECT_THROW(builder.add_collision_group({.name = "x", .shapes = {"nothing"}}), UserError);
  EXPECT_THROW(builder.add_collision_group({.name = "x", .ignores = {"y"}}), UserError);
  EXPECT_THROW(builder.add_collision_group({.name = ""}), UserError);
  builder.add_collision_group({.name = "x"});
  EXPECT_THROW(builder.add_collision_group({.name = "x"}), UserError);
}

TEST(CollisionFilter, RejectsIndicesThatDoNotExist) {
  const Model model = machine().build();
  DisabledContacts disabled;
  disabled.bodies = {99};
  EXPECT_THROW(check_disabled(model, disabled), UserError);
  disabled = {};
  disabled.groups = {{0, -1, false}};
  EXPECT_THROW(check_disabled(model, disabled), UserError);
}

}  // namespace
}  // namespace stiction
