#pragma once
// Terrain from files: PNG pictures, where white is high, and MuJoCo's binary format, little-endian:
//
//   int32 rows, cols;  float32 heights[rows cols], row by row
//
// The first row of a picture lies at y = +radius_y; the first row of a binary file at y = -radius_y.

#include <filesystem>
#include <string_view>

#include "stiction/geometry/shape/height_field.h"

namespace stiction {

// A file whose name ends in .png, or that begins as one, is a picture, any other binary. Heights are shifted and scaled to
// [0, elevation]. Throws UserError with the file name.
HeightField read_height_field(const std::filesystem::path& file, const HeightFieldSize& size);

// The same from memory.
HeightField parse_height_field(std::string_view bytes, std::string_view file_name,
                               const HeightFieldSize& size);

}  // namespace stiction
