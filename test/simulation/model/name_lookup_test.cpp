#include "stiction/simulation/model/name_lookup.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

TEST(NameLookup, FindsANameWithAWrongMissingOrExtraLetter) {
  const std::vector<std::string> names = {"shoulder", "elbow", "wrist"};
  EXPECT_EQ(closest_name("elbaw", names), "elbow");
  EXPECT_EQ(closest_name("elbw", names), "elbow");
  EXPECT_EQ(closest_name("ellbow", names), "elbow");
}

TEST(NameLookup, PrefersTheFewestChangesAndThenTheFirst) {
  EXPECT_EQ(closest_name("link2", {"link11", "link12", "link22"}), "link12");
  EXPECT_EQ(closest_name("a_x", {"a_1", "a_2"}), "a_1");
}

TEST(NameLookup, FindsNothingWhenMoreThanHalfOfTheLettersDiffer) {
  EXPECT_EQ(closest_name("gripper", {"base", "elbow"}), "");
  EXPECT_EQ(closest_name("gripper", {}), "");
}

TEST(NameLookup, MessageAsksOnlyWhenThereIsACloseName) {
  EXPECT_EQ(unknown_name_message("joint", "knie", {"knee"}),
            "there is no joint 'knie'; did you mean 'knee'?");
  EXPECT_EQ(unknown_name_message("joint", "gripper", {"knee"}), "there is no joint 'gripper'");
}

}  // namespace
}  // namespace stiction
