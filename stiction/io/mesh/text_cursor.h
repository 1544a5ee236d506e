#pragma once
// Walks through a text of lines and words that knows its line number, for formats such as OBJ and STL.
//
// Words end at blanks and at the end of their line, which is "\n", "\r\n" or "\r". A backslash at the end of
// a line continues it on the next one.

#include <string_view>

namespace stiction {

class TextCursor {
 public:
  TextCursor(std::string_view text, std::string_view file_name) : rest_(text), file_(file_name) {}

  bool at_end() const { return rest_.empty(); }
  int line() const { return line_; }  // counts from 1

  // The next word of this line; empty where the line ends.
  std::string_view word();

  // The next word of this line as a number. Throws if there is none: `what` says what was wanted.
  double number(const char* what);

  // Goes to the start of the next line, over whatever is left of this one.
  void next_line();

  // Throws UserError "FILE:LINE: message".
  [[noreturn]] void fail(std::string_view message) const;
  [[noreturn]] void fail_at(int line, std::string_view message) const;

 private:
  void skip_blanks();
  void drop_line_end();  // the text goes on with a line's end

  std::string_view rest_;
  std::string_view file_;
  int line_ = 1;
};

// The whole word as an integer. False if it is none, or too large.
bool parse_integer(std::string_view word, int* value);

}  // namespace stiction
