// The bisection of raisim; what every solver must do is in contract_test.cpp.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/base/shared_files.h"
#include "stiction/contact/dual/solver.h"
#include "test/contact/dual/samples.h"
#include "test/contact/dual/stored_problems.h"

namespace stiction {
namespace {

struct Solved {
  VecX lambda, s;
  IslandReport report;
};

Solved solve(const DualProblem& problem, const DualOptions& options) {
  Solved out;
  out.lambda = VecX::Zero(problem.num_rows());
  out.report = make_bisection()->solve(problem, options, &out.lambda);
  problem.velocities(out.lambda, &out.s);
  return out;
}

Solved solve(const DualProblem& problem, double tolerance = 1e-12) {
  DualOptions options;
  options.tolerance = tolerance;
  options.max_iterations = 20000;
  return solve(problem, options);
}

// Signorini's condition and eq. 24: s_t along -(lambda_t + mu^2 lambda_n D_nt / D_nn).
TEST(Bisection, ASlidingContactHasNoNormalVelocityAndSlipsAlongEquation24) {
  Random random(1);
  int slides = 0;
  for (const int m : {2, 5}) {
    for (const double mu : {1e-3, 0.3, 1.0, 10.0}) {
      for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const MatX D = random_spd(m + 1, seed);
        VecX r(m + 1);
        for (int i = 0; i <= m; ++i) r[i] = random.normal();
        r[m] = -std::abs(r[m]);
        const Solved solved = solve(dense_problem({contact_block(mu, m)}, D, r), 1e-10);
        EXPECT_EQ(solved.report.status, SolveStatus::converged);
        const VecX t = solved.lambda.head(m), s = solved.s.head(m);
        const double n = solved.lambda[m];
        EXPECT_NEAR(solved.s[m], 0.0, 1e-9 * r.norm());
        EXPECT_LE(t.norm(), mu * n * (1.0 + 1e-14));
        const VecX along = t + mu * mu * n / D(m, m) * D.col(m).head(m);
        EXPECT_NEAR(s.dot(along), -s.norm() * along.norm(), 1e-8 * r.norm() * along.norm());
        slides += s.norm() > 1e-3 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(slides, 100);
}

TEST(Bisection, NoOtherPointOfTheEllipseHasLessEnergy) {
  Random random(2);
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const MatX D = random_spd(3, seed);
    const Vec3 r(2.0 * random.normal(), 2.0 * random.normal(), -1.0);
    const double mu = random.uniform(0.1, 2.0);
    const VecX x = solve(dense_problem({contact_block(mu)}, D, r)).lambda;
    const double energy = 0.5 * x.dot(D * x) + r.dot(x);
    for (int k = 0; k < 2000; ++k) {
      // On the cone, with the normal impulse for which s_n = 0.
      const double angle = 2.0 * std::numbers::pi * k / 2000.0;
      Vec3 other(mu * std::cos(angle), mu * std::sin(angle), 1.0);
      const double gives = D.row(2).dot(other);
      if (gives <= 0.0) continue;
      other *= 1.0 / gives;
      EXPECT_GE(0.5 * other.dot(D * other) + r.dot(other), energy - 1e-12 * std::abs(energy));
    }
  }
}

// Turning rows that nothing drives leave the rest as it is, though another method finds it.
TEST(Bisection, FiveTangentsAgreeWithTwoWhereNothingTurns) {
  Random random(3);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const MatX D = random_spd(3, seed);
    const Vec3 r(2.0 * random.normal(), 2.0 * random.normal(), -1.0);
    MatX wide = MatX::Identity(6, 6);
    VecX r_wide = VecX::Zero(6);
    const int place[3] = {0, 1, 5};
    for (int i = 0; i < 3; ++i) {
      r_wide[place[i]] = r[i];
      for (int j = 0; j < 3; ++j) wide(place[i], place[j]) = D(i, j);
    }
    const VecX two = solve(dense_problem({contact_block(0.4)}, D, r)).lambda;
    const VecX five = solve(dense_problem({contact_block(0.4, 5)}, wide, r_wide), 1e-10).lambda;
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(five[place[i]], two[i], 1e-9 * two.norm());
  }
}

TEST(Bisection, ItIsNotCoulombsLawWhereRowsAreCoupled) {
  MatX D = MatX::Identity(3, 3);
  D(0, 2) = D(2, 0) = 0.5;
  D(0, 1) = D(1, 0) = 0.3;
  const DualProblem problem = dense_problem({contact_block(0.5)}, D, Vec3(1.0, 2.0, -1.0));
  const Solved solved = solve(problem);
  EXPECT_EQ(solved.report.status, SolveStatus::converged);
  EXPECT_GT(problem.natural_error(LawKind::coulomb_ncp, Pyramid{}, solved.lambda, solved.s), 0.01);
}

// Where the sweeps end, every contact has no normal velocity or no impulse, and stays in its cone.
TEST(Bisection, RandomProblemsKeepSignorinisConditionAndTheCone) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    for (const double R : {0.0, 0.05}) {
      const DualProblem problem = random_bodies(
          {.bodies = 3, .patches = 5, .points = 2, .rows = 3, .turns = seed == 5, .R = R}, seed);
      const Solved solved = solve(problem, 1e-9);
      EXPECT_EQ(solved.report.status, SolveStatus::converged) << solved.report.residual;
      const double scale = problem.velocity_scale();
      for (const DualBlock& b : problem.blocks) {
        if (!b.is_contact()) continue;
        const double n = solved.lambda[b.begin + b.tangents], s = solved.s[b.begin + b.tangents];
        EXPECT_GE(n, 0.0);
        EXPECT_GE(s, -1e-7 * scale);
        EXPECT_NEAR(std::min(n / b.rho, s), 0.0, 1e-7 * scale);
        EXPECT_LE(norm_of(solved.lambda.data() + b.begin, b.tangents), b.friction * n * (1.0 + 1e-13));
      }
    }
  }
}

TEST(Bisection, TheDelassusFormMakesTheSameSteps) {
  const DualProblem problem = random_bodies({.bodies = 3, .patches = 6, .points = 2, .rows = 3}, 6);
  DualOptions options;
  options.tolerance = 0.0;
  options.max_iterations = 20;
  const Solved by_velocities = solve(problem, options);
  options.uses_delassus = true;
  const Solved by_rows = solve(problem, options);
  EXPECT_LT((by_velocities.lambda - by_rows.lambda).norm(), 1e-12 * by_rows.lambda.norm());
}

// One sweep if W is symmetric, which the model of a block is.
TEST(Bisection, OneContactOfTheCollectionTakesOneSweepOrTwo) {
  int count = 0;
  for (const auto& file : fc3d_files()) {
    const DualProblem problem = load_fc3d(file);
    if (problem.num_blocks() > 1) continue;
    SCOPED_TRACE(file.stem().string());
    ++count;
    DualOptions options;
    options.max_iterations = 2;
    EXPECT_EQ(solve(problem, options).report.status, SolveStatus::converged);
  }
  if (count == 0) GTEST_SKIP() << missing_shared_file("data/fc3d");
  EXPECT_GE(count, 7);
}

}  // namespace
}  // namespace stiction
