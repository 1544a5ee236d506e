#include "stiction/base/format_version.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "stiction/base/check.h"

namespace stiction {
namespace {

std::string complaint(double version) {
  try {
    check_format_version({.plural = "stiction maps", .version = 4, .oldest = 3}, version, "a.map");
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(FormatVersion, VersionsFromTheOldestToThePresentOneAreRead) {
  EXPECT_EQ(complaint(3), "");
  EXPECT_EQ(complaint(4), "");
}

TEST(FormatVersion, OlderAndNewerOnesAreRefusedByName) {
  EXPECT_EQ(
      complaint(2),
      "a.map: this is version 2 of stiction maps, which this version does not read; it reads version 3 to 4");
  EXPECT_EQ(complaint(5),
            "a.map: this is version 5 of stiction maps, which this version does not read; it reads up to "
            "version 4: a "
            "newer stiction wrote the file");
}

TEST(FormatVersion, WhatIsNoWholeNumberIsRefused) {
  EXPECT_EQ(complaint(3.5), "a.map: 3.5 is not a version of stiction maps");
  EXPECT_NE(complaint(std::numeric_limits<double>::quiet_NaN()), "");
}

}  // namespace
}  // namespace stiction
