#pragma once
// The name that was meant: for messages such as "there is no body 'fot'; did you mean 'foot'?"

#include <string>
#include <string_view>
#include <vector>

namespace stiction {

// The candidate with the fewest single-letter changes from `name` (Levenshtein distance; the first of
// equals), or empty if none is closer than replacing half of its letters.
std::string closest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace stiction
