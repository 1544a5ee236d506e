// Lemke's method; what every solver must do is in contract_test.cpp.

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "stiction/base/random.h"
#include "stiction/base/shared_files.h"
#include "stiction/contact/complementarity/lcp_lemke.h"
#include "stiction/contact/dual/residual.h"
#include "stiction/contact/dual/solver.h"
#include "test/contact/dual/samples.h"
#include "test/contact/dual/stored_problems.h"

namespace stiction {
namespace {

struct Lcp {
  MatX M;
  VecX q;
  std::vector<VecX> solutions;  // those that are known; none: there is none
};

Lcp load_lcp(const std::filesystem::path& path) {
  std::ifstream stream(path);
  const nlohmann::json file = nlohmann::json::parse(stream);
  const int n = file.at("n");
  const auto vector = [n](const nlohmann::json& from) {
    VecX out(n);
    for (int i = 0; i < n; ++i) out[i] = from.at(i).get<double>();
    return out;
  };
  Lcp out;
  out.M.resize(n, n);
  for (int i = 0; i < n; ++i) out.M.row(i) = vector(file.at("M").at(i)).transpose();
  out.q = vector(file.at("q"));
  for (const nlohmann::json& solution : file.at("solutions")) out.solutions.push_back(vector(solution));
  return out;
}

// Upper triangular, ones on and twos above the diagonal.
MatX murty_matrix(int n) {
  MatX M = MatX::Identity(n, n);
  for (int j = 0; j < n; ++j) M.col(j).head(j).setConstant(2.0);
  return M;
}

struct Solved {
  VecX lambda, s;
  IslandReport report;
};

Solved solve(const DualProblem& problem, double tolerance = 1e-12, const Pyramid& pyramid = {}) {
  DualOptions options;
  options.tolerance = tolerance;
  options.pyramid = pyramid;
  Solved out;
  out.lambda = VecX::Zero(problem.num_rows());
  out.report = make_lemke()->solve(problem, options, &out.lambda);
  problem.velocities(out.lambda, &out.s);
  return out;
}

// Two files are known to be out of reach: one has no solution, and from the bimatrix game of CPS_3 the path
// of every covering vector leads to a ray at once, though there are solutions.
TEST(Lemke, SolvesTheCollectionOfComplementarityProblems) {
  const auto folder = shared_file("data/lcp");
  if (!folder) GTEST_SKIP() << missing_shared_file("data/lcp");
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
    const std::string name = entry.path().stem().string();
    if (name.rfind("lcp_", 0) != 0) continue;
    SCOPED_TRACE(name);
    const Lcp lcp = load_lcp(entry.path());
    VecX z;
    const LcpReport report = lcp_lemke(lcp.M, lcp.q, &z);
    ++count;
    if (lcp.solutions.empty() || name == "lcp_CPS_3") {
      EXPECT_EQ(report.status, LcpStatus::ray);
      continue;
    }
    EXPECT_EQ(report.status, LcpStatus::solved);
    // Round-off of M z, whose numbers are as large as those of q or a hundred times that.
    EXPECT_LT(lcp_error(lcp.M, lcp.q, z), 1e-13 * std::max(1.0, z.maxCoeff()));
  }
  EXPECT_GE(count, 15);
}

TEST(Lemke, FindsTheOnlySolutionOfFiles) {
  for (const char* name : {"lcp_deudeu", "lcp_ortiz", "lcp_enum_fails", "lcp_CPS_4", "lcp_CPS_4bis"}) {
    SCOPED_TRACE(name);
    const auto file = shared_file(std::string("data/lcp/") + name + ".json");
    if (!file) GTEST_SKIP() << missing_shared_file("data/lcp");
    const Lcp lcp = load_lcp(*file);
    VecX z;
    lcp_lemke(lcp.M, lcp.q, &z);
    ASSERT_EQ(lcp.solutions.size(), 1u);
    EXPECT_LT((z - lcp.solutions[0]).norm(), 1e-12 * lcp.solutions[0].norm());
  }
}

// With q_i = 2^i - 2^(n+1) it visits all 2^n - 1 complementary bases before the last.
TEST(Lemke, TakesExponentiallyManyPivotsOnMurtysProblem) {
  VecX q(6), z;
  q << -126, -124, -120, -112, -96, -64;
  Lemke lemke;
  const LcpReport report = lemke.solve(murty_matrix(6), q, 600, &z);
  EXPECT_EQ(report.status, LcpStatus::solved);
  EXPECT_EQ(z, (VecX(6) << 0, 0, 0, 0, 0, 64).finished());
  EXPECT_GE(report.pivots, 63);
}

TEST(Lemke, SaysWhenPivotsRunOut) {
  VecX q(6), z;
  q << -126, -124, -120, -112, -96, -64;
  Lemke lemke;
  EXPECT_EQ(lemke.solve(murty_matrix(6), q, 20, &z).status, LcpStatus::max_pivots);
}

// Matrices B B' + D with B thin: as degenerate as hyperstatic contact.
TEST(Lemke, SolvesSemidefiniteProblems) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random random(seed);
    const int n = 4 + static_cast<int>(seed);
    MatX B(n, 1 + n / 4);
    for (int i = 0; i < B.size(); ++i) B.data()[i] = random.normal();
    const MatX M = B * B.transpose();
    VecX x(n), z;
    for (int i = 0; i < n; ++i) x[i] = std::max(0.0, random.normal());
    // q is met by x, with slack where x is zero.
    const VecX q = -M * x + (x.array() == 0.0).cast<double>().matrix();
    EXPECT_EQ(lcp_lemke(M, q, &z).status, LcpStatus::solved);
    EXPECT_LT(lcp_error(M, q, z), 1e-11 * q.norm());
  }
}

TEST(Lemke, RandomBodiesMeetTheLaw) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    for (const int facets : {4, 8}) {
      BodiesSpec spec;
      spec.rows = seed % 2 == 0 ? 0 : 4;
      spec.turns = seed % 3 == 2;
      spec.R = seed % 4 < 2 ? 0.0 : 0.01;
      spec.friction = seed % 5 == 4 ? 10.0 : -1.0;
      Pyramid pyramid;
      pyramid.facets = facets;
      const DualProblem problem = random_bodies(spec, seed);
      const Solved solved = solve(problem, 1e-10, pyramid);
      EXPECT_EQ(solved.report.status, SolveStatus::converged) << "seed " << seed;
      EXPECT_LT(problem.natural_error(LawKind::pyramid_lcp, pyramid, solved.lambda, solved.s),
                1e-10 * problem.velocity_scale());
    }
  }
}

// Without friction s is that of a convex problem, which has one.
TEST(Lemke, AgreesWithDantzigsPivotingWithoutFriction) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    BodiesSpec spec;
    spec.friction = 0.0;
    spec.rows = 3;
    const DualProblem problem = random_bodies(spec, seed);
    const Solved solved = solve(problem);
    VecX lambda = VecX::Zero(problem.num_rows()), s;
    make_dantzig()->solve(problem, {}, &lambda);
    problem.velocities(lambda, &s);
    EXPECT_LT((s - solved.s).norm(), 1e-11 * problem.velocity_scale());
  }
}

// 64 facets differ from the cone by 1/cos(pi/64) - 1 = 0.12 %; measured as the cone's law.
TEST(Lemke, ManyFacetsApproachTheCone) {
  Pyramid pyramid;
  pyramid.facets = 64;
  const DualProblem problem = block_on_ground({3.0, 2.0, -1.0}, 0.5);
  const DualResidual residual = check_dual_residual(problem, solve(problem, 1e-12, pyramid).lambda);
  EXPECT_LT(residual.natural_velocity.relative, 0.002);
  EXPECT_LT(residual.signorini.relative, 1e-14);
}

TEST(Lemke, SolvesTheContactProblemsOfTheCollection) {
  const auto files = fc3d_files();
  if (files.empty()) GTEST_SKIP() << missing_shared_file("data/fc3d");
  for (const auto& file : files) {
    const DualProblem problem = load_fc3d(file);
    if (problem.num_blocks() > 60) continue;
    const Solved solved = solve(problem, 1e-10);
    EXPECT_EQ(solved.report.status, SolveStatus::converged) << file.stem();
  }
}

// Two walls that close in on a body from both sides.
TEST(Lemke, SaysThatContradictionsAreInfeasible) {
  MatX W(2, 2);
  W << 1.0, -1.0, -1.0, 1.0;
  const DualProblem problem =
      dense_problem({contact_block(0.0, 0), contact_block(0.0, 0)}, W, VecX::Constant(2, -1.0));
  const Solved solved = solve(problem);
  EXPECT_EQ(solved.report.status, SolveStatus::infeasible);
  EXPECT_EQ(solved.lambda.norm(), 0.0);
}

}  // namespace
}  // namespace stiction
