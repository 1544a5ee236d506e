#pragma once
// Error messages for unknown names: "there is no body 'fot'; did you mean 'foot'?"

#include <string>
#include <string_view>
#include <vector>

namespace stiction {

// The candidate with the fewest single-letter changes from `name` (Levenshtein distance; the first of
// equals), or empty if none is closer than replacing half of its letters.
std::string closest_name(std::string_view name, const std::vector<std::string>& candidates);

// The sentence above, without the question when no candidate is close; `kind` is the word for what was looked
// up.
std::string unknown_name_message(std::string_view kind, std::string_view name,
                                 const std::vector<std::string>& candidates);

}  // namespace stiction
