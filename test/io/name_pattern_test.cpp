#include "stiction/io/name_pattern.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

TEST(NamePattern, AStarStandsForAnyLettersAndAQuestionMarkForOne) {
  for (const char* name : {"foot", "foot_left", "foot1"}) EXPECT_TRUE(matches("foot*", name)) << name;
  EXPECT_TRUE(matches("*_left", "front_left"));
  EXPECT_TRUE(matches("*a*a*", "banana"));
  EXPECT_TRUE(matches("leg?", "leg1"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("left/arm*", "left/arm_1"));
}

TEST(NamePattern, EverythingElseStandsForItself) {
  EXPECT_TRUE(matches("a.b", "a.b"));
  EXPECT_FALSE(matches("a.b", "acb"));
  EXPECT_FALSE(matches("leg?", "leg"));
  EXPECT_FALSE(matches("leg?", "leg12"));
  EXPECT_FALSE(matches("foot", "foot1"));
  EXPECT_FALSE(matches("", "a"));
  EXPECT_FALSE(matches("*_left", "left"));
}

TEST(NamePattern, MatchingKeepsTheOrderOfTheNames) {
  EXPECT_EQ(matching("b*", {"a", "b2", "c", "b1"}), (std::vector<int>{1, 3}));
  EXPECT_TRUE(matching("x*", {"a", "b"}).empty());
}

// Twenty stars on a long name take no time that anyone notices: the last star alone goes back.
TEST(NamePattern, ManyStarsAreFast) {
  std::string pattern;
  for (int i = 0; i < 20; ++i) pattern += "a*";
  EXPECT_FALSE(matches(pattern + "b", std::string(10000, 'a')));
}

}  // namespace
}  // namespace stiction
