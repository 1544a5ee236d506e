#include "stiction/contact/file/lcp_file.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/base/random.h"

namespace stiction {
namespace {

constexpr const char* kText =
    R"({"format": "lcp-json/1", "name": "small", "n": 2, "comp": [0, 1], "M": [[2, 1], [1, 2.5]],)"
    R"( "q": [-5, -6], "solutions": [[1, 2], [0.1, 3e-300]]})";

std::string message(const std::string& text) {
  try {
    lcp_from_json(text, "some.json");
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

std::string with(const std::string& from, const std::string& to) {
  std::string text = kText;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(LcpFile, ReadsEquationsAndPairs) {
  const SavedLcp saved = lcp_from_json(kText, "some.json");
  EXPECT_EQ(saved.name, "small");
  EXPECT_EQ(saved.problem.M(0, 1), 1.0);
  EXPECT_EQ(saved.problem.M(1, 1), 2.5);
  EXPECT_EQ(saved.problem.q[1], -6.0);
  EXPECT_EQ(saved.problem.lower[0], -kNoBound);
  EXPECT_EQ(saved.problem.lower[1], 0.0);
  EXPECT_EQ(saved.problem.upper[1], kNoBound);
  ASSERT_EQ(saved.solutions.size(), 2u);
  EXPECT_EQ(saved.solutions[1][1], 3e-300);
}

TEST(LcpFile, TakesAllUnknownsForPairsWithoutComp) {
  EXPECT_EQ(lcp_from_json(with(R"("comp": [0, 1], )", ""), "some.json").problem.lower[0], 0.0);
}

TEST(LcpFile, ComesBackBitForBit) {
  SavedLcp saved = lcp_from_json(kText, "some.json");
  saved.problem.M(0, 0) = 1.0 / 3.0;
  saved.problem.q[0] = -1e-17 / 7.0;
  const auto file = std::filesystem::temp_directory_path() / "stiction_lcp_file_test.json";
  save_lcp(saved, file);
  const SavedLcp back = load_lcp(file);
  std::filesystem::remove(file);
  EXPECT_EQ(back.name, saved.name);
  EXPECT_EQ(back.is_complementary, saved.is_complementary);
  EXPECT_EQ(back.problem.M, saved.problem.M);
  EXPECT_EQ(back.problem.q, saved.problem.q);
  EXPECT_EQ(back.solutions[0], saved.solutions[0]);
  EXPECT_EQ(back.solutions[1], saved.solutions[1]);
}

TEST(LcpFile, SaysWhichFileAndKeyIsWrong) {
  EXPECT_EQ(message(with("-6]", "-6, 1]")), "some.json.q: has 3 entries, not 2");
  EXPECT_EQ(message(with("[1, 2.5]", "[1, null]")), "some.json.M[1][1]: is not a number");
  EXPECT_EQ(message(with("[1, 2.5]", "[1]")), "some.json.M[1]: has 1 entries, not 2");
  EXPECT_EQ(message(with("[1, 2.5]", "7")), "some.json.M[1]: is not a list");
  EXPECT_EQ(message(with("[0, 1]", "[0, 2]")), "some.json.comp[1]: 2 is not a whole number from 0 to 1");
  EXPECT_EQ(message(with("\"q\"", "\"p\"")), "some.json: there is no 'q'");
  EXPECT_EQ(message(with("json/1", "json/2")), "some.json.format: 'lcp-json/2' is not 'lcp-json/1'");
  EXPECT_EQ(message(with("\"small\"", "1")), "some.json.name: is not text");
  EXPECT_NE(message("[").find("some.json: "), std::string::npos);
  EXPECT_NE(message("[]"), "");
}

TEST(LcpFile, RefusesSizesThatCannotBe) {
  for (const char* n : {"-1", "1e300", "2.5", "1000000000", "3", "\"2\""})
    EXPECT_NE(message(with("\"n\": 2", std::string("\"n\": ") + n)), "") << n;
}

TEST(LcpFile, RefusesNumbersBeyondTheRange) {
  EXPECT_NE(message(with("2.5", "1e999")), "");
  EXPECT_NE(message(with("2.5", "NaN")), "");
}

TEST(LcpFile, SaysThatAFileIsMissing) { EXPECT_THROW(load_lcp("no/such/file.json"), UserError); }

// Whatever a text says, the answer is a problem or a UserError.
TEST(LcpFile, SurvivesDamagedText) {
  Random random(17);
  const std::string characters = "0123456789-+.eE[]{}\",: nulltrue\\\x01\xff";
  for (int k = 0; k < 20000; ++k) {
    std::string text = kText;
    const int changes = random.uniform_int(1, 4);
    for (int c = 0; c < changes && !text.empty(); ++c) {
      const std::size_t at =
          static_cast<std::size_t>(random.uniform_int(0, static_cast<int>(text.size()) - 1));
      const char with_this = characters[static_cast<std::size_t>(
          random.uniform_int(0, static_cast<int>(characters.size()) - 1))];
      const int kind = random.uniform_int(0, 3);
      if (kind == 0) text[at] = with_this;
      if (kind == 1) text.insert(at, 1, with_this);
      if (kind == 2) text.erase(at, 1);
      if (kind == 3) text.resize(at + 1);
    }
    try {
      const SavedLcp saved = lcp_from_json(text, "damaged.json");
      EXPECT_TRUE(saved.problem.M.allFinite() && saved.problem.q.allFinite());
      EXPECT_EQ(saved.problem.M.rows(), saved.problem.size());
    } catch (const UserError&) {
    }
  }
}

}  // namespace
}  // namespace stiction
