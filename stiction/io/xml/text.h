#pragma once
// The text under an XML file: bytes, lines, encoding.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace stiction {

// Lines and columns, both from 1, of the bytes of a text.
class LineTable {
 public:
  LineTable() = default;
  explicit LineTable(std::string_view text);
  int line(std::size_t offset) const;
  int column(std::size_t offset) const;  // in bytes

 private:
  std::vector<std::size_t> starts_ = {0};  // offset of the first byte of each line
};

// The offset of the first byte that does not belong to UTF-8 text as XML allows it (Unicode 15, table 3-7;
// control characters other than tab and the ends of lines are not allowed either), or npos.
std::size_t find_bad_utf8(std::string_view text);

// Puts blanks in the place of all bytes of comments but ASCII text: nobody reads them, whatever their encoding.
void clean_comments(std::string* text);

// The offset of the first '&' at or after `begin` that does not start one of XML's five named characters or a
// valid character number, or npos.
std::size_t find_bad_reference(std::string_view text, std::size_t begin);

// XML's white space, and a text without it at both ends.
bool is_space(char c);
std::string_view trimmed(std::string_view text);

// A value in quotes for a message: long ones are cut and lines joined.
std::string shown(std::string_view value);

}  // namespace stiction
