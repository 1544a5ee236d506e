// Projected Gauss-Seidel; what every solver must do is in contract_test.cpp.

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/contact/dual/solver.h"
#include "test/base/fewer.h"
#include "test/contact/dual/cube_stack.h"
#include "test/contact/dual/samples.h"
#include "test/contact/law_kinds.h"

namespace stiction {
namespace {

struct Solved {
  VecX lambda, s;
  IslandReport report;
};

Solved solve(LawKind law, const DualProblem& problem, const DualOptions& options) {
  Solved out;
  out.lambda = VecX::Zero(problem.num_rows());
  out.report = make_pgs(law)->solve(problem, options, &out.lambda);
  problem.velocities(out.lambda, &out.s);
  return out;
}

Solved solve(LawKind law, const DualProblem& problem, double tolerance = 1e-12) {
  DualOptions options;
  options.tolerance = tolerance;
  options.max_iterations = 20000;
  return solve(law, problem, options);
}

double relative_error(LawKind law, const DualProblem& problem, const Solved& solved) {
  return problem.natural_error(law, Pyramid{}, solved.lambda, solved.s) / problem.velocity_scale();
}

// 3/tr and 1/min(Wxx, Wyy) are both more than twice the inverse of the largest eigenvalue.
TEST(Pgs, AnAnisotropicContactDoesNotDiverge) {
  MatX W = Vec3(0.01, 1.0, 0.01).asDiagonal();
  W(0, 2) = W(2, 0) = 0.003;
  W(1, 2) = W(2, 1) = 0.05;
  for (const double mu : {0.05, 0.5, 10.0}) {
    const DualProblem problem = dense_problem({contact_block(mu)}, W, Vec3(1.0, 2.0, -1.0));
    for (const LawKind law : rigid_laws_of("pgs")) {
      const Solved solved = solve(law, problem, 1e-14);
      EXPECT_EQ(solved.report.status, SolveStatus::converged);
      EXPECT_LE(solved.report.iterations, 3);
    }
  }
}

TEST(Pgs, RandomProblemsAreSolvedUnderEveryLaw) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    for (const double R : {0.0, 0.05}) {
      for (const bool turns : {false, true}) {
        const DualProblem problem = random_bodies(
            {.bodies = 3, .patches = 5, .points = turns ? 1 : 2, .rows = 3, .turns = turns, .R = R}, seed);
        for (const LawKind law : rigid_laws_of("pgs")) {
          const Solved solved = solve(law, problem, 1e-9);
          EXPECT_EQ(solved.report.status, SolveStatus::converged) << solved.report.residual;
          EXPECT_LE(relative_error(law, problem, solved), 1.001e-9);
        }
      }
    }
  }
}

// Three times as many rows as velocities, wedged bodies: plain Gauss-Seidel is slow.
TEST(Pgs, HyperstaticProblemsAreSolvedSlowly) {
  for (std::uint64_t seed = 1; seed <= (kSanitized ? 1 : 4); ++seed) {
    for (const double R : {0.0, 0.05}) {
      const DualProblem problem =
          random_bodies({.bodies = 3, .patches = 6, .points = 3, .rows = 4, .R = R}, seed);
      ASSERT_GT(problem.num_rows(), 2 * problem.num_velocities());
      const double tolerance = R > 0.0 ? 1e-9 : 1e-5;
      for (const LawKind law : rigid_laws_of("pgs")) {
        DualOptions options;
        options.tolerance = tolerance;
        options.max_iterations = 20000;
        options.accelerates = false;
        const Solved solved = solve(law, problem, options);
        EXPECT_EQ(solved.report.status, SolveStatus::converged) << solved.report.residual;
        EXPECT_LE(relative_error(law, problem, solved), 1.001 * tolerance);
      }
    }
  }
}

TEST(Pgs, ATowerOfTenCubesIsCarriedAfterAFewHundredSweeps) {
  // Plain sweeps, which hand a push on by one cube a sweep and give most of it back, take tens of thousands.
  const CubeStack tower{.masses = std::vector<double>(10, 1.0), .friction = std::vector<double>(10, 0.5)};
  const DualProblem problem = make_dual(tower);
  for (const LawKind law : rigid_laws_of("pgs")) {
    DualOptions options;
    options.tolerance = 1e-8;
    options.max_iterations = 1000;
    const Solved solved = solve(law, problem, options);
    EXPECT_EQ(solved.report.status, SolveStatus::converged);
    double carried = 0.0;  // by the ground, in the first four contacts
    for (int b = 0; b < 4; ++b) carried += solved.lambda[problem.blocks[b].begin + 2];
    // 40 contacts that give way at 1e-8 of g h each, on cubes of 1 kg.
    EXPECT_NEAR(carried, 10.0 * 9.81 * tower.h, 1e-6 * 9.81 * tower.h);
  }
}

// 1/2 lambda' (W + R) lambda + r' lambda over the sets, by accelerated projected gradients with restarts.
double least_energy(const DualProblem& problem) {
  const MatX H = problem.dense() + MatX(problem.R.asDiagonal());
  const double step = 1.0 / H.norm();
  VecX x = VecX::Zero(problem.num_rows()), y = x;
  double t = 1.0;
  for (int k = 0; k < 20000; ++k) {
    const VecX gradient = H * y + problem.r;
    VecX next = y - step * gradient;
    for (const DualBlock& b : problem.blocks) {
      if (b.is_contact())
        project_on_cone(b.friction, b.tangents, next.data() + b.begin);
      else
        next[b.begin] = std::clamp(next[b.begin], b.lower, b.upper);
    }
    if (gradient.dot(next - x) > 0.0) t = 1.0;
    const double t_next = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * t * t));
    y = next + (t - 1.0) / t_next * (next - x);
    t = t_next;
    x = next;
  }
  return 0.5 * x.dot(H * x) + problem.r.dot(x);
}

TEST(Pgs, TheConvexLawHasTheLeastEnergyOfTheDual) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const DualProblem problem =
        random_bodies({.bodies = 2, .patches = 4, .points = 2, .rows = 2, .turns = seed % 2 == 0}, seed);
    const Solved solved = solve(LawKind::convex_cone, problem, 1e-10);
    const double energy =
        0.5 * solved.lambda.dot(solved.s + problem.r);  // = 1/2 lambda' (W + R) lambda + r' lambda
    EXPECT_NEAR(energy, least_energy(problem), 1e-8 * std::abs(energy));
  }
}

// lambda_t takes the most power of the polygon: that of its best vertex.
TEST(Pgs, FrictionOfAPyramidTakesThePowerOfItsBestVertex) {
  const DualProblem problem = random_bodies({.bodies = 2, .patches = 4, .points = 2, .friction = 0.4}, 5);
  for (const Pyramid& pyramid : {Pyramid{4, false}, Pyramid{4, true}, Pyramid{8, false}, Pyramid{16, true}}) {
    DualOptions options;
    options.tolerance = 1e-11;
    options.max_iterations = 20000;
    options.pyramid = pyramid;
    const Solved solved = solve(LawKind::pyramid_lcp, problem, options);
    EXPECT_EQ(solved.report.status, SolveStatus::converged);
    const double radius = pyramid.apothem() / std::cos(std::numbers::pi / pyramid.facets);
    for (const DualBlock& b : problem.blocks) {
      double most = 0.0;
      for (int k = 0; k < pyramid.facets; ++k) {
        const double angle = (2 * k + 1) * std::numbers::pi / pyramid.facets;
        most = std::max(
            most, -radius * (std::cos(angle) * solved.s[b.begin] + std::sin(angle) * solved.s[b.begin + 1]));
      }
      const double power = -solved.lambda.segment<2>(b.begin).dot(solved.s.segment<2>(b.begin));
      EXPECT_NEAR(power, 0.4 * solved.lambda[b.begin + 2] * most, 1e-9);
      EXPECT_NEAR(solved.lambda[b.begin + 2] * solved.s[b.begin + 2], 0.0, 1e-9);
    }
  }
}

TEST(Pgs, TheDelassusFormMakesTheSameSteps) {
  // Of few rows, where W is dense, and of many.
  for (const int patches : {6, 16}) {
    const DualProblem problem = random_bodies({.bodies = 3, .patches = patches, .points = 2, .rows = 3}, 6);
    for (const LawKind law : rigid_laws_of("pgs")) {
      DualOptions options;
      options.tolerance = 0.0;
      options.max_iterations = 20;
      options.accelerates = false;  // which magnifies round-off
      const Solved by_velocities = solve(law, problem, options);
      options.uses_delassus = true;
      const Solved by_rows = solve(law, problem, options);
      EXPECT_LT((by_velocities.lambda - by_rows.lambda).norm(), 1e-12 * by_rows.lambda.norm());
    }
  }
}

TEST(Pgs, RelaxationChangesTheWayAndNotTheEnd) {
  const DualProblem problem = random_bodies({.bodies = 2, .patches = 3, .points = 2}, 9);
  for (const LawKind law : rigid_laws_of("pgs")) {
    const VecX s = solve(law, problem, 1e-11).s;
    int plain = 0;
    for (const double omega : {1.0, 0.7, 1.2}) {
      DualOptions options;
      options.tolerance = 1e-11;
      options.max_iterations = 20000;
      options.relaxation = omega;
      const Solved solved = solve(law, problem, options);
      EXPECT_EQ(solved.report.status, SolveStatus::converged);
      // An error of 1e-11 in the fixed point is one of up to 1e-11 times the condition in s.
      EXPECT_LT((solved.s - s).norm(), 1e-7 * problem.velocity_scale());
      if (omega == 1.0) {
        plain = solved.report.iterations;
      } else {
        EXPECT_NE(solved.report.iterations, plain);
      }
    }
  }
}

TEST(Pgs, HistoryHasTheErrorOfEverySweepAndChangesNothing) {
  const DualProblem problem = random_bodies({.rows = 3}, 10);
  DualOptions options;
  const Solved without = solve(LawKind::coulomb_ncp, problem, options);
  std::vector<double> history;
  options.history = &history;
  const Solved with = solve(LawKind::coulomb_ncp, problem, options);
  EXPECT_EQ(with.lambda, without.lambda);
  ASSERT_EQ(static_cast<int>(history.size()), with.report.iterations);
  EXPECT_GT(history.front(), history.back());
  EXPECT_LE(history.back(), options.tolerance * 1.01);
}

TEST(Pgs, AToleranceBelowRoundOffEndsAtRoundOff) {
  const DualProblem problem = random_bodies({.bodies = 2, .patches = 3, .points = 1}, 12);
  DualOptions options;
  options.tolerance = 1e-30;
  options.max_iterations = 5000;
  const Solved solved = solve(LawKind::coulomb_ncp, problem, options);
  EXPECT_EQ(solved.report.status, SolveStatus::round_off);
  EXPECT_LT(solved.report.residual, 1e-13);
}

TEST(Pgs, SweepsThatChangeNothingAreNotTakenForConverged) {
  DualOptions options;
  options.relaxation = 0.0;
  const Solved solved = solve(LawKind::coulomb_ncp, block_on_ground({0.3, 0.0, -1.0}, 0.5), options);
  EXPECT_EQ(solved.report.status, SolveStatus::stalled);
  EXPECT_EQ(solved.report.iterations, 1);
  EXPECT_EQ(solved.report.residual, 1.0);  // of the normal row; without an impulse there is no friction
}

}  // namespace
}  // namespace stiction
