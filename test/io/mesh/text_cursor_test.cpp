#include "stiction/io/mesh/text_cursor.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/base/check.h"

namespace stiction {
namespace {

// The words of every line, and the number of the line they begin on.
std::vector<std::vector<std::string>> lines_of(std::string_view text) {
  std::vector<std::vector<std::string>> lines;
  for (TextCursor cursor(text, "file"); !cursor.at_end(); cursor.next_line()) {
    lines.push_back({std::to_string(cursor.line())});
    for (std::string_view word = cursor.word(); !word.empty(); word = cursor.word())
      lines.back().emplace_back(word);
  }
  return lines;
}

using Lines = std::vector<std::vector<std::string>>;

TEST(TextCursor, LinesEndInAnyOfTheThreeWays) {
  for (const char* text : {"a b\nc\n", "a b\r\nc\r\n", "a b\rc\r", "a b\nc"})
    EXPECT_EQ(lines_of(text), (Lines{{"1", "a", "b"}, {"2", "c"}})) << text;
}

TEST(TextCursor, EmptyLinesCount) {
  EXPECT_EQ(lines_of("\n\r\n\ra"), (Lines{{"1"}, {"2"}, {"3"}, {"4", "a"}}));
}

TEST(TextCursor, BlanksOfAnyKindSeparateWords) {
  EXPECT_EQ(lines_of("  a\tb\v\fc  "), (Lines{{"1", "a", "b", "c"}}));
}

TEST(TextCursor, ABackslashAtTheEndContinuesTheLine) {
  EXPECT_EQ(lines_of("a \\\nb\\\r\nc\nd"), (Lines{{"1", "a", "b", "c"}, {"4", "d"}}));
}

TEST(TextCursor, ABackslashElsewhereIsPartOfItsWord) {
  EXPECT_EQ(lines_of("a\\b \\c \\"), (Lines{{"1", "a\\b", "\\c", "\\"}}));
}

TEST(TextCursor, NextLineSkipsAContinuedOneAsAWhole) {
  TextCursor cursor("skip this \\\nand this\nhere", "file");
  cursor.next_line();
  EXPECT_EQ(cursor.word(), "here");
  EXPECT_EQ(cursor.line(), 3);
}

TEST(TextCursor, ReadsNumbersAsTheyAreWritten) {
  TextCursor cursor("1 -2.5 +3e-2", "file");
  EXPECT_EQ(cursor.number("x"), 1.0);
  EXPECT_EQ(cursor.number("y"), -2.5);
  EXPECT_EQ(cursor.number("z"), 3e-2);
}

TEST(TextCursor, SaysWhereANumberIsMissing) {
  TextCursor cursor("v 1\nv", "mesh.obj");
  cursor.next_line();
  cursor.word();
  try {
    cursor.number("x");
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "mesh.obj:2: x is missing");
  }
}

}  // namespace
}  // namespace stiction
