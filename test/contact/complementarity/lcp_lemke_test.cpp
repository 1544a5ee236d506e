#include "stiction/contact/complementarity/lcp_lemke.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "stiction/base/random.h"
#include "stiction/base/shared_files.h"
#include "test/contact/complementarity/plain_lcp.h"

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

}  // namespace
}  // namespace stiction
