#include "stiction/contact/complementarity/linear_complementarity.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <string>

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/base/shared_files.h"
#include "stiction/contact/file/lcp_file.h"
#include "test/base/allocation_counter.h"

namespace stiction {
namespace {

LinearComplementarity lcp(std::initializer_list<std::initializer_list<double>> rows,
                          std::initializer_list<double> q) {
  LinearComplementarity problem;
  const int n = static_cast<int>(q.size());
  problem.M.resize(n, n);
  problem.q.resize(n);
  int i = 0;
  for (const auto& row : rows) {
    int j = 0;
    for (const double value : row) problem.M(i, j++) = value;
    ++i;
  }
  i = 0;
  for (const double value : q) problem.q[i++] = value;
  problem.set_bounds(std::vector<char>(n, 1));
  return problem;
}

VecX vector(std::initializer_list<double> numbers) {
  VecX out(static_cast<int>(numbers.size()));
  int i = 0;
  for (const double number : numbers) out[i++] = number;
  return out;
}

// Upper triangular, ones on and twos above the diagonal.
MatX murty_matrix(int n) {
  MatX M = MatX::Identity(n, n);
  for (int j = 0; j < n; ++j) M.col(j).head(j).setConstant(2.0);
  return M;
}

LinearReport solve(const LinearComplementarity& problem, LinearMethod method, VecX* z) {
  z->resize(0);
  return solve_linear_complementarity(problem, {.method = method}, z);
}

double distance_to_nearest(const std::vector<VecX>& solutions, const VecX& z) {
  double nearest = HUGE_VAL;
  for (const VecX& solution : solutions)
    nearest = std::min(nearest,
                       (z - solution).cwiseAbs().maxCoeff() / std::max(1.0, solution.cwiseAbs().maxCoeff()));
  return nearest;
}

struct Named {
  const char* name;
  LinearComplementarity problem;
  std::vector<VecX> solutions;  // all of them
};

// Small problems of the literature, with numbers of their own.
std::vector<Named> isolated_problems() {
  return {
      {"positive definite", lcp({{2, 1}, {1, 2}}, {-5, -6}), {vector({4.0 / 3.0, 7.0 / 3.0})}},
      {"ortiz",
       lcp({{3, 1, 0, -1}, {-1, 2, 1, 1}, {0, 1, 3, -1}, {0, 0, 1, 2}}, {-2, 1, -1, 1}),
       {vector({2.0 / 3.0, 0, 1.0 / 3.0, 0})}},
      {"zero diagonal", lcp({{0, -1, 2}, {2, 0, -2}, {-1, 1, 0}}, {-3, 6, -1}), {vector({0, 1, 3})}},
      {"bimatrix game",
       lcp({{0, 0, 10, 20}, {0, 0, 30, 15}, {10, 20, 0, 0}, {30, 15, 0, 0}}, {-1, -1, -1, -1}),
       {vector({0, 1.0 / 15.0, 0, 1.0 / 15.0}), vector({0.1, 0, 0.1, 0}),
        vector({1.0 / 90.0, 4.0 / 90.0, 1.0 / 90.0, 4.0 / 90.0})}},
      {"quadratic program",
       lcp({{11, 0, 10, -1}, {0, 11, 10, -1}, {10, 10, 21, -1}, {1, 1, 1, 0}}, {50, 50, 10, -6}),
       {vector({2, 2, 2, 92})}},
      {"quadratic program with a bound",
       lcp({{11, 0, 10, -1}, {0, 11, 10, -1}, {10, 10, 21, -1}, {1, 1, 1, 0}}, {50, 50, 23, -6}),
       {vector({3, 3, 0, 83})}},
      {"isolated, singular", lcp({{0, -1, -1}, {1, 0, 0}, {-1, 0, 0}}, {0, -1, 1}), {vector({1, 0, 0})}},
  };
}

TEST(LinearComplementarity, SolvesTheSmallClassicsByLemkeAndByNewton) {
  for (const Named& named : isolated_problems()) {
    for (const LinearMethod method : {LinearMethod::automatic, LinearMethod::lemke, LinearMethod::newton}) {
      SCOPED_TRACE(named.name);
      VecX z;
      EXPECT_EQ(solve(named.problem, method, &z).status, LinearStatus::solved);
      EXPECT_LE(distance_to_nearest(named.solutions, z), 1e-10);
    }
  }
}

// z1 + z2 = 1, z2 = 1 + z1, and (1, t, t + 1e-4).
TEST(LinearComplementarity, FindsAPointOfAContinuumOfSolutions) {
  for (const LinearMethod method : {LinearMethod::lemke, LinearMethod::newton}) {
    VecX z;
    EXPECT_EQ(solve(lcp({{1, 1}, {1, 1}}, {-1, -1}), method, &z).status, LinearStatus::solved);
    EXPECT_NEAR(z[0] + z[1], 1.0, 1e-10);
    EXPECT_EQ(solve(lcp({{1, -1}, {-1, 1}}, {1, -1}), method, &z).status, LinearStatus::solved);
    EXPECT_NEAR(z[1] - z[0], 1.0, 1e-10);
    EXPECT_EQ(solve(lcp({{0, -1, 1}, {1, 0, 0}, {-1, 0, 0}}, {-1e-4, -1, 1}), method, &z).status,
              LinearStatus::solved);
    EXPECT_NEAR(z[0], 1.0, 1e-10);
    EXPECT_NEAR(z[2] - z[1], 1e-4, 1e-10);
  }
}

TEST(LinearComplementarity, NeverCallsAProblemWithoutSolutionSolved) {
  const LinearComplementarity problem = lcp({{0, -1, -1}, {1, 0, 0}, {-1, 0, 0}}, {-1e-4, -1, 1});
  for (std::size_t i = 0; i < kLinearMethodNames.size(); ++i) {
    SCOPED_TRACE(kLinearMethodNames[i]);
    VecX z;
    const LinearReport report = solve(problem, static_cast<LinearMethod>(i), &z);
    EXPECT_NE(report.status, LinearStatus::solved);
    EXPECT_GE(report.residual, 1e-5);
  }
}

// z = 0 would need -1 >= 0; M = 0 is positive semidefinite.
TEST(LinearComplementarity, ProvesThatThereIsNoSolutionWhereMIsSemidefinite) {
  VecX z;
  EXPECT_EQ(solve(lcp({{0, 0}, {0, 1}}, {-1, -1}), LinearMethod::automatic, &z).status,
            LinearStatus::infeasible);
}

// K. G. Murty, Computational complexity of complementary pivot methods, 1978.
TEST(LinearComplementarity, TakesAllThePivotsOfMurtysExample) {
  LinearComplementarity problem = lcp({{1}, {1}, {1}, {1}, {1}, {1}}, {-126, -124, -120, -112, -96, -64});
  problem.M = murty_matrix(6);
  VecX z;
  const LinearReport report = solve(problem, LinearMethod::lemke, &z);
  EXPECT_EQ(report.status, LinearStatus::solved);
  // 2^6 - 1 after the one that brings the covering variable in.
  EXPECT_EQ(report.pivots, 1 + 63);
  EXPECT_EQ(z, vector({0, 0, 0, 0, 0, 64}));
}

TEST(LinearComplementarity, SolvesMurtysAndFathisProblemsOfAnySize) {
  for (const int n : {2, 8, 16, 40}) {
    for (const LinearMethod method : {LinearMethod::lemke, LinearMethod::newton}) {
      LinearComplementarity problem;
      problem.q = VecX::Constant(n, -1.0);
      problem.set_bounds(std::vector<char>(n, 1));
      problem.M = murty_matrix(n);
      VecX z;
      EXPECT_EQ(solve(problem, method, &z).status, LinearStatus::solved);
      EXPECT_LE((z - VecX::Unit(n, n - 1)).cwiseAbs().maxCoeff(), 1e-10) << n;
      problem.M = problem.M.transpose() * problem.M;
      EXPECT_EQ(solve(problem, method, &z).status, LinearStatus::solved);
      EXPECT_LE((z - VecX::Unit(n, 0)).cwiseAbs().maxCoeff(), 1e-10) << n;
    }
  }
}

TEST(LinearComplementarity, SweepsOnlyWhereTheDiagonalIsPositive) {
  VecX z;
  EXPECT_EQ(solve(isolated_problems()[0].problem, LinearMethod::pgs, &z).status, LinearStatus::solved);
  EXPECT_LE(distance_to_nearest(isolated_problems()[0].solutions, z), 1e-10);
  EXPECT_EQ(solve(isolated_problems()[2].problem, LinearMethod::pgs, &z).status, LinearStatus::zero_diagonal);
}

// A Delassus-like positive definite M with bounds of every kind: the solution is unique, so that four methods
// that share little must agree.
TEST(LinearComplementarity, FindsTheSameSolutionByAllMethodsWithBoundsOfEveryKind) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const int n = 20;
    MatX B(n, n);
    for (double& value : B.reshaped()) value = random.uniform(-1.0, 1.0);
    LinearComplementarity problem;
    problem.M = B * B.transpose() + MatX::Identity(n, n);
    problem.q.resize(n);
    problem.lower.resize(n);
    problem.upper.resize(n);
    for (int i = 0; i < n; ++i) {
      problem.q[i] = random.uniform(-3.0, 3.0);
      problem.lower[i] = i % 4 == 0 || i % 4 == 1 ? -kNoBound : random.uniform(-0.5, 0.0);
      problem.upper[i] = i % 4 == 0 || i % 4 == 2 ? kNoBound : random.uniform(0.0, 0.5);
    }
    VecX expected;
    ASSERT_EQ(solve(problem, LinearMethod::newton, &expected).status, LinearStatus::solved);
    for (const LinearMethod method : {LinearMethod::lemke, LinearMethod::pivoting, LinearMethod::pgs}) {
      VecX z;
      EXPECT_EQ(solve(problem, method, &z).status, LinearStatus::solved) << seed;
      EXPECT_LE((z - expected).cwiseAbs().maxCoeff(), 1e-9) << seed;
    }
  }
}

// The block of the two equations is zero; z = (-1, 1, 1, 0) by hand: x3 = 1 from the first equation, x4 = 0
// from the second, the pairs 3 and 4 then need z1 = -1 and z2 - 1 >= 0.
TEST(LinearComplementarity, SolvesEquationsWithoutABlockOfTheirOwn) {
  LinearComplementarity problem =
      lcp({{0, 0, 1, 0}, {0, 0, 0, 1}, {1, 0, 1, 0}, {0, 1, 0, 1}}, {-1, -2, 0, -1});
  problem.set_bounds({0, 0, 1, 1});
  for (const LinearMethod method : {LinearMethod::lemke, LinearMethod::newton}) {
    VecX z;
    EXPECT_EQ(solve(problem, method, &z).status, LinearStatus::solved);
    EXPECT_LE((z - vector({-1, -1, 1, 2})).cwiseAbs().maxCoeff(), 1e-10);
  }
}

TEST(LinearComplementarity, RefusesNumbersThatAreNotFinite) {
  VecX z;
  EXPECT_EQ(solve(lcp({{std::nan("")}}, {-1}), LinearMethod::automatic, &z).status, LinearStatus::not_finite);
  EXPECT_EQ(solve(lcp({{1}}, {HUGE_VAL}), LinearMethod::automatic, &z).status, LinearStatus::not_finite);
}

TEST(LinearComplementarity, AllocatesNothingInASecondSolve) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  const Named named = isolated_problems()[4];
  LcpSolver solver;
  VecX z;
  solver.solve(named.problem, {}, &z);
  const AllocationCounter counter;
  solver.solve(named.problem, {}, &z);
  EXPECT_EQ(counter.count(), 0);
}

// Circuits, mechanisms and textbook problems; names end in _mlcp where there are equations.
TEST(LinearComplementarity, SolvesEveryFileOfTheCollection) {
  const auto folder = shared_file("data/lcp");
  if (!folder) GTEST_SKIP() << missing_shared_file("data/lcp");
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(*folder))
    if (entry.path().filename() != "mcp_classics.json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  ASSERT_FALSE(files.empty());
  for (const auto& file : files) {
    const SavedLcp saved = load_lcp(file);
    SCOPED_TRACE(saved.name);
    // Not determined by their residual: continua, and a matrix with a condition of 2e15.
    bool is_isolated = true;
    for (const char* name : {"lcp_CPS_1", "lcp_CPS_5", "lcp_inf_sol_perturbed", "deltasigma_mlcp"})
      is_isolated = is_isolated && saved.name != name;
    for (const LinearMethod method : {LinearMethod::automatic, LinearMethod::lemke, LinearMethod::newton}) {
      VecX z;
      const LinearReport report = solve(saved.problem, method, &z);
      if (saved.solutions.empty()) {
        EXPECT_NE(report.status, LinearStatus::solved);
        continue;
      }
      EXPECT_EQ(report.status, LinearStatus::solved);
      EXPECT_LE(report.residual, 1e-10);
      if (is_isolated) {
        EXPECT_LE(distance_to_nearest(saved.solutions, z), 1e-10);
      }
    }
  }
}

}  // namespace
}  // namespace stiction
