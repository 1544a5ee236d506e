// Which bodies `check` says rest too deep in their pressure fields, at depths that are computed by hand.

#include "stiction/simulation/pressure_notes.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "stiction/simulation/model/model_builder.h"

namespace stiction {
namespace {

constexpr double kGravity = 9.81;     // m/s^2
constexpr double kSmallDepth = 0.01;  // of the depth: the forms below are of first order in it
const ContactMaterial kSoft = [] {
  ContactMaterial material;
  material.pressure_modulus = 1e6;
  return material;
}();

struct Lying {
  const char* name;
  Shape shape;
  Pose X = translation(0, 0, 1);
  double mass = 1.0;  // kg
};

Model on_the_ground(const std::vector<Lying>& bodies, const Shape& ground = HalfSpace{}) {
  ModelBuilder builder("rest");
  builder.set_gravity(Vec3(0, 0, -kGravity));
  builder.add_shape("ground", "world", {}, ground);
  for (const Lying& body : bodies) {
    builder.add_free_body(body.name, body.X, solid_box(body.mass, Vec3(0.1, 0.1, 0.1)));
    builder.add_shape(std::string(body.name) + " shape", body.name, {}, body.shape);
    builder.set_material(std::string(body.name) + " shape", kSoft);
  }
  return builder.build();
}

double depth_of(const Lying& body, const Shape& ground = HalfSpace{}) {
  const std::vector<FieldPair> pairs = field_pairs(on_the_ground({body}, ground));
  return pairs.size() == 1 ? pairs[0].rest_depth : -1.0;
}

std::string note_with(const Model& model, const std::string& part) {
  for (const std::string& note : pressure_notes(model, {}))
    if (note.find(part) != std::string::npos) return note;
  return "";
}

Pose lying_on(const Vec3& axis, double angle) {
  return {Eigen::AngleAxisd(angle, axis).toRotationMatrix(), Vec3(0, 0, 1)};
}

TEST(PressureNotes, ABoxRestsOnTheSideThatIsBelow) {
  // Half edges 10, 5, 2 cm: kappa = 1e6/0.02 = 5e7 Pa/m. On 20 x 10 cm: 9.81/(5e7 0.02) = 9.81e-6 m; turned about x by 90
  // degrees on 20 x 4 cm: 2.4525e-5 m.
  const Box box{Vec3(0.1, 0.05, 0.02)};
  EXPECT_NEAR(depth_of({"box", box}), 9.81e-6, kSmallDepth * 9.81e-6);
  const double standing = depth_of({"box", box, lying_on(Vec3::UnitX(), 0.5 * std::numbers::pi)});
  EXPECT_NEAR(standing, 2.4525e-5, kSmallDepth * 2.4525e-5);
}

TEST(PressureNotes, RoundShapesRestByTheirOwnForms) {
  // kappa = 1e6/0.05 = 2e7 Pa/m. Ball: sqrt(9.81/(pi 2e7 0.05)) = 1.7671e-3 m, of which the second order, F (1 - 2d/3R),
  // makes 1.2 % more.
  const double ball = std::sqrt(kGravity / (std::numbers::pi * 1e6));
  EXPECT_NEAR(depth_of({"ball", Sphere{0.05}}), ball * (1.0 + ball / 0.15), kSmallDepth * ball);
  // Upright cylinder of radius 5 cm: 9.81/(2e7 pi 0.0025) = 6.2452e-5 m.
  EXPECT_NEAR(depth_of({"can", Cylinder{0.05, 0.4}}), 6.2452e-5, kSmallDepth * 6.2452e-5);
  // Lying: F = (4/3) kappa L d sqrt(2 R d), so d = (3F/(4 kappa L sqrt(2R)))^(2/3) = 2.044e-4 m, as a capsule that is long.
  const double line = std::pow(3.0 * kGravity / (4.0 * 2e7 * 0.4 * std::sqrt(0.1)), 2.0 / 3.0);
  const Pose lies = lying_on(Vec3::UnitY(), 0.5 * std::numbers::pi);
  constexpr double kFacetError = 0.02;  // of the depth: 3 % of the force
  EXPECT_NEAR(depth_of({"can", Cylinder{0.05, 0.4}, lies}), line, kFacetError * line);
  // An ellipsoid on the end of its shortest axis: F = pi a b E (d/c)^2.
  const double flat = 0.03 * std::sqrt(kGravity / (std::numbers::pi * 0.1 * 0.08 * 1e6));
  EXPECT_NEAR(depth_of({"egg", Ellipsoid{Vec3(0.1, 0.08, 0.03)}}), flat, kFacetError * flat);
}

TEST(PressureNotes, ThePartnerCounts) {
  // A ball of 5 cm on a rigid one of 20 cm: R1 R2/(R1 + R2) = 4 cm, d = sqrt(F/(kappa pi 0.04)).
  const double two = std::sqrt(kGravity / (2e7 * std::numbers::pi * 0.04));
  EXPECT_NEAR(depth_of({"ball", Sphere{0.05}}, Sphere{0.2}), two, 0.02 * two);
  // A large box on a rigid post of 2 x 2 cm: F/(kappa A) with kappa = 1e6/0.1 and A = 4e-4.
  const double post = kGravity / (1e7 * 4e-4);
  EXPECT_NEAR(depth_of({"box", Box{Vec3(0.1, 0.1, 0.1)}}, Box{Vec3(0.01, 0.01, 0.5)}), post,
              kSmallDepth * post);
}

TEST(PressureNotes, TwoLayersShareTheDepthByTheirSoftness) {
  // A box with kappa 1e6/0.1 = 1e7 Pa/m on a ground with 1e6/0.01 = 1e8: the box has 10/11 of the overlap.
  Model model = on_the_ground({{"box", Box{Vec3(0.1, 0.1, 0.1)}}});
  ContactMaterial& ground = model.shapes[std::size_t(model.shape("ground"))].contact;
  ground.pressure_modulus = 1e6;
  ground.pressure_depth = 0.01;
  const std::vector<FieldPair> pairs = field_pairs(model);
  ASSERT_EQ(pairs.size(), 1u);
  const double overlap = kGravity / (1e7 * 1e8 / 1.1e8 * 0.04);
  EXPECT_NEAR(pairs[0].rest_depth, overlap, kSmallDepth * overlap);
  // 10/11 of it of 10 cm, 1/11 of it of 1 cm: the same part of both.
  EXPECT_NEAR(pairs[0].rest_share, overlap * 10.0 / 11.0 / 0.1, kSmallDepth * overlap / 0.11);
}

TEST(PressureNotes, EveryBodyThatRestsTooDeepIsNamed) {
  // Balls of 5 cm: d/H = sqrt(F/(pi E R^2)): 3.5 % (1 kg), 1.1 % (0.1 kg), 7.1 % (4 kg); 1e4 kg is more than pi E R^2/3.
  const Sphere ball{0.05};
  const Model model = on_the_ground({{"one", ball},
                                     {"light", ball, translation(1, 0, 1), 0.1},
                                     {"heavy", ball, translation(2, 0, 1), 4.0},
                                     {"lead", ball, translation(3, 0, 1), 1e4}});
  const std::string note = note_with(model, "rest deeper");
  EXPECT_NE(note.find("3 bodies would rest deeper than 3 %"), std::string::npos) << note;
  EXPECT_NE(note.find("'one' on 'ground' about 1.79 mm, 3.58 % of 50 mm"), std::string::npos) << note;
  EXPECT_NE(note.find("'heavy' on"), std::string::npos) << note;
  EXPECT_NE(note.find("'lead' on 'ground' without end"), std::string::npos) << note;
  EXPECT_EQ(note.find("'light'"), std::string::npos) << note;
}

TEST(PressureNotes, EveryShapeThatCannotHaveAFieldIsNamed) {
  ModelBuilder builder("pills");
  builder.add_shape("soft", "world", {}, Sphere{0.1});
  builder.set_material("soft", kSoft);
  for (const char* name : {"pill", "tablet"}) {
    builder.add_free_body(name, translation(0, 0, 1), solid_box(1.0, Vec3(0.1, 0.1, 0.1)));
    builder.add_shape(name, name, {}, Superellipsoid{Vec3(0.1, 0.1, 0.1), 0.5, 0.5});
  }
  builder.add_free_body("ball", translation(1, 0, 1), solid_box(1.0, Vec3(0.1, 0.1, 0.1)));
  builder.add_shape("ball", "ball", {}, Sphere{0.1});
  const std::string note = note_with(builder.build(), "at points, also");
  EXPECT_NE(note.find("2 shapes touch at points"), std::string::npos) << note;
  EXPECT_NE(note.find("'pill', a superellipsoid; 'tablet', a superellipsoid"), std::string::npos) << note;
}

}  // namespace
}  // namespace stiction
