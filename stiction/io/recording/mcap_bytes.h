#pragma once
// Numbers, texts and records of MCAP, appended to a text.

#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>

#include "stiction/io/recording/mcap_format.h"

namespace stiction {

template <class Number>
void put_number(Number number, std::string* out) {
  static_assert(std::endian::native == std::endian::little, "files are written as numbers lie in memory");
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  out->append(bytes, sizeof number);
}

inline void put_text(std::string_view text, std::string* out) {
  put_number(static_cast<std::uint32_t>(text.size()), out);
  out->append(text);
}

inline void put_map(const std::map<std::string, std::string>& map, std::string* out) {
  std::uint32_t size = 0;
  for (const auto& [key, value] : map) size += static_cast<std::uint32_t>(8 + key.size() + value.size());
  put_number(size, out);
  for (const auto& [key, value] : map) {
    put_text(key, out);
    put_text(value, out);
  }
}

// Puts a record around what write(out) appends.
template <class Write>
void put_record(McapRecord kind, std::string* out, const Write& write) {
  out->push_back(static_cast<char>(kind));
  const std::size_t length_at = out->size();
  put_number(std::uint64_t{0}, out);
  write(out);
  const std::uint64_t length = out->size() - length_at - sizeof(std::uint64_t);
  std::memcpy(out->data() + length_at, &length, sizeof length);
}

}  // namespace stiction
