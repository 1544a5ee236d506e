// Newton's method with full steps first, and with the line search alone (contact/newton/newton.h).

#include <cstdio>

#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

// Of all steps while forty bodies fall on each other, at a step at which they meet hard.
int iterations_of_a_fall(const char* formulation, int full_steps) {
  WorldOptions options;
  options.h = 0.01;
  options.formulation.newton.full_steps = full_steps;
  set_formulation(formulation, &options.formulation.contact);
  World world(make_scene("clutter"), options);
  int iterations = 0;
  for (int i = 0; i < 150; ++i) {
    const StepReport report = world.step();
    EXPECT_TRUE(is_solved(report.contact.status));
    iterations += report.contact.iterations;
  }
  return iterations;
}

// Without the rule for slip that turns round, full steps go to and fro and take more iterations, not fewer.
TEST(FullSteps, TakeFewerIterationsThanTheLineSearchWhereManyBodiesMeet) {
  for (const char* formulation : {"icf_lagged+newton", "icf_similar+newton", "sap+newton"}) {
    const int full = iterations_of_a_fall(formulation, NewtonOptions().full_steps);
    const int shortened = iterations_of_a_fall(formulation, 0);
    std::printf("[ newton   ] %s: %d iterations with full steps, %d without\n", formulation, full, shortened);
    EXPECT_LT(full, shortened);
  }
}

}  // namespace
}  // namespace stiction
