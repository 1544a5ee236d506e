#include "stiction/contact/newton/newton.h"

#include <cmath>
#include <vector>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "stiction/base/parallel.h"
#include "test/contact/law_kinds.h"
#include "test/contact/random_problem.h"

namespace stiction {
namespace {

void check_derivatives_of_the_cost(bool has_friction_lengths, int num_rows = 0, bool carries = false) {
  for (const LawKind law : convex_laws()) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      ContactProblem problem = random_problem(law, 6, carries ? 40 : 12, seed, num_rows);
      if (has_friction_lengths) add_friction_lengths(seed, &problem);
      if (carries) let_bodies_carry_others(seed, &problem);
      NewtonSolver solver;
      VecX gradient, plus, minus;
      MatX hessian;
      const VecX v = problem.v_start;
      solver.evaluate(problem, v, &gradient, &hessian);
      const double step = 1e-6;  // m/s: errors of order step^2 and of round-off over step
      for (int i = 0; i < v.size(); ++i) {
        const VecX e = step * VecX::Unit(v.size(), i);
        const double difference = solver.evaluate(problem, v + e, &plus, nullptr) -
                                  solver.evaluate(problem, v - e, &minus, nullptr);
        ASSERT_NEAR(difference / (2.0 * step), gradient[i], 1e-7 * (1.0 + gradient.norm()));
        ASSERT_LT(((plus - minus) / (2.0 * step) - hessian.col(i)).norm(), 1e-5 * hessian.norm());
      }
      ASSERT_LT((hessian - hessian.transpose()).norm(), 1e-13 * hessian.norm());
    }
  }
}

TEST(ContactCost, HasTheGradientAndHessianOfItsFiniteDifferences) { check_derivatives_of_the_cost(false); }

TEST(ContactCost, OfTurningHasTheGradientAndHessianOfItsFiniteDifferences) {
  check_derivatives_of_the_cost(true);
}

TEST(ContactCost, OfRowsHasTheGradientAndHessianOfItsFiniteDifferences) {
  check_derivatives_of_the_cost(false, 20);
}

// Some of them touch what they carry.
TEST(ContactCost, OfBodiesThatCarryOthersHasTheGradientAndHessianOfItsFiniteDifferences) {
  check_derivatives_of_the_cost(false, 0, true);
}

TEST(ContactCost, IsTheSameWhetherOrNotItKnowsWhichBodiesCarryOthers) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    ContactProblem problem = random_problem(LawKind::icf_lagged, 8, 30, seed);
    let_bodies_carry_others(seed, &problem);
    NewtonSolver solver;
    VecX gradient, plain_gradient;
    MatX hessian, plain_hessian;
    const double cost = solver.evaluate(problem, problem.v_start, &gradient, &hessian);
    int parents = 0;
    for (ProblemBody& body : problem.bodies) {
      parents += body.parent > 0;
      body.parent = 0;
    }
    const double plain = solver.evaluate(problem, problem.v_start, &plain_gradient, &plain_hessian);
    EXPECT_NEAR(cost, plain, 1e-12 * std::abs(plain));
    EXPECT_LT((gradient - plain_gradient).norm(), 1e-12 * plain_gradient.norm());
    EXPECT_LT((hessian - plain_hessian).norm(), 1e-12 * plain_hessian.norm());
    EXPECT_GT(parents, 0) << seed;
  }
}

// Entries backwards, and each of them as two halves.
ContactProblem with_other_entries(ContactProblem problem) {
  const std::vector<int> dofs = problem.row_dofs;
  const std::vector<double> values = problem.row_values;
  problem.row_dofs.clear();
  problem.row_values.clear();
  for (RowPart& part : problem.row_parts) {
    const int begin = static_cast<int>(problem.row_dofs.size());
    for (int half = 0; half < 2; ++half) {
      for (int e = part.end - 1; e >= part.begin; --e) {
        problem.row_dofs.push_back(dofs[e]);
        problem.row_values.push_back(0.5 * values[e]);
      }
    }
    part.begin = begin;
    part.end = static_cast<int>(problem.row_dofs.size());
  }
  return problem;
}

TEST(ContactCost, OfARowThatNamesVelocitiesTwiceAndInAnyOrderIsTheSame) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    ContactProblem problem = random_problem(LawKind::icf_lagged, 8, 12, seed, 20);
    if (seed % 2 == 0) split_into_branches(seed, &problem);
    const ContactProblem other = with_other_entries(problem);
    NewtonSolver solver;
    VecX gradient, other_gradient;
    MatX hessian, other_hessian;
    const double cost = solver.evaluate(problem, problem.v_start, &gradient, &hessian);
    EXPECT_NEAR(cost, solver.evaluate(other, problem.v_start, &other_gradient, &other_hessian),
                1e-12 * std::abs(cost));
    EXPECT_LT((gradient - other_gradient).norm(), 1e-12 * gradient.norm());
    EXPECT_LT((hessian - other_hessian).norm(), 1e-12 * hessian.norm()) << seed;
  }
}

// Dense Newton with halving steps, written for clarity alone. Near the minimum costs differ by less than
// their round-off, which must not shorten steps.
VecX reference_minimum(const ContactProblem& problem) {
  NewtonSolver cost;
  VecX v = problem.v_start, gradient, unused;
  MatX hessian;
  for (int iteration = 0; iteration < 500; ++iteration) {
    const double here = cost.evaluate(problem, v, &gradient, &hessian);
    if (gradient.norm() < 1e-12) break;
    const VecX dv = -hessian.llt().solve(gradient);
    double alpha = 1.0;
    const double allowed = here + 1e-14 * (1.0 + std::abs(here));
    while (alpha > 1e-12 && cost.evaluate(problem, v + alpha * dv, &unused, nullptr) > allowed) alpha *= 0.5;
    v += alpha * dv;
  }
  return v;
}

TEST(NewtonSolver, FindsTheMinimumThatDenseNewtonFinds) {
  for (const LawKind law : convex_laws()) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const ContactProblem problem = random_problem(law, 6, 10, seed, seed % 2 == 0 ? 8 : 0);
      NewtonSolver solver;
      NewtonOptions options;
      options.relative_tolerance = 1e-12;
      ContactSolution solution;
      const VecX expected = reference_minimum(problem);
      for (const int full_steps : {0, 3, NewtonOptions().full_steps}) {
        options.full_steps = full_steps;
        solver.solve(problem, options, &solution);
        // A gradient of 1e-12 moves v by at most 1e-12: A >= 1 in these problems.
        ASSERT_LT((solution.v - expected).norm(), 1e-9) << name_of(solution.report.status);
      }
    }
  }
}

// What a row asks for: its impulse at the velocities that were found.
TEST(NewtonSolver, GivesRowsTheImpulseOfTheirLaw) {
  const ContactProblem problem = random_problem(LawKind::icf_lagged, 12, 10, 3, 30);
  NewtonSolver solver;
  NewtonOptions options;
  options.relative_tolerance = 1e-12;
  ContactSolution solution;
  solver.solve(problem, options, &solution);
  int bounded = 0, between = 0;
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    double u = 0.0;
    for (int p = problem.rows[i].part_begin; p < problem.rows[i].part_end; ++p) {
      const RowPart& part = problem.row_parts[p];
      for (int e = part.begin; e < part.end; ++e)
        u += problem.row_values[e] * solution.v[problem.trees[part.tree].v_begin + problem.row_dofs[e]];
    }
    const RowLaw& law = problem.row_laws[i];
    const double s = law.offset - law.slope * u;
    EXPECT_NEAR(solution.row_impulses[i], std::clamp(s, law.lower, law.upper), 1e-9);
    (s > law.lower && s < law.upper ? between : bounded) += 1;
  }
  EXPECT_GT(bounded, 5);
  EXPECT_GT(between, 5);
}

TEST(NewtonSolver, SolvesIslandsOfRowsAsItSolvesAllTreesTogether) {
  for (const LawKind law : convex_laws()) {
    const ContactProblem problem = random_problem(law, 40, 12, 7, 12);
    ASSERT_GT(problem.islands.size(), 2u);
    NewtonSolver solver;
    NewtonOptions options;
    options.relative_tolerance = 1e-12;
    ContactSolution islands, together, iterative;
    solver.solve(problem, options, &islands);
    options.use_islands = false;
    solver.solve(problem, options, &together);
    EXPECT_LT((islands.v - together.v).norm(), 1e-9);
    options.relative_tolerance = 1e-11;
    options.linear_solver = LinearSolver::conjugate_gradient;
    solver.solve(problem, options, &iterative);
    EXPECT_LT((islands.v - iterative.v).norm(), 1e-8);
  }
}

TEST(NewtonSolver, FindsTheMinimumOfTurningWithTheFactorAndWithConjugateGradients) {
  for (const LawKind law : convex_laws()) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      ContactProblem problem = random_problem(law, 6, 10, seed);
      add_friction_lengths(seed, &problem);
      const VecX expected = reference_minimum(problem);
      NewtonSolver solver;
      NewtonOptions options;
      options.relative_tolerance = 1e-12;
      ContactSolution solution;
      for (const LinearSolver linear : {LinearSolver::direct, LinearSolver::conjugate_gradient}) {
        options.linear_solver = linear;
        solver.solve(problem, options, &solution);
        ASSERT_LT((solution.v - expected).norm(), 1e-8) << name_of(solution.report.status);
      }
    }
  }
}

TEST(NewtonSolver, SolvesIslandsAsItSolvesAllTreesTogether) {
  for (const LawKind law : convex_laws()) {
    const ContactProblem problem = random_problem(law, 30, 25, 7);
    ASSERT_GT(problem.islands.size(), 2u);
    NewtonSolver solver;
    NewtonOptions options;
    options.relative_tolerance = 1e-12;
    ContactSolution islands, together;
    solver.solve(problem, options, &islands);
    options.use_islands = false;
    solver.solve(problem, options, &together);
    EXPECT_LT((islands.v - together.v).norm(), 1e-9);
  }
}

TEST(NewtonSolver, FindsTheSameWithConjugateGradientsAsWithTheFactor) {
  for (const LawKind law : convex_laws()) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const ContactProblem problem = random_problem(law, 30, 60, seed);
      NewtonSolver solver;
      NewtonOptions options;
      options.relative_tolerance = 1e-11;
      ContactSolution direct, iterative;
      options.linear_solver = LinearSolver::direct;
      solver.solve(problem, options, &direct);
      EXPECT_EQ(direct.report.products, 0);
      options.linear_solver = LinearSolver::conjugate_gradient;
      solver.solve(problem, options, &iterative);
      EXPECT_EQ(iterative.report.factorisations, 0);
      EXPECT_GT(iterative.report.products, 0);
      EXPECT_EQ(iterative.report.status, SolveStatus::converged);
      EXPECT_LT((direct.v - iterative.v).norm(), 1e-8) << static_cast<int>(law) << " " << seed;
    }
  }
}

TEST(NewtonSolver, ReturnsTheSameBitsWithOneThreadAndWithTwo) {
  const ContactProblem problem = random_problem(LawKind::icf_lagged, 60, 50, 8);
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

TEST(NewtonSolver, TakesNoIterationFromTheSolution) {
  ContactProblem problem = random_problem(LawKind::icf_lagged, 6, 10, 9);
  NewtonSolver solver;
  ContactSolution solution;
  NewtonOptions tight;
  tight.relative_tolerance = 1e-10;
  solver.solve(problem, tight, &solution);
  problem.v_start = solution.v;
  solver.solve(problem, {}, &solution);
  EXPECT_EQ(solution.report.iterations, 0);
  EXPECT_EQ(solution.report.factorisations, 0);
}

TEST(NewtonSolver, TakesOneIterationFromAGuessThatIsTheSolution) {
  ContactProblem problem = random_problem(LawKind::icf_lagged, 6, 10, 9);
  NewtonSolver solver;
  ContactSolution solution;
  NewtonOptions tight;
  tight.relative_tolerance = 1e-10;
  solver.solve(problem, tight, &solution);
  problem.v_guesses = {solution.v};
  solver.solve(problem, {}, &solution);
  EXPECT_EQ(solution.report.iterations, 1);
  EXPECT_LT((solution.v - problem.v_guesses[0]).norm(), 1e-8 * solution.v.norm());
}

TEST(NewtonSolver, GoesItsWayToTheBitPastGuessesThatCostMore) {
  ContactProblem problem = random_problem(LawKind::icf_lagged, 6, 10, 9, 5);
  NewtonSolver solver;
  ContactSolution without, with;
  solver.solve(problem, {}, &without);
  // A thousand times as fast as anything moves.
  problem.v_guesses = {VecX::Constant(problem.v_start.size(), 300.0),
                       VecX::Constant(problem.v_start.size(), std::nan(""))};
  solver.solve(problem, {}, &with);
  EXPECT_EQ(with.v, without.v);
  EXPECT_EQ(with.report.iterations, without.report.iterations);
}

TEST(NewtonSolver, LeavesTreesWithoutContactAlone) {
  ContactProblem problem = random_problem(LawKind::icf_lagged, 40, 3, 10);
  NewtonSolver solver;
  ContactSolution solution;
  solver.solve(problem, {}, &solution);
  int untouched = 0;
  for (const ProblemTree& tree : problem.trees) {
    untouched +=
        solution.v.segment(tree.v_begin, tree.num_v) == problem.v_free.segment(tree.v_begin, tree.num_v);
  }
  EXPECT_GE(untouched, 34);
}

TEST(NewtonSolver, LowersTheCostWithEitherLineSearch) {
  for (const LawKind law : convex_laws()) {
    const ContactProblem problem = random_problem(law, 8, 16, 11);
    NewtonSolver solver;
    NewtonOptions options;
    options.full_steps = 0;
    ContactSolution exact, armijo;
    solver.solve(problem, options, &exact);
    options.line_search = LineSearch::armijo;
    solver.solve(problem, options, &armijo);
    EXPECT_EQ(exact.report.status, SolveStatus::converged);
    EXPECT_EQ(armijo.report.status, SolveStatus::converged);
    EXPECT_LT((exact.v - armijo.v).norm(), 1e-4 * exact.v.norm());
  }
}

TEST(NewtonSolver, NamesTheIslandWhoseNumbersAreNotFinite) {
  ContactProblem problem = random_problem(LawKind::icf_lagged, 10, 6, 12);
  const int tree = problem.island_trees[problem.islands.back().tree_begin];
  problem.v_free[problem.trees[tree].v_begin] = std::nan("");
  NewtonSolver solver;
  ContactSolution solution;
  solver.solve(problem, {}, &solution);
  EXPECT_EQ(solution.report.status, SolveStatus::not_finite);
  EXPECT_EQ(solution.report.worst_tree, tree);
}

TEST(NewtonSolver, SaysSoWhenItRunsOutOfIterations) {
  const ContactProblem problem = random_problem(LawKind::icf_lagged, 8, 16, 13);
  NewtonSolver solver;
  NewtonOptions options;
  options.max_iterations = 1;
  ContactSolution solution;
  solver.solve(problem, options, &solution);
  EXPECT_EQ(solution.report.status, SolveStatus::max_iterations);
  EXPECT_GT(solution.report.residual, options.relative_tolerance);
}

}  // namespace
}  // namespace stiction
