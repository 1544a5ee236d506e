#include "stiction/simulation/law_notes.h"

#include <gtest/gtest.h>

#include "stiction/geometry/shape/shape.h"
#include "stiction/simulation/model/model_builder.h"

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

}  // namespace
}  // namespace stiction
