#include "stiction/io/scene_file/schema.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "stiction/io/scene_file/scene_file.h"

namespace stiction {
namespace {

TEST(SceneSchema, EveryKeyBelongsToASectionAndStandsThereOnce) {
  std::set<std::string> sections, keys;
  for (const SceneSection& section : scene_sections()) EXPECT_TRUE(sections.insert(section.name).second);
  for (const SceneKey& key : scene_keys()) {
    EXPECT_EQ(sections.count(key.section), 1u) << key.section;
    EXPECT_TRUE(keys.insert(std::string(key.section) + "." + key.key).second) << key.key;
    EXPECT_NE(std::string(key.description), "");
    EXPECT_NE(std::string(key.fallback), "");
  }
}

TEST(SceneSchema, ThePageOfTheDocumentationHasEveryKey) {
  const std::filesystem::path page = "docs/scene_files.md";  // tests run in the root of the repository
  if (!std::filesystem::exists(page)) GTEST_SKIP() << page << " is not here";
  std::ifstream stream(page);
  std::stringstream text;
  text << stream.rdbuf();
  std::istringstream lines(scene_schema_markdown());
  for (std::string line; std::getline(lines, line);)
    EXPECT_NE(text.str().find(line + "\n"), std::string::npos) << "docs/scene_files.md lacks: " << line;
}

// The numbers that the list says are those that an empty scene has.
TEST(SceneSchema, DefaultsAreThoseOfAnEmptyScene) {
  const Scene scene = parse_scene("[[ground]]\n");
  const Formulation& f = scene.options.formulation;
  const std::vector<std::pair<std::string, double>> expected = {
      {"simulation.time", scene.time},
      {"simulation.threads", scene.threads},
      {"contact.stiction_tolerance", f.contact.v_s},
      {"contact.sigma", f.contact.sigma},
      {"contact.beta", f.contact.beta},
      {"contact.tolerance", f.dual.tolerance},
      {"contact.absolute_tolerance", f.dual.absolute_tolerance},
      {"contact.max_iterations", f.dual.max_iterations},
      {"contact.facets", f.dual.pyramid.facets},
      {"contact.penetration_recovery", f.contact.rigid.penetration_recovery},
      {"contact.fastest_recovery", f.contact.rigid.fastest_recovery},
      {"contact.restitution_speed", f.contact.rigid.restitution_speed},
      {"contact.normal_compliance", f.contact.rigid.normal_compliance},
      {"contact.tangential_compliance", f.contact.rigid.tangential_compliance},
      {"contact.impedance", f.contact.rigid.impedance},
      {"material.stiffness", kDefaultStiffness},
      {"material.dissipation", kDefaultDissipation},
      {"material.friction", kDefaultFriction},
      {"material.static_friction", kDefaultFriction},
  };
  for (const auto& [name, value] : expected) {
    bool found = false;
    for (const SceneKey& key : scene_keys()) {
      if (std::string(key.section) + "." + key.key != name) continue;
      found = true;
      EXPECT_EQ(std::stod(key.fallback), value) << name;
    }
    EXPECT_TRUE(found) << name;
  }
  EXPECT_EQ(scene.options.h, 0.002);
  EXPECT_EQ(std::string(f.scheme->name()), "semi_implicit_euler");
}

}  // namespace
}  // namespace stiction
