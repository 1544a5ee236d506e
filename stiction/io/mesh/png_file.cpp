#include "stiction/io/mesh/png_file.h"

#include <csetjmp>
#include <cstring>

#include <png.h>

#include "stiction/base/check.h"
#include "stiction/geometry/shape/height_field.h"

namespace stiction {
namespace {

constexpr std::size_t kMessageBytes = 200;

// All that decode() changes is in here, because libpng leaves decode() by longjmp when something is wrong.
struct Decoding {
  std::string_view bytes;
  std::size_t place = 0;
  char message[kMessageBytes] = {};

  int rows = 0, cols = 0, channels = 0, bytes_per_value = 0;
  std::vector<png_byte> pixels;
  std::vector<png_bytep> row_starts;

  png_structp png = nullptr;
  png_infop info = nullptr;

  explicit Decoding(std::string_view file_bytes) : bytes(file_bytes) {}
  ~Decoding() { png_destroy_read_struct(&png, &info, nullptr); }
  Decoding(const Decoding&) = delete;
  Decoding& operator=(const Decoding&) = delete;
};

[[noreturn]] void on_error(png_structp png, png_const_charp message) {
  auto* decoding = static_cast<Decoding*>(png_get_error_ptr(png));
  std::strncpy(decoding->message, message, kMessageBytes - 1);
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void on_read(png_structp png, png_bytep to, png_size_t count) {
  auto* decoding = static_cast<Decoding*>(png_get_io_ptr(png));
  if (count > decoding->bytes.size() - decoding->place) png_error(png, "the file ends too early");
  std::memcpy(to, decoding->bytes.data() + decoding->place, count);
  decoding->place += count;
}

// The header, and every kind of picture turned into whole bytes per value without transparency.
void read_header(Decoding* d) {
  png_set_read_fn(d->png, d, on_read);
  png_set_user_limits(d->png, kMaxHeightFieldSide, kMaxHeightFieldSide);
  png_read_info(d->png, d->info);
  const int color = png_get_color_type(d->png, d->info);
  if (color == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(d->png);
  if (color == PNG_COLOR_TYPE_GRAY) png_set_expand_gray_1_2_4_to_8(d->png);
  if ((color & PNG_COLOR_MASK_ALPHA) != 0) png_set_strip_alpha(d->png);
  png_set_interlace_handling(d->png);
  png_read_update_info(d->png, d->info);
  d->rows = static_cast<int>(png_get_image_height(d->png, d->info));
  d->cols = static_cast<int>(png_get_image_width(d->png, d->info));
  d->channels = png_get_channels(d->png, d->info);
  d->bytes_per_value = png_get_bit_depth(d->png, d->info) == 16 ? 2 : 1;
  if (static_cast<std::size_t>(d->rows) * d->cols > kMaxHeightFieldPoints)
    png_error(d->png, "the picture has too many points");
}

bool decode(Decoding* d) {
  if (setjmp(png_jmpbuf(d->png)) != 0) return false;
  read_header(d);
  const std::size_t row_bytes = png_get_rowbytes(d->png, d->info);
  d->pixels.resize(row_bytes * d->rows);
  d->row_starts.resize(d->rows);
  for (int row = 0; row < d->rows; ++row) d->row_starts[row] = d->pixels.data() + row_bytes * row;
  png_read_image(d->png, d->row_starts.data());
  return true;
}

// Whether all chunks end inside the file: libpng allocates the length that a text chunk states before it
// reads the first byte.
bool chunks_fit(std::string_view bytes) {
  constexpr std::size_t kSignature = 8, kAround = 12;  // bytes; length, name and checksum of a chunk
  for (std::size_t place = kSignature; place < bytes.size();) {
    const std::size_t left = bytes.size() - place;
    if (left < kAround) return false;
    const auto byte = [&](int i) {
      return static_cast<std::size_t>(static_cast<unsigned char>(bytes[place + i]));
    };
    const std::size_t length = byte(0) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3);
    if (length > left - kAround) return false;
    if (bytes.substr(place + 4, 4) == "IEND") return true;
    place += kAround + length;
  }
  return true;
}

}  // namespace

GreyImage parse_png(std::string_view bytes, std::string_view file_name) {
  STICTION_USER_CHECK(chunks_fit(bytes), "{}: is no PNG picture that can be read: the file ends too early",
                      file_name);
  Decoding decoding(bytes);
  decoding.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &decoding, on_error, on_warning);
  STICTION_ASSERT(decoding.png != nullptr);
  decoding.info = png_create_info_struct(decoding.png);
  STICTION_ASSERT(decoding.info != nullptr);
  STICTION_USER_CHECK(decode(&decoding), "{}: is no PNG picture that can be read: {}", file_name,
                      static_cast<const char*>(decoding.message));

  GreyImage image{decoding.rows, decoding.cols, {}};
  image.values.reserve(static_cast<std::size_t>(image.rows) * image.cols);
  const int step = decoding.channels * decoding.bytes_per_value;
  for (const png_byte* row : decoding.row_starts) {
    for (int col = 0; col < image.cols; ++col) {
      const png_byte* value = row + static_cast<std::size_t>(col) * step;
      image.values.push_back(decoding.bytes_per_value == 2 ? (value[0] * 256.0 + value[1]) / 65535.0
                                                           : value[0] / 255.0);
    }
  }
  return image;
}

}  // namespace stiction
