#include "stiction/contact/dual/residual.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "stiction/base/random.h"
#include "stiction/base/shared_files.h"
#include "test/contact/dual/samples.h"
#include "test/contact/dual/stored_problems.h"

namespace stiction {
namespace {

constexpr double kNone = 1e300;

VecX random_impulses(int n, std::uint64_t seed) {
  Random random(seed);
  VecX out(n);
  for (int i = 0; i < n; ++i) out[i] = random.normal();
  return out;
}

// Impulses of a row of the file, from (normal, t1, t2) to (t1, t2, normal).
VecX impulses_of(const nlohmann::json& from) {
  VecX out(static_cast<int>(from.size()));
  for (int i = 0; i < out.size(); ++i) out[3 * (i / 3) + (i + 2) % 3] = from.at(i).get<double>();
  return out;
}

TEST(DualResidual, AStickingBlockIsExact) {
  const DualResidual residual =
      check_dual_residual(block_on_ground({0.3, 0.0, -1.0}, 0.5), Vec3(-0.6, 0.0, 2.0));
  for (const Error& error : {residual.primal, residual.dual, residual.complementarity, residual.signorini,
                             residual.dissipation, residual.natural_velocity, residual.natural_map})
    EXPECT_LT(error.absolute, 1e-15);
}

// lambda = (-1, 0, 2) takes 1/2 of the 3 m/s: s = (2.5, 0, 0).
TEST(DualResidual, ASlidingBlockIsExactUnderCoulombAndNotUnderTheConvexLaw) {
  const DualResidual residual =
      check_dual_residual(block_on_ground({3.0, 0.0, -1.0}, 0.5), Vec3(-1.0, 0.0, 2.0));
  EXPECT_LT(residual.dual.absolute, 1e-15);
  EXPECT_LT(residual.complementarity.absolute, 1e-15);
  EXPECT_LT(residual.natural_map.absolute, 1e-15);
  // s = (2.5, 0) against mu t <= n: 0.5 x 2.5 / sqrt(1.25); lambda . s = -2.5.
  EXPECT_NEAR(residual.ccp_dual.absolute, 1.25 / std::sqrt(1.25), 1e-15);
  EXPECT_NEAR(residual.ccp_complementarity.absolute, 2.5, 1e-15);
}

// lambda = 2 (1 + 0.5 x 3)/1.25 = 4 = normal, on the cone, and s = (2, 0, 1): s_n = mu |s_t|.
TEST(DualResidual, AConvexSolutionLiftsOff) {
  const DualResidual residual =
      check_dual_residual(block_on_ground({3.0, 0.0, -1.0}, 0.5), Vec3(-2.0, 0.0, 4.0));
  EXPECT_LT(residual.ccp_dual.absolute, 1e-15);
  EXPECT_LT(residual.ccp_complementarity.absolute, 1e-14);
  EXPECT_NEAR(residual.signorini.absolute, 4.0 * 1.0, 1e-14);
  EXPECT_NEAR(residual.complementarity.absolute, 4.0 * 1.0, 1e-14);
}

// (3, 0, 2) with mu = 1/2 is 2/sqrt(1.25) outside its cone.
TEST(DualResidual, PrimalIsTheDistanceFromTheCone) {
  const DualResidual residual =
      check_dual_residual(block_on_ground({0.0, 0.0, 0.0}, 0.5), Vec3(3.0, 0.0, 2.0));
  EXPECT_NEAR(residual.primal.absolute, 2.0 / std::sqrt(1.25), 1e-15);
}

TEST(DualResidual, PullingIsAsFarFromTheConeAsItsTip) {
  const DualResidual residual =
      check_dual_residual(block_on_ground({0.0, 0.0, 0.0}, 0.5), Vec3(0.0, 0.3, -4.0));
  EXPECT_NEAR(residual.primal.absolute, std::hypot(0.3, 4.0), 1e-15);
}

// No impulse at v = (3, 0, -1): s~_n = -1 + 1.5 = 0.5 and mu t = 1.5, so 1/sqrt(1.25) off.
TEST(DualResidual, DualIsTheDistanceOfTheShiftedVelocity) {
  const DualResidual residual = check_dual_residual(block_on_ground({3.0, 0.0, -1.0}, 0.5), Vec3::Zero());
  EXPECT_NEAR(residual.dual.absolute, 1.0 / std::sqrt(1.25), 1e-15);
}

// Friction (0, -1) against sliding (2.5, 0): none of mu lambda_n |s_t| = 2.5 J is taken, though its size
// fits.
TEST(DualResidual, FrictionInTheWrongDirectionMissesItsPower) {
  const DualResidual residual =
      check_dual_residual(block_on_ground({2.5, 0.5, -1.0}, 0.5), Vec3(0.0, -1.0, 2.0));
  EXPECT_NEAR(residual.dissipation.absolute, 2.5, 1e-14);
  EXPECT_LT(residual.signorini.absolute, 1e-15);
}

// One row of 2 kg: lambda - rho s = -2 r with the bounds away.
TEST(DualResidual, RowsAreCheckedAgainstTheirBounds) {
  const MatX W = MatX::Identity(1, 1) * 0.5;
  const auto check_residual = [&](double lower, double upper, double r, double lambda) {
    return check_dual_residual(dense_problem({scalar_block(lower, upper)}, W, VecX::Constant(1, r)),
                               VecX::Constant(1, lambda));
  };
  EXPECT_NEAR(check_residual(-kNone, kNone, 1.0, 0.0).row_natural.absolute, 1.0, 1e-15);
  EXPECT_EQ(check_residual(0.0, kNone, 1.0, 0.0).row_natural.absolute, 0.0);
  EXPECT_EQ(check_residual(-1.0, 1.0, 5.0, -1.0).row_natural.absolute, 0.0);
  EXPECT_NEAR(check_residual(-1.0, 1.0, 0.0, 1.5).row_primal.absolute, 0.5, 1e-15);
}

// R counts: s = (W + R) lambda + r = 0.
TEST(DualResidual, ComplianceIsPartOfTheLaw) {
  const VecX R = VecX::Constant(3, 0.5);
  const DualProblem problem =
      dense_problem({contact_block(0.5)}, 0.5 * MatX::Identity(3, 3), Vec3(0.3, 0.0, -1.0), R);
  EXPECT_LT(check_dual_residual(problem, Vec3(-0.3, 0.0, 1.0)).natural_map.absolute, 1e-15);
}

TEST(DualResidual, RelativeFiguresAreToTheCallersScale) {
  DualScale scale;
  scale.impulse = 5.0;
  scale.velocity = 0.1;
  const DualResidual residual =
      check_dual_residual(block_on_ground({3.0, 0.0, -1.0}, 0.5), Vec3(3.0, 0.0, 2.0), scale);
  EXPECT_DOUBLE_EQ(residual.primal.relative, residual.primal.absolute / 5.0);
  EXPECT_DOUBLE_EQ(residual.dual.relative, residual.dual.absolute / 0.1);
  EXPECT_DOUBLE_EQ(residual.complementarity.relative, residual.complementarity.absolute / 0.5);
}

// Of its own: |r| = 3 m/s and rho |r| = 6 N s.
TEST(DualResidual, WithoutAScaleTheFreeVelocityIsOne) {
  const DualResidual residual = check_dual_residual(block_on_ground({3.0, 0.0, -1.0}, 0.5), Vec3::Zero());
  EXPECT_DOUBLE_EQ(residual.scale.velocity, 3.0);
  EXPECT_DOUBLE_EQ(residual.scale.impulse, 6.0);
}

TEST(DualResidual, TreesAndTheirDelassusMatrixHaveTheSameResiduals) {
  BodiesSpec spec;
  spec.rows = 3;
  spec.turns = true;
  spec.R = 0.01;
  const DualProblem by_trees = random_bodies(spec, 5);
  const DualProblem whole = dense_problem(by_trees.blocks, by_trees.dense(), by_trees.r, by_trees.R);
  const VecX lambda = random_impulses(by_trees.num_rows(), 6);
  const DualResidual a = check_dual_residual(by_trees, lambda), b = check_dual_residual(whole, lambda);
  const std::vector<Error> of_trees = {
      a.primal,     a.dual,        a.complementarity,  a.ccp_dual,    a.ccp_complementarity,
      a.signorini,  a.dissipation, a.natural_velocity, a.natural_map, a.row_primal,
      a.row_natural};
  const std::vector<Error> of_whole = {
      b.primal,     b.dual,        b.complementarity,  b.ccp_dual,    b.ccp_complementarity,
      b.signorini,  b.dissipation, b.natural_velocity, b.natural_map, b.row_primal,
      b.row_natural};
  for (std::size_t i = 0; i < of_trees.size(); ++i) {
    EXPECT_GT(of_trees[i].absolute, 0.0);
    EXPECT_NEAR(of_trees[i].absolute, of_whole[i].absolute, 1e-11 * of_trees[i].absolute);
  }
}

TEST(DualResidual, MomentumBalances) {
  const DualProblem problem = random_bodies({}, 7);
  EXPECT_LT(check_dual_residual(problem, random_impulses(problem.num_rows(), 8)).momentum.relative, 1e-14);
}

// Two contacts that squeeze a body: W = (1 -1; -1 1). (3, 1) = 2 (1, 1) + (1, -1): sqrt(8) moves nothing.
TEST(DualResidual, InternalForcesMoveNothing) {
  MatX W(2, 2);
  W << 1.0, -1.0, -1.0, 1.0;
  const DualProblem problem = dense_problem({contact_block(0.0, 0), contact_block(0.0, 0)}, W, VecX::Zero(2));
  EXPECT_NEAR(internal_force(problem, Eigen::Vector2d(3.0, 1.0)), std::sqrt(8.0), 1e-14);
  EXPECT_LT(internal_force(problem, Eigen::Vector2d(1.0, -1.0)), 1e-15);
}

// One body with eleven velocities too few: lambda = W x has no internal part, lambda + k with W k = 0 has
// |k|.
TEST(DualResidual, InternalForcesOfTreesAreWhatWDoesNotSee) {
  BodiesSpec spec;
  spec.bodies = 1;
  spec.patches = 2;
  spec.points = 4;
  spec.friction = 0.5;
  const DualProblem problem = random_bodies(spec, 9);
  const MatX W = problem.dense();
  ASSERT_GT(W.rows(), 6);
  const VecX seen = W * random_impulses(problem.num_rows(), 10);
  EXPECT_LT(internal_force(problem, seen), 1e-12 * seen.norm());
  const VecX other = random_impulses(problem.num_rows(), 11);
  const double part = internal_force(problem, other);
  EXPECT_NEAR(internal_force(problem, other + seen), part, 1e-12 * seen.norm());
  EXPECT_GT(part, 0.1);
}

// Solutions that two other codes agree on.
TEST(DualResidual, SolutionsOfTheCollectionAreGood) {
  const auto files = fc3d_files();
  if (files.empty()) GTEST_SKIP() << missing_shared_file("data/fc3d");
  for (const auto& file : files) {
    const auto path = shared_file("data/fc3d_solutions/" + file.filename().string());
    const DualProblem problem = load_fc3d(file);
    if (is_too_long_sanitized(problem)) continue;
    if (!path || problem.num_blocks() > 100) continue;
    std::ifstream stream(*path);
    const nlohmann::json solution = nlohmann::json::parse(stream);
    const DualResidual residual = check_dual_residual(problem, impulses_of(solution.at("r")));
    // Their figure of the same map, up to round-off of W r.
    EXPECT_LT(residual.natural_map.relative,
              1e-12 + 1.5 * solution.at("residuals").at("natmap_scaled").get<double>())
        << file.stem();
  }
}

TEST(DualResidual, NumbersThatAreNotFiniteShow) {
  const VecX lambda = Vec3(0.0, std::numeric_limits<double>::quiet_NaN(), 1.0);
  EXPECT_TRUE(std::isnan(
      check_dual_residual(block_on_ground({0.0, 0.0, -1.0}, 0.5), lambda).natural_velocity.absolute));
}

TEST(DualResidual, AContactWithoutFrictionThatOpensHasNoError) {
  const DualProblem problem =
      dense_problem({contact_block(0.0, 0)}, MatX::Constant(1, 1, 0.5), VecX::Ones(1));
  EXPECT_EQ(check_dual_residual(problem, VecX::Zero(1)).natural_velocity.absolute, 0.0);
}

}  // namespace
}  // namespace stiction
