// Newton's search directions: sweeps for particles, linearisation of impacts, branches of robots.
#include <cmath>

#include <gtest/gtest.h>

#include "stiction/contact/law/icf.h"
#include "stiction/contact/newton/newton.h"
#include "test/contact/law_kinds.h"
#include "test/contact/random_problem.h"

namespace stiction {
namespace {

TEST(NewtonSolver, FindsTheSameForParticlesWithSweepsAsWithTheFactor) {
  for (const LawKind law : convex_laws()) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const ContactProblem problem = random_problem(law, 200, 600, seed, 0, true);
      NewtonSolver solver;
      NewtonOptions options;
      options.relative_tolerance = 1e-11;
      ContactSolution direct, swept;
      options.linear_solver = LinearSolver::direct;
      solver.solve(problem, options, &direct);
      EXPECT_EQ(direct.report.products, 0);
      options.linear_solver = LinearSolver::automatic;
      solver.solve(problem, options, &swept);
      EXPECT_GT(swept.report.products, 0);
      EXPECT_TRUE(is_solved(swept.report.status)) << name_of(swept.report.status);
      EXPECT_LT((direct.v - swept.v).norm(), 1e-8) << static_cast<int>(law) << " " << seed;
    }
  }
}

// Stiff contacts ask for more sweeps than are worth it.
TEST(NewtonSolver, FactorisesParticlesWhereSweepsTakeTooLong) {
  ContactProblem problem = random_problem(LawKind::icf_lagged, 200, 600, 1, 0, true);
  for (const int number : {kJ0, kSlope}) {
    for (double& x : problem.law_parameters[number]) x *= 1e3;
  }
  NewtonSolver solver;
  ContactSolution solution;
  solver.solve(problem, {}, &solution);
  EXPECT_GT(solution.report.factorisations, 0);
  EXPECT_EQ(solution.report.products, 0);
  EXPECT_TRUE(is_solved(solution.report.status));
}

// A block of 5 kg that falls on another, which lies on the ground: both slide along z.
ContactProblem strike(double speed) {
  ContactProblem problem;
  problem.h = 2e-3;
  const ProblemTree slide = {0, 1, false, 0};
  const ProblemTree slides[] = {slide, slide};
  problem.set_trees(slides);
  problem.bodies.emplace_back();
  for (int t = 0; t < 2; ++t) {
    *problem.A_of(t) = 5.0;
    ProblemBody body;
    body.tree = t;
    body.column_begin = static_cast<int>(problem.column_dofs.size());
    body.columns = 1;
    const double up[8] = {0, 0, 0, 0, 0, 0, 1, 0};
    problem.columns.insert(problem.columns.end(), up, up + 8);
    problem.column_dofs.push_back(0);
    problem.bodies.push_back(body);
  }
  problem.v_start << 0.0, -speed;
  problem.v_free = problem.v_start;
  const PatchPlan plans[] = {{0, 1, 1}, {1, 2, 1}};
  problem.set_patches(plans);
  problem.inverse_masses.assign(problem.frames.size(), 0.0);
  for (const Patch& patch : problem.patches) {
    const int p = patch.begin;
    problem.frames[p] = {};
    problem.frames[p].n[2] = 1.0;
    const double k = 1e6, h = problem.h;
    problem.law_parameters[kJ0][p] = patch.a == 0 ? 0.1 : 0.0;  // N s
    problem.law_parameters[kSlope][p] = h * h * k;
    problem.law_parameters[kHuntCrossley][p] = 50.0;
    problem.law_parameters[kBreak][p] =
        linear_break_velocity(problem.law_parameters[kJ0][p], h * h * k, 50.0);
    problem.law_parameters[kFriction][p] = 0.0;
    problem.law_parameters[kEpsilon][p] = 1e-4;
    problem.inverse_masses[p] = patch.a == 0 ? 0.2 : 0.4;
  }
  return problem;
}

// Hunt & Crossley's impulse grows with the square of the speed, and Newton's method halves it in every step.
TEST(NewtonSolver, TakesFewIterationsHoweverFastABodyIsStruck) {
  for (const double speed : {0.1, 1.0, 10.0, 100.0}) {
    ContactProblem problem = strike(speed);
    NewtonSolver solver;
    ContactSolution known, unknown;
    solver.solve(problem, {}, &known);
    problem.inverse_masses.clear();
    solver.solve(problem, {}, &unknown);
    EXPECT_LT((known.v - unknown.v).norm(), 1e-6 * speed);
    EXPECT_LE(known.report.iterations, 6) << speed;
    EXPECT_LE(known.report.iterations, unknown.report.iterations);
  }
}

// All velocities of a tree in one block.
ContactProblem without_branches(ContactProblem problem) {
  problem.branches.clear();
  for (ProblemTree& tree : problem.trees) tree.branch_begin = tree.branch_end = 0;
  return problem;
}

TEST(BranchesOfRobots, LeaveTheHessianAsItIs) {
  int branches = 0;
  for (const LawKind law : convex_laws()) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      ContactProblem problem = random_problem(law, 8, 40, seed, seed % 2 == 0 ? 20 : 0);
      split_into_branches(seed, &problem);
      branches += static_cast<int>(problem.branches.size());
      NewtonSolver solver;
      VecX gradient, plain_gradient;
      MatX hessian, plain_hessian;
      const double cost = solver.evaluate(problem, problem.v_start, &gradient, &hessian);
      const ContactProblem plain = without_branches(problem);
      EXPECT_NEAR(cost, solver.evaluate(plain, plain.v_start, &plain_gradient, &plain_hessian),
                  1e-12 * std::abs(cost));
      EXPECT_LT((gradient - plain_gradient).norm(), 1e-12 * plain_gradient.norm());
      EXPECT_LT((hessian - plain_hessian).norm(), 1e-12 * plain_hessian.norm()) << seed;
    }
  }
  EXPECT_GT(branches, 300);
}

TEST(BranchesOfRobots, LeadToTheSameMinimum) {
  for (const LawKind law : convex_laws()) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      ContactProblem problem = random_problem(law, 12, 25, seed, seed % 2 == 0 ? 20 : 0);
      split_into_branches(seed, &problem);
      const ContactProblem plain = without_branches(problem);
      NewtonSolver solver;
      NewtonOptions options;
      options.relative_tolerance = 1e-11;
      ContactSolution branched, whole, iterative;
      solver.solve(problem, options, &branched);
      solver.solve(plain, options, &whole);
      EXPECT_TRUE(is_solved(branched.report.status)) << name_of(branched.report.status);
      EXPECT_LT((branched.v - whole.v).norm(), 1e-8) << static_cast<int>(law) << " " << seed;
      options.linear_solver = LinearSolver::conjugate_gradient;
      solver.solve(problem, options, &iterative);
      EXPECT_LT((iterative.v - whole.v).norm(), 1e-8) << static_cast<int>(law) << " " << seed;
    }
  }
}

}  // namespace
}  // namespace stiction
