#include "stiction/io/scene_file/toml_value.h"

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/io/scene_file/toml_text.h"

namespace stiction {
namespace {

std::string error_of(const std::string& text) {
  try {
    parse_toml(text, "f.toml");
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(TomlValue, ValuesKnowTheirKindAndPlace) {
  const TomlValue root =
      parse_toml("a = 1\nb = 2.5\n  c = \"text\"\nd = [true, 3]\n[e]\nf = 1e-3\n", "f.toml");
  EXPECT_EQ(find(root, "a")->value.integer, 1);
  EXPECT_EQ(find(root, "a")->value.number, 1.0);
  EXPECT_EQ(find(root, "b")->value.number, 2.5);
  EXPECT_EQ(find(root, "c")->value.text, "text");
  EXPECT_EQ(find(root, "c")->place.line, 3);
  EXPECT_EQ(find(root, "c")->place.column, 3);
  EXPECT_TRUE(find(root, "d")->value.items[0].boolean);
  EXPECT_EQ(find(root, "d")->value.items[1].place.column, 12);
  EXPECT_EQ(find(find(root, "e")->value, "f")->value.number, 1e-3);
  EXPECT_EQ(find(root, "g"), nullptr);
}

TEST(TomlValue, HeaderThatIsCutByANewLineIsNamed) {
  EXPECT_EQ(error_of("a = 1\n[\n[ground]]\n").rfind("f.toml:2:", 0), 0u) << error_of("a = 1\n[\n[ground]]\n");
  EXPECT_NE(error_of("[="), "");
  EXPECT_NE(error_of("[[\n]]"), "");
}

TEST(TomlValue, LettersBeyondAsciiAreNoSpaces) {
  for (const char* letter : {"\u00e9", "\u00a1", "\u0498", "\u4e2d", "\u200c"}) {
    const std::string text = std::string("a = 1\n[b]\nc = 2 ") + letter + "\n";
    EXPECT_EQ(error_of(text).rfind("f.toml:3:", 0), 0u) << error_of(text);
    EXPECT_NE(error_of(std::string("[") + letter + "]\n"), "");
    EXPECT_NE(error_of(std::string(letter) + " = 1\n"), "");
  }
}

TEST(TomlValue, EntriesKeepTheOrderOfTheFile) {
  const TomlValue root = parse_toml("z = 1\na = 2\nm = 3\n", "f.toml");
  ASSERT_EQ(root.entries.size(), 3u);
  EXPECT_EQ(root.entries[0].key, "z");
  EXPECT_EQ(root.entries[1].key, "a");
  EXPECT_EQ(root.entries[2].key, "m");
}

TEST(TomlValue, WhatIsNotTomlHasItsPlace) {
  EXPECT_EQ(error_of("a = 1\nb = \n").substr(0, 9), "f.toml:2:");
  EXPECT_EQ(error_of("a = 1\na = 2\n").substr(0, 9), "f.toml:2:");
  EXPECT_EQ(error_of("[a\n").substr(0, 9), "f.toml:1:");
  EXPECT_NE(error_of("a = 1979-05-27").find("dates"), std::string::npos);
  EXPECT_NE(error_of("a = \"\xff\""), "");
}

TEST(TomlValue, DeepNestingIsRefusedAndDoesNotOverflow) {
  EXPECT_NE(error_of("a = " + std::string(100000, '[')), "");
}

TEST(TomlText, NumbersComeBackWithTheSameBits) {
  for (const double x : {0.1, 1.0 / 3.0, 1e-300, -2.5e17, 1000.0, 5e-324, 123456789012345680.0, 1e22}) {
    const TomlValue root = parse_toml("x = " + toml_number(x), "f.toml");
    EXPECT_EQ(find(root, "x")->value.number, x) << toml_number(x);
  }
  EXPECT_TRUE(std::signbit(find(parse_toml("x = " + toml_number(-0.0), "f"), "x")->value.number));
  EXPECT_THROW(toml_number(std::nan("")), UserError);
}

TEST(TomlText, TextsComeBackWithQuotesAndControlCharacters) {
  for (const std::string text : {"plain", "a \"b\" \\ c", "tab\tand\nline", "Grüße"}) {
    EXPECT_EQ(find(parse_toml("x = " + toml_text(text), "f.toml"), "x")->value.text, text);
  }
}

}  // namespace
}  // namespace stiction
