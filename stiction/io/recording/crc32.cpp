#include "stiction/io/recording/crc32.h"

#include <array>
#include <bit>
#include <cstring>

namespace stiction {
namespace {

constexpr int kLanes = 8;  // bytes that are taken at once
using Tables = std::array<std::array<std::uint32_t, 256>, kLanes>;

// tables[k][b]: the contribution of byte b to the checksum when k more bytes follow it.
constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t x = b;
    for (int bit = 0; bit < 8; ++bit) x = x >> 1 ^ ((x & 1u) != 0 ? 0xEDB88320u : 0u);
    tables[0][b] = x;
  }
  for (std::size_t k = 1; k < kLanes; ++k)
    for (std::size_t b = 0; b < 256; ++b)
      tables[k][b] = tables[k - 1][b] >> 8 ^ tables[0][tables[k - 1][b] & 0xff];
  return tables;
}

constexpr Tables kTables = make_tables();

}  // namespace

std::uint32_t crc32(std::string_view bytes, std::uint32_t before) {
  static_assert(std::endian::native == std::endian::little, "eight bytes are taken as they lie in memory");
  std::uint32_t x = ~before;
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= kLanes; left -= kLanes, at += kLanes) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    word ^= x;
    x = 0;
    for (std::size_t k = 0; k < kLanes; ++k) x ^= kTables[kLanes - 1 - k][word >> 8 * k & 0xff];
  }
  for (; left > 0; --left, ++at) x = x >> 8 ^ kTables[0][(x ^ static_cast<unsigned char>(*at)) & 0xff];
  return ~x;
}

}  // namespace stiction
