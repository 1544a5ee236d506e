#include "stiction/io/xml/text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "stiction/base/format.h"

namespace stiction {

LineTable::LineTable(std::string_view text) {
  for (std::size_t i = text.find('\n'); i != std::string_view::npos; i = text.find('\n', i + 1))
    starts_.push_back(i + 1);
}

int LineTable::line(std::size_t offset) const {
  return int(std::upper_bound(starts_.begin(), starts_.end(), offset) - starts_.begin());
}

int LineTable::column(std::size_t offset) const {
  return int(offset - starts_[std::size_t(line(offset) - 1)]) + 1;
}

std::size_t find_bad_utf8(std::string_view text) {
  const auto byte = [text](std::size_t i) {
    return i < text.size() ? std::uint8_t(text[i]) : std::uint8_t(0);
  };
  const auto is_between = [byte](std::size_t i, int low, int high) {
    return byte(i) >= low && byte(i) <= high;
  };
  std::size_t i = 0;
  while (i < text.size()) {
    const int first = byte(i);
    int length = 0;
    if (first < 0x80) {
      length = first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
    } else if (first >= 0xC2 && first <= 0xDF) {
      length = is_between(i + 1, 0x80, 0xBF) ? 2 : 0;
    } else if (first >= 0xE0 && first <= 0xEF) {
      // No overlong forms, no halves of surrogate pairs.
      const int low = first == 0xE0 ? 0xA0 : 0x80, high = first == 0xED ? 0x9F : 0xBF;
      length = is_between(i + 1, low, high) && is_between(i + 2, 0x80, 0xBF) ? 3 : 0;
    } else if (first >= 0xF0 && first <= 0xF4) {
      const int low = first == 0xF0 ? 0x90 : 0x80, high = first == 0xF4 ? 0x8F : 0xBF;
      const bool tail = is_between(i + 2, 0x80, 0xBF) && is_between(i + 3, 0x80, 0xBF);
      length = is_between(i + 1, low, high) && tail ? 4 : 0;
    }
    if (length == 0) return i;
    i += std::size_t(length);
  }
  return std::string_view::npos;
}

void clean_comments(std::string* text) {
  constexpr std::string_view kBegin = "<!--", kEnd = "-->";
  for (std::size_t i = text->find(kBegin); i != std::string::npos; i = text->find(kBegin, i)) {
    const std::size_t end = std::min(text->find(kEnd, i + kBegin.size()), text->size());
    const auto is_text = [](char c) { return (c >= ' ' && c <= '~') || c == '\t' || c == '\n' || c == '\r'; };
    std::replace_if(
        text->begin() + std::ptrdiff_t(i), text->begin() + std::ptrdiff_t(end),
        [&](char c) { return !is_text(c); }, ' ');
    i = end;
  }
}

namespace {

// "#65" or "#x41": a character that may stand in an XML file.
bool is_character_number(std::string_view name) {
  const bool is_hexadecimal = name.size() > 1 && name[1] == 'x';
  const std::string_view digits = name.substr(is_hexadecimal ? 2 : 1);
  std::uint32_t code = 0;
  const std::from_chars_result result =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, is_hexadecimal ? 16 : 10);
  if (digits.empty() || result.ec != std::errc() || result.ptr != digits.data() + digits.size()) return false;
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  return code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

}  // namespace

std::size_t find_bad_reference(std::string_view text, std::size_t begin) {
  constexpr std::size_t kLongestName = 16;
  for (std::size_t i = text.find('&', begin); i != std::string_view::npos; i = text.find('&', i + 1)) {
    const std::size_t length = text.substr(i, kLongestName).find(';');
    if (length == std::string_view::npos) return i;
    const std::string_view name = text.substr(i + 1, length - 1);
    const bool is_named = name == "lt" || name == "gt" || name == "amp" || name == "quot" || name == "apos";
    if (!is_named && (name.empty() || name[0] != '#' || !is_character_number(name))) return i;
  }
  return std::string_view::npos;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string shown(std::string_view value) {
  constexpr std::size_t kLongest = 60;
  std::string text(value.substr(0, kLongest));
  std::replace_if(text.begin(), text.end(), is_space, ' ');
  return format("'{}{}'", text, value.size() > kLongest ? "..." : "");
}

}  // namespace stiction
