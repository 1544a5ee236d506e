#include "scenes/catalog.h"

#include <string>

#include <gtest/gtest.h>

#include "stiction/base/check.h"

namespace stiction {
namespace {

TEST(Scenes, AllBuildUnderTheirOwnName) {
  for (const SceneEntry& entry : scene_catalog()) {
    SCOPED_TRACE(entry.name);
    const Model model = make_scene(entry.name);
    EXPECT_EQ(model.name, entry.name);
    EXPECT_GT(model.num_v(), 0);
    EXPECT_FALSE(model.shapes.empty());
    EXPECT_EQ(model.q0.size(), model.num_q());
  }
}

TEST(Scenes, SuggestTheClosestNameForAnUnknownOne) {
  try {
    make_scene("humanoit");
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_EQ(std::string(error.what()).find("there is no scene 'humanoit'; did you mean 'humanoid'?"), 0u);
  }
}

TEST(Scenes, HaveTheNumberOfVelocitiesTheyPromise) {
  EXPECT_EQ(make_scene("arm").num_v(), 7);
  EXPECT_EQ(make_scene("hand").num_v(), 16);
  EXPECT_EQ(make_scene("quadruped").num_v(), 18);
  EXPECT_EQ(make_scene("humanoid").num_v(), 30);
  EXPECT_EQ(make_scene("chain").num_v(), 50);
  EXPECT_EQ(make_scene("free_bodies_and_arms").num_v(), 40 * 6 + 2 * 7);
}

}  // namespace
}  // namespace stiction
