#include "stiction/contact/newton/coupled_newton.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include "stiction/base/parallel.h"
#include "stiction/contact/law/compliant_laws.h"
#include "stiction/contact/newton/newton.h"
#include "test/base/allocation_counter.h"
#include "test/contact/one_body_problem.h"
#include "test/contact/random_problem.h"

namespace stiction {
namespace {

// Everything at once: robots that branch or carry others, rows, torsional and rolling friction.
ContactProblem problem_of(std::uint64_t seed, int num_patches = 12) {
  ContactProblem problem = random_problem(LawKind::icf_coupled, 6, num_patches, seed, seed % 2 == 0 ? 20 : 0);
  if (seed % 3 == 0) add_friction_lengths(seed, &problem);
  if (seed % 5 == 0) let_bodies_carry_others(seed, &problem);
  return problem;
}

TEST(CoupledNewton, HasTheSlopeOfFiniteDifferencesOfItsResidual) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const ContactProblem problem = problem_of(seed);
    NewtonSolver solver;
    VecX residual, plus, minus;
    MatX slope;
    const VecX v = problem.v_start;
    solver.evaluate(problem, v, &residual, &slope);
    const double step = 1e-6;  // m/s: errors of order step^2 and of round-off over step
    for (int i = 0; i < v.size(); ++i) {
      const VecX e = step * VecX::Unit(v.size(), i);
      solver.evaluate(problem, v + e, &plus, nullptr);
      solver.evaluate(problem, v - e, &minus, nullptr);
      ASSERT_LT(((plus - minus) / (2.0 * step) - slope.col(i)).norm(), 1e-5 * slope.norm());
    }
    EXPECT_GT((slope - slope.transpose()).norm(), 1e-6 * slope.norm());
  }
}

TEST(CoupledNewton, BalancesMomentumWithTheImpulsesOfItsLaw) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    const ContactProblem problem = problem_of(seed);
    NewtonSolver solver;
    ContactSolution solution;
    solver.solve(problem, {}, &solution);
    ASSERT_EQ(solution.report.lagged_fallbacks, 0);
    EXPECT_EQ(solution.report.status, SolveStatus::converged);
    VecX residual;
    solver.evaluate(problem, solution.v, &residual, nullptr);
    // Trees that nothing touches are in `residual` too, at zero. The tolerance is 1e-6 of the impulses.
    VecX without;
    ContactProblem free = problem;
    for (AlignedVector<double>& numbers : free.law_parameters) std::fill(numbers.begin(), numbers.end(), 0.0);
    std::fill(free.law_parameters[kEpsilon].begin(), free.law_parameters[kEpsilon].end(), 1.0);
    solver.evaluate(free, solution.v, &without, nullptr);
    EXPECT_LT(residual.norm(), 1e-4 * (without.norm() + 1e-3));
  }
}

// A body of 1 kg at 1 m/s that comes down on the floor at 0.5 m/s, and does not turn.
ContactProblem sliding_touch(double mu, double v_s) {
  ContactProblem problem = one_body_problem({.v_free = Vec3(1.0, 0.0, -0.5), .law = LawKind::icf_coupled});
  const double h = problem.h, k = 1e7;
  IcfParameters<double> p;
  p.j0 = 0.0;  // just not touching
  p.slope = h * h * k;
  p.d = 0.0;
  p.v_break = linear_break_velocity(p.j0, p.slope, p.d);
  p.friction = mu;
  p.eps = v_s;
  problem.set_parameters(0, p.stored());
  return problem;
}

TEST(CoupledNewton, TakesFrictionFromTheNormalImpulseOfTheSameStep) {
  // n = s v = 0.5 - v with v the approach that is left; a slip of 1 m/s loses mu n.
  const double mu = 0.3, s = 2e-3 * 2e-3 * 1e7, n = 0.5 * s / (1.0 + s);
  const ContactProblem problem = sliding_touch(mu, 1e-4);
  NewtonSolver solver;
  ContactSolution solution;
  NewtonOptions options;
  options.relative_tolerance = 1e-12;
  solver.solve(problem, options, &solution);
  EXPECT_EQ(solution.report.lagged_fallbacks, 0);
  EXPECT_NEAR(solution.impulses[2], n, 1e-9);
  // The soft direction is short of one by (v_s/slip)^2/2 = 1e-8.
  EXPECT_NEAR(solution.impulses[0], -mu * n, 1e-8);
  EXPECT_NEAR(solution.v[3], 1.0 - mu * n, 1e-8);
}

TEST(CoupledNewton, SticksWhereItsFrictionCanStopTheSlip) {
  // mu n = 4 x 0.49 N s is more than the 1 N s of the slip; the creep left is less than v_s.
  const ContactProblem problem = sliding_touch(4.0, 1e-4);
  NewtonSolver solver;
  ContactSolution solution;
  solver.solve(problem, {}, &solution);
  EXPECT_EQ(solution.report.lagged_fallbacks, 0);
  EXPECT_NEAR(solution.impulses[0], -1.0, 2e-4);
  EXPECT_LT(std::abs(solution.v[3]), 1e-4);
}

// A body of 1 kg, a millimetre deep in a floor of 1e7 N/m that lets go near 1/d = 0.1 m/s.
ContactProblem deep_in_the_floor() {
  ContactProblem problem = one_body_problem({.v_free = Vec3(0.02, 0.0, -0.02), .law = LawKind::icf_coupled});
  IcfParameters<double> p;
  p.j0 = problem.h * 1e7 * 1e-3;
  p.slope = problem.h * problem.h * 1e7;
  p.d = 10.0;
  p.v_break = linear_break_velocity(p.j0, p.slope, p.d);
  p.friction = 0.5;
  p.eps = 1e-4;
  problem.set_parameters(0, p.stored());
  problem.inverse_masses.assign(problem.frames.size(), 1.0);
  return problem;
}

TEST(CoupledNewton, LeavesTheFloorInAFewSteps) {
  // At rest the floor would push 20 N s in the step; to let go takes 0.12 N s: n0 of the start is 170 times too
  // large.
  NewtonSolver solver;
  ContactSolution solution;
  solver.solve(deep_in_the_floor(), {}, &solution);
  EXPECT_EQ(solution.report.lagged_fallbacks, 0);
  EXPECT_NEAR(solution.impulses[2], 0.12, 1e-3);
  EXPECT_NEAR(solution.impulses[0], -0.02, 1e-4);  // sticks
  EXPECT_LE(solution.report.iterations, 5);
}

TEST(CoupledNewton, WithoutFrictionIsTheLaggedLaw) {
  ContactProblem problem = problem_of(1);
  std::fill(problem.law_parameters[kFriction].begin(), problem.law_parameters[kFriction].end(), 0.0);
  ContactProblem lagged = problem;
  lagged.law = LawKind::icf_lagged;
  NewtonSolver solver;
  ContactSolution a, b;
  NewtonOptions options;
  options.relative_tolerance = 1e-10;
  solver.solve(problem, options, &a);
  solver.solve(lagged, options, &b);
  EXPECT_LT((a.v - b.v).norm(), 1e-7 * b.v.norm());
}

// Islands of many thousand bodies are solved without factors, by repeated lagged problems alone. These converge
// by about a half a round, or not at all where mu W_nt/W_nn passes 1, and then the answer is the lagged one.
TEST(CoupledNewton, WithoutAFactorHasTheSameAnswerOrSaysThatItHasNone) {
  int same = 0, all = 0;
  for (const int patches : {2, 4, 8, 12})
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(testing::Message() << patches << " patches, seed " << seed);
      const ContactProblem problem = problem_of(seed, patches);
      NewtonOptions options;
      options.relative_tolerance = 1e-10;
      options.linear_solver = LinearSolver::direct;
      NewtonSolver direct, iterative;
      ContactSolution a, b;
      direct.solve(problem, options, &a);
      ASSERT_EQ(a.report.lagged_fallbacks, 0);
      options.relative_tolerance = 1e-6;
      options.linear_solver = LinearSolver::conjugate_gradient;
      iterative.solve(problem, options, &b);
      EXPECT_EQ(b.report.factorisations, 0);
      ++all;
      if (b.report.lagged_fallbacks > 0) continue;
      ++same;
      // The tolerance is relative to the impulses.
      EXPECT_LT((a.v - b.v).norm(), 1e-5 * a.v.norm());
    }
  std::printf(
      "[ coupled  ] without a factor: %d of %d problems are solved, the others have the lagged answer\n",
      same, all);
  EXPECT_GE(same, all * 3 / 4);
}

TEST(CoupledNewton, SaysWhereItsAnswerIsTheLaggedOne) {
  // Two iterations are enough for neither law, and none are left for rounds.
  const ContactProblem problem = problem_of(2, 40);
  NewtonSolver solver;
  ContactSolution solution;
  NewtonOptions options;
  options.max_iterations = 2;
  solver.solve(problem, options, &solution);
  EXPECT_GT(solution.report.lagged_fallbacks, 0);
  EXPECT_EQ(solution.report.lagged_fallbacks,
            std::count_if(solution.islands.begin(), solution.islands.end(),
                          [](const IslandReport& island) { return island.lagged_fallbacks > 0; }));
}

TEST(CoupledNewton, ReturnsTheSameBitsWithOneThreadAndWithTwo) {
  const ContactProblem problem = random_problem(LawKind::icf_coupled, 60, 50, 8);
  ContactSolution one, two;
  {
    NewtonSolver solver;
    solver.solve(problem, {}, &one);
  }
  set_thread_count(2);
  NewtonSolver solver;
  solver.solve(problem, {}, &two);
  set_thread_count(1);
  EXPECT_EQ(one.v, two.v);
  EXPECT_TRUE(std::equal(one.impulses.begin(), one.impulses.end(), two.impulses.begin()));
}

TEST(CoupledNewton, AllocatesNothingOnceItHasSolvedAProblem) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  for (const ContactProblem& problem : {problem_of(2), deep_in_the_floor()}) {
    NewtonSolver solver;
    ContactSolution solution;
    solver.solve(problem, {}, &solution);
    const AllocationCounter counter;
    solver.solve(problem, {}, &solution);
    EXPECT_EQ(counter.count(), 0);
  }
}

}  // namespace
}  // namespace stiction
