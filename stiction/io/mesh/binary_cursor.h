#pragma once
// Walks through little-endian binary data that knows its place, for formats such as STL and MSH.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "stiction/base/check.h"

namespace stiction {

class BinaryCursor {
 public:
  BinaryCursor(std::string_view bytes, std::string_view file_name) : bytes_(bytes), file_(file_name) {
    static_assert(std::endian::native == std::endian::little, "files are read as they lie in memory");
  }

  std::size_t place() const { return place_; }
  std::size_t left() const { return bytes_.size() - place_; }

  // An int32, uint32 or float.
  template <class Number>
  Number take() {
    if (left() < sizeof(Number)) fail("the file ends too early");
    Number value;
    std::memcpy(&value, bytes_.data() + place_, sizeof(Number));
    place_ += sizeof(Number);
    return value;
  }

  void skip(std::size_t count) {
    if (left() < count) fail("the file ends too early");
    place_ += count;
  }

  // Throws UserError "FILE: byte PLACE: message".
  [[noreturn]] void fail(std::string_view message) const {
    throw_user_error(format("{}: byte {}: {}", file_, place_, message));
  }

 private:
  std::string_view bytes_;
  std::string_view file_;
  std::size_t place_ = 0;
};

}  // namespace stiction
