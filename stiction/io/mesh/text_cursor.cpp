#include "stiction/io/mesh/text_cursor.h"

#include <array>
#include <charconv>
#include <system_error>

#include "stiction/base/check.h"

namespace stiction {
namespace {

// What a character does to a word.
enum class Kind : unsigned char { part, blank, line_end, backslash };

constexpr std::array<Kind, 256> kKinds = [] {
  std::array<Kind, 256> kinds{};
  for (const char c : {' ', '\t', '\v', '\f'}) kinds[static_cast<unsigned char>(c)] = Kind::blank;
  for (const char c : {'\n', '\r'}) kinds[static_cast<unsigned char>(c)] = Kind::line_end;
  kinds[static_cast<unsigned char>('\\')] = Kind::backslash;
  return kinds;
}();

Kind kind_of(char c) { return kKinds[static_cast<unsigned char>(c)]; }

// Whether the text from a backslash on continues the line on the next one.
bool continues(std::string_view text) { return text.size() > 1 && kind_of(text[1]) == Kind::line_end; }

std::size_t find_line_end(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size() && kind_of(text[i]) != Kind::line_end) ++i;
  return i;
}

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
    const Kind kind = kind_of(rest_.front());
    if (kind == Kind::blank) {
      rest_.remove_prefix(1);
    } else if (kind == Kind::backslash && continues(rest_)) {
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
  for (; size < rest_.size(); ++size) {
    const Kind kind = kind_of(rest_[size]);
    if (kind == Kind::part) continue;
    if (kind != Kind::backslash || continues(rest_.substr(size))) break;
  }
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
  for (bool is_continued = true; is_continued && !rest_.empty();) {
    const std::size_t end = find_line_end(rest_);
    is_continued = end > 0 && rest_[end - 1] == '\\';
    rest_.remove_prefix(end);
    if (!rest_.empty()) drop_line_end();
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
