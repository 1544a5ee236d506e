// Bodies that rest on others, against the balance of forces and the law's own depth.
//
// At rest the step's balance of momentum says sum of forces = weight up to what the solver leaves, which is
// relative_tolerance (1e-6) of the momenta in play. Where a tolerance below is not that, the reason is there.

#include <gtest/gtest.h>

#include "scenes/piles.h"
#include "scenes/sliders.h"
#include "test/physics/contact_laws.h"

namespace stiction {
namespace {

constexpr double kBalance = 1e-5;  // of the weight: ten times the solver's tolerance

TEST(RestingBody, IsCarriedByItsSupportsAndStandsStill) {
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(scenes::slope(0.0, 0.5), with_law(law));
    world.simulate(1.0);
    const Vec3 force = force_between(world, "world", "box");
    EXPECT_LT((force - Vec3(0, 0, kG)).norm(), kBalance * kG);
    // What the solver may leave of g h.
    EXPECT_LT(world.state().v.norm(), kBalance * kG * world.options().h);
  }
}

TEST(RestingBody, SinksByItsWeightOverTheStiffness) {
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    ModelBuilder builder;
    ContactMaterial material = friction_only(0.5);
    material.stiffness = 1e5;
    builder.add_shape("floor", "world", {}, HalfSpace{});
    builder.add_free_body("ball", translation(0, 0, 0.1), solid_sphere(2.0, 0.1));
    builder.add_shape("ball", "ball", {}, Sphere{0.1});
    builder.set_material("ball", material);
    World world(builder.build(), with_law(law, 1e-3));
    world.options().formulation.contact.beta = 0.0;  // sap: the given stiffness counts
    world.simulate(2.0);
    EXPECT_NEAR(0.1 - world.body_pose("ball").p.z(), 2.0 * kG / 1e5, kBalance * 2.0 * kG / 1e5);
  }
}

TEST(RestingBody, OnSapSinksAsTheNearRigidRuleSays) {
  // S eq. 29 at rest: depth = g h (h + tau) beta^2 m w/(4 pi^2), here with tau = h.
  const double h = 2e-3, m = 2.0, R = 0.1;
  ModelBuilder builder;
  ContactMaterial material;
  material.stiffness = 1e9;
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_free_body("ball", translation(0, 0, R), solid_sphere(m, R));
  builder.add_shape("ball", "ball", {}, Sphere{R});
  builder.set_material("ball", material);
  World world(builder.build(), with_law({"sap", LawKind::sap}, h));
  world.simulate(1.0);
  const double w = inverse_mass_at(m, solid_sphere(m, R).I_com, Vec3(0, 0, -R));
  const double depth = kG * h * 2.0 * h * m * w / (4.0 * kPi * kPi);
  EXPECT_NEAR(R - world.body_pose("ball").p.z(), depth, kBalance * depth);
  EXPECT_EQ(world.record().contact.near_rigid_points, 1);
}

TEST(HertzSphere, SinksToTheDepthOfItsWeight) {
  // (3 m g/(4 E* sqrt(R)))^(2/3) with E* = E/(1 - nu^2) on a rigid floor.
  const double m = 1.5, R = 0.08, E = 1e7, effective = E / (1.0 - 0.3 * 0.3);
  for (const NamedLaw& law : every_law()) {
    if (law.is_sap()) continue;  // sap is linear by definition
    SCOPED_TRACE(law.name);
    ModelBuilder builder;
    ContactMaterial material;
    material.modulus = E;
    builder.add_shape("floor", "world", {}, HalfSpace{});
    builder.add_free_body("ball", translation(0, 0, R), solid_sphere(m, R));
    builder.add_shape("ball", "ball", {}, Sphere{R});
    builder.set_material("ball", material);
    World world(builder.build(), with_law(law, 1e-3));
    world.options().formulation.contact.elasticity = Elasticity::hertz;
    world.simulate(2.0);
    const double depth = std::pow(3.0 * m * kG / (4.0 * effective * std::sqrt(R)), 2.0 / 3.0);
    EXPECT_NEAR(R - world.body_pose("ball").p.z(), depth, kBalance * depth);
  }
}

TEST(ThreePointPlate, SharesItsWeightAndATwistEvenlyWhileItSticks) {
  const double m = 3.0, R = 1.5, twist = 20.0;  // kg, m, N m; mu m g R = 29.43 N m
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(scenes::three_point_plate(), with_law(law, 1e-3));
    world.input().wrenches = {
        {world.model().body("plate"), Vec3::Zero(), stack<double>(Vec3(0, 0, twist), Vec3::Zero())}};
    world.simulate(1.0);
    const StepRecord& r = world.record();
    ASSERT_EQ(r.collision.pairs.size(), 3u);
    for (int p = 0; p < 3; ++p) {
      const Vec3 force = contact_force(r, p, 0);
      EXPECT_NEAR(force.z(), m * kG / 3.0, 1e-4 * m * kG / 3.0);
      EXPECT_NEAR(force.head<2>().norm(), twist / (3.0 * R), 1e-4 * twist / (3.0 * R));
    }
    // The angle turned is creep alone: below 10 times v_s on the radius R for a second.
    EXPECT_LT(std::abs(world.body_velocity("plate")[2]) * R, 1e-3);
  }
}

TEST(ThreePointPlate, SlidesOnTheConeUnderATwistBeyondFriction) {
  const double m = 3.0, R = 1.5, mu = 2.0 / 3.0, twist = 40.0;
  const double I = 0.5 * m * R * R;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(scenes::three_point_plate(), with_law(law, 1e-3));
    world.input().wrenches = {
        {world.model().body("plate"), Vec3::Zero(), stack<double>(Vec3(0, 0, twist), Vec3::Zero())}};
    world.simulate(0.5);
    const double before = world.body_velocity("plate")[2];
    int touching = 0;
    for (int i = 0; i < 250; ++i) {
      world.step();
      for (std::size_t p = 0; p < world.record().collision.pairs.size(); ++p) {
        if (world.record().contact.places[p].begin < 0) continue;
        const Vec3 force = contact_force(world.record(), static_cast<int>(p), 0);
        ++touching;
        EXPECT_NEAR(force.head<2>().norm(), mu * force.z(), 1e-3 * mu * force.z() + 1e-9);
      }
    }
    EXPECT_GT(touching, 10);
    // sap and similar slide mu (h + tau) |v| above the floor, here beyond the margin, and hop.
    if (law.is_sap() || law.is_similar()) continue;
    const double rate = (world.body_velocity("plate")[2] - before) / 0.25;
    EXPECT_NEAR(rate, (twist - mu * m * kG * R) / I, 1e-3 * twist / I);
  }
}

// A rod with balls at its ends, leaning in the plane x, z against a smooth wall at x = 0.
Model ladder(double angle, double mu) {
  constexpr double kLength = 1.0, kBall = 0.02, kMass = 4.0;
  ModelBuilder builder("ladder");
  const Vec3 along(std::cos(angle), 0.0, -std::sin(angle));
  const Vec3 upper(kBall, 0.0, kBall + kLength * std::sin(angle));
  const Mat3 R = rotation_about<double>(Vec3::UnitY(), kPi / 2.0 + angle);  // z of the rod points along
  builder.add_free_body("rod", {R, upper + 0.5 * kLength * along}, solid_cylinder(kMass, 0.01, kLength));
  builder.add_shape("lower", "rod", translation(0, 0, kLength / 2), Sphere{kBall});
  builder.add_shape("upper", "rod", translation(0, 0, -kLength / 2), Sphere{kBall});
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_body("wall", "world", {rotation_about<double>(Vec3::UnitY(), kPi / 2.0), Vec3::Zero()});
  builder.add_shape("wall", "wall", {}, HalfSpace{});
  for (const char* shape : {"lower", "upper", "floor"}) builder.set_material(shape, friction_only(mu));
  builder.set_material("wall", friction_only(0.0));
  return builder.build();
}

TEST(Ladder, LeansOnASmoothWallWithTheForceOfTheFreeBodyDiagram) {
  // Moments about the floor's contact: N_wall z_upper = m g L cos(a)/2; the floor gives m g and -N_wall.
  const double angle = 1.1, L = 1.0, r = 0.02, m = 4.0;
  const double wall = m * kG * 0.5 * L * std::cos(angle) / (r + L * std::sin(angle));
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(ladder(angle, 0.5), with_law(law, 1e-3));
    world.simulate(0.5);
    const Vec3 from_wall = force_between(world, "wall", "rod"),
               from_floor = force_between(world, "world", "rod");
    // Creep of at most 1e-4 m/s lowers the rod by 1e-4 of its length in this time.
    EXPECT_LT((from_wall - Vec3(wall, 0, 0)).norm(), 5e-4 * m * kG) << from_wall.transpose();
    EXPECT_LT((from_floor - Vec3(-wall, 0, m * kG)).norm(), 5e-4 * m * kG) << from_floor.transpose();
  }
}

TEST(Ladder, SlipsWhereFrictionIsBelowHalfTheCotangent) {
  const double angle = 1.1, L = 1.0, r = 0.02;
  const double critical = 0.5 * L * std::cos(angle) / (r + L * std::sin(angle));
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World holds(ladder(angle, 1.1 * critical), with_law(law, 1e-3));
    World slips(ladder(angle, 0.9 * critical), with_law(law, 1e-3));
    const double start = holds.body_pose("rod").p.z();
    holds.simulate(0.5);
    slips.simulate(0.5);
    EXPECT_LT(start - holds.body_pose("rod").p.z(), 1e-3);
    EXPECT_GT(start - slips.body_pose("rod").p.z(), 1e-2);
  }
}

TEST(BoxStack, CarriesAtEveryLevelTheWeightAbove) {
  constexpr int kBoxes = 10;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(scenes::box_stack(kBoxes), with_law(law));
    world.simulate(4.0);
    for (int i = 0; i < kBoxes; ++i) {
      const std::string below = i == 0 ? "world" : "box" + std::to_string(i - 1);
      const Vec3 force = force_between(world, below, "box" + std::to_string(i));
      // The solver's tolerance is of the momenta of the whole stack.
      EXPECT_NEAR(force.z(), (kBoxes - i) * kG, kBalance * kBoxes * kG) << i;
      EXPECT_LT(force.head<2>().norm(), kBalance * kBoxes * kG) << i;
    }
  }
}

// A cube of `heavy` kg on one of 1 kg, both 10 cm wide; the stiffness of a pair is 1e11 N/m.
Model heavy_on_light(double heavy) {
  ModelBuilder builder("heavy_on_light");
  ContactMaterial material = friction_only(0.5);
  material.stiffness = 2e11;
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_free_body("light", translation(0, 0, 0.05), Inertia{});
  builder.add_solid("light", "light", {}, Box{Vec3::Constant(0.05)}, 1e3);
  builder.add_free_body("heavy", translation(0, 0, 0.15), Inertia{});
  builder.add_solid("heavy", "heavy", {}, Box{Vec3::Constant(0.05)}, heavy * 1e3);
  for (const char* shape : {"floor", "light", "heavy"}) builder.set_material(shape, material);
  return builder.build();
}

TEST(HeavyOnLight, IsCarriedWithoutDriftByTheIcfLaws) {
  const double heavy = 1e6;
  for (const NamedLaw& law : every_law()) {
    if (law.is_sap()) continue;
    SCOPED_TRACE(law.name);
    World world(heavy_on_light(heavy), with_law(law));
    world.simulate(1.0);
    const double z = world.body_pose("heavy").p.z();
    EXPECT_NEAR(force_between(world, "light", "heavy").z(), heavy * kG, 1e-4 * heavy * kG);
    // Two contacts, each as deep as its load over its stiffness.
    EXPECT_NEAR(0.15 - z, 2.0 * heavy * kG / 1e11, 1e-3 * heavy * kG / 1e11);
    world.simulate(1.0);
    EXPECT_NEAR(world.body_pose("heavy").p.z(), z, 1e-7);
  }
}

TEST(HeavyOnLight, SinksUnderSapAsTheNearRigidRuleSaysUnlessTheStiffnessOverridesIt) {
  const double heavy = 1e6, h = 1e-4;
  const Inertia light = solid_box(1.0, Vec3::Constant(0.05));
  const Inertia dense = solid_box(heavy, Vec3::Constant(0.05));
  // Four corners at either contact, each with R_n = w/(4 pi^2), tau = h.
  const double w_light = inverse_mass_at(1.0, light.I_com, Vec3(0.05, 0.05, -0.05));
  const double w_both = w_light + inverse_mass_at(heavy, dense.I_com, Vec3(0.05, 0.05, -0.05));
  const double share = 2.0 * h * h * kG / 4.0 / (4.0 * kPi * kPi);
  const double lower = share * (heavy + 1.0) * w_light, upper = share * heavy * w_both;
  // It swings for long: put where it should rest, it has to stay.
  World near_rigid(heavy_on_light(heavy), with_law({"sap", LawKind::sap}, h));
  near_rigid.set_body_pose("light", translation(0, 0, 0.05 - lower));
  near_rigid.set_body_pose("heavy", translation(0, 0, 0.15 - lower - upper));
  near_rigid.simulate(0.2);
  EXPECT_NEAR(0.05 - near_rigid.body_pose("light").p.z(), lower, 1e-3 * lower);
  EXPECT_NEAR(0.15 - near_rigid.body_pose("heavy").p.z(), lower + upper, 1e-3 * lower);
  EXPECT_GT(near_rigid.record().contact.near_rigid_points, 0);

  World given(heavy_on_light(heavy), with_law({"sap", LawKind::sap}, h));
  given.options().formulation.contact.beta = 0.0;
  given.simulate(5.0);  // it swings at sqrt(k/2m) = 223 rad/s with a damping ratio of h omega/2 = 0.01
  EXPECT_EQ(given.record().contact.near_rigid_points, 0);
  EXPECT_NEAR(0.05 - given.body_pose("light").p.z(), heavy * kG / 1e11, 1e-3 * heavy * kG / 1e11);
  EXPECT_NEAR(force_between(given, "world", "light").z(), (heavy + 1.0) * kG, 1e-4 * heavy * kG);
}

}  // namespace
}  // namespace stiction
