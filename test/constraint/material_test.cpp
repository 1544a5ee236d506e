#include "stiction/constraint/material.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "stiction/base/check.h"

namespace stiction {
namespace {

TEST(Material, CombinesAsSpringsInSeriesAndByTheHarmonicMeanOfFriction) {
  ContactMaterial a, b;
  a.stiffness = 1e4;
  b.stiffness = 3e4;
  a.dissipation = 2.0;
  b.dissipation = 6.0;
  a.relaxation_time = 0.1;
  b.relaxation_time = 0.3;
  a.static_friction = 0.2;
  b.static_friction = 0.6;
  const PairMaterial pair = combine(a, b);
  EXPECT_DOUBLE_EQ(pair.stiffness, 1.0 / (1.0 / 1e4 + 1.0 / 3e4));
  // The softer side takes up three quarters of the approach.
  EXPECT_DOUBLE_EQ(pair.dissipation, 0.75 * 2.0 + 0.25 * 6.0);
  EXPECT_DOUBLE_EQ(pair.relaxation_time, 0.75 * 0.1 + 0.25 * 0.3);
  EXPECT_DOUBLE_EQ(pair.static_friction, 2.0 / (1.0 / 0.2 + 1.0 / 0.6));
  EXPECT_DOUBLE_EQ(pair.dynamic_friction, pair.static_friction);
  EXPECT_TRUE(pair.stiffness_is_given);
}

TEST(Material, IsTheSameInEitherOrder) {
  ContactMaterial a, b;
  a.stiffness = 1e4;
  a.dissipation = 2.0;
  b.stiffness = 7e5;
  b.dissipation = 5.0;
  b.static_friction = 0.9;
  b.dynamic_friction = 0.4;
  const PairMaterial ab = combine(a, b), ba = combine(b, a);
  EXPECT_DOUBLE_EQ(ab.stiffness, ba.stiffness);
  EXPECT_DOUBLE_EQ(ab.dissipation, ba.dissipation);
  EXPECT_DOUBLE_EQ(ab.static_friction, ba.static_friction);
  EXPECT_DOUBLE_EQ(ab.dynamic_friction, ba.dynamic_friction);
}

TEST(Material, OfOneSideAloneIsThatOfThePair) {
  ContactMaterial a;
  a.stiffness = 5e4;
  a.dissipation = 7.0;
  a.static_friction = 0.3;
  const PairMaterial pair = combine({}, a);
  EXPECT_EQ(pair.stiffness, 5e4);
  EXPECT_EQ(pair.dissipation, 7.0);
  EXPECT_EQ(pair.static_friction, 0.3);
}

TEST(Material, OfNeitherSideIsTheDefaultOfAPair) {
  const PairMaterial pair = combine({}, {});
  EXPECT_EQ(pair.stiffness, kDefaultStiffness);
  EXPECT_EQ(pair.dissipation, kDefaultDissipation);
  EXPECT_EQ(pair.static_friction, kDefaultFriction);
  EXPECT_LT(pair.relaxation_time, 0.0);
  EXPECT_FALSE(pair.stiffness_is_given);
}

TEST(Material, WithoutFrictionOnOneSideHasNone) {
  ContactMaterial ice, rubber;
  ice.static_friction = 0.0;
  rubber.static_friction = 1.0;
  EXPECT_EQ(combine(ice, rubber).static_friction, 0.0);
  EXPECT_EQ(combine(ice, ice).static_friction, 0.0);
}

TEST(Material, HasStaticFrictionAtRestAndDynamicFrictionInMotion) {
  PairMaterial pair;
  pair.static_friction = 0.8;
  pair.dynamic_friction = 0.5;
  const double v_s = 1e-4;
  EXPECT_NEAR(blended_friction(pair, 0.0, v_s), 0.8, 1e-15);
  EXPECT_NEAR(blended_friction(pair, 10.0 * v_s, v_s), 0.65, 1e-15);  // half way at ten tolerances
  // g(x) - 1 = -1/(2 x^2) and g(10) = 1 - 1/200: what is left of 0.3/2 far away.
  EXPECT_NEAR(blended_friction(pair, 1.0, v_s), 0.5, 0.15 * 0.0051);
  double last = 1.0;
  for (double slip = 0.0; slip < 100.0 * v_s; slip += v_s) {
    const double mu = blended_friction(pair, slip, v_s);
    EXPECT_LE(mu, last);
    last = mu;
  }
}

TEST(Material, TakesTheFrictionDirectionOfTheSideWhoseFrictionDiffersMore) {
  ContactMaterial smooth, wood, ice;
  wood.anisotropy_ratio = 0.5;
  wood.friction_direction = Vec3(0.0, 1.0, 0.0);
  ice.anisotropy_ratio = 4.0;
  EXPECT_EQ(combine(smooth, smooth).friction_direction_side, 0);
  EXPECT_EQ(combine(wood, smooth).friction_direction_side, 1);
  EXPECT_EQ(combine(smooth, wood).friction_direction_side, 2);
  EXPECT_EQ(combine(smooth, wood).anisotropy_ratio, 0.5);
  EXPECT_EQ(combine(smooth, wood).friction_direction, wood.friction_direction);
  EXPECT_EQ(combine(wood, ice).anisotropy_ratio, 4.0);
  EXPECT_EQ(combine(wood, wood).friction_direction_side, 1);
}

TEST(Material, CombinesFrictionAgainstTurningLikeThatAgainstSliding) {
  ContactMaterial plain, rubber, felt;
  rubber.torsional_friction = 0.02;
  rubber.rolling_friction = 1e-3;
  felt.rolling_friction = 3e-3;
  EXPECT_FALSE(combine(plain, plain).has_torsional_or_rolling_friction());
  EXPECT_EQ(combine(plain, rubber).torsional_friction, 0.02);
  EXPECT_EQ(combine(rubber, felt).torsional_friction, 0.02);  // given on one side only
  EXPECT_NEAR(combine(rubber, felt).rolling_friction, 2.0 / (1.0 / 1e-3 + 1.0 / 3e-3), 1e-18);
  rubber.rolling_friction = -1e-3;
  EXPECT_THROW(check_material(rubber, "shape 'wheel'"), UserError);
}

TEST(Material, RefusesAFrictionDirectionThatIsNone) {
  ContactMaterial wood;
  wood.friction_direction = Vec3::Zero();
  EXPECT_THROW(check_material(wood, "shape 'floor'"), UserError);
  wood.friction_direction = Vec3::UnitX();
  wood.anisotropy_ratio = 0.0;
  EXPECT_THROW(check_material(wood, "shape 'floor'"), UserError);
}

TEST(Material, RefusesNumbersThatAreNotPhysical) {
  const auto message = [](const ContactMaterial& material) {
    try {
      check_material(material, "shape 'foot'");
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  ContactMaterial material;
  EXPECT_EQ(message(material), "");
  material.stiffness = 0.0;
  EXPECT_NE(message(material).find("the stiffness of shape 'foot' is 0"), std::string::npos);
  material.stiffness = std::nan("");
  EXPECT_NE(message(material), "");
  material.stiffness = 1e5;
  material.static_friction = -0.1;
  EXPECT_NE(message(material).find("the static friction of shape 'foot' is -0.1"), std::string::npos);
}

}  // namespace
}  // namespace stiction
