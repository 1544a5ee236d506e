#include "stiction/contact/dual/factor.h"

#include <limits>
#include <vector>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "test/base/allocation_counter.h"
#include "test/contact/dual/samples.h"

namespace stiction {
namespace {

VecX random_vector(int n, std::uint64_t seed, double least, double most) {
  Random random(seed);
  VecX x(n);
  for (int i = 0; i < n; ++i) x[i] = random.uniform(least, most);
  return x;
}

MatX dense_matrix(const DualProblem& problem, const VecX& D) {
  MatX M = problem.dense();
  M.diagonal() += problem.R + D;
  return M;
}

// Trees of one to nine joints, tied by scalar rows over three trees each.
DualProblem tied_trees(std::uint64_t seed) {
  Random random(seed);
  std::vector<ProblemTree> trees(5);
  for (int t = 0; t < 5; ++t) trees[t].num_v = 1 + 2 * t;
  ContactProblem problem;
  problem.law = LawKind::coulomb_ncp;
  problem.set_trees(trees);
  for (int t = 0; t < 5; ++t) {
    const MatX A = random_spd(trees[t].num_v, seed + static_cast<std::uint64_t>(t));
    std::copy_n(A.data(), A.size(), problem.A_of(t));
  }
  for (int i = 0; i < problem.v_free.size(); ++i) problem.v_free[i] = random.normal();
  problem.v_start.setZero();
  problem.bodies.emplace_back();
  for (int row = 0; row < 12; ++row) {
    RowLaw law;
    law.slope = random.uniform(1.0, 1000.0);
    problem.begin_row(law);
    for (int t = 0; t < 3; ++t) {
      const int tree = (row + 2 * t) % 5;
      problem.begin_row_part(tree);
      for (int d = 0; d < trees[tree].num_v; ++d) problem.add_row_entry(d, random.normal());
    }
  }
  problem.set_patches({});
  DualProblem dual;
  dual.begin(problem, problem.islands.front());
  return dual;
}

// Largest error of a solve against the dense matrix, relative to the answer.
double error_of(const DualProblem& problem, const VecX& D, std::uint64_t seed) {
  const VecX b = random_vector(problem.num_rows(), seed, -1.0, 1.0);
  const VecX expected = dense_matrix(problem, D).partialPivLu().solve(b);
  DualFactor factor;
  factor.begin(problem);
  EXPECT_TRUE(factor.factorise(D));
  VecX x = b;
  factor.solve(&x);
  return (x - expected).norm() / expected.norm();
}

// Both ways lose about eps (W + D) / D: D is at least 0.01 and W a few times 10 here.
constexpr double kRoundOff = 1e-11;

TEST(DualFactor, SolvesByTreesWhatTheDenseMatrixSolves) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    BodiesSpec spec;
    spec.bodies = 6;
    spec.rows = 4;
    spec.turns = true;
    spec.R = seed % 2 == 0 ? 0.01 : 0.0;
    const DualProblem problem = random_bodies(spec, seed);
    EXPECT_LT(error_of(problem, random_vector(problem.num_rows(), seed, 0.01, 1.0), seed), kRoundOff);
  }
}

TEST(DualFactor, TakesRowsOverSeveralTreesOfAnySize) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const DualProblem problem = tied_trees(seed);
    EXPECT_LT(error_of(problem, random_vector(problem.num_rows(), seed, 0.01, 1.0), seed), kRoundOff);
  }
}

TEST(DualFactor, TakesMoreRowsThanThereAreVelocities) {
  BodiesSpec spec;
  spec.bodies = 2;
  spec.patches = 6;
  spec.points = 4;
  const DualProblem problem = random_bodies(spec, 3);
  ASSERT_GT(problem.num_rows(), problem.num_velocities());
  EXPECT_LT(error_of(problem, VecX::Constant(problem.num_rows(), 0.1), 3), kRoundOff);
}

TEST(DualFactor, TakesAnExplicitMatrixWithoutSymmetrisingIt) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    MatX W = random_spd(9, seed);
    W(0, 7) += 0.3;
    const DualProblem problem =
        dense_problem({contact_block(0.5), contact_block(0.5), contact_block(0.5)}, W,
                      random_vector(9, seed, -1.0, 1.0), random_vector(9, seed + 1, 0.0, 0.1));
    EXPECT_LT(error_of(problem, random_vector(9, seed, 0.01, 1.0), seed), kRoundOff);
  }
}

// Rows 0, 3, 6, ... of the problem are left out.
void expect_rows_left_out(const DualProblem& problem) {
  const int n = problem.num_rows();
  VecX D = VecX::Constant(n, 0.2);
  const VecX b = random_vector(n, 7, -1.0, 1.0);
  std::vector<int> kept;
  for (int i = 0; i < n; ++i) {
    if (i % 3 == 0)
      D[i] = DualFactor::kLeftOut;
    else
      kept.push_back(i);
  }
  const MatX M = dense_matrix(problem, VecX::Constant(n, 0.2));
  const VecX expected = M(kept, kept).partialPivLu().solve(b(kept));
  DualFactor factor;
  factor.begin(problem);
  ASSERT_TRUE(factor.factorise(D));
  VecX x = b;
  factor.solve(&x);
  EXPECT_LT((x(kept) - expected).norm(), kRoundOff * expected.norm());
  for (int i = 0; i < n; i += 3) EXPECT_EQ(x[i], 0.0);
}

TEST(DualFactor, LeavesOutRowsWhoseDIsInfinite) {
  expect_rows_left_out(random_bodies({}, 5));
  expect_rows_left_out(
      dense_problem({contact_block(0.5), contact_block(0.5)}, random_spd(6, 5), VecX::Ones(6)));
}

TEST(DualFactor, SaysThatANumberIsNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  DualProblem by_trees = random_bodies({}, 5);
  by_trees.A[0] = nan;
  MatX W = random_spd(3, 5);
  W(0, 1) = nan;
  DualProblem is_explicit = dense_problem({contact_block(0.5)}, W, VecX::Ones(3));
  for (const DualProblem* problem : {&by_trees, &is_explicit}) {
    DualFactor factor;
    factor.begin(*problem);
    EXPECT_FALSE(factor.factorise(VecX::Ones(problem->num_rows())));
  }
}

TEST(DualFactor, AllocatesNothingByTreesOnceItIsWarm) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  const DualProblem problem = random_bodies({}, 5);
  DualFactor factor;
  VecX D = VecX::Ones(problem.num_rows()), x = D;
  const auto work = [&] {
    factor.begin(problem);
    factor.factorise(D);
    factor.solve(&x);
  };
  work();
  const AllocationCounter counter;
  work();
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace stiction
