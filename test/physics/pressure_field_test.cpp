// Bodies that touch by their pressure fields, against closed forms: rest, friction, impact, energy.
//
// E 1e7 Pa, balls of R 5 cm and cubes of a 10 cm, as in docs/models/pressure_fields.md.
#include <cmath>

#include <gtest/gtest.h>

#include "stiction/base/parallel.h"
#include "stiction/simulation/certificate.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/output/contact_forces.h"
#include "test/base/allocation_counter.h"
#include "test/physics/contact_laws.h"

namespace stiction {
namespace {

constexpr double E = 1e7, R = 0.05, a = 0.1;  // Pa, m, m

ContactMaterial field(double modulus = E, double dissipation = 50.0, double mu = 0.5) {
  ContactMaterial material;
  material.pressure_modulus = modulus;
  material.dissipation = dissipation;
  material.static_friction = mu;
  return material;
}

// Against a rigid floor friction and dissipation are those of the field.
ModelBuilder on_floor(const char* name) {
  ModelBuilder builder(name);
  builder.add_shape("floor", "world", {}, HalfSpace{});
  return builder;
}

void add(const std::string& name, const Pose& X, const Shape& shape, double density,
         const ContactMaterial& material, ModelBuilder* builder) {
  builder->add_free_body(name, X, Inertia{});
  builder->add_solid(name, name, {}, shape, density);
  builder->set_material(name, material);
}

Pose tilted(double angle, double z) {
  return {Eigen::AngleAxisd(angle, Vec3(1.0, 0.3, 0.0).normalized()).toRotationMatrix(), Vec3(0, 0, z)};
}

double mass_of(const World& world, const char* body) {
  return world.model().forest.bodies[std::size_t(world.model().body(body))].inertia.mass;
}

TEST(PressureFields, ACubeComesToRestWithItsWeightAtEveryStep) {
  for (const double h : {1e-3, 5e-3, 1e-2, 2e-2}) {
    SCOPED_TRACE(h);
    ModelBuilder builder = on_floor("cube");
    add("cube", tilted(0.01, 0.5 * a + 2e-3), Box{Vec3::Constant(0.5 * a)}, 1000.0, field(), &builder);
    // The solver stops at its tolerance: of the momentum of a step, and so of the weight.
    WorldOptions options{.h = h};
    set_tolerance(1e-10, &options.formulation);
    World world(builder.build(), options);
    world.simulate(3.0);
    ASSERT_FALSE(world.record().collision.pressure_points.empty());
    EXPECT_TRUE(world.record().collision.points.empty());
    EXPECT_LT(world.state().v.norm(), 1e-9);
    EXPECT_NEAR(force_between(world, "world", "cube").z() / (kG * mass_of(world, "cube")), 1.0, 1e-9);
  }
}

TEST(PressureFields, ABallSinksToTheDepthOfItsClosedForm) {
  // F = pi E delta^2 (1 - 2 delta/(3 R)).
  for (const NamedLaw& law : every_law()) {
    if (law.is_sap()) continue;  // its near-rigid rule lets it sink deeper
    SCOPED_TRACE(law.name);
    ModelBuilder builder = on_floor("ball");
    add("ball", translation(0, 0, R), Sphere{R}, 1000.0, field(), &builder);
    World world(builder.build(), with_law(law, 2e-3));
    world.simulate(2.0);
    const double delta = R - world.body_pose("ball").p.z(), weight = kG * mass_of(world, "ball");
    EXPECT_NEAR(kPi * E * delta * delta * (1.0 - 2.0 * delta / (3.0 * R)) / weight, 1.0, 1e-5);
  }
}

TEST(PressureFields, AStackOfTenCarriesItsWeightLayerByLayer) {
  ModelBuilder builder = on_floor("stack");
  for (int i = 0; i < 10; ++i)
    add("cube" + std::to_string(i), translation(1e-3 * (i % 3), 1e-3 * (i % 2), (i + 0.5) * a),
        Box{Vec3::Constant(0.5 * a)}, 1000.0, field(), &builder);
  World world(builder.build(), {.h = 5e-3});
  // It sways while it settles. The rims of shifted faces push aside a little, against which regularised friction
  // creeps at a small part of v_s, 1e-4 m/s.
  world.simulate(15.0);
  EXPECT_LT(world.state().v.cwiseAbs().maxCoeff(), 1e-5);
  const double m = mass_of(world, "cube0");
  for (int i = 0; i < 10; ++i) {
    const std::string below = i == 0 ? "world" : "cube" + std::to_string(i - 1);
    EXPECT_NEAR(force_between(world, below, "cube" + std::to_string(i)).z() / ((10 - i) * m * kG), 1.0, 1e-5)
        << i;
    EXPECT_NEAR(world.body_pose("cube" + std::to_string(i)).p.z(), (i + 0.5) * a, 1e-3 * (i + 1)) << i;
  }
}

TEST(PressureFields, SpinIsResistedAtTheLeverOfThePatch) {
  // Moment over mu N: 2/3 R of a disc, 0.38260 of the edge of a square; a finer rule with 37 facets.
  const double square = (std::sqrt(2.0) + std::asinh(1.0)) / 6.0;
  for (const auto& [facets, bound] : {std::pair(19, 0.07), std::pair(37, 0.01)}) {
    for (const bool is_disc : {true, false}) {
      ContactMaterial material = field(1e8);
      material.facets = facets;
      material.torsional_friction = 0.05;  // is not used
      ModelBuilder builder = on_floor("top");
      const Shape shape = is_disc ? Shape(Cylinder{R, 2.0 * R}) : Shape(Box{Vec3::Constant(0.5 * a)});
      add("top", translation(0, 0, R), shape, 1000.0, material, &builder);
      World world(builder.build(), {.h = 1e-3});
      world.simulate(0.5);
      Vec6 spin = Vec6::Zero();
      spin[2] = 30.0;
      world.set_body_velocity("top", spin);
      for (int i = 0; i < 3; ++i) world.step();
      const Vec3 centre = world.body_pose("top").p;
      const Vec6 wrench = contact_wrench(world.record(), world.model().body("top"), centre);
      const double lever = -wrench[2] / (0.5 * wrench[5]), exact = is_disc ? 2.0 / 3.0 * R : square * a;
      EXPECT_NEAR(lever / exact, 1.0, bound) << facets << (is_disc ? " disc" : " square");
    }
  }
}

TEST(PressureFields, ABounceWithoutDissipationReturnsTheSpeed) {
  // Semi-implicit steps lose energy in proportion to h.
  std::vector<double> lost;
  for (const double h : {2e-4, 1e-4, 5e-5}) {
    ModelBuilder builder = on_floor("ball");
    add("ball", translation(0, 0, R + 1e-3), Sphere{R}, 1000.0, field(1e5, 0.0, 0.0), &builder);
    builder.set_gravity(Vec3::Zero());
    builder.set_initial_velocity("ball", {0, 0, 0, 0, 0, -1.0});
    World world(builder.build(), {.h = h});
    world.simulate(0.2);
    const double up = world.body_velocity("ball")[5];
    EXPECT_GT(world.body_pose("ball").p.z(), R);
    lost.push_back(1.0 - up);
  }
  EXPECT_LT(std::abs(lost[2]), 0.01);
  EXPECT_NEAR(lost[1] / lost[0], 0.5, 0.05);
  EXPECT_NEAR(lost[2] / lost[1], 0.5, 0.05);
}

TEST(PressureFields, RollingIsResistedByHuntAndCrossleysDissipation) {
  // The front is compressed and the rear relaxes: M = F d omega rho^2/6 for a small patch of radius rho.
  const double delta = 1e-4, omega = 2.0, d = 5.0;
  for (const double dissipation : {0.0, d}) {
    ModelBuilder builder = on_floor("ball");
    add("ball", translation(0, 0, R - delta), Sphere{R}, 1000.0, field(E, dissipation, 0.0), &builder);
    builder.set_initial_velocity("ball", {0, omega, 0, omega * (R - delta), 0, 0});
    World world(builder.build(), {.h = 1e-9});
    world.step();
    const Vec6 wrench = contact_wrench(world.record(), world.model().body("ball"), Vec3::Zero());
    const double rho2 = 2.0 * R * delta - delta * delta;
    const double expected = -wrench[5] * dissipation * omega * rho2 / 6.0;
    EXPECT_NEAR(wrench[1], expected, 0.01 * std::abs(expected) + 1e-9 * wrench[5]);
  }
}

TEST(PressureFields, TheEnergyIsThatOfTheOverlapAndTheBooksAreClosed) {
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    // U = pi E (delta^3/3 - delta^4/(6 R)) of a ball.
    const double delta = 2e-3;
    ModelBuilder resting = on_floor("ball");
    add("ball", translation(0, 0, R - delta), Sphere{R}, 1000.0, field(), &resting);
    World ball(resting.build(), with_law(law, 1e-3));
    const double U = kPi * E * (std::pow(delta, 3) / 3.0 - std::pow(delta, 4) / (6.0 * R));
    EXPECT_NEAR(ball.energies().contacts / U, 1.0, 1e-12);

    ModelBuilder builder = on_floor("tumbling");
    add("cube", tilted(0.3, 0.07), Box{Vec3(0.05, 0.04, 0.03)}, 1000.0, field(1e6, 1.0), &builder);
    add("ball", translation(0.02, 0.01, 0.18), Sphere{R}, 1000.0, field(1e6, 1.0), &builder);
    builder.set_initial_velocity("cube", {3, 2, -1, 0.5, 0.2, -1.0});
    World world(builder.build(), with_law(law, 2e-3));
    double most = 0.0;
    for (int i = 0; i < 80; ++i) {
      world.step();
      const EnergyBooks books = world.energy_books();
      EXPECT_LE(books.relative_error(), 1e-10) << i;
      most = std::max(most, books.after.contacts);
    }
    EXPECT_GT(most, 1e-3);
  }
}

TEST(PressureFields, SlipOfAStickingPatchDoesNotDependOnItsPoints) {
  // sap: R_t = sigma w of the whole patch, so a force F along the floor at its height creeps at sigma w F h.
  const double h = 2e-3, F = 2.0;
  std::vector<std::size_t> points;
  for (const int facets : {19, 37}) {
    ContactMaterial material = field();
    material.facets = facets;
    ModelBuilder builder = on_floor("cube");
    add("cube", translation(0, 0, 0.5 * a), Box{Vec3::Constant(0.5 * a)}, 1000.0, material, &builder);
    World world(builder.build(), with_law({"sap", LawKind::sap}, h));
    world.simulate(1.0);
    const double depth = 0.5 * a - world.body_pose("cube").p.z();
    BodyWrench push;
    push.body = world.model().body("cube");
    push.wrench = stack<double>(Vec3::Zero(), Vec3(F, 0, 0));
    push.p_W = Vec3(0, 0, 0);
    world.input().wrenches = {push};
    world.simulate(1.0);
    points.push_back(world.record().collision.pressure_points.size());
    const Inertia inertia = solid_box(1.0, Vec3::Constant(0.5 * a));
    const double w = inverse_mass_at(1.0, inertia.I_com, Vec3(0, 0, -0.5 * a + depth));
    EXPECT_NEAR(world.body_velocity("cube")[3] / (1e-3 * w * F * h), 1.0, 0.02) << facets;
  }
  EXPECT_GT(points[1], 2 * points[0]);
}

TEST(PressureFields, FrictionSlowsASlidingPlate) {
  // By mu g; across the grain at the ratio of it, and in motion at the dynamic coefficient.
  struct Case {
    const char* name;
    ContactMaterial material;
    double mu;
  };
  ContactMaterial plain = field(), grain = field(), two = field();
  grain.anisotropy_ratio = 0.4;  // along y
  two.dynamic_friction = 0.3;
  for (const NamedLaw& law : every_law())
    for (const Case& c : {Case{"plain", plain, 0.5}, Case{"grain", grain, 0.2}, Case{"dynamic", two, 0.3}}) {
      SCOPED_TRACE(std::string(law.name) + " " + c.name);
      ModelBuilder builder = on_floor("plate");
      add("plate", translation(0, 0, 0.02), Box{Vec3(0.1, 0.1, 0.02)}, 1000.0, c.material, &builder);
      builder.set_gravity(Vec3(0, 8.0, -kG));
      World world(builder.build(), with_law(law, 2e-4));
      world.simulate(0.1);
      const double before = world.body_velocity("plate")[4];
      world.simulate(0.1);
      const double expected = 8.0 - c.mu * kG;
      EXPECT_NEAR((world.body_velocity("plate")[4] - before) / 0.1, expected, 0.01 * expected);
    }
}

TEST(PressureFields, ABeltCarriesACube) {
  ModelBuilder builder = on_floor("belt");
  builder.set_surface_velocity("floor", Vec3(1.0, 0, 0));
  add("cube", translation(0, 0, 0.02), Box{Vec3(0.1, 0.1, 0.02)}, 1000.0, field(), &builder);
  World world(builder.build(), {.h = 1e-3});
  world.simulate(0.1);
  const double before = world.body_velocity("cube")[3];
  world.simulate(0.05);
  EXPECT_NEAR((world.body_velocity("cube")[3] - before) / 0.05, 0.5 * kG, 0.01 * kG);
  world.simulate(1.0);
  EXPECT_NEAR(world.body_velocity("cube")[3], 1.0, 1e-4);
}

// Cubes, balls, capsules and cylinders that fall on each other, some of them rigid.
Model pile(int count) {
  ModelBuilder builder = on_floor("pile");
  for (int i = 0; i < count; ++i) {
    const Pose X{Eigen::AngleAxisd(0.4 * i, Vec3(1, i % 3, 2).normalized()).toRotationMatrix(),
                 Vec3(0.06 * (i % 2), 0.05 * (i % 3), 0.08 + 0.11 * i)};
    const std::string name = "body" + std::to_string(i);
    const Shape shapes[] = {Box{Vec3(0.05, 0.04, 0.03)}, Sphere{R}, Capsule{0.03, 0.06}, Cylinder{0.04, 0.06},
                            Ellipsoid{Vec3(0.05, 0.04, 0.03)}};
    ContactMaterial material = field(1e6);
    if (i % 4 == 3) material = friction_only(0.5);
    add(name, X, shapes[i % 5], 1000.0, material, &builder);
  }
  return builder.build();
}

TEST(PressureFields, StepsHaveTheSameBitsForAnyNumberOfThreadsAndWithANewWorkspace) {
  const Model model = pile(20);
  const auto hashes = [&](bool is_fresh) {
    State now(model), next(model);
    StepRecord record(model);
    StepWorkspace workspace(model);
    std::vector<std::uint64_t> out;
    for (int i = 0; i < 150; ++i) {
      if (is_fresh) {
        record = StepRecord(model);
        workspace = StepWorkspace(model);
      }
      const StepReport report = step(model, now, {}, 5e-3, {}, &record, &workspace, &next);
      if (!report.ok()) ADD_FAILURE() << describe(model, report);
      std::swap(now, next);
      out.push_back(hash(now));
    }
    EXPECT_FALSE(record.collision.pressure_points.empty());
    EXPECT_FALSE(record.collision.points.empty());
    return out;
  };
  const std::vector<std::uint64_t> one = hashes(false);
  EXPECT_EQ(one, hashes(true));
  for (const int threads : {2, 3}) {
    set_thread_count(threads);
    EXPECT_EQ(one, hashes(false)) << threads;
    set_thread_count(1);
  }
}

TEST(PressureFields, AStepAllocatesNothing) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  World world(pile(10), {.h = 5e-3});
  world.simulate(3.0);
  const AllocationCounter counter;
  for (int i = 0; i < 20; ++i) world.step();
  EXPECT_EQ(counter.count(), 0);
}

TEST(PressureFields, RigidAndGeometricLawsTakeThePoints) {
  for (const LawKind law : {LawKind::convex_cone, LawKind::coulomb_ncp, LawKind::geometric_ncp}) {
    ModelBuilder builder = on_floor("cube");
    add("cube", translation(0, 0, 0.5 * a), Box{Vec3::Constant(0.5 * a)}, 1000.0, field(), &builder);
    World world(builder.build(), with_law({"", law}, 2e-3));
    world.simulate(0.02);
    EXPECT_TRUE(world.record().collision.pressure_points.empty());
    EXPECT_EQ(world.record().collision.points.size(), 4u);
  }
}

TEST(PressureFields, TwoRigidShapesTouchAtPointsBesideFields) {
  ModelBuilder builder = on_floor("mixed");
  add("soft", translation(0, 0, 0.5 * a), Box{Vec3::Constant(0.5 * a)}, 1000.0, field(), &builder);
  add("hard", translation(0.3, 0, 0.5 * a), Box{Vec3::Constant(0.5 * a)}, 1000.0, friction_only(0.5),
      &builder);
  World world(builder.build(), {.h = 5e-3});
  world.simulate(1.0);
  EXPECT_EQ(world.record().collision.points.size(), 4u);
  EXPECT_FALSE(world.record().collision.pressure_points.empty());
  for (const char* body : {"soft", "hard"})
    EXPECT_NEAR(force_between(world, "world", body).z() / (kG * mass_of(world, body)), 1.0, 1e-6);
}

TEST(PressureFields, ChangeWithTheMaterialOfAShape) {
  ModelBuilder builder = on_floor("cube");
  add("cube", translation(0, 0, 0.5 * a), Box{Vec3::Constant(0.5 * a)}, 1000.0, friction_only(0.5), &builder);
  World world(builder.build(), {.h = 5e-3});
  world.step();
  EXPECT_TRUE(world.record().collision.pressure_points.empty());
  world.set_material("cube", field());
  world.step();
  EXPECT_FALSE(world.record().collision.pressure_points.empty());
  world.set_material("cube", friction_only(0.5));
  world.step();
  EXPECT_TRUE(world.record().collision.pressure_points.empty());
}

TEST(PressureFields, AFastBallDoesNotPassThroughAPlate) {
  // It crosses ten times the plate, and its own size, in a step.
  for (const double h : {1e-3, 5e-3, 2e-2}) {
    SCOPED_TRACE(h);
    ModelBuilder builder("bullet");
    builder.add_shape("plate", "world", {}, Box{Vec3(0.5, 0.5, 2e-3)});
    add("ball", translation(0, 0, 0.5), Sphere{0.01}, 1000.0, field(E, 10.0), &builder);
    builder.set_initial_velocity("ball", {0, 0, 0, 0, 0, -40.0});
    World world(builder.build(), {.h = h});
    for (double t = 0.0; t < 0.1; t += h) {
      world.step();
      ASSERT_GT(world.body_pose("ball").p.z(), 0.0);
    }
    EXPECT_GT(world.body_velocity("ball")[5], -1.0);
  }
}

TEST(PressureFields, TheLawOfEveryPointIsKeptAsTheCertificateSees) {
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    WorldOptions options = with_law(law, 2e-3);
    options.formulation.certifies = true;
    World world(pile(4), options);
    double force = 0.0;
    for (int i = 0; i < 100; ++i) {
      const StepReport report = world.step();
      ASSERT_TRUE(report.certificate);
      EXPECT_LT(report.certificate->contact.law.relative, 1e-9);
      EXPECT_LT(report.certificate->contact.momentum.relative, 1e-5);
      force = std::max(force, report.certificate->contact.force_scale);
    }
    EXPECT_GT(force, 1.0);
  }
}

}  // namespace
}  // namespace stiction
