// The solvers of Coulomb's law on the Siconos collection (fc3d_file.h): the natural map of the residual
// check, relative to the impulses, is at most 1e-8 wherever the collection's own solvers agree (stress tests
// excepted).
//
// STICTION_SCENE_SECONDS, which `make soak` sets, asks for all files; else staggered projections, which take
// seconds on hundreds of contacts, are run on those of up to 100.

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "stiction/base/shared_files.h"
#include "stiction/contact/dual/residual.h"
#include "stiction/contact/dual/solver.h"
#include "test/base/fewer.h"
#include "test/contact/dual/stored_problems.h"

namespace stiction {
namespace {

constexpr double kNaturalMap = 1e-8;
// Of the velocities that a solver stops by: |lambda| rho^-1 is up to a million times them, so that no larger
// one is 1e-8 of the impulses everywhere.
constexpr double kTolerance = 1e-14;
constexpr int kSubset = 100;  // contacts

// Ill-conditioned, or without a solution that was confirmed.
bool is_stress(const std::string& name) {
  for (const char* stem : {"OneObject-i100000", "BoxesStack1", "spheres-in-a-box", "fclib_local", "RockPile"})
    if (name.find(stem) != std::string::npos) return true;
  return false;
}

void expect_all_solved(const char* solver_name, int max_iterations, int most_contacts) {
  if (!shared_file("data/fc3d")) GTEST_SKIP() << missing_shared_file("data/fc3d");
  int count = 0;
  for (const auto& file : fc3d_files()) {
    const std::string name = file.stem().string();
    if (is_stress(name)) continue;
    const DualProblem problem = load_fc3d(file);
    if (problem.num_blocks() > most_contacts || is_too_long_sanitized(problem)) continue;
    ++count;
    DualOptions options;
    options.tolerance = kTolerance;
    options.max_iterations = max_iterations;
    VecX lambda = VecX::Zero(problem.num_rows());
    make_dual_solver(LawKind::coulomb_ncp, solver_name)->solve(problem, options, &lambda);
    EXPECT_LE(check_dual_residual(problem, lambda).natural_map.relative, kNaturalMap) << name;
  }
  EXPECT_GE(count, fewer(20, 2));
}

int most_contacts() { return std::getenv("STICTION_SCENE_SECONDS") ? 1000000 : kSubset; }

TEST(Collection, AdmmSolvesEveryProblemThatIsNoStressTest) { expect_all_solved("admm", 20000, 1000000); }

TEST(Collection, GaussSeidelSolvesEveryProblemThatIsNoStressTest) {
  expect_all_solved("pgs", 100000, most_contacts());
}

TEST(Collection, StaggeredProjectionsSolveEveryProblemThatIsNoStressTest) {
  expect_all_solved("staggered", 2000, most_contacts());
}

}  // namespace
}  // namespace stiction
