// Solvers kept as C has them: closed forms where they converge, and blocks on which they do not.

#include <cmath>

#include <gtest/gtest.h>

#include "stiction/contact/catalog.h"
#include "stiction/contact/dual/solver.h"
#include "test/contact/dual/samples.h"
#include "test/contact/law_kinds.h"

namespace stiction {
namespace {

struct Solved {
  VecX lambda;
  IslandReport report;
};

Solved solve(LawKind law, const char* solver, const DualProblem& problem, double tolerance,
             int max_iterations = 1000) {
  DualOptions options;
  options.tolerance = tolerance;
  options.max_iterations = max_iterations;
  Solved out;
  out.lambda = VecX::Zero(problem.num_rows());
  out.report = make_dual_solver(law, solver)->solve(problem, options, &out.lambda);
  return out;
}

// A body of 2 kg at (1, 2, -3) m/s, mu 0.5: m |vz| = 6 N s stop it, and friction is 3 N s, along the slip, or
// at the corner of the box. The nearest point of the cone to -m v = (-2, -4, 6) has (6 + 0.5 sqrt(20))/1.25.
TEST(PgsPlain, OneContactAtTheSameMobilityInAllDirectionsHasItsClosedForm) {
  const DualProblem problem = block_on_ground(Vec3(1.0, 2.0, -3.0), 0.5);
  const double slip = std::sqrt(20.0), n = (6.0 + 0.5 * slip) / 1.25;
  const std::pair<LawKind, Vec3> expected[] = {
      {LawKind::coulomb_ncp, Vec3(-2.0 / slip * 3.0, -4.0 / slip * 3.0, 6.0)},
      {LawKind::pyramid_lcp, Vec3(-2.0, -3.0, 6.0)},
      {LawKind::convex_cone, Vec3(-2.0 / slip * 0.5 * n, -4.0 / slip * 0.5 * n, n)}};
  for (const auto& [law, lambda] : expected) {
    SCOPED_TRACE(name_of(law));
    const Solved solved = solve(law, "pgs_plain", problem, 1e-12);
    EXPECT_EQ(solved.report.status, SolveStatus::converged);
    EXPECT_LT((solved.lambda - lambda).norm(), 1e-10);
    EXPECT_GT(solved.report.iterations, 5);  // relaxed: a fifth of the error is left by every sweep
  }
}

// The error of a step that is relaxed by 0.8 falls by a factor of five.
TEST(PgsPlain, IsRelaxedByFourFifths) {
  const DualProblem problem = block_on_ground(Vec3(0.0, 0.0, -3.0), 0.5);
  DualOptions options;
  std::vector<double> history;
  options.history = &history;
  VecX lambda = VecX::Zero(3);
  make_pgs_plain(LawKind::coulomb_ncp)->solve(problem, options, &lambda);
  ASSERT_GT(history.size(), 4u);
  for (std::size_t k = 1; k < 4; ++k) EXPECT_NEAR(history[k] / history[k - 1], 0.2, 1e-9);
}

// Both steps of the paper are more than 2 over the largest eigenvalue of this block; pgs solves it at once.
TEST(PgsPlain, DoesNotConvergeOnAnAnisotropicBlockThatPgsSolvesInASweep) {
  const Vec3 mobility(1.0, 30.0, 1.0);
  const DualProblem problem =
      dense_problem({contact_block(5.0)}, mobility.asDiagonal(), Vec3(1.0, 2.0, -3.0));
  for (const LawKind law : rigid_laws_of("pgs_plain")) {
    SCOPED_TRACE(name_of(law));
    const Solved plain = solve(law, "pgs_plain", problem, 1e-6, 10000);
    EXPECT_FALSE(is_solved(plain.report.status));
    EXPECT_FALSE(plain.report.residual <= 1e-2);
    const Solved ours = solve(law, "pgs", problem, 1e-6);
    EXPECT_EQ(ours.report.status, SolveStatus::converged);
    EXPECT_LE(ours.report.iterations, 2);
  }
}

// A strictly convex problem has one solution.
TEST(AdmmSpectral, FindsTheSolutionOfConvexProblems) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const DualProblem problem = random_bodies({.bodies = 3, .patches = 4, .points = 2, .R = 0.05}, seed);
    const Solved literal = solve(LawKind::convex_cone, "admm_spectral", problem, 1e-9, 20000);
    const Solved ours = solve(LawKind::convex_cone, "pgs", problem, 1e-11, 20000);
    EXPECT_EQ(literal.report.status, SolveStatus::converged) << seed;
    EXPECT_GT(literal.report.penalty, 0.0);
    EXPECT_LT((literal.lambda - ours.lambda).norm(), 1e-6 * ours.lambda.norm()) << seed;
  }
}

// kappa^0.05 by powers: what rho ends at is the first rho times a power of it. Here W = diag: L = 4, m = 1/4,
// kappa = 16, first rho sqrt(L m) (L/m)^0.4 = 16^0.4.
TEST(AdmmSpectral, ChangesThePenaltyByTheTwentiethPowerOfTheCondition) {
  const Vec3 mobility(4.0, 0.25, 1.0);
  const DualProblem problem =
      dense_problem({contact_block(0.3)}, mobility.asDiagonal(), Vec3(1.0, 2.0, -3.0));
  const Solved solved = solve(LawKind::convex_cone, "admm_spectral", problem, 1e-9, 20000);
  EXPECT_EQ(solved.report.status, SolveStatus::converged);
  const double steps = std::log(solved.report.penalty / std::pow(16.0, 0.4)) / (0.05 * std::log(16.0));
  EXPECT_NEAR(steps, std::round(steps), 1e-3);
  // From the rho of the end as many or fewer factorisations are made.
  DualProblem again = problem;
  again.penalty = solved.report.penalty;
  const Solved warm = solve(LawKind::convex_cone, "admm_spectral", again, 1e-9, 20000);
  EXPECT_EQ(warm.report.status, SolveStatus::converged);
  EXPECT_LE(warm.report.factorisations, solved.report.factorisations);
}

}  // namespace
}  // namespace stiction
