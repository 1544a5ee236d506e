#include <cmath>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/base/shared_files.h"
#include "test/contact/dual/stored_problems.h"

namespace stiction {
namespace {

// W = 1, q = (-1, 1, 3) and mu = 0.1 at every contact.
TEST(Fc3dFile, PutsTheNormalRowLast) {
  const auto file = shared_file("data/fc3d/FC3D_Example1.json");
  if (!file) GTEST_SKIP() << missing_shared_file("data/fc3d/FC3D_Example1.json");
  const DualProblem problem = load_fc3d(*file);
  ASSERT_EQ(problem.num_blocks(), 3);
  EXPECT_EQ(problem.dense(), MatX::Identity(9, 9));
  for (int c = 0; c < 3; ++c) {
    EXPECT_EQ(problem.blocks[c].friction, 0.1);
    EXPECT_EQ(Vec3(problem.r.segment<3>(3 * c)), Vec3(1.0, 3.0, -1.0));
  }
}

// W(normal 0, t2 of 1) = -2.10561955731642e-05 and its mirror image -2.2474917408592645e-05 in the file.
TEST(Fc3dFile, LeavesAnUnsymmetricMatrixAsItIs) {
  const auto file = shared_file("data/fc3d/Rover4396.json");
  if (!file) GTEST_SKIP() << missing_shared_file("data/fc3d/Rover4396.json");
  const MatX W = load_fc3d(*file).dense();
  EXPECT_EQ(W(2, 4), -2.10561955731642e-05);
  EXPECT_EQ(W(4, 2), -2.2474917408592645e-05);
}

// M = diag(2, 4, 5) and H = 1: W = diag(1/2, 1/4, 1/5), q = (1/2, 2/4, 3/5) + (-1, 0, 0).
constexpr const char* kGlobal =
    R"({"format": "fc-json/1", "name": "weights", "dim": 3, "nc": 1, "mu": [0.3], "global": {)"
    R"("M": {"rows": 3, "cols": 3, "data": [[0, 0, 2], [1, 1, 4], [2, 2, 5]]},)"
    R"("H": {"rows": 3, "cols": 3, "data": [[0, 0, 1], [1, 1, 1], [2, 2, 1]]},)"
    R"("f": [1, 2, 3], "w": [-1, 0, 0]}})";

TEST(Fc3dFile, ReducesAGlobalProblemThatHasNoW) {
  const DualProblem dual = dual_of(fc3d_from_json(kGlobal, "global.json"));
  EXPECT_TRUE(dual.dense().isApprox(Vec3(0.25, 0.2, 0.5).asDiagonal().toDenseMatrix(), 1e-15));
  EXPECT_TRUE(dual.r.isApprox(Vec3(0.5, 0.6, -0.5), 1e-15));
}

TEST(Fc3dFile, ComesBackFromJsonBitForBit) {
  Fc3dProblem problem = fc3d_from_json(kGlobal, "global.json");
  problem.q[1] = 1.0 / 3.0;
  const std::string text = fc3d_to_json(problem);
  const Fc3dProblem again = fc3d_from_json(text, "again.json");
  EXPECT_EQ(again.q, problem.q);
  EXPECT_EQ(again.friction, problem.friction);
  ASSERT_TRUE(again.global.has_value());
  EXPECT_EQ(again.global->f, problem.global->f);
  EXPECT_EQ(fc3d_to_json(again), text);
}

TEST(Fc3dFile, TheTwoOrdersAreInverse) {
  VecX rows(6);
  rows << 1, 2, 3, 4, 5, 6;  // (normal, t1, t2) twice
  VecX dual(6);
  dual << 2, 3, 1, 5, 6, 4;
  EXPECT_EQ(in_dual_order(rows), dual);
  EXPECT_EQ(in_file_order(dual), rows);
}

struct BadFile {
  const char *from, *to;  // what of the good file is replaced
  const char *where, *what;
};

TEST(Fc3dFile, NamesFileAndKeyOfWhatIsWrong) {
  const std::string good = R"({"format": "fc-json/1", "dim": 3, "nc": 1, "mu": [0.3], "q": [-1, 0, 0],)"
                           R"( "W": {"rows": 3, "cols": 3, "data": [[0, 0, 1.5], [1, 1, 1], [2, 2, 1]]}})";
  ASSERT_EQ(fc3d_from_json(good, "bad.json").num_contacts(), 1);
  const BadFile cases[] = {
      {"{\"format", "{\"format\" ", "bad.json:", "parse error"},
      {"fc-json/1", "fc-json/2", "bad.json.format:", "fc-json/1"},
      {"\"dim\": 3", "\"dim\": 2", "bad.json.dim:", "plane"},
      {"\"dim\": 3", "\"dim\": 5", "bad.json.dim:", "rolling"},
      {"\"dim\": 3", "\"dim\": 4", "bad.json.dim:", "4 is not 3"},
      {"\"nc\": 1", "\"nc\": 0", "bad.json.nc:", "0 is not a whole number"},
      {"\"nc\": 1", "\"nc\": 2", "bad.json.mu:", "list of 2"},
      {"\"nc\": 1", "\"n\": 1", "bad.json:", "'nc'"},
      {"[0.3]", "[-0.3]", "bad.json.mu[0]:", "negative"},
      {"[0.3]", "[\"nan\"]", "bad.json.mu[0]:", "finite"},
      {"[0.3]", "[NaN]", "bad.json:", "parse error"},
      {"[-1, 0, 0]", "[-1, 0]", "bad.json.q:", "list of 3"},
      {"[-1, 0, 0]", "[-1, 0, 1e999]", "bad.json:", "overflow"},
      {"[-1, 0, 0]", "[-1, 0, \"a\"]", "bad.json.q[2]:", "not a number"},
      {"\"rows\": 3", "\"rows\": 6", "bad.json.W:", "6 x 3"},
      {"[0, 0, 1.5]", "[3, 0, 1.5]", "bad.json.W.data[0][0]:", "from 0 to 2"},
      {"[0, 0, 1.5]", "[0, -1, 1.5]", "bad.json.W.data[0][1]:", "from 0 to 2"},
      {"[0, 0, 1.5]", "[0, 1.5]", "bad.json.W.data[0]:", "row, column, value"},
      {"[0, 0, 1.5]", "[0, 0, \"inf\"]", "bad.json.W.data[0][2]:", "finite"},
  };
  for (const BadFile& bad : cases) {
    SCOPED_TRACE(bad.to);
    std::string text = good;
    const std::size_t at = text.find(bad.from);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, std::string(bad.from).size(), bad.to);
    try {
      fc3d_from_json(text, "bad.json");
      ADD_FAILURE() << "nothing was said";
    } catch (const UserError& error) {
      const std::string said = error.what();
      EXPECT_EQ(said.find(bad.where), 0u) << said;
      EXPECT_NE(said.find(bad.what), std::string::npos) << said;
    }
  }
}

TEST(Fc3dFile, RefusesASingularMassMatrix) {
  std::string text = kGlobal;
  const std::size_t at = text.find("[1, 1, 4]");
  text.replace(at, 9, "[1, 1, 0]");
  EXPECT_THROW(fc3d_from_json(text, "bad.json"), UserError);
}

TEST(Fc3dFile, AFileThatIsNotThereIsNamed) {
  try {
    load_fc3d("nowhere/nothing.json");
    ADD_FAILURE();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("nowhere/nothing.json"), std::string::npos);
  }
}

}  // namespace
}  // namespace stiction
