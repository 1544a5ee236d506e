#include "stiction/io/compatibility_report.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "stiction/base/format.h"

namespace stiction {
namespace {

constexpr std::size_t kPlacesShown = 4;  // of a reason that occurs often

// Entries about one element that have the same reason.
struct Group {
  std::vector<const CompatibilityEntry*> entries;
  std::set<std::string> attributes;  // empty text: the element itself

  void add(const CompatibilityEntry& entry) {
    attributes.insert(entry.attribute);
    const bool is_new =
        entries.empty() || entries.back()->line != entry.line || entries.back()->file != entry.file;
    if (is_new) entries.push_back(&entry);
  }
  // "<joint>", which includes its attributes, or "<joint axis range>".
  std::string subject() const {
    std::string text = entries.front()->element;
    if (attributes.count("") == 0)
      for (const std::string& attribute : attributes) text += " " + attribute;
    return "<" + text + ">";
  }
};

// "robot.urdf:3, 8, 12, 19 and 30 more"; a file's name is repeated only where it changes.
std::string places(const std::vector<const CompatibilityEntry*>& entries) {
  std::string text, file;
  const std::size_t shown = std::min(entries.size(), kPlacesShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const CompatibilityEntry& entry = *entries[i];
    if (i > 0) text += ", ";
    text += entry.file == file ? format("{}", entry.line) : format("{}:{}", entry.file, entry.line);
    file = entry.file;
  }
  if (entries.size() > shown) text += format(" and {} more", entries.size() - shown);
  return text;
}

}  // namespace

const char* name_of(Compatibility status) {
  switch (status) {
    case Compatibility::honoured:
      return "honoured";
    case Compatibility::approximated:
      return "approximated";
    case Compatibility::ignored:
      return "ignored";
  }
  return "";
}

int CompatibilityReport::count(Compatibility status) const {
  return int(std::count_if(entries.begin(), entries.end(),
                           [status](const CompatibilityEntry& entry) { return entry.status == status; }));
}

void CompatibilityReport::merge(const CompatibilityReport& other) {
  entries.insert(entries.end(), other.entries.begin(), other.entries.end());
}

std::string to_text(const CompatibilityReport& report, bool with_honoured) {
  std::string text =
      format("{} honoured, {} approximated, {} ignored\n", report.count(Compatibility::honoured),
             report.count(Compatibility::approximated), report.count(Compatibility::ignored));
  using Reason = std::pair<std::string, std::string>;  // element and why
  for (Compatibility status :
       {Compatibility::approximated, Compatibility::ignored, Compatibility::honoured}) {
    if (status == Compatibility::honoured && !with_honoured) continue;
    std::map<Reason, Group> groups;
    for (const CompatibilityEntry& entry : report.entries)
      if (entry.status == status) groups[{entry.element, entry.why}].add(entry);
    for (const auto& group : groups) {
      const std::string& why = group.first.second;
      text += format("{:<12} {}{}{} ({})\n", name_of(status), group.second.subject(), why.empty() ? "" : ": ",
                     why, places(group.second.entries));
    }
  }
  return text;
}

std::string to_json(const CompatibilityReport& report) {
  nlohmann::json list = nlohmann::json::array();
  for (const CompatibilityEntry& entry : report.entries) {
    list.push_back({{"element", entry.element},
                    {"attribute", entry.attribute},
                    {"file", entry.file},
                    {"line", entry.line},
                    {"status", name_of(entry.status)},
                    {"why", entry.why}});
  }
  // A file's name may be any bytes; what is not UTF-8 in it becomes the replacement character.
  return list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace stiction
