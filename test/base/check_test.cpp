#include "stiction/base/check.h"

#include <string>

#include <gtest/gtest.h>

namespace stiction {
namespace {

std::string message_of_check(double mass) {
  try {
    STICTION_USER_CHECK(mass > 0, "body '{}': mass {} kg must be positive", "arm", mass);
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

TEST(UserCheck, PassesWhenTheConditionHolds) { EXPECT_EQ(message_of_check(1.5), "no error"); }

TEST(UserCheck, ThrowsAMessageWithTheValues) {
  EXPECT_EQ(message_of_check(-1.5), "body 'arm': mass -1.5 kg must be positive");
}

TEST(UserCheck, BuildsTheMessageOnlyOnFailure) {
  int built = 0;
  const auto describe = [&built] { return std::to_string(++built); };
  STICTION_USER_CHECK(true, "{}", describe());
  EXPECT_EQ(built, 0);
  EXPECT_THROW(STICTION_USER_CHECK(false, "{}", describe()), UserError);
  EXPECT_EQ(built, 1);
}

TEST(AssertDeathTest, PrintsThePlaceAndTheConditionAndAborts) {
  EXPECT_DEATH(STICTION_ASSERT(1 + 1 == 3), "check_test.cpp:[0-9]+: assertion failed: 1 \\+ 1 == 3");
}

TEST(Assert, DoesNothingWhenTheConditionHolds) { STICTION_ASSERT(1 + 1 == 2); }

#ifdef STICTION_COSTLY_CHECKS
TEST(CostlyAssertDeathTest, AbortsInThisBuild) {
  EXPECT_DEATH(STICTION_COSTLY_ASSERT(1 + 1 == 3), "assertion failed: 1 \\+ 1 == 3");
}
#else
TEST(CostlyAssert, IsNotEvaluatedInThisBuild) {
  bool evaluated = false;
  STICTION_COSTLY_ASSERT((evaluated = true));
  EXPECT_FALSE(evaluated);
}
#endif

}  // namespace
}  // namespace stiction
