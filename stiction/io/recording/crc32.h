#pragma once
// The cyclic redundancy check of zip, PNG and MCAP files: CRC-32 of IEEE 802.3, reflected, polynomial
// 0xEDB88320.

#include <cstdint>
#include <string_view>

namespace stiction {

// Of `bytes`, or of what came before (whose check is given) followed by them. crc32("123456789") is
// 0xCBF43926.
std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0);

}  // namespace stiction
