#include "stiction/io/compatibility_report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace stiction {
namespace {

CompatibilityReport example() {
  return {{{"joint", "", "r.urdf", 3, Compatibility::honoured, ""},
           {"joint", "axis", "r.urdf", 3, Compatibility::approximated, "normalised"},
           {"gazebo", "", "r.urdf", 8, Compatibility::ignored, "another program's"},
           {"gazebo", "", "r.urdf", 9, Compatibility::ignored, "another program's"}}};
}

TEST(CompatibilityReport, CountsByStatus) {
  EXPECT_EQ(example().count(Compatibility::honoured), 1);
  EXPECT_EQ(example().count(Compatibility::approximated), 1);
  EXPECT_EQ(example().count(Compatibility::ignored), 2);
}

TEST(CompatibilityReport, MergingAppendsTheEntriesOfAnIncludedFile) {
  CompatibilityReport report = example(), included;
  included.entries.push_back({"geom", "size", "part.xml", 2, Compatibility::honoured, ""});
  report.merge(included);
  ASSERT_EQ(report.entries.size(), 5u);
  EXPECT_EQ(report.entries[4].file, "part.xml");
}

TEST(CompatibilityReport, TextPutsEqualReasonsOnOneLine) {
  EXPECT_EQ(to_text(example()),
            "1 honoured, 1 approximated, 2 ignored\n"
            "approximated <joint axis>: normalised (r.urdf:3)\n"
            "ignored      <gazebo>: another program's (r.urdf:8, 9)\n");
  EXPECT_NE(to_text(example(), true).find("honoured     <joint> (r.urdf:3)\n"), std::string::npos);
}

TEST(CompatibilityReport, TextNamesTheAttributesOfAnElementTogetherUnlessTheElementSpeaksForThem) {
  const CompatibilityReport report = {
      {{"pair", "", "m.xml", 2, Compatibility::ignored, "no contact"},
       {"pair", "geom1", "m.xml", 2, Compatibility::ignored, "no contact"},
       {"joint", "range", "m.xml", 3, Compatibility::ignored, "no limits"},
       {"joint", "limited", "m.xml", 3, Compatibility::ignored, "no limits"}}};
  EXPECT_EQ(to_text(report),
            "0 honoured, 0 approximated, 4 ignored\n"
            "ignored      <joint limited range>: no limits (m.xml:3)\n"
            "ignored      <pair>: no contact (m.xml:2)\n");
}

TEST(CompatibilityReport, JsonHasEveryEntryWithItsKeys) {
  const nlohmann::json json = nlohmann::json::parse(to_json(example()));
  ASSERT_EQ(json.size(), 4u);
  const nlohmann::json expected = {{"element", "joint"}, {"attribute", "axis"},      {"file", "r.urdf"},
                                   {"line", 3},          {"status", "approximated"}, {"why", "normalised"}};
  EXPECT_EQ(json[1], expected);
}

TEST(CompatibilityReport, JsonSurvivesFileNamesThatAreNotUtf8) {
  const CompatibilityReport report = {{{"a", "", "caf\xe9.urdf", 1, Compatibility::honoured, ""}}};
  EXPECT_TRUE(nlohmann::json::accept(to_json(report)));
}

}  // namespace
}  // namespace stiction
