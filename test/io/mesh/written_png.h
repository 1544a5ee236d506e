#pragma once
// PNG files in memory, for the tests that read them.

#include <string>
#include <vector>

#include <png.h>

namespace stiction {

inline void append_png(png_structp png, png_bytep data, png_size_t count) {
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(data), count);
}

// A PNG file of the given kind from bytes as they lie in its rows.
inline std::string png_of(int rows, int cols, int color_type, int bits, std::vector<png_byte> bytes,
                          bool interlaced = false) {
  std::string out;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(png, &out, append_png, nullptr);
  png_set_IHDR(png, info, cols, rows, bits, color_type, interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  std::vector<png_bytep> starts;
  for (int row = 0; row < rows; ++row) starts.push_back(bytes.data() + bytes.size() / rows * row);
  png_write_image(png, starts.data());
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  return out;
}

}  // namespace stiction
