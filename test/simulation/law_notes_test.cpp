#include "stiction/simulation/law_notes.h"

#include <string>

#include <gtest/gtest.h>

#include "stiction/geometry/shape/shape.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"
#include "test/base/caught_warnings.h"

namespace stiction {
namespace {

Model ball_of(const ContactMaterial& material) {
  ModelBuilder builder("ball");
  builder.add_free_body("ball", {}, Inertia{});
  builder.add_solid("ball", "ball", {}, Sphere{0.05}, 1000.0);
  builder.set_material("ball", material);
  return builder.build();
}

ContactOptions options_of(LawKind law) {
  ContactOptions options;
  options.law = law;
  return options;
}

TEST(LawNotes, SayNothingWhereAMaterialHasANumberOfTheSamePurposeForTheLaw) {
  ContactMaterial both;
  both.dissipation = 20.0;      // s/m, of Hunt & Crossley
  both.relaxation_time = 0.01;  // s, of Kelvin-Voigt
  EXPECT_TRUE(ignored_numbers(ball_of(both), options_of(LawKind::icf_lagged)).empty());
  EXPECT_TRUE(ignored_numbers(ball_of(both), options_of(LawKind::sap)).empty());
  EXPECT_EQ(ignored_numbers(ball_of(both), options_of(LawKind::coulomb_ncp)).size(), 2u);
}

Model soft_ball(const std::string& model, const std::string& shape = "ball") {
  ContactMaterial material;
  material.stiffness = 1e5;
  ModelBuilder builder(model);
  builder.add_free_body("ball", {}, Inertia{});
  builder.add_solid(shape, "ball", {}, Sphere{0.05}, 1000.0);
  builder.set_material(shape, material);
  return builder.build();
}

TEST(LawNotes, AreSaidOnceForEveryModelLawAndFirstShape) {
  CaughtWarnings caught;
  const ContactOptions rigid = options_of(LawKind::coulomb_ncp);
  for (int i = 0; i < 2; ++i) say_ignored_numbers(soft_ball("one"), rigid);
  EXPECT_EQ(caught.lines.size(), 1u);
  say_ignored_numbers(soft_ball("two"), rigid);
  EXPECT_EQ(caught.lines.size(), 2u);
  EXPECT_NE(caught.lines.back().find("stiffness of 1 shape of 'two' ('ball')"), std::string::npos)
      << caught.lines.back();
  say_ignored_numbers(soft_ball("two", "bead"), rigid);
  EXPECT_EQ(caught.lines.size(), 3u);
  say_ignored_numbers(soft_ball("two"), options_of(LawKind::pyramid_lcp));
  EXPECT_EQ(caught.lines.size(), 4u);
}

TEST(LawNotes, AreSaidWhenTheLawOfAWorldChanges) {
  CaughtWarnings caught;
  World world(soft_ball("ball"));
  world.step();
  EXPECT_TRUE(caught.lines.empty());
  world.options().formulation.contact.law = LawKind::coulomb_ncp;
  for (int i = 0; i < 2; ++i) world.step();
  ASSERT_EQ(caught.lines.size(), 1u);
  EXPECT_NE(caught.lines.front().find("coulomb_ncp+semismooth_newton ignores the stiffness"),
            std::string::npos);
}

}  // namespace
}  // namespace stiction
