#include "stiction/base/format.h"

#include <cstddef>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace stiction {
namespace {

TEST(Format, PutsValuesOfEveryKindInPlaceOfTheBraces) {
  EXPECT_EQ(format("{} {} {} {} {}", 1, 2.5, "three", std::string("four"), 'v'), "1 2.5 three four v");
  EXPECT_EQ(format("{} {}", true, std::size_t(7)), "true 7");
}

TEST(Format, KeepsTheLargestIntegers) {
  EXPECT_EQ(format("{}", std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(format("{}", std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
}

TEST(Format, TakesFormatSpecifications) { EXPECT_EQ(format("{:.3f} {:04d}", 0.12345, 42), "0.123 0042"); }

TEST(Format, PrintsNumbersSoThatTheyReadBackExactly) { EXPECT_EQ(std::stod(format("{}", 0.1)), 0.1); }

TEST(Format, KeepsTheMessageWhenThePatternIsWrong) {
  EXPECT_EQ(format("mass of {} is {}", "arm").substr(0, 16), "mass of {} is {}");
}

}  // namespace
}  // namespace stiction
