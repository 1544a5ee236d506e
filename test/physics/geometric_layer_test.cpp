// Quasi-rigid bodies, compliant layers around rigid cores (G 5; docs/models/geometric.md).

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "scenes/geometric.h"
#include "stiction/base/check.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

constexpr double kGravity = 9.81, kRadius = 0.1;  // m/s^2, m

WorldOptions quasi_rigid(double h) {
  WorldOptions options;
  options.h = h;
  set_formulation("geometric_quasi_rigid", &options.formulation.contact);
  return options;
}

ContactMaterial soft(double stiffness, double relaxation, double mu = 0.5) {
  ContactMaterial material;
  material.static_friction = mu;
  material.stiffness = stiffness;
  material.relaxation_time = relaxation;
  return material;
}

ContactMaterial hard(double mu = 0.5) {
  ContactMaterial material;
  material.static_friction = mu;
  return material;
}

// A ball of 1 kg just above the floor.
Model ball_on_floor(const ContactMaterial& ball, const ContactMaterial& floor) {
  ModelBuilder builder("ball");
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.set_material("floor", floor);
  builder.add_free_body("ball", translation(0.0, 0.0, kRadius), solid_sphere(1.0, kRadius));
  builder.add_shape("ball", "ball", {}, Sphere{kRadius});
  builder.set_material("ball", ball);
  return builder.build();
}

double sag(const World& world) { return kRadius - world.body_pose("ball").p.z(); }

TEST(GeometricLayer, SinksByItsWeightOverItsStiffness) {
  World world(ball_on_floor(hard(), soft(1e4, 0.05)), quasi_rigid(1e-3));
  world.simulate(1.0);
  EXPECT_NEAR(sag(world), kGravity / 1e4, 1e-9);
}

TEST(GeometricLayer, TwoLayersAreSpringsInSeries) {
  World world(ball_on_floor(soft(2e4, 0.05), soft(1e4, 0.05)), quasi_rigid(1e-3));
  world.simulate(1.0);
  EXPECT_NEAR(sag(world), kGravity * (1.0 / 2e4 + 1.0 / 1e4), 1e-8);
  const GeometricContact& contact = world.record().geometric_contacts.at(0);
  EXPECT_NEAR(contact.deflection_A[0], kGravity / 1e4, 1e-8);
  EXPECT_NEAR(contact.deflection_B[0], kGravity / 2e4, 1e-8);
}

TEST(GeometricLayer, TendsToRigidAsItsStiffnessGrows) {
  for (const double stiffness : {1e4, 1e6, 1e8}) {
    World world(ball_on_floor(hard(), soft(stiffness, 0.01)), quasi_rigid(1e-3));
    world.simulate(0.3);
    EXPECT_NEAR(sag(world), kGravity / stiffness, 1e-2 * kGravity / stiffness + 1e-12) << stiffness;
  }
}

TEST(GeometricLayer, CoreCarriesWhatALayerThatIsPressedFlatDoesNot) {
  constexpr double kStiffness = 1e3, kDepth = 2e-3, kStep = 1e-3;
  ContactMaterial floor = soft(kStiffness, 0.05);
  floor.max_deflection = kDepth;
  World world(ball_on_floor(hard(), floor), quasi_rigid(kStep));
  world.simulate(1.0);
  EXPECT_NEAR(sag(world), kDepth, 1e-9);
  const GeometricContact& contact = world.record().geometric_contacts.at(0);
  EXPECT_NEAR(contact.core_A / kStep, kGravity - kStiffness * kDepth, 1e-6);
  EXPECT_NEAR(contact.n.dot(contact.impulse) / kStep, kGravity, 1e-6);
}

// Pushed sideways below the limit of friction, it stands where the shear of the layer holds it.
TEST(GeometricLayer, ShearHoldsASidewaysPushAndGivesItBack) {
  constexpr double kPush = 2.0, kStiffness = 1e4;
  ModelBuilder builder("slab");
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.set_material("floor", soft(kStiffness, 0.02));
  builder.add_body("ball", "world", translation(0.0, 0.0, kRadius), solid_sphere(1.0, kRadius));
  for (const auto& [name, axis] :
       {std::pair("x", Vec3(Vec3::UnitX())), std::pair("z", Vec3(Vec3::UnitZ()))}) {
    Joint slide;
    slide.name = name;
    slide.type = JointType::prismatic;
    slide.axis = axis;
    builder.add_joint("ball", slide);
  }
  builder.add_shape("ball", "ball", {}, Sphere{kRadius});
  builder.set_material("ball", hard());
  World world(builder.build(), quasi_rigid(1e-3));
  world.simulate(0.5);
  world.set_joint_force("x", kPush);
  world.simulate(1.0);
  EXPECT_NEAR(world.position("x"), kPush / kStiffness, 1e-8);
  // The shear is part of the state: a world that starts from it does the same, bit for bit.
  const State pushed = world.state();
  ASSERT_EQ(pushed.memory.deflections.size(), 1u);
  EXPECT_NEAR(pushed.memory.deflections[0].shear_A.norm(), kPush / kStiffness, 1e-8);
  World other(world.model(), quasi_rigid(1e-3));
  other.set_state(pushed);
  State forgotten = pushed;
  forgotten.memory.deflections.clear();
  EXPECT_NE(hash(pushed), hash(forgotten));
  world.set_joint_force("x", 0.0);
  world.simulate(1.0);
  other.simulate(1.0);
  EXPECT_EQ(hash(world.state()), hash(other.state()));
  EXPECT_NEAR(world.position("x"), 0.0, 1e-8);
}

TEST(GeometricLayer, NumbersThatMakeNoSenseAreRefused) {
  QuasiRigidLayer good;
  good.K = 1e4 * Mat3::Identity();
  std::vector<QuasiRigidLayer> bad(5, good);
  bad[0].shape = 7;
  bad[1].K(1, 1) = -1.0;
  bad[2].C(2, 2) = -1.0;
  bad[3].max_deflection = 0.0;
  bad[4].K(0, 0) = std::numeric_limits<double>::quiet_NaN();
  for (const QuasiRigidLayer& layer : bad) {
    WorldOptions options = quasi_rigid(1e-3);
    options.formulation.geometric.layers = {layer};
    World world(ball_on_floor(hard(), hard()), options);
    EXPECT_THROW(world.step(), UserError) << &layer - bad.data();
  }
}

TEST(GeometricLayer, MatricesGivenForAShapeTakeThePlaceOfItsMaterial) {
  WorldOptions options = quasi_rigid(1e-3);
  QuasiRigidLayer layer;
  layer.shape = 0;
  layer.K = Vec3(5e3, 1e3, 1e3).asDiagonal();
  layer.C = 0.05 * layer.K;
  options.formulation.geometric.layers = {layer};
  World world(ball_on_floor(hard(), hard()), options);
  world.simulate(1.0);
  // The pair gave the ball a layer of its own.
  EXPECT_GT(sag(world), kGravity / 5e3);
  EXPECT_NEAR(world.record().geometric_contacts.at(0).deflection_A[0], kGravity / 5e3, 1e-8);
}

}  // namespace
}  // namespace stiction
