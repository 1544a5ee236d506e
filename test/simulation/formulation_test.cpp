#include "stiction/simulation/formulation.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

// Of twenty steps of a stack.
GeometricReport report_of_stack(double tolerance, int most) {
  WorldOptions options;
  options.h = 5e-3;
  set_formulation("geometric_ncp", &options.formulation.contact);
  if (tolerance > 0.0) set_tolerance(tolerance, &options.formulation);
  if (most >= 0) set_max_iterations(most, &options.formulation);
  World world(make_scene("box_stack"), options);
  GeometricReport worst;
  for (int i = 0; i < 20; ++i) {
    const GeometricReport report = world.step().geometric;
    worst.fallbacks += report.fallbacks;
    worst.residual = std::max(worst.residual, report.residual);
  }
  return worst;
}

TEST(Formulation, ToleranceAndMaxIterationsReachTheGeometricLawsOwnSolve) {
  const GeometricReport as_is = report_of_stack(0.0, -1), coarse = report_of_stack(1e-3, -1),
                        cut = report_of_stack(0.0, 1);
  EXPECT_LT(as_is.residual, 1e-10);
  EXPECT_GT(coarse.residual, 1e-10);  // it stopped earlier
  EXPECT_LE(coarse.residual, 1e-3);
  EXPECT_GT(cut.fallbacks, as_is.fallbacks);  // one iteration is not enough
}

TEST(Formulation, ToleranceIsThatOfTheSolverThatGivesTheResult) {
  for (const CatalogEntry& entry : catalog()) {
    Formulation formulation;
    set_formulation(entry.name(), &formulation.contact);
    set_tolerance(1e-5, &formulation);
    set_max_iterations(17, &formulation);
    EXPECT_EQ(tolerance_of(formulation), 1e-5) << entry.name();
    EXPECT_EQ(max_iterations_of(formulation), 17) << entry.name();
  }
}

}  // namespace
}  // namespace stiction
