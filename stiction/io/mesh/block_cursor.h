#pragma once
// Walks through a file whose sections are words of text or, in its binary dialect, blocks of numbers as they lie
// in memory: legacy VTK, Gmsh.
//
// Words end at blanks and line ends. Errors name the line or, once the file is known to be binary, the byte.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace stiction {

class BlockCursor {
 public:
  BlockCursor(std::string_view bytes, std::string_view file_name) : bytes_(bytes), file_(file_name) {}

  // Numbers in blocks are the other way round than in memory.
  void set_binary(std::endian order) {
    is_binary_ = true;
    swaps_ = order != std::endian::native;
  }
  bool is_binary() const { return is_binary_; }
  bool at_end() const { return place_ == bytes_.size(); }
  std::size_t left() const { return bytes_.size() - place_; }
  std::size_t place() const { return place_; }

  // The next word, on this line or a later one; empty at the end of the file.
  std::string_view word();
  // What is left of this line, without blanks at its ends; goes to the next line.
  std::string_view line();
  // The next word without going past it.
  std::string_view peek();
  // The next words as numbers; `what` says in errors what was wanted.
  double number(const char* what);
  std::int64_t integer(const char* what);
  // A count from 0 to `most`.
  std::size_t count(const char* what, std::size_t most);

  // The next number of a block.
  template <class Number>
  Number take() {
    if (left() < sizeof(Number)) fail("the file ends too early");
    unsigned char raw[sizeof(Number)];
    std::memcpy(raw, bytes_.data() + place_, sizeof(Number));
    if (swaps_) std::reverse(raw, raw + sizeof(Number));
    place_ += sizeof(Number);
    Number value;
    std::memcpy(&value, raw, sizeof(Number));
    return value;
  }
  void skip(std::size_t bytes);
  // Goes behind the next occurrence of `text`; false and the end of the file if there is none.
  bool skip_past(std::string_view text);

  // `number` numbers of so many bytes in a block (at least two characters each in text) must still be there.
  void check_room(std::size_t numbers, std::size_t bytes_each, const char* what) const;

  // Throws UserError "FILE:LINE: message" or "FILE: byte PLACE: message".
  [[noreturn]] void fail(std::string_view message) const;

 private:
  void skip_blanks();

  std::string_view bytes_, file_;
  std::size_t place_ = 0;
  std::size_t word_ = 0;  // where the last word began
  bool is_binary_ = false, swaps_ = false;
};

}  // namespace stiction
