#include "stiction/io/text_cursor.h"

#include <charconv>
#include <system_error>

#include "stiction/base/check.h"

namespace stiction {
namespace {

bool is_line_end(char c) { return c == '\n' || c == '\r'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

// At most this much of a word goes into a message.
constexpr std::size_t kShownCharacters = 40;

}  // namespace

void TextCursor::drop_line_end() {
  const bool is_pair = rest_.size() > 1 && rest_[0] == '\r' && rest_[1] == '\n';
  rest_.remove_prefix(is_pair ? 2 : 1);
  ++line_;
}

void TextCursor::skip_blanks() {
  while (!rest_.empty()) {
    if (is_blank(rest_.front())) {
      rest_.remove_prefix(1);
    } else if (rest_.front() == '\\' && rest_.size() > 1 && is_line_end(rest_[1])) {
      rest_.remove_prefix(1);
      drop_line_end();
    } else {
      return;
    }
  }
}

std::string_view TextCursor::word() {
  skip_blanks();
  std::size_t size = 0;
  while (size < rest_.size() && !is_blank(rest_[size]) && !is_line_end(rest_[size]) &&
         !(rest_[size] == '\\' && size + 1 < rest_.size() && is_line_end(rest_[size + 1])))
    ++size;
  const std::string_view result = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return result;
}

double TextCursor::number(const char* what) {
  std::string_view text = word();
  const std::string_view whole = text.substr(0, kShownCharacters);
  if (text.empty()) fail(format("{} is missing", what));
  if (text.front() == '+') text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) fail(format("{} '{}' is too large or too small", what, whole));
  if (error != std::errc() || end != text.data() + text.size())
    fail(format("{} '{}' is not a number", what, whole));
  return value;
}

void TextCursor::next_line() {
  for (;;) {
    const std::size_t end = rest_.find_first_of("\n\r");
    if (end == std::string_view::npos) {
      rest_ = {};
      return;
    }
    const bool continues = end > 0 && rest_[end - 1] == '\\';
    rest_.remove_prefix(end);
    drop_line_end();
    if (!continues) return;
  }
}

void TextCursor::fail(std::string_view message) const { fail_at(line_, message); }

void TextCursor::fail_at(int line, std::string_view message) const {
  throw_user_error(format("{}:{}: {}", file_, line, message));
}

bool parse_integer(std::string_view word, int* value) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), *value);
  return error == std::errc() && end == word.data() + word.size() && !word.empty();
}

}  // namespace stiction
