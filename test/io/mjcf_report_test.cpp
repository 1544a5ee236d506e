// What the report says about parts of a file that no element uses.

#include <gtest/gtest.h>

#include "stiction/io/mjcf.h"

namespace stiction {
namespace {

CompatibilityEntry entry_of(const std::string& text, const std::string& element,
                            const std::string& attribute) {
  CompatibilityReport report;
  parse_mjcf(text, "model.xml", {}, &report);
  for (const CompatibilityEntry& entry : report.entries)
    if (entry.element == element && entry.attribute == attribute) return entry;
  return {};
}

std::string with_default(const std::string& joint) {
  return "<mujoco><default><joint axis='0 1 0'/></default><worldbody><body>" + joint +
         "<geom size='1'/></body></worldbody></mujoco>";
}

TEST(MjcfReport, ADefaultThatAnElementTakesIsHonoured) {
  EXPECT_EQ(entry_of(with_default("<joint/>"), "joint", "axis").status, Compatibility::honoured);
}

TEST(MjcfReport, ADefaultThatEveryElementOverridesIsIgnoredAndSaysSo) {
  const CompatibilityEntry entry = entry_of(with_default("<joint axis='1 0 0'/>"), "joint", "axis");
  EXPECT_EQ(entry.status, Compatibility::ignored);
  EXPECT_EQ(entry.why, "no element of the model takes this value from its class");
}

TEST(MjcfReport, SaysThatTheScaleOfAFrameDoesNotAct) {
  for (const std::string attribute : {"scale='2'", "massscale='3'", "scaling='geometry'"}) {
    const std::string text =
        "<mujoco><worldbody><frame " + attribute + "><geom size='1'/></frame></worldbody></mujoco>";
    const std::string name = attribute.substr(0, attribute.find('='));
    EXPECT_EQ(entry_of(text, "frame", name).status, Compatibility::ignored) << name;
    EXPECT_FALSE(entry_of(text, "frame", name).why.empty());
  }
}

std::string with_geom(const std::string& attributes) {
  return "<mujoco><worldbody><geom size='1' " + attributes + "/></worldbody></mujoco>";
}

TEST(MjcfReport, ContactNumbersAreHonouredWhereTheyMeanTheSame) {
  for (const char* attribute :
       {"friction", "priority", "solmix", "margin", "gap", "contype", "conaffinity"}) {
    const std::string geom = with_geom(std::string(attribute) + "='1'");
    EXPECT_EQ(entry_of(geom, "geom", attribute).status, Compatibility::honoured) << attribute;
  }
  EXPECT_EQ(entry_of(with_geom("solref='-1000 -10'"), "geom", "solref").status, Compatibility::honoured);
  EXPECT_EQ(entry_of(with_geom("condim='1'"), "geom", "condim").status, Compatibility::honoured);
}

TEST(MjcfReport, ContactNumbersAreApproximatedWhereTheyMeanSomethingElse) {
  EXPECT_EQ(entry_of(with_geom("solref='0.02 1'"), "geom", "solref").status, Compatibility::approximated);
  EXPECT_EQ(entry_of(with_geom("solimp='0.9 0.95'"), "geom", "solimp").status, Compatibility::approximated);
  for (const char* condim : {"4", "6"}) {
    const std::string geom = with_geom(std::string("condim='") + condim + "'");
    EXPECT_EQ(entry_of(geom, "geom", "condim").status, Compatibility::approximated);
  }
}

}  // namespace
}  // namespace stiction
