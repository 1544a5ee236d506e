#pragma once
// Names by patterns: '*' stands for any letters, '?' for one, everything else for itself.

#include <string>
#include <string_view>
#include <vector>

namespace stiction {

bool matches(std::string_view pattern, std::string_view name);

// Places in `names` that the pattern matches, in their order.
std::vector<int> matching(std::string_view pattern, const std::vector<std::string>& names);

}  // namespace stiction
