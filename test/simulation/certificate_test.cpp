// The certificate judges the law that was solved, under every formulation.

#include "stiction/simulation/certificate.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "scenes/sliders.h"
#include "stiction/contact/catalog.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/world.h"

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

}  // namespace
}  // namespace stiction
