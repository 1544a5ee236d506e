#pragma once
// Error messages for unknown names: "there is no body 'fot'; did you mean 'foot'?"

#include <string>
#include <string_view>
#include <vector>

#include "stiction/base/closest_name.h"

namespace stiction {

// The sentence above, without the question when no candidate is close; `kind` is the word for what was looked
// up. For names that users gave.
std::string unknown_name_message(std::string_view kind, std::string_view name,
                                 const std::vector<std::string>& candidates);
// The same for a word out of a list of ours, with the whole list: "... (there are a, b, c)".
std::string unknown_word_message(std::string_view kind, std::string_view word,
                                 const std::vector<std::string>& words);

}  // namespace stiction
