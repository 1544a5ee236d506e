// Staggered projections; what every solver must do is in contract_test.cpp.

#include <gtest/gtest.h>

#include "stiction/base/shared_files.h"
#include "stiction/contact/dual/solver.h"
#include "test/contact/dual/stored_problems.h"

namespace stiction {
namespace {

// Of the law's natural map, relative to the free velocity, where the rounds end.
double error_of(LawKind law, const DualProblem& problem) {
  DualOptions options;
  options.tolerance = 1e-9;
  VecX lambda = VecX::Zero(problem.num_rows()), s;
  make_staggered(law)->solve(problem, options, &lambda);
  problem.velocities(lambda, &s);
  return problem.natural_error(law, Pyramid{}, lambda, s) / problem.velocity_scale();
}

TEST(Staggered, SolvesTheCollectionOfContactProblems) {
  const auto files = fc3d_files();
  if (files.empty()) GTEST_SKIP() << missing_shared_file("data/fc3d");
  for (const auto& file : files) {
    const DualProblem problem = load_fc3d(file);
    if (is_too_long_sanitized(problem)) continue;
    // Large ones take minutes; under pyramid_lcp some with 25 contacts go round in circles.
    if (problem.num_rows() > 200) continue;
    EXPECT_LT(error_of(LawKind::coulomb_ncp, problem), 1.001e-9) << file.stem();
    if (problem.num_rows() > 30) continue;
    EXPECT_LT(error_of(LawKind::pyramid_lcp, problem), 1.001e-9) << file.stem();
  }
}

}  // namespace
}  // namespace stiction
