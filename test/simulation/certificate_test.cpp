// The certificate judges the law that was solved, under every formulation.

#include "stiction/simulation/certificate.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "scenes/sliders.h"
#include "stiction/constraint/contact_rows.h"
#include "stiction/contact/catalog.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"
#include "test/contact/ball_on_floor.h"

namespace stiction {
namespace {

// A box that slides on level ground at 2 m/s: convex_cone and raisim are not Coulomb's law there.
World sliding(const CatalogEntry& entry) {
  WorldOptions options;
  options.formulation.contact.law = entry.law;
  options.formulation.contact.solver = entry.solver;
  options.formulation.certifies = true;
  set_tolerance(1e-10, &options.formulation);
  set_max_iterations(5000, &options.formulation);
  World world(scenes::sliding_block(), options);
  return world;
}

Error of_law(const Certificate& certificate) {
  return certificate.dual ? certificate.dual->law : certificate.contact.law;
}

TEST(Certificate, OfTheLawItselfIsSmallUnderEveryFormulation) {
  for (const CatalogEntry& entry : catalog()) {
    if (law_row(entry.law).family == LawFamily::geometric) continue;  // has a record of its own
    SCOPED_TRACE(std::string(law_row(entry.law).name) + "+" + entry.solver);
    World world = sliding(entry);
    // The convex law throws the block off within a few steps.
    double worst = 0.0, force = 0.0;
    for (int i = 0; i < 20; ++i) {
      const StepReport report = world.step();
      ASSERT_TRUE(report.certificate);
      worst = std::max(worst, of_law(*report.certificate).relative);
      force = std::max(force, report.certificate->contact.force_scale);
    }
    EXPECT_GT(force, 1.0);  // N: it was pressed
    EXPECT_LT(worst, 1e-6);
  }
}

TEST(Certificate, OfTheLawItselfSeesAChangeUnderNewtonAndTheConvexCone) {
  CatalogEntry entry = catalog().front();
  entry.law = LawKind::convex_cone;
  entry.solver = "newton";
  World world = sliding(entry);
  world.step();
  const Formulation& f = world.options().formulation;
  ASSERT_FALSE(world.record().contact.problem.patches.empty());
  ASSERT_GE(world.record().contact.solution.impulses.size(), 4u);
  for (int component = 0; component < 3; ++component) {
    StepRecord changed = world.record();
    const double change = 1e-4;  // N s
    changed.contact.solution
        .impulses[std::size_t(4 * changed.contact.problem.patches[0].begin + component)] += change;
    const auto certificate =
        certified(world.model(), changed, f.contact, world.workspace().contact.solver, f.dual.pyramid);
    EXPECT_NEAR(certificate->contact.law.absolute, change / world.options().h,
                1e-6 * change / world.options().h);
  }
}

// Every formulation whose contact problem has its points fixed.
std::vector<CatalogEntry> formulations() {
  std::vector<CatalogEntry> list;
  for (const CatalogEntry& entry : catalog())
    if (!is_geometric(entry.law)) list.push_back(entry);
  return list;
}

Formulation exact(const CatalogEntry& entry) {
  Formulation f;
  f.contact.law = entry.law;
  f.contact.solver = entry.solver;
  set_tolerance(1e-12, &f);
  set_max_iterations(5000, &f);
  return f;
}

// A literal solver that has not found the solution: there is nothing true to change.
bool has_given_up(const CatalogEntry& entry, const SolveReport& report) {
  return find_solver(entry.solver).is_literal && !is_solved(report.status);
}

// N s: the error of the law itself; one of a velocity counts with the mass that it moves.
double law_error(const Certificate& certificate, double h, double mass) {
  double error = certificate.contact.law.absolute * h;
  if (certificate.dual) raise(certificate.dual->law.absolute * mass, &error);
  return error;
}

constexpr double kChange = 0.02;  // N s
constexpr double kArm = 0.02;     // m: moments are changed by kChange times this, about a friction length
// Of kChange: the least error that counts as seen. To a change d of its impulses a law whose force falls along the
// velocity answers with an error e for which e . W d >= d' W d, so that |e| >= |d| 2 sqrt(c)/(1 + c), c the condition of
// W in the variables in which the cone is circular: at most 130 for the ball, which leaves 0.17. The fixed point lambda =
// P(lambda - rho s) of such a law is missed by a velocity of at least |d| a/(1 + rho b), a and b the least and the largest
// eigenvalue of W: 0.008 |d| over the mass of the ball. Where N points touch, their share of it may be 1/N. Laws without
// such a bound (NCP, raisim, icf_coupled) differ from those that have one by factors of the size of mu.
constexpr double kSeen = 1e-3;

// The twelve changes: every component of impulse and moment, up and down.
PointImpulse change_of(int i) {
  const Vec3 change = (i % 2 == 0 ? kChange : -kChange) * Vec3::Unit(i / 2 % 3);
  return i < 6 ? PointImpulse{change, Vec3::Zero()} : PointImpulse{Vec3::Zero(), kArm * change};
}

// Changes a solution at a point in every component, and the velocities with it, so that momentum still balances.
// certificate: of a changed solution.
template <class CertificateOf>
void expect_that_every_change_is_seen(const ContactProblem& problem, int point, const ContactSolution& truth,
                                      double mass, const CertificateOf& certificate) {
  const double of_truth = law_error(certificate(truth), problem.h, mass);
  EXPECT_LT(of_truth, kSeen * kChange);
  const double seen = std::max(kSeen * kChange, 10.0 * of_truth);
  for (int i = 0; i < 12; ++i) {
    ContactSolution changed = truth;
    add_in_balance(problem, point, change_of(i), &changed);
    const Certificate one = certificate(changed);
    EXPECT_LT(one.contact.momentum.relative, 1e-8) << "change " << i;
    EXPECT_GT(law_error(one, problem.h, mass), seen) << "change " << i;
  }
}

TEST(Certificate, SeesEveryChangeAtEveryKindOfPointUnderEveryFormulation) {
  for (const CatalogEntry& entry : formulations()) {
    const Formulation f = exact(entry);
    for (const PointKind& kind : point_kinds()) {
      if (!takes(f.contact, kind)) continue;
      for (const BallMotion& motion : ball_motions()) {
        const SavedProblem saved = ball_of_kind(kind, motion, f.contact);
        ContactSolver solver;
        ContactSolution truth;
        solver.solve(saved.problem, entry.solver, {f.newton, f.dual}, {}, &truth);
        if (has_given_up(entry, truth.report)) continue;
        SCOPED_TRACE(testing::Message() << entry.name() << ", a point with " << kind.name << ", v_free "
                                        << motion.v.transpose());
        expect_that_every_change_is_seen(
            saved.problem, 0, truth, kBallMass, [&](const ContactSolution& solution) {
              return certificate_of(saved.problem, saved.points, solution, f.contact, solver,
                                    {kBallMass, 1.0}, f.dual.pyramid);
            });
      }
    }
  }
}

// Of the last step of a world, at some of the points of its first patch.
void expect_that_every_change_is_seen(const World& world, double mass) {
  const Formulation& f = world.options().formulation;
  const ContactProblem& problem = world.record().contact.problem;
  ASSERT_FALSE(problem.patches.empty());
  const Patch& patch = problem.patches[0];
  for (const int point : {patch.begin, (patch.begin + patch.end) / 2, patch.end - 1}) {
    SCOPED_TRACE(testing::Message() << "point " << point - patch.begin);
    expect_that_every_change_is_seen(problem, point, world.record().contact.solution, mass,
                                     [&](const ContactSolution& solution) {
                                       StepRecord changed = world.record();
                                       changed.contact.solution = solution;
                                       return *certified(world.model(), changed, f.contact,
                                                         world.workspace().contact.solver, f.dual.pyramid);
                                     });
  }
}

TEST(Certificate, SeesEveryChangeUnderABlockThatSlides) {
  for (const CatalogEntry& entry : formulations()) {
    SCOPED_TRACE(entry.name());
    World world = sliding(entry);
    world.options().formulation = exact(entry);
    const StepReport report = world.step();
    if (has_given_up(entry, report.contact)) continue;
    constexpr double kMass = 1.0;  // kg
    expect_that_every_change_is_seen(world, kMass);
  }
}

// A ball of 0.5 kg that is pressed 1 mm into the floor by its field, at rest and sliding across a friction direction.
TEST(Certificate, SeesEveryChangeAtThePointsOfAPressurePatch) {
  constexpr double kRadius = 0.05, kDepth = 1e-3, kMass = 0.5;  // m, m, kg
  for (const CatalogEntry& entry : formulations()) {
    const Formulation f = exact(entry);
    if (!takes_pressure_fields(f.contact)) continue;
    for (const double speed : {0.0, 1.0}) {  // m/s
      SCOPED_TRACE(testing::Message() << entry.name() << ", " << speed << " m/s");
      ModelBuilder builder("ball");
      ContactMaterial material;
      material.pressure_modulus = 1e6;
      material.static_friction = 0.5;
      material.anisotropy_ratio = 0.6;
      material.friction_direction = Vec3(0.6, 0.8, 0.0);
      builder.add_shape("floor", "world", {}, HalfSpace{});
      builder.add_free_body("ball", translation(0.0, 0.0, kRadius - kDepth), solid_sphere(kMass, kRadius));
      builder.add_shape("ball", "ball", {}, Sphere{kRadius});
      builder.set_material("ball", material);
      builder.set_initial_velocity("ball", {0.0, 0.0, 0.0, speed, 0.0, 0.0});
      WorldOptions options;
      options.formulation = f;
      World world(builder.build(), options);
      const StepReport report = world.step();
      if (has_given_up(entry, report.contact)) continue;
      ASSERT_FALSE(world.record().collision.pressure_points.empty());
      ASSERT_FALSE(world.record().contact.problem.friction_tensors.empty());
      expect_that_every_change_is_seen(world, kMass);
    }
  }
}

}  // namespace
}  // namespace stiction
