// What every solver of the dual contact problem must do, whatever its method: each test runs for all pairs of
// law and solver. Tests of one solver alone are in the file of its name. Longer than other files, so that the contract is in
// one place.

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/contact/catalog.h"
#include "stiction/contact/dual/solver.h"
#include "stiction/contact/law/law_list.h"
#include "stiction/math/eigenvalues.h"
#include "test/base/allocation_counter.h"
#include "test/contact/dual/cube_stack.h"
#include "test/contact/dual/samples.h"

namespace stiction {
namespace {

constexpr double kNoBound = 1e300;
constexpr double kGravity = 9.81, kStep = 1e-3;

struct Solved {
  VecX lambda, s;
  IslandReport report;
  double error = 0.0;  // of the law's natural map, from lambda alone, relative to the free velocity
};

// A law and a solver of it.
struct Pair {
  LawKind law;
  std::string solver;

  std::unique_ptr<DualSolver> make() const { return make_dual_solver(law, solver); }
  std::string name() const { return std::string(name_of(law)) + "+" + solver; }
  bool pivots() const { return solver == "lemke" || solver == "dantzig"; }
  bool has_natural_error() const { return !law_row(law).has_own_criterion; }
  // One contact alone is solved in closed form, by bisection to the last digit or by pivots: to round-off.
  bool solves_one_contact_exactly() const { return pivots() || solver == "pgs" || solver == "bisection"; }

  // An interior point method stops a little inside the cone; how far has no more digits below 1e-11 (interior_point.h).
  double sliding_accuracy() const { return solver == "interior_point" ? 1e-10 : 1e-11; }

  // Sweeps are cheap, and many.
  int enough_iterations() const { return solver == "pgs" || solver == "bisection" ? 20000 : 1000; }

  Solved solve(const DualProblem& problem, double tolerance = 1e-12, const VecX& start = VecX(),
               int max_iterations = 0) const {
    DualOptions options;
    options.tolerance = tolerance;
    options.max_iterations = max_iterations > 0 ? max_iterations : enough_iterations();
    Solved out;
    out.lambda = start.size() > 0 ? start : VecX(VecX::Zero(problem.num_rows()));
    out.report = make()->solve(problem, options, &out.lambda);
    problem.velocities(out.lambda, &out.s);
    out.error = problem.natural_error(law, Pyramid{}, out.lambda, out.s) / problem.velocity_scale();
    return out;
  }
};

// Those of the catalog, and one that is used inside other solvers and as a reference. sap is solved as
// convex_cone; literal solvers promise less (literal_solvers_test.cpp).
std::vector<Pair> every_pair() {
  std::vector<Pair> pairs = {{LawKind::convex_cone, "semismooth_newton"}};
  for (const CatalogEntry& entry : catalog())
    if (is_rigid(entry.law) && !find_solver(entry.solver).is_literal &&
        make_dual_solver(entry.law, entry.solver))
      pairs.push_back({entry.law, entry.solver});
  EXPECT_GT(pairs.size(), 9u);
  return pairs;
}

// The impulse of a block_on_ground that slides at the velocity v: under convex_cone the nearest point of the
// cone to -m v, else a normal impulse m |vz| and friction mu times that, against v or at the corner of the
// pyramid.
Vec3 sliding_impulse(LawKind law, const Vec3& v, double mu) {
  const double m = 2.0, friction = mu * m * std::abs(v.z());
  if (law == LawKind::convex_cone) {
    Vec3 out = -m * v;
    project_on_cone(mu, 2, out.data());
    return out;
  }
  Vec3 out(0.0, 0.0, m * std::abs(v.z()));
  if (law == LawKind::pyramid_lcp) {
    for (int i = 0; i < 2; ++i) out[i] = v[i] == 0.0 ? 0.0 : -std::copysign(friction, v[i]);
  } else {
    out.head<2>() = -friction * v.head<2>().normalized();
  }
  return out;
}

TEST(DualContract, ABlockThatStaysWithinItsFrictionIsStopped) {
  for (const Pair& pair : every_pair()) {
    SCOPED_TRACE(pair.name());
    const Solved solved = pair.solve(block_on_ground({0.3, 0.0, -1.0}, 0.5));
    EXPECT_TRUE(is_solved(solved.report.status));
    EXPECT_LT((solved.lambda - Vec3(-0.6, 0.0, 2.0)).norm(),
              pair.solves_one_contact_exactly() ? 1e-15 : 1e-11);
  }
}

TEST(DualContract, ABlockThatLeavesFeelsNothingAfterNoIteration) {
  for (const Pair& pair : every_pair()) {
    SCOPED_TRACE(pair.name());
    for (const double vx : {0.0, 0.3}) {
      const Solved solved = pair.solve(block_on_ground({vx, 0.0, 1.0}, 0.5));
      EXPECT_EQ(solved.lambda.norm(), 0.0);
      EXPECT_EQ(solved.report.iterations, 0);
    }
  }
}

TEST(DualContract, ABlockThatSlidesIsHeldByTheFrictionOfItsLaw) {
  for (const Pair& pair : every_pair()) {
    SCOPED_TRACE(pair.name());
    for (const Vec3& v : {Vec3(3, 0, -1), Vec3(3, 2, -1), Vec3(3, 3, -1), Vec3(3, 4, -1)}) {
      const Solved solved = pair.solve(block_on_ground(v, 0.5));
      EXPECT_LT((solved.lambda - sliding_impulse(pair.law, v, 0.5)).norm(),
                pair.solves_one_contact_exactly() ? 1e-14 : pair.sliding_accuracy());
      if (pair.law == LawKind::convex_cone) {  // which lifts off what slides
        EXPECT_NEAR(solved.s[2], 0.5 * solved.s.head(2).norm(),
                    pair.solves_one_contact_exactly() ? 1e-15 : pair.sliding_accuracy());
        EXPECT_GT(solved.s[2], 0.1);
      }
    }
  }
}

TEST(DualContract, ABallInACornerIsStoppedByTheWallsItMeets) {
  for (const Pair& pair : every_pair()) {
    SCOPED_TRACE(pair.name());
    for (const double second : {-3.0, 3.0}) {
      const DualProblem problem = dense_problem({contact_block(0.0, 0), contact_block(0.0, 0)},
                                                0.25 * MatX::Identity(2, 2), Eigen::Vector2d(-1.0, second));
      const Eigen::Vector2d expected(4.0, second < 0.0 ? 12.0 : 0.0);
      EXPECT_LT((pair.solve(problem).lambda - expected).norm(), 1e-10);
    }
  }
}

// m v = 2 in a groove whose walls are 30 or 45 degrees from the ground: each bears m v / (2 cos angle). The
// walls have no friction; their tangents are not there, or have mu = 0.
TEST(DualContract, ABallInAGrooveRestsOnBothWalls) {
  const double m = 2.0;
  for (const double angle : {std::acos(-1.0) / 6.0, std::acos(-1.0) / 4.0}) {
    for (const int tangents : {0, 2}) {
      MatX J(2 * (tangents + 1), 3);
      for (int w = 0; w < 2; ++w) {
        const double side = w == 0 ? 1.0 : -1.0;
        if (tangents > 0) {
          J.row(3 * w) << std::cos(angle), 0.0, -side * std::sin(angle);
          J.row(3 * w + 1) << 0.0, 1.0, 0.0;
        }
        J.row((w + 1) * (tangents + 1) - 1) << side * std::sin(angle), 0.0, std::cos(angle);
      }
      const DualBlock block = contact_block(0.0, tangents);
      const DualProblem problem =
          dense_problem({block, block}, J * J.transpose() / m, J * Vec3(0.0, 0.3, -1.0));
      for (const Pair& pair : every_pair()) {
        SCOPED_TRACE(pair.name());
        const Solved solved = pair.solve(problem, 1e-14);
        for (int w = 0; w < 2; ++w)
          EXPECT_NEAR(solved.lambda[(w + 1) * (tangents + 1) - 1], m / (2.0 * std::cos(angle)),
                      pair.solver == "lemke" ? 1e-14 : 1e-13);
      }
    }
  }
}

// A plank of 2 kg on two feet, 1 m left and 3 m right of its centre, pushed along itself: rows (x, y, z) of
// both, friction along x is shared in infinitely many ways.
TEST(DualContract, TwoFeetShareTheWeightByTheLeverAndTheirFrictionAddsUp) {
  const double m = 2.0, inertia = 5.0;
  MatX J = MatX::Zero(6, 3);  // of (x, z, w): z + arm w
  J.row(0) << 1, 0, 0;
  J.row(2) << 0, 1, -1;
  J.row(3) << 1, 0, 0;
  J.row(5) << 0, 1, 3;
  const MatX W = J * Vec3(1 / m, 1 / m, 1 / inertia).asDiagonal() * J.transpose();
  const DualProblem problem =
      dense_problem({contact_block(0.5), contact_block(0.5)}, W, J * Vec3(0.2, -1.0, 0.0));
  for (const Pair& pair : every_pair()) {
    SCOPED_TRACE(pair.name());
    const Solved solved = pair.solve(problem);
    EXPECT_NEAR(solved.lambda[2], m * 3.0 / 4.0, 1e-10);
    EXPECT_NEAR(solved.lambda[5], m * 1.0 / 4.0, 1e-10);
    EXPECT_NEAR(solved.lambda[0] + solved.lambda[3], -0.2 * m, 1e-10);
  }
}

TEST(DualContract, ACubeOnFourCornersIsCarriedAndHeld) {
  const CubeStack cube{.masses = {1.0}, .friction = {0.4}, .push = Vec3(0.2 * kGravity, 0.0, 0.0)};
  const DualProblem problem = make_dual(cube);
  for (const Pair& pair : every_pair()) {
    SCOPED_TRACE(pair.name());
    const Solved solved = pair.solve(problem);
    double weight = 0.0;
    for (int c = 0; c < 4; ++c) weight += solved.lambda[3 * c + 2];
    EXPECT_NEAR(weight, kGravity * kStep, 1e-11);
    EXPECT_LT(velocity_after(problem, solved.lambda).norm(), 1e-12);
  }
}

// From zeros, solvers that stay in the range of J bring in no impulses that move nothing.
TEST(DualContract, LeavesNoInternalForcesAtStiction) {
  const DualProblem problem =
      make_dual({.masses = {1.0}, .friction = {0.4}, .push = Vec3(0.2 * kGravity, 0.0, 0.0), .h = kStep});
  for (const Pair& pair : every_pair()) {
    if (pair.solver != "admm" && pair.solver != "staggered") continue;
    SCOPED_TRACE(pair.name());
    EXPECT_LT(internal_impulse(problem, pair.solve(problem, 1e-9).lambda), 1e-6 * kGravity * kStep);
  }
}

// The ground stops the fall with m |vz| in all and the slide with no more than mu times that; friction at the
// corners does not tip the cube as long as it is less than the weight. Of Coulomb's law, as it is or with a
// pyramid: convex_cone lifts off what slides, raisim's friction has another direction.
TEST(DualContract, FourCornersBearACubeWhateverTheirFriction) {
  const struct {
    double mu, vx;
  } cases[] = {{0.0, 0.5}, {0.2, 0.5}, {0.4, 0.3}, {0.4, 2.0}, {1.0, 0.5}, {10.0, 0.5}};
  for (const auto& c : cases) {
    const DualProblem problem =
        make_dual({.masses = {1.0}, .friction = {c.mu}, .velocity = Vec3(c.vx, 0.0, -1.0), .h = kStep});
    const double fall = 1.0 + kGravity * kStep;
    for (const Pair& pair : every_pair()) {
      if (pair.law == LawKind::convex_cone || pair.law == LawKind::raisim) continue;
      SCOPED_TRACE(pair.name() + ", mu " + std::to_string(c.mu) + ", v " + std::to_string(c.vx));
      const Solved solved = pair.solve(problem, 1e-11);
      EXPECT_EQ(solved.report.status, SolveStatus::converged);
      const VecX v = velocity_after(problem, solved.lambda);
      EXPECT_NEAR(v[3], std::max(0.0, c.vx - c.mu * fall), 1e-10);
      EXPECT_NEAR(v[5], 0.0, 1e-10);
      Vec3 sum = Vec3::Zero();
      for (int i = 0; i < problem.num_rows(); ++i) sum += solved.lambda[i] * problem.linear[i];
      EXPECT_LT((sum - Vec3(-std::min(c.mu * fall, c.vx), 0.0, fall)).norm(), 1e-9);
    }
  }
}

// Except by lemke, whose pivots lose what a light cube moves beside a heavy one. Bisection gets as near, but
// whether it counts as at round-off or as stalled there depends on the compiler's roundings.
TEST(DualContract, AHeavyCubeOnALightOneIsCarried) {
  const DualProblem problem = make_dual({.masses = {1e-3, 1e3}, .friction = {0.9, 0.95}});
  for (const Pair& pair : every_pair()) {
    if (pair.solver == "lemke") continue;
    SCOPED_TRACE(pair.name());
    const Solved solved = pair.solve(problem, 1e-9);
    if (pair.solver != "bisection") {
      EXPECT_TRUE(is_solved(solved.report.status));
    }
    // Velocities of the light cube are differences of impulses a million times as large: 16 roundings of
    // them are 3.6e-9 of what the heavy one has.
    EXPECT_LT(solved.error, pair.solver == "admm" ? 1e-9 : 3.6e-9);
    double weight = 0.0;
    for (int c = 0; c < 4; ++c) weight += solved.lambda[3 * c + 2];
    EXPECT_NEAR(weight, 1000.001 * kGravity * kStep, 1e-8 * weight);
  }
}

// Friction of a rod that slides on the ground drives it into the ground (Painleve): W_nt mu > W_nn. Rounds of
// staggered projections need not converge there.
TEST(DualContract, ARodThatJamsIsStopped) {
  MatX W = MatX::Identity(3, 3);
  W(0, 2) = W(2, 0) = -0.9;
  const DualProblem problem = dense_problem({contact_block(2.0)}, W, Vec3(-1.0, 0.0, -0.1));
  for (const Pair& pair : every_pair()) {
    if (pair.solver == "staggered") continue;
    SCOPED_TRACE(pair.name());
    const Solved solved = pair.solve(problem);
    EXPECT_EQ(solved.report.status, SolveStatus::converged);
    EXPECT_LT(solved.s.norm(), pair.solver == "lemke" ? 1e-13 : 1e-12);
  }
}

// One normal row, eight times: rank 1, and any split of 2 N s is an answer.
TEST(DualContract, ManyContactsAtOnePointShareTheLoad) {
  const DualProblem problem = dense_problem(std::vector<DualBlock>(8, contact_block(0.0, 0)),
                                            MatX::Constant(8, 8, 0.5), VecX::Constant(8, -1.0));
  for (const Pair& pair : every_pair()) {
    SCOPED_TRACE(pair.name());
    const Solved solved = pair.solve(problem, 1e-10);
    EXPECT_EQ(solved.report.status, SolveStatus::converged);
    EXPECT_NEAR(solved.lambda.sum(), 2.0, 1e-9);
  }
}

TEST(DualContract, ScalarRowsStopAtTheirBounds) {
  // s = 2 lambda + r: free, at the lower end, at the upper end, nowhere to go, in between.
  const std::vector<DualBlock> rows = {scalar_block(-kNoBound, kNoBound), scalar_block(0.0, kNoBound),
                                       scalar_block(-1.0, 1.0),           scalar_block(0.3, 0.3),
                                       scalar_block(-1.0, 1.0),           scalar_block(-kNoBound, 0.5)};
  VecX r(6), expected(6);
  r << 3.0, 3.0, -3.0, 1.0, -1.0, -2.0;
  expected << -1.5, 0.0, 1.0, 0.3, 0.5, 0.5;
  const DualProblem problem = dense_problem(rows, 2.0 * MatX::Identity(6, 6), r);
  for (const Pair& pair : every_pair()) {
    SCOPED_TRACE(pair.name());
    const Solved solved = pair.solve(problem);
    EXPECT_TRUE(is_solved(solved.report.status));
    EXPECT_LT((solved.lambda - expected).norm(), pair.solves_one_contact_exactly() ? 1e-15 : 1e-11);
  }
}

// s = (2 + 0.5) lambda - 5.
TEST(DualContract, AScalarRowWithComplianceStopsAtItsBounds) {
  const struct {
    double lower, upper, expected;
  } cases[] = {
      {-kNoBound, kNoBound, 2.0}, {0.0, kNoBound, 2.0}, {-1.0, 1.0, 1.0}, {3.0, 4.0, 3.0}, {0.7, 0.7, 0.7},
      {-kNoBound, 0.0, 0.0}};
  for (const Pair& pair : every_pair()) {
    SCOPED_TRACE(pair.name());
    for (const auto& c : cases) {
      const Solved solved =
          pair.solve(dense_problem({scalar_block(c.lower, c.upper)}, MatX::Constant(1, 1, 2.0),
                                   VecX::Constant(1, -5.0), VecX::Constant(1, 0.5)));
      EXPECT_NEAR(solved.lambda[0], c.expected, pair.solves_one_contact_exactly() ? 1e-15 : 1e-11);
      EXPECT_EQ(solved.report.status, SolveStatus::converged);
    }
  }
}

// A limit, a contact without friction and one whose tangents are not there, on one mass each.
TEST(DualContract, FrictionlessContactsStandBesideScalarRows) {
  VecX r(5), expected(5);
  r << 3.0, 1.0, 1.0, -1.0, -4.0;
  expected << -1.0, 0.0, 0.0, 2.0, 8.0;
  const DualProblem problem = dense_problem(
      {scalar_block(-1.0, 1.0), contact_block(0.0), contact_block(0.0, 0)}, 0.5 * MatX::Identity(5, 5), r);
  for (const Pair& pair : every_pair()) {
    SCOPED_TRACE(pair.name());
    EXPECT_LT((pair.solve(problem).lambda - expected).norm(),
              pair.solves_one_contact_exactly() ? 1e-14 : 1e-10);
  }
}

// s_n = (1/m + R) lambda_n - 1 = 0.
TEST(DualContract, AComplianceGivesWay) {
  for (const Vec3& R : {Vec3(0.5, 0.5, 0.5), Vec3(0.1, 0.1, 0.3)}) {
    const DualProblem problem =
        dense_problem({contact_block(0.5)}, 0.5 * MatX::Identity(3, 3), Vec3(0.0, 0.0, -1.0), R);
    for (const Pair& pair : every_pair()) {
      SCOPED_TRACE(pair.name());
      EXPECT_NEAR(pair.solve(problem).lambda[2], 1.0 / (0.5 + R[2]),
                  pair.solves_one_contact_exactly() ? 1e-15 : 1e-11);
    }
  }
}

TEST(DualContract, ABlockThatNothingMovesKeepsItsImpulse) {
  MatX W = MatX::Zero(7, 7);
  W.topLeftCorner(3, 3) = 0.5 * MatX::Identity(3, 3);
  W(6, 6) = 1.0;
  VecX r(7), start(7);
  r << 0.3, 0.0, -1.0, 1.0, 2.0, -3.0, 1.0;
  start << 7.0, 7.0, 7.0, 7.0, 8.0, 9.0, 4.0;
  const DualProblem problem =
      dense_problem({contact_block(0.5), contact_block(0.5), scalar_block(-kNoBound, kNoBound)}, W, r);
  for (const Pair& pair : every_pair()) {
    SCOPED_TRACE(pair.name());
    const Solved solved = pair.solve(problem, 1e-12, start);
    EXPECT_EQ(solved.report.status, SolveStatus::converged);
    EXPECT_LT((solved.lambda.head(3) - Vec3(-0.6, 0.0, 2.0)).norm(), 1e-10);
    EXPECT_EQ(solved.lambda.segment(3, 3), Vec3(7.0, 8.0, 9.0));
    EXPECT_NEAR(solved.lambda[6], -1.0, pair.solves_one_contact_exactly() ? 1e-15 : 1e-11);
  }
}

TEST(DualContract, RandomBodiesMeetTheLaw) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    BodiesSpec spec{.bodies = 4, .patches = 6, .points = 1, .rows = 3, .R = seed % 2 == 0 ? 1e-3 : 0.0};
    for (const Pair& pair : every_pair()) {
      SCOPED_TRACE(pair.name() + ", seed " + std::to_string(seed));
      const Solved solved = pair.solve(random_bodies(spec, seed), 1e-9);
      EXPECT_EQ(solved.report.status, SolveStatus::converged);
      if (pair.has_natural_error()) {
        EXPECT_LT(solved.error, 1.001e-9);
      }
    }
  }
}

// Rounds of dantzig converge where friction is moderate (dantzig_test.cpp).
TEST(DualContract, BodiesWithTorsionalAndRollingFrictionMeetTheLaw) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const DualProblem problem = random_bodies({.bodies = 3, .patches = 4, .points = 2, .turns = true}, seed);
    for (const Pair& pair : every_pair()) {
      if (pair.solver == "dantzig") continue;
      SCOPED_TRACE(pair.name() + ", seed " + std::to_string(seed));
      const Solved solved = pair.solve(problem, 1e-8);
      if (pair.has_natural_error()) {
        EXPECT_LT(solved.error, 1.001e-8);
      }
    }
  }
}

// By projected gradients, whose step is 1 over the largest eigenvalue.
TEST(DualContract, TheConvexLawHasTheOptimumThatProjectedGradientsReach) {
  const DualProblem problem = dense_problem({contact_block(0.5), contact_block(0.3)}, random_spd(6, 4),
                                            (VecX(6) << 1.0, -0.5, -1.0, 0.2, 2.0, -0.5).finished());
  const MatX W = problem.dense();
  const double step = 1.0 / eigenvalues(W).maxCoeff();
  VecX x = VecX::Zero(6);
  for (int k = 0; k < 20000; ++k) {
    x -= step * (W * x + problem.r);
    project_on_cone(0.5, 2, x.data());
    project_on_cone(0.3, 2, x.data() + 3);
  }
  for (const Pair& pair : every_pair()) {
    if (pair.law != LawKind::convex_cone) continue;
    SCOPED_TRACE(pair.name());
    EXPECT_LT((pair.solve(problem).lambda - x).norm(), 1e-10);
  }
}

// A convex problem with R > 0 has one answer; an error of 1e-11 m/s in s is one of 1e-11 / R in lambda.
TEST(DualContract, TheConvexLawGivesTheSameByTreesAndWithWWrittenOut) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    for (const int bodies : {3, 4}) {
      const DualProblem by_trees = random_bodies({.bodies = bodies, .R = 1e-3}, seed);
      const DualProblem written_out =
          dense_problem(by_trees.blocks, by_trees.dense(), by_trees.r, by_trees.R);
      for (const Pair& pair : every_pair()) {
        if (pair.law != LawKind::convex_cone) continue;
        SCOPED_TRACE(pair.name() + ", seed " + std::to_string(seed));
        const Solved a = pair.solve(by_trees), b = pair.solve(written_out);
        EXPECT_LT((a.s - b.s).norm(), 1e-8);
        EXPECT_LT((a.lambda - b.lambda).norm(), 1e-7);
      }
    }
  }
}

TEST(DualContract, AStartAtTheSolutionIsLeftAsItIs) {
  for (const std::uint64_t seed : {1, 3, 7}) {
    const DualProblem problem = random_bodies({.rows = seed == 7 ? 3 : 0}, seed);
    for (const Pair& pair : every_pair()) {
      SCOPED_TRACE(pair.name() + ", seed " + std::to_string(seed));
      const Solved cold = pair.solve(problem, 1e-9);
      ASSERT_TRUE(is_solved(cold.report.status));
      const Solved warm = pair.solve(problem, 1e-9, cold.lambda);
      EXPECT_EQ(warm.report.status, SolveStatus::converged);
      EXPECT_EQ(warm.report.iterations, 0);
      EXPECT_EQ(warm.report.factorisations, 0);
      EXPECT_EQ(warm.lambda, cold.lambda);
    }
  }
}

TEST(DualContract, TooFewIterationsAreReportedWithTheErrorThatIsLeft) {
  const DualProblem problem = random_bodies({.bodies = 6, .patches = 12, .points = 4}, 3);
  for (const Pair& pair : every_pair()) {
    if (pair.pivots()) continue;  // pivots are bounded by the size of the problem instead
    for (const int most : {2, 5}) {
      SCOPED_TRACE(pair.name() + ", iterations " + std::to_string(most));
      const Solved solved = pair.solve(problem, 1e-13, VecX(), most);
      EXPECT_EQ(solved.report.status, SolveStatus::max_iterations);
      EXPECT_EQ(solved.report.iterations, most);
      if (pair.has_natural_error()) {
        EXPECT_NEAR(solved.report.residual, solved.error, 1e-12);
      }
    }
  }
}

TEST(DualContract, NumbersThatAreNotFiniteAreReported) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  DualProblem bodies = random_bodies({}, 3);
  bodies.r[1] = nan;
  for (const Pair& pair : every_pair()) {
    SCOPED_TRACE(pair.name());
    EXPECT_EQ(pair.solve(bodies).report.status, SolveStatus::not_finite);
    EXPECT_EQ(pair.solve(block_on_ground({0.0, nan, -1.0}, 0.5)).report.status, SolveStatus::not_finite);
  }
}

// Two contacts press a body from both sides: no impulse brings both velocities to zero.
TEST(DualContract, DoesNotClaimToHaveSolvedWhatHasNoSolution) {
  MatX W(2, 2);
  W << 1.0, -1.0, -1.0, 1.0;
  const DualProblem problem =
      dense_problem({contact_block(0.0, 0), contact_block(0.0, 0)}, W, VecX::Constant(2, -1.0));
  for (const Pair& pair : every_pair()) {
    SCOPED_TRACE(pair.name());
    EXPECT_FALSE(is_solved(pair.solve(problem, 1e-8, VecX(), 200).report.status));
  }
}

// A solver that solved another problem in between remembers nothing of it.
TEST(DualContract, TheSameProblemGivesTheSameBits) {
  const DualProblem other = random_bodies({}, 4);
  for (const BodiesSpec& spec : {BodiesSpec{}, BodiesSpec{.R = 0.1}, BodiesSpec{.rows = 3, .turns = true}}) {
    const DualProblem problem = random_bodies(spec, spec.turns ? 8 : 3);
    for (const Pair& pair : every_pair()) {
      SCOPED_TRACE(pair.name());
      const std::unique_ptr<DualSolver> solver = pair.make();
      DualOptions options;
      options.tolerance = 1e-9;
      VecX first = VecX::Zero(problem.num_rows()), again = first, fresh = first;
      VecX between = VecX::Zero(other.num_rows());
      const IslandReport a = solver->solve(problem, options, &first);
      solver->solve(other, options, &between);
      const IslandReport b = solver->solve(problem, options, &again);
      pair.make()->solve(problem, options, &fresh);
      EXPECT_EQ(first, again);
      EXPECT_EQ(first, fresh);
      EXPECT_EQ(a.iterations, b.iterations);
    }
  }
}

TEST(DualContract, ASecondSolveByTreesAllocatesNothing) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  for (const BodiesSpec& spec : {BodiesSpec{}, BodiesSpec{.rows = 3, .turns = true}}) {
    const DualProblem problem = random_bodies(spec, spec.turns ? 8 : 3);
    for (const Pair& pair : every_pair()) {
      SCOPED_TRACE(pair.name());
      const std::unique_ptr<DualSolver> solver = pair.make();
      VecX first = VecX::Zero(problem.num_rows()), second = first;
      solver->solve(problem, DualOptions{}, &first);
      const AllocationCounter counter;
      solver->solve(problem, DualOptions{}, &second);
      EXPECT_EQ(counter.count(), 0);
    }
  }
}

}  // namespace
}  // namespace stiction
