#include "stiction/contact/solver/newton.h"

#include <cmath>
#include <vector>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "stiction/base/parallel.h"
#include "stiction/base/random.h"
#include "stiction/contact/law/icf.h"
#include "stiction/contact/law/sap.h"

namespace stiction {
namespace {

Vec3 random_vector(Random* random) { return {random->normal(), random->normal(), random->normal()}; }

void put(const Vec3& x, double* to) {
  for (int i = 0; i < 3; ++i) to[i] = x[i];
  to[3] = 0.0;
}

MatX random_spd(int n, Random* random) {
  MatX B(n, n);
  for (int i = 0; i < n * n; ++i) B.data()[i] = random->normal();
  return B * B.transpose() / n + MatX::Identity(n, n);
}

// Rows of one to three trees: equalities, limits, friction and drives by turns.
void add_rows(int count, Random* random, ContactProblem* problem) {
  const int num_trees = static_cast<int>(problem->trees.size());
  for (int i = 0; i < count; ++i) {
    RowLaw law;
    law.slope = random->uniform(0.1, 100.0);
    law.offset = law.slope * 0.3 * random->normal();
    if (i % 4 == 1) law.lower = 0.0;
    if (i % 4 >= 2) {
      law.lower = -random->uniform(0.0, 2.0);
      law.upper = random->uniform(0.0, 2.0);
    }
    problem->begin_row(law);
    const int first = random->uniform_int(0, num_trees - 1), parts = std::min(1 + i % 3, num_trees);
    for (int t = 0; t < parts; ++t) {
      const int tree = (first + t * (1 + num_trees / 4)) % num_trees;
      problem->begin_row_part(tree);
      for (int d = 0; d < problem->trees[tree].num_v; ++d) {
        if (random->uniform() < 0.5) problem->add_row_entry(d, random->normal());
      }
    }
  }
}

// Trees of free bodies and robots with random inertias, joined by random patches of one to five points; every
// third patch hangs on the world. Particles: one body a tree, with up to three velocities that do not turn
// it.
ContactProblem random_problem(LawKind law, int num_trees, int num_patches, std::uint64_t seed,
                              int num_rows = 0, bool are_particles = false) {
  Random random(seed);
  ContactProblem problem;
  problem.h = 2e-3;
  problem.law = law;
  std::vector<ProblemTree> trees;
  for (int t = 0; t < num_trees; ++t) {
    ProblemTree tree;
    tree.is_free_body = random.uniform() < 0.7 && !are_particles;
    tree.num_v = tree.is_free_body ? 6 : random.uniform_int(1, are_particles ? 3 : 13);
    trees.push_back(tree);
  }
  problem.set_trees(trees);
  for (int t = 0; t < num_trees; ++t) {
    const MatX A = random_spd(problem.trees[t].num_v, &random);
    double* to = problem.A_of(t);
    for (int c = 0; c < A.cols(); ++c) {
      for (int r = 0; r < A.rows(); ++r) {
        if (problem.trees[t].is_free_body)
          to[8 * c + (r < 3 ? r : r + 1)] = A(r, c);
        else
          to[c * A.rows() + r] = A(r, c);
      }
      if (problem.trees[t].is_free_body) to[8 * c + 3] = to[8 * c + 7] = 0.0;
    }
  }
  for (int i = 0; i < problem.v_free.size(); ++i) {
    problem.v_free[i] = 0.3 * random.normal();
    problem.v_start[i] = 0.3 * random.normal();
  }

  // Two bodies on every robot, one on every free body.
  problem.bodies.emplace_back();
  for (int t = 0; t < num_trees; ++t) {
    const int bodies = problem.trees[t].is_free_body || are_particles ? 1 : 2;
    for (int b = 0; b < bodies; ++b) {
      ProblemBody body;
      body.tree = t;
      body.column_begin = static_cast<int>(problem.column_dofs.size());
      if (!problem.trees[t].is_free_body) {
        for (int d = 0; d < problem.trees[t].num_v; ++d) {
          if (random.uniform() < 0.3) continue;
          double column[8];
          put(are_particles ? Vec3(0, 0, 0) : random_vector(&random), column);
          put(random_vector(&random), column + 4);
          problem.columns.insert(problem.columns.end(), column, column + 8);
          problem.column_dofs.push_back(d);
        }
        body.columns = static_cast<int>(problem.column_dofs.size()) - body.column_begin;
      }
      problem.bodies.push_back(body);
    }
  }
  std::vector<PatchPlan> plans;
  const int num_bodies = static_cast<int>(problem.bodies.size());
  while (static_cast<int>(plans.size()) < num_patches) {
    PatchPlan plan;
    plan.a = plans.size() % 3 == 0 ? 0 : random.uniform_int(1, num_bodies - 1);
    plan.b = random.uniform_int(1, num_bodies - 1);
    plan.points = random.uniform_int(0, 5);
    if (plan.a != plan.b) plans.push_back(plan);
  }
  add_rows(num_rows, &random, &problem);
  problem.set_patches(plans);
  for (const Patch& patch : problem.patches) {
    const Vec3 offset = patch.a == 0 ? Vec3(0, 0, 0) : random_vector(&random);
    for (int p = patch.begin; p < patch.end; ++p) {
      PointFrame& frame = problem.frames[p];
      const Vec3 r = random_vector(&random);
      put(r, frame.r_B);
      put(Vec3(r + offset), frame.r_A);
      put(random_vector(&random).normalized(), frame.n);
      put(0.1 * random_vector(&random), frame.bias);
      const double h = problem.h, k = 1e5, phi = random.uniform(-1e-3, 3e-4), mu = random.uniform(0.0, 1.5);
      double numbers[kLawNumbers] = {};
      if (law == LawKind::sap) {
        const double tau = 1e-3, Rn = 1.0 / (h * k * (h + tau)), Rt = 1e-3;
        numbers[kBias] = -phi / (h + tau);
        numbers[kNormal] = 1.0 / Rn;
        numbers[kTangential] = 1.0 / Rt;
        numbers[kMu] = mu;
        numbers[kSliding] = 1.0 / (Rn * (1.0 + mu * mu * Rt / Rn));
      } else {
        numbers[kJ0] = -h * k * phi;
        numbers[kSlope] = h * h * k;
        numbers[kHuntCrossley] = 2.0;
        numbers[kBreak] = linear_break_velocity(numbers[kJ0], numbers[kSlope], numbers[kHuntCrossley]);
        numbers[kFriction] = law == LawKind::icf_similar ? mu : mu * random.uniform(0.0, 0.2);
        numbers[kEpsilon] = 1e-3;
      }
      for (int i = 0; i < kLawNumbers; ++i) problem.law_numbers[i][p] = numbers[i];
    }
  }
  return problem;
}

// Gives the second body of every robot all columns of the first, and more: the first carries it.
void let_bodies_carry_others(std::uint64_t seed, ContactProblem* problem) {
  Random random(seed);
  problem->columns.clear();
  problem->column_dofs.clear();
  for (std::size_t b = 1; b < problem->bodies.size(); ++b) {
    ProblemBody& body = problem->bodies[b];
    const ProblemTree& tree = problem->trees[body.tree];
    if (tree.is_free_body) continue;
    const bool is_carried = problem->bodies[b - 1].tree == body.tree;
    const ProblemBody parent = problem->bodies[b - 1];
    body.column_begin = static_cast<int>(problem->column_dofs.size());
    const int first = is_carried ? parent.columns : 0, last = is_carried ? tree.num_v : (tree.num_v + 1) / 2;
    for (int d = first; d < last; ++d) {
      double column[8];
      put(random_vector(&random), column);
      put(random_vector(&random), column + 4);
      problem->columns.insert(problem->columns.end(), column, column + 8);
      problem->column_dofs.push_back(d);
    }
    for (int k = 0; k < first; ++k) {
      const double* column = problem->columns.data() + 8 * (parent.column_begin + k);
      const std::vector<double> copy(column, column + 8);
      problem->columns.insert(problem->columns.end(), copy.begin(), copy.end());
      problem->column_dofs.push_back(problem->column_dofs[parent.column_begin + k]);
    }
    body.columns = static_cast<int>(problem->column_dofs.size()) - body.column_begin;
    body.parent = is_carried ? static_cast<int>(b) - 1 : 0;
  }
}

constexpr LawKind kLaws[] = {LawKind::icf_lagged, LawKind::icf_similar, LawKind::sap};

// Friction against turning at half of the points.
void add_levers(std::uint64_t seed, ContactProblem* problem) {
  Random random(seed);
  problem->levers.assign(problem->frames.size(), FrictionLevers{});
  for (const Patch& patch : problem->patches) {
    for (int p = patch.begin; p < patch.end; ++p) {
      if (random.uniform() < 0.5) continue;
      problem->levers[p] = friction_levers(1.0, random.uniform(0.0, 0.3), random.uniform(0.0, 0.1));
      put(0.1 * random_vector(&random), problem->levers[p].bias);
    }
  }
}

void check_derivatives_of_the_cost(bool has_levers, int num_rows = 0) {
  for (const LawKind law : kLaws) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      ContactProblem problem = random_problem(law, 6, 12, seed, num_rows);
      if (has_levers) add_levers(seed, &problem);
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
  for (const LawKind law : kLaws) {
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
  for (const LawKind law : kLaws) {
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
  for (const LawKind law : kLaws) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      ContactProblem problem = random_problem(law, 6, 10, seed);
      add_levers(seed, &problem);
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
  for (const LawKind law : kLaws) {
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
  for (const LawKind law : kLaws) {
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

TEST(NewtonSolver, FindsTheSameForParticlesWithSweepsAsWithTheFactor) {
  for (const LawKind law : kLaws) {
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
    for (double& x : problem.law_numbers[number]) x *= 1e3;
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
    problem.law_numbers[kJ0][p] = patch.a == 0 ? 0.1 : 0.0;  // N s
    problem.law_numbers[kSlope][p] = h * h * k;
    problem.law_numbers[kHuntCrossley][p] = 50.0;
    problem.law_numbers[kBreak][p] = linear_break_velocity(problem.law_numbers[kJ0][p], h * h * k, 50.0);
    problem.law_numbers[kFriction][p] = 0.0;
    problem.law_numbers[kEpsilon][p] = 1e-4;
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
  for (const LawKind law : kLaws) {
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
