#include "stiction/io/mesh/png_file.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "stiction/base/check.h"
#include "test/io/mesh/written_png.h"

namespace stiction {
namespace {

TEST(PngFile, ReadsGreyOfEightBits) {
  const GreyImage image = parse_png(png_of(2, 2, PNG_COLOR_TYPE_GRAY, 8, {0, 51, 102, 255}), "a.png");
  EXPECT_EQ(image.rows, 2);
  EXPECT_EQ(image.values, (std::vector<double>{0.0, 0.2, 0.4, 1.0}));
}

TEST(PngFile, KeepsAllSixteenBits) {
  const GreyImage image = parse_png(png_of(1, 2, PNG_COLOR_TYPE_GRAY, 16, {0x12, 0x34, 0xff, 0xff}), "a.png");
  EXPECT_EQ(image.values, (std::vector<double>{0x1234 / 65535.0, 1.0}));
}

TEST(PngFile, ReadsOneBitPerPoint) {
  EXPECT_EQ(parse_png(png_of(1, 3, PNG_COLOR_TYPE_GRAY, 1, {0b01000000}), "a.png").values,
            (std::vector<double>{0.0, 1.0, 0.0}));
}

TEST(PngFile, TakesTheRedOfColoursAndDropsTransparency) {
  EXPECT_EQ(parse_png(png_of(1, 2, PNG_COLOR_TYPE_RGB, 8, {255, 0, 0, 51, 9, 9}), "a.png").values,
            (std::vector<double>{1.0, 0.2}));
  EXPECT_EQ(parse_png(png_of(1, 2, PNG_COLOR_TYPE_GRAY_ALPHA, 8, {255, 0, 51, 9}), "a.png").values,
            (std::vector<double>{1.0, 0.2}));
}

TEST(PngFile, ReadsInterlacedPictures) {
  std::vector<png_byte> bytes;
  for (int i = 0; i < 81; ++i) bytes.push_back(png_byte(3 * i));
  EXPECT_EQ(parse_png(png_of(9, 9, PNG_COLOR_TYPE_GRAY, 8, bytes, true), "a.png").values,
            parse_png(png_of(9, 9, PNG_COLOR_TYPE_GRAY, 8, bytes), "a.png").values);
}

// A text behind the header that says it has two gigabytes: nothing is allocated for it.
TEST(PngFileError, HugeTextsAreRefusedBeforeTheyAreRead) {
  const auto largest_memory = [] {  // kB
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  const long before = largest_memory();
  std::string bytes = png_of(2, 2, PNG_COLOR_TYPE_GRAY, 8, {0, 51, 102, 255});
  constexpr std::size_t kHeader = 8 + 25;  // signature and IHDR
  bytes.insert(kHeader, std::string("\x7f\0\0\1iTXtXML", 11));
  try {
    parse_png(bytes, "a.png");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("ends too early"), std::string::npos) << error.what();
  }
  EXPECT_LT(largest_memory() - before, 500'000);
}

TEST(PngFileError, SaysWhatIsWrongAndPrintsNothing) {
  std::string cut = png_of(2, 2, PNG_COLOR_TYPE_GRAY, 8, {0, 51, 102, 255});
  cut.resize(cut.size() / 2);
  testing::internal::CaptureStderr();
  for (const std::string& bytes : {cut, std::string("not a picture"), std::string()}) {
    try {
      parse_png(bytes, "a.png");
      FAIL();
    } catch (const UserError& error) {
      EXPECT_EQ(std::string(error.what()).rfind("a.png: is no PNG picture", 0), 0u);
    }
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace stiction
