#include "stiction/io/name_pattern.h"

namespace stiction {

bool matches(std::string_view pattern, std::string_view name) {
  // Where to go on after a mismatch: behind the last '*', which takes one more letter.
  std::size_t p = 0, n = 0, star = std::string_view::npos, taken = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::vector<int> matching(std::string_view pattern, const std::vector<std::string>& names) {
  std::vector<int> places;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (matches(pattern, names[i])) places.push_back(static_cast<int>(i));
  return places;
}

}  // namespace stiction
