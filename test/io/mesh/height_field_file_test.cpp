#include "stiction/io/mesh/height_field_file.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "test/io/mesh/written_png.h"

namespace stiction {
namespace {

const HeightFieldSize kSize{.radius_x = 1.0, .radius_y = 1.0, .elevation = 2.0, .base = 0.1};

TEST(HeightFieldFile, PutsTheTopOfAPictureAtPositiveY) {
  const HeightField field =
      parse_height_field(png_of(2, 2, PNG_COLOR_TYPE_GRAY, 8, {50, 100, 150, 250}), "a.PNG", kSize);
  EXPECT_EQ(field.point(1, 0), Vec3(-1.0, 1.0, 0.0));  // the darkest point is the lowest
  EXPECT_EQ(field.point(0, 1), Vec3(1.0, -1.0, 2.0));
  EXPECT_NEAR(field.height(1, 1), 2.0 * 0.25, 1e-15);
}

TEST(HeightFieldFile, PutsTheFirstRowOfABinaryFileAtNegativeY) {
  const std::int32_t counts[2] = {2, 3};
  const float heights[6] = {1, 2, 3, 4, 5, 6};
  std::string bytes(32, '\0');
  std::memcpy(bytes.data(), counts, 8);
  std::memcpy(bytes.data() + 8, heights, 24);
  const HeightField field = parse_height_field(bytes, "terrain.bin", kSize);
  EXPECT_EQ(field.point(0, 0), Vec3(-1.0, -1.0, 0.0));
  EXPECT_EQ(field.point(1, 2), Vec3(1.0, 1.0, 2.0));
  EXPECT_THROW(parse_height_field(bytes.substr(0, 31), "terrain.bin", kSize), UserError);
}

}  // namespace
}  // namespace stiction
