#include "stiction/simulation/model/name_lookup.h"

#include "stiction/base/format.h"

namespace stiction {

std::string unknown_name_message(std::string_view kind, std::string_view name,
                                 const std::vector<std::string>& candidates) {
  const std::string closest = closest_name(name, candidates);
  if (closest.empty()) return format("there is no {} '{}'", kind, name);
  return format("there is no {} '{}'; did you mean '{}'?", kind, name, closest);
}

std::string unknown_word_message(std::string_view kind, std::string_view word,
                                 const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& one : words) all += (all.empty() ? "" : ", ") + one;
  return format("{} (there are {})", unknown_name_message(kind, word, words), all);
}

}  // namespace stiction
