// Bodies in motion that touch by their pressure fields: rest by the solver's default tolerance, depth at rest, a straight
// slide, the force at every step and speed, a height field.
#include <cmath>

#include <gtest/gtest.h>

#include "stiction/geometry/shape/height_field.h"
#include "test/physics/contact_laws.h"

namespace stiction {
namespace {

constexpr double E = 1e7, R = 0.05, a = 0.1;  // Pa, m, m

ContactMaterial field(double modulus = E, double mu = 0.5) {
  ContactMaterial material;
  material.pressure_modulus = modulus;
  material.dissipation = 50.0;
  material.static_friction = mu;
  return material;
}

ModelBuilder on_floor(const char* name, const Shape& floor = HalfSpace{}) {
  ModelBuilder builder(name);
  builder.add_shape("floor", "world", {}, floor);
  return builder;
}

void add(const std::string& name, const Pose& X, const Shape& shape, const ContactMaterial& material,
         ModelBuilder* builder) {
  builder->add_free_body(name, X, Inertia{});
  builder->add_solid(name, name, {}, shape, 1000.0);
  builder->set_material(name, material);
}

Mat3 turned(double angle, const Vec3& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

TEST(PressureMotion, ACubeRestsToTheDefaultToleranceOfTheSolver) {
  // Which is 1e-6 of the momentum that gravity gives in a step: speeds below 1e-6 g h, and its weight to 1e-6.
  for (const double h : {1e-3, 5e-3, 1e-2, 2e-2}) {
    SCOPED_TRACE(h);
    ModelBuilder builder = on_floor("cube");
    add("cube", {turned(0.01, Vec3(1, 0.3, 0)), Vec3(0, 0, 0.5 * a + 2e-3)}, Box{Vec3::Constant(0.5 * a)},
        field(), &builder);
    World world(builder.build(), {.h = h});
    world.simulate(3.0);
    EXPECT_LT(world.body_velocity("cube").tail<3>().norm(), 1e-6 * kG * h);
    EXPECT_LT(world.body_velocity("cube").head<3>().norm() * a, 1e-6 * kG * h);
    EXPECT_NEAR(force_between(world, "world", "cube").z() / kG, 1.0, 1e-6);
  }
}

TEST(PressureMotion, ABoxRestsAtTheDepthOfItsClosedForm) {
  // m g = kappa (a^2 d - 2 a d^2 + 4 d^3/3), about m g H/(E a^2) deep.
  for (const double modulus : {1e5, 1e6}) {
    ModelBuilder builder = on_floor("cube");
    add("cube", translation(0, 0, 0.5 * a), Box{Vec3::Constant(0.5 * a)}, field(modulus), &builder);
    World world(builder.build(), {.h = 2e-3});
    world.simulate(3.0);
    const double d = 0.5 * a - world.body_pose("cube").p.z(), kappa = modulus / (0.5 * a);
    EXPECT_NEAR(kappa * (a * a * d - 2.0 * a * d * d + 4.0 / 3.0 * d * d * d) / kG, 1.0, 1e-5);
    EXPECT_NEAR(d / (kG * 0.5 * a / (modulus * a * a)), 1.0, 3.0 * d / a);  // the rim, of first order
  }
}

TEST(PressureMotion, ACubeSlidesStraight) {
  // Along an edge, along a diagonal and in between: the patch is symmetric under half a turn, and nothing turns it but its rim,
  // with a share of 4 d/a = 8e-6 of the force at the depth d = m g H/(E a^2) = 2e-7 m.
  for (const double angle : {0.0, 0.25 * kPi, 0.4}) {
    SCOPED_TRACE(angle);
    ModelBuilder builder = on_floor("cube");
    add("cube", translation(0, 0, 0.1 * a), Box{Vec3(0.5 * a, 0.5 * a, 0.1 * a)}, field(), &builder);
    builder.set_initial_velocity("cube", {0, 0, 0, 2.0 * std::cos(angle), 2.0 * std::sin(angle), 0});
    World world(builder.build(), {.h = 2e-3});
    world.simulate(0.3);
    const Pose X = world.body_pose("cube");
    const double way = X.p.head<2>().norm();
    EXPECT_GT(way, 0.2);
    EXPECT_LT(std::abs(-std::sin(angle) * X.p.x() + std::cos(angle) * X.p.y()), 1e-5 * way);
    EXPECT_LT(std::abs(X.R(1, 0)), 1e-5);
  }
}

TEST(PressureMotion, RoundBodiesRestAtTheSameDepthForEveryStep) {
  // A larger step has a larger margin, which must not change the force: a capsule on its side and an ellipsoid, on a box.
  const Mat3 lies = turned(0.5 * kPi, Vec3::UnitY());
  for (const bool is_capsule : {true, false}) {
    std::vector<double> heights;
    for (const double h : {1e-3, 5e-3, 2e-2}) {
      ModelBuilder builder("round");
      builder.add_shape("floor", "world", translation(0, 0, -1.0), Box{Vec3(1, 1, 1)});
      const Shape shape = is_capsule ? Shape(Capsule{R, 2.0 * R}) : Shape(Ellipsoid{Vec3(0.07, 0.06, R)});
      add("body", {is_capsule ? lies : Mat3(Mat3::Identity()), Vec3(0, 0, R)}, shape, field(1e6), &builder);
      World world(builder.build(), {.h = h});
      world.simulate(4.0);
      heights.push_back(world.body_pose("body").p.z());
    }
    // Depths of some tenths of a millimetre, each to the solver's tolerance.
    EXPECT_LT(heights[0], R - 5e-5);
    for (const double z : heights) EXPECT_NEAR((R - z) / (R - heights[0]), 1.0, 1e-3);
  }
}

TEST(PressureMotion, ACubeOnAFlatHeightFieldRestsAsOnAFloor) {
  const auto flat = std::make_shared<const HeightField>(
      height_field(9, 9, std::vector<double>(81, 1.0), {0.5, 0.5, 0.1, 0.05}));
  ModelBuilder builder = on_floor("ground", flat);
  const double top = flat->height(0, 0);
  add("cube", {turned(0.2, Vec3::UnitZ()), Vec3(0.03, 0.02, top + 0.5 * a)}, Box{Vec3::Constant(0.5 * a)},
      field(1e6), &builder);
  World world(builder.build(), {.h = 5e-3});
  world.simulate(2.0);
  ASSERT_FALSE(world.record().collision.pressure_points.empty());
  const double d = top + 0.5 * a - world.body_pose("cube").p.z(), kappa = 1e6 / (0.5 * a);
  EXPECT_NEAR(kappa * (a * a * d - 2.0 * a * d * d + 4.0 / 3.0 * d * d * d) / kG, 1.0, 1e-5);
}

}  // namespace
}  // namespace stiction
