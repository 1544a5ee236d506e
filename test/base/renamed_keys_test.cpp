#include "stiction/base/renamed_keys.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "stiction/base/check.h"
#include "test/base/caught_warnings.h"

namespace stiction {
namespace {

using Json = nlohmann::ordered_json;

constexpr RenamedKey kRenamed[] = {{"wheel", "tyre", "tire"}, {"", "lorry", "truck"}};

Json renamed(const char* text) {
  Json json = Json::parse(text);
  OldKeys old_keys(kRenamed);
  rename_old_keys("v.json", &json, &old_keys);
  return json;
}

TEST(RenamedKeys, OldKeysGetTheirNewNameWhereTheirSectionHasThem) {
  const CaughtWarnings caught;
  EXPECT_EQ(renamed(R"({"lorry": 1, "wheel": {"tyre": 2}})"),
            Json::parse(R"({"wheel": {"tire": 2}, "truck": 1})"));
  EXPECT_EQ(renamed(R"({"lorry": [{"wheel": [{"tyre": 2}]}]})"),
            Json::parse(R"({"truck": [{"wheel": [{"tire": 2}]}]})"));
  EXPECT_EQ(renamed(R"({"tyre": 1, "wheel": {"lorry": 2}})"),
            Json::parse(R"({"tyre": 1, "wheel": {"lorry": 2}})"));
}

TEST(RenamedKeys, ANoteHasThePlaceAndBothNamesAndIsSaidOnceForAFile) {
  const CaughtWarnings caught;
  renamed(R"({"wheel": [{"tire": 1}, {"tyre": 2}, {"tyre": 3}]})");
  EXPECT_EQ(caught.lines, std::vector<std::string>{
                              "v.json.wheel[1]: 'tyre' is now called 'tire'; the old name is still read"});
}

TEST(RenamedKeys, NewKeysAreNotNoted) {
  const CaughtWarnings caught;
  renamed(R"({"truck": 1, "wheel": {"tire": 2}})");
  EXPECT_EQ(caught.lines, std::vector<std::string>{});
}

TEST(RenamedKeys, OldAndNewTogetherAreRefusedByBothNames) {
  try {
    renamed(R"({"wheel": {"tyre": 1, "tire": 1}})");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "v.json.wheel: 'tyre' is the old name of 'tire': only one of them may be given");
  }
}

TEST(RenamedKeys, TextsNestedWithoutEndDoNotFillTheStack) {
  std::string text;
  for (int i = 0; i < 1'000'000; ++i) text += "[";
  text += "{}";
  for (int i = 0; i < 1'000'000; ++i) text += "]";
  EXPECT_NO_THROW(renamed(text.c_str()));
}

}  // namespace
}  // namespace stiction
