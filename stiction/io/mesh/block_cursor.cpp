#include "stiction/io/mesh/block_cursor.h"

#include <charconv>
#include <system_error>

#include "stiction/base/check.h"

namespace stiction {
namespace {

// At most this much of a word goes into a message.
constexpr std::size_t kShownCharacters = 40;

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f' || c == '\0';
}

}  // namespace

void BlockCursor::skip_blanks() {
  while (place_ < bytes_.size() && is_blank(bytes_[place_])) ++place_;
}

std::string_view BlockCursor::word() {
  skip_blanks();
  word_ = place_;
  while (place_ < bytes_.size() && !is_blank(bytes_[place_])) ++place_;
  return bytes_.substr(word_, place_ - word_);
}

std::string_view BlockCursor::line() {
  const std::size_t begin = place_;
  while (place_ < bytes_.size() && bytes_[place_] != '\n') ++place_;
  std::string_view text = bytes_.substr(begin, place_ - begin);
  if (place_ < bytes_.size()) ++place_;
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view BlockCursor::peek() {
  const std::size_t before = place_;
  const std::string_view next = word();
  place_ = before;
  return next;
}

double BlockCursor::number(const char* what) {
  std::string_view text = word();
  const std::string_view shown = text.substr(0, kShownCharacters);
  if (text.empty()) fail(format("the file ends before {}", what));
  if (text.front() == '+') text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) fail(format("{} '{}' is too large or too small", what, shown));
  if (error != std::errc() || end != text.data() + text.size())
    fail(format("{} '{}' is not a number", what, shown));
  return value;
}

std::int64_t BlockCursor::integer(const char* what) {
  std::string_view text = word();
  const std::string_view shown = text.substr(0, kShownCharacters);
  if (text.empty()) fail(format("the file ends before {}", what));
  if (text.front() == '+') text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) fail(format("{} '{}' is too large", what, shown));
  if (error != std::errc() || end != text.data() + text.size())
    fail(format("{} '{}' is not a whole number", what, shown));
  return value;
}

std::size_t BlockCursor::count(const char* what, std::size_t most) {
  const std::int64_t value = integer(what);
  if (value < 0 || static_cast<std::uint64_t>(value) > most)
    fail(format("{} {}, which must be 0 to {}", what, value, most));
  return static_cast<std::size_t>(value);
}

void BlockCursor::skip(std::size_t bytes) {
  if (left() < bytes) fail("the file ends too early");
  place_ += bytes;
}

bool BlockCursor::skip_past(std::string_view text) {
  const std::size_t found = bytes_.find(text, place_);
  place_ = found == std::string_view::npos ? bytes_.size() : found + text.size();
  return found != std::string_view::npos;
}

void BlockCursor::check_room(std::size_t numbers, std::size_t bytes_each, const char* what) const {
  // The last word of a text has no blank behind it.
  const std::size_t room = is_binary_ ? left() / bytes_each : (left() + 1) / 2;
  if (numbers > room)
    fail(format("{} {} are promised, and there is room for {} at most", numbers, what, room));
}

void BlockCursor::fail(std::string_view message) const {
  if (is_binary_) throw_user_error(format("{}: byte {}: {}", file_, place_, message));
  const auto begin = bytes_.begin();
  const auto line = 1 + std::count(begin, begin + static_cast<std::ptrdiff_t>(word_), '\n');
  throw_user_error(format("{}:{}: {}", file_, line, message));
}

}  // namespace stiction
