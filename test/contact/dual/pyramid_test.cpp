#include "stiction/contact/dual/pyramid.h"

#include <cmath>
#include <numbers>
#include <vector>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "test/contact/complementarity/plain_lcp.h"
#include "test/contact/dual/samples.h"

namespace stiction {
namespace {

constexpr double kNone = 1e300;

// The solution of a small linear complementarity problem by trying all 2^n sets of positive z.
VecX enumerate(const MatX& M, const VecX& q) {
  const int n = static_cast<int>(q.size());
  if (n == 0) return q;
  VecX best = VecX::Zero(n);
  double least = HUGE_VAL;
  for (int set = 0; set < (1 << n); ++set) {
    std::vector<int> in;
    for (int i = 0; i < n; ++i)
      if (set >> i & 1) in.push_back(i);
    VecX z = VecX::Zero(n);
    if (!in.empty()) {
      const MatX part = M(in, in);
      const Eigen::FullPivLU<MatX> lu(part);
      if (!lu.isInvertible()) continue;
      const VecX solved = lu.solve(-q(in));
      for (std::size_t k = 0; k < in.size(); ++k) z[in[k]] = solved[static_cast<int>(k)];
    }
    const double error = z.cwiseMin(M * z + q).cwiseAbs().maxCoeff();
    if (error < least) {
      least = error;
      best = z;
    }
  }
  EXPECT_LT(least, 1e-12);
  return best;
}

VecX solve(const DualProblem& problem, const Pyramid& pyramid = {}) {
  PyramidLcp lcp;
  lcp.begin(problem, pyramid);
  VecX lambda = VecX::Zero(problem.num_rows());
  lcp.impulses(problem, enumerate(lcp.M(), lcp.q()), &lambda);
  return lambda;
}

TEST(Pyramid, VerticesAreTheCornersThatTheProjectionStopsAt) {
  for (const int facets : {4, 6, 8}) {
    for (const bool is_inscribed : {false, true}) {
      Pyramid pyramid;
      pyramid.facets = facets;
      pyramid.is_inscribed = is_inscribed;
      for (int k = 0; k < facets; ++k) {
        double d[2], x[2];
        pyramid_vertex(pyramid, k, d);
        for (int i = 0; i < 2; ++i) x[i] = 1.5 * d[i];
        project_on_polygon(pyramid, 1.0, x);
        EXPECT_NEAR(std::hypot(x[0] - d[0], x[1] - d[1]), 0.0, 1e-15);
      }
    }
  }
}

TEST(Pyramid, VerticesOfAnInscribedOneLieOnTheCircle) {
  Pyramid pyramid;
  pyramid.facets = 6;
  pyramid.is_inscribed = true;
  for (int k = 0; k < 6; ++k) {
    double d[2];
    pyramid_vertex(pyramid, k, d);
    EXPECT_NEAR(std::hypot(d[0], d[1]), 1.0, 1e-15);
  }
}

TEST(Pyramid, ABlockWithinItsFrictionIsStopped) {
  EXPECT_LT((solve(block_on_ground({0.3, -0.2, -1.0}, 0.5)) - Vec3(-0.6, 0.4, 2.0)).norm(), 1e-14);
}

TEST(Pyramid, ABlockThatLeavesFeelsNothing) {
  EXPECT_EQ(solve(block_on_ground({0.3, 0.2, 1.0}, 0.5)).norm(), 0.0);
}

// In the direction of a vertex friction is the vertex's: mu/cos(pi/8) of eight facets around the circle.
TEST(Pyramid, SlidingTowardsAVertexIsStoppedByAllOfIt) {
  Pyramid pyramid;
  pyramid.facets = 8;
  const double angle = std::numbers::pi / 8.0, mu = 0.5;
  const Vec3 v(4.0 * std::cos(angle), 4.0 * std::sin(angle), -1.0);
  const VecX lambda = solve(block_on_ground(v, mu), pyramid);
  EXPECT_NEAR(lambda.head(2).norm(), 2.0 * mu / std::cos(angle), 1e-14);
  EXPECT_NEAR(lambda[1] * v[0] - lambda[0] * v[1], 0.0, 1e-14);
}

// Across the first edge any of its points takes the most power, all with the same part along the slide.
TEST(Pyramid, SlidingAcrossAnEdgeIsStoppedByMu) {
  EXPECT_NEAR(solve(block_on_ground({3.0, 0.0, -1.0}, 0.5))[0], -2.0 * 0.5, 1e-14);
}

TEST(Pyramid, TorsionAndRollingAreBoundedOneByOne) {
  VecX r(6);
  r << 0.0, 0.0, 5.0, 0.1, -5.0, -1.0;
  const DualProblem problem = dense_problem({contact_block(0.5, 5)}, MatX::Identity(6, 6), r);
  PyramidLcp lcp;
  lcp.begin(problem, {});
  VecX z, lambda(6), expected(6);
  EXPECT_EQ(lcp_lemke(lcp.M(), lcp.q(), &z).status, LcpStatus::solved);
  lcp.impulses(problem, z, &lambda);
  expected << 0.0, 0.0, -0.5, -0.1, 0.5, 1.0;
  EXPECT_LT((lambda - expected).norm(), 1e-14);
}

TEST(Pyramid, RowsWithoutBoundsAreNoUnknowns) {
  const DualProblem problem =
      dense_problem({scalar_block(-kNone, kNone), contact_block(0.0, 0)}, random_spd(2, 3), VecX::Ones(2));
  PyramidLcp lcp;
  lcp.begin(problem, {});
  EXPECT_EQ(lcp.size(), 1);
}

// s = 0 there, whatever the contact does.
TEST(Pyramid, RowsWithoutBoundsStandStill) {
  VecX r(4), s;
  r << 1.0, 0.3, 0.2, -2.0;
  const DualProblem problem =
      dense_problem({scalar_block(-kNone, kNone), contact_block(0.5)}, random_spd(4, 5), r);
  const VecX lambda = solve(problem);
  problem.velocities(lambda, &s);
  EXPECT_NEAR(s[0], 0.0, 1e-14);
  EXPECT_GT(lambda[3], 0.1);
}

// lambda = -r/W within the bounds, or the bound.
TEST(Pyramid, ARowWithTwoBoundsStopsAtEither) {
  for (const double r : {-3.0, -1.0, 0.5, 3.0}) {
    const DualProblem problem =
        dense_problem({scalar_block(-1.0, 1.5)}, MatX::Identity(1, 1) * 2.0, VecX::Constant(1, 2.0 * r));
    EXPECT_NEAR(solve(problem)[0], std::clamp(-r, -1.0, 1.5), 1e-15);
  }
}

TEST(Pyramid, ARowWithOneBoundStopsAtIt) {
  for (const double r : {-3.0, 3.0}) {
    const DualProblem below =
        dense_problem({scalar_block(-1.0, kNone)}, MatX::Identity(1, 1), VecX::Constant(1, r));
    const DualProblem above =
        dense_problem({scalar_block(-kNone, 1.0)}, MatX::Identity(1, 1), VecX::Constant(1, r));
    EXPECT_NEAR(solve(below)[0], std::max(-r, -1.0), 1e-15);
    EXPECT_NEAR(solve(above)[0], std::min(-r, 1.0), 1e-15);
  }
}

TEST(Pyramid, ARowWhoseBoundsAreOneKeepsIt) {
  const DualProblem problem =
      dense_problem({scalar_block(0.7, 0.7)}, MatX::Identity(1, 1), VecX::Constant(1, 5.0));
  EXPECT_EQ(solve(problem)[0], 0.7);
}

TEST(Pyramid, BoundsFarAwayCostNoDigits) {
  const DualProblem problem =
      dense_problem({scalar_block(-1e12, 1e12)}, MatX::Identity(1, 1) * 3.0, VecX::Constant(1, 1.0));
  EXPECT_NEAR(solve(problem)[0], -1.0 / 3.0, 1e-15);
}

// The same row twice: both may carry the load, together what one would.
TEST(Pyramid, RowsThatDependOnEachOtherShareTheLoad) {
  for (const double bound : {10.0, kNone}) {
    const DualProblem problem = dense_problem({scalar_block(-bound, bound), scalar_block(-bound, bound)},
                                              MatX::Ones(2, 2), VecX::Constant(2, 3.0));
    EXPECT_NEAR(solve(problem).sum(), -3.0, 1e-13);
  }
}

// Numbers of M do not depend on the masses.
TEST(Pyramid, HeavyBodiesHaveTheSameProblemAsLightOnes) {
  const MatX W = random_spd(6, 7);
  const std::vector<DualBlock> blocks(2, contact_block(0.5));
  PyramidLcp light, heavy;
  light.begin(dense_problem(blocks, W, VecX::Ones(6)), {});
  heavy.begin(dense_problem(blocks, 1e-12 * W, VecX::Ones(6)), {});
  EXPECT_LT((light.M() - heavy.M()).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(Pyramid, ABlockThatNothingMovesKeepsItsImpulse) {
  const DualProblem problem = dense_problem({contact_block(0.5)}, MatX::Zero(3, 3), Vec3(1.0, 2.0, -1.0));
  PyramidLcp lcp;
  lcp.begin(problem, {});
  EXPECT_EQ(lcp.size(), 0);
  VecX lambda = Vec3(1.0, 2.0, 3.0);
  lcp.impulses(problem, VecX(0), &lambda);
  EXPECT_EQ(lambda, Vec3(1.0, 2.0, 3.0));
}

}  // namespace
}  // namespace stiction
