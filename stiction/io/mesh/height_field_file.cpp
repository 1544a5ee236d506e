#include "stiction/io/mesh/height_field_file.h"

#include <algorithm>
#include <cstdint>

#include "stiction/base/check.h"
#include "stiction/base/file_bytes.h"
#include "stiction/io/mesh/binary_cursor.h"
#include "stiction/io/mesh/png_file.h"

namespace stiction {
namespace {

// The rows of a picture, from the top.
GreyImage parse_binary(std::string_view bytes, std::string_view file_name) {
  BinaryCursor cursor(bytes, file_name);
  const std::int32_t rows = cursor.take<std::int32_t>(), cols = cursor.take<std::int32_t>();
  if (rows < 2 || cols < 2 || rows > kMaxHeightFieldSide || cols > kMaxHeightFieldSide)
    cursor.fail(format("{} x {} points; each side must have 2 to {}", rows, cols, kMaxHeightFieldSide));
  const std::size_t count = static_cast<std::size_t>(rows) * cols;
  if (cursor.left() != count * sizeof(float))
    cursor.fail(format("{} bytes follow where {} x {} points take {}", cursor.left(), rows, cols,
                       count * sizeof(float)));
  GreyImage image{rows, cols, std::vector<double>(count)};
  for (int row = rows - 1; row >= 0; --row)
    for (int col = 0; col < cols; ++col)
      image.values[static_cast<std::size_t>(row) * cols + col] = cursor.take<float>();
  return image;
}

}  // namespace

HeightField parse_height_field(std::string_view bytes, std::string_view file_name,
                               const HeightFieldSize& size) {
  constexpr std::string_view kPngBegin = "\x89PNG\r\n\x1a\n";
  const bool is_picture =
      lower_case_ending(file_name) == "png" || bytes.substr(0, kPngBegin.size()) == kPngBegin;
  const GreyImage image = is_picture ? parse_png(bytes, file_name) : parse_binary(bytes, file_name);
  try {
    return height_field(image.rows, image.cols, image.values, size);
  } catch (const UserError& error) {
    throw_user_error(format("{}: {}", file_name, error.what()));
  }
}

HeightField read_height_field(const std::filesystem::path& file, const HeightFieldSize& size) {
  return parse_height_field(read_file_bytes(file), file.string(), size);
}

}  // namespace stiction
